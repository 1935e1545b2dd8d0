"""ARFF files, as Mulan, MEKA and WEKA write them."""

from __future__ import annotations

import os
import warnings
from collections.abc import Iterable, Sequence
from pathlib import Path

import numpy as np
from scipy import sparse

from skfactor._validation import Matrix, check_choice, check_number
from skfactor.datasets.arff_columns import column_names, encode
from skfactor.datasets.arff_header import Attribute, Header, read_header, shorten
from skfactor.datasets.arff_labels import LabelSource, label_places
from skfactor.datasets.arff_rows import read_rows
from skfactor.datasets.dataset import MultilabelData
from skfactor.datasets.errors import DataFormatError


def load_arff(
    path: str | os.PathLike[str],
    labels: LabelSource = None,
    *,
    drop: Iterable[str] = (),
    max_categories: int | None = None,
    missing: str = "error",
    require_labels: bool = True,
    encoding: str = "utf-8-sig",
) -> MultilabelData:
    """Load a dense or sparse ARFF file with several labels per row.

    Parameters
    ----------
    path : path-like
        The file. Dense rows give an ndarray, sparse rows a CSR array.
    labels : path-like, sequence of str, int or None
        Which attributes are labels: an XML file as Mulan has it; their names; or MEKA's count (the first n
        attributes, the last n if negative). None: an XML file of the same name beside `path` (or of that
        name without `-train` or `-test`), else `-C count` in the name of the relation. The labels come in
        the order given. An empty list: the file has no labels.
    drop : iterable of str
        Attributes to leave out.
    max_categories : int, optional
        Leave out, with a warning, nominal attributes of more values: they tend to be identifiers.
    missing : {"error", "nan"}
        What to do with the value `?` of a feature: refuse it, or make it NaN.
    require_labels : bool
        Whether to refuse a file that lacks attributes of `labels`, or does not say which they are. False: do
        without them, as in a file whose labels are to be predicted.
    encoding : str
        Of the text.

    Returns
    -------
    data : MultilabelData
        Numeric attributes are columns. So are nominal ones that say no and yes, such as {0, 1}, {NO, YES}
        or {TRUE, FALSE}: 1 for yes, in whatever order. Every other nominal attribute becomes one column for
        each of its values, called `attribute=value`. Of strings and dates no feature can be made: they are
        left out, with a warning unless `drop` names them.

    Raises
    ------
    DataFormatError
        If the file is malformed, with the line.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> text = '''@relation "flags: -C 2"
    ... @attribute red {0,1}
    ... @attribute green {0,1}
    ... @attribute area numeric
    ... @attribute shape {round, square}
    ... @data
    ... 1,0,3.5,round
    ... 1,1,2,square'''
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder) / "flags.arff"
    ...     _ = path.write_text(text)
    ...     data = load_arff(path)
    >>> data.feature_names, data.label_names
    (['area', 'shape=round', 'shape=square'], ['red', 'green'])
    >>> data.X
    array([[3.5, 1. , 0. ],
           [2. , 0. , 1. ]])
    """
    check_choice(missing, "missing", ("error", "nan"))
    if max_categories is not None:
        check_number(max_categories, "max_categories", minimum=1, integer=True)
    path = Path(path)
    try:
        with path.open(encoding=encoding) as file:
            lines = enumerate(file, start=1)
            header = read_header(lines, path)
            targets = label_places(header, path, labels, require_labels)
            ignored = _ignored(header, targets, list(drop), max_categories, path)
            table = read_rows(lines, header.attributes, path, ignored=ignored, missing=missing)
    except UnicodeDecodeError as error:
        message = f"not {encoding} text ({error.reason}). Pass its encoding, for instance encoding='latin-1'."
        raise DataFormatError(path, message) from None
    outputs = [header.attributes[place] for place in targets]
    left = set(range(len(header.attributes))).difference(targets)
    features = [place for place in sorted(left) if header.attributes[place].name not in ignored]
    inputs = [header.attributes[place] for place in features]
    Y = sparse.csr_array(encode(table, outputs, targets))
    _check_labels(Y, outputs, path)
    return MultilabelData(
        encode(table, inputs, features),
        Y,
        [name for attribute in inputs for name in column_names(attribute)],
        [attribute.name for attribute in outputs],
        path.stem,
    )


def _ignored(
    header: Header, targets: Sequence[int], drop: list[str], max_categories: int | None, path: Path
) -> set[str]:
    """Name the attributes to leave out, after checking that the label attributes can be labels."""
    names = {attribute.name for attribute in header.attributes}
    labels = [header.attributes[place] for place in targets]
    for attribute in labels:
        if attribute.text or (attribute.values is not None and not attribute.binary):
            kind = "text" if attribute.text else f"{{{shorten(', '.join(attribute.values or ()))}}}"
            message = f"label {attribute.name!r} must be numeric or {{0,1}}, but is {kind}."
            raise DataFormatError(path, message)
    wrong = sorted(set(drop) - names) + sorted(set(drop) & {attribute.name for attribute in labels})
    if wrong:
        raise ValueError(f"drop names {wrong[0]!r}, which is no feature of {path}.")
    unused = [attribute for attribute in header.attributes if attribute.name not in drop]
    text = [attribute.name for attribute in unused if attribute.text]
    large = [
        attribute.name
        for attribute in unused
        if max_categories is not None and len(attribute.values or ()) > max_categories
    ]
    _warn_left_out(path, text, "a string or date")
    _warn_left_out(path, large, f"nominal with more than {max_categories} values")
    return {*drop, *text, *large}


def _warn_left_out(path: Path, names: list[str], why: str) -> None:
    if names:
        listed = shorten(", ".join(names), 200)
        message = f"{path}: left out, because {why}: {listed}. To silence this, name them in drop."
        warnings.warn(message, UserWarning, stacklevel=4)


def _check_labels(Y: Matrix, labels: Sequence[Attribute], path: Path) -> None:
    bad = Y.tocoo()
    wrong = np.flatnonzero(bad.data != 1)
    if len(wrong):
        row, column, value = bad.row[wrong[0]], bad.col[wrong[0]], bad.data[wrong[0]]
        said = "is missing" if np.isnan(value) else f"must be 0 or 1, got {value:g}"
        message = f"label {labels[column].name!r} of row {row} (from 0) {said}. Mend the row, or take it out."
        raise DataFormatError(path, message)
