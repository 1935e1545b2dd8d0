"""Tables with a column of tags, or with one column of 0 and 1 for each label: CSV, Parquet and data frames."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from skfactor._validation import check_choice, check_number
from skfactor.datasets.dataset import MultilabelData
from skfactor.datasets.errors import DataFormatError, damage_told, needs_extra
from skfactor.datasets.table_columns import cell_tags, from_features, from_indicators, from_tags

if TYPE_CHECKING:
    import pandas as pd


def load_csv(
    path: str | os.PathLike[str],
    tags: str | Sequence[str] | None = "tags",
    separator: str = ";",
    *,
    delimiter: str = ",",
    drop: Iterable[str] = (),
    max_categories: int = 50,
    missing: str = "error",
    require_labels: bool = True,
) -> MultilabelData:
    r"""Load a table of text.

    Parameters
    ----------
    path : path-like
        The file, with a header.
    tags : str, sequence of str or None
        The column with the tags of each row. Or the columns that are labels themselves, with 0 and 1. None,
        or no columns: the table has no labels.
    separator : str
        What stands between two tags. Spaces around a tag do not count; an empty cell has no tags.
    delimiter : str
        What stands between two columns.
    drop : iterable of str
        Columns to leave out.
    max_categories : int
        Leave out, with a warning, columns of text that have more different values.
    missing : {"error", "nan"}
        What to do with empty cells of features: refuse them, or make them NaN.
    require_labels : bool
        Whether to refuse a table that lacks columns of `tags`. False: do without them, as in a table whose
        labels are to be predicted.

    Returns
    -------
    data : MultilabelData
        Columns of numbers are features; a column of text becomes one 0/1 feature for each of its values,
        called `column=value`. The labels are the tags that occur, sorted.

    Raises
    ------
    DataFormatError
        If the table is malformed, with the row and the column.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder) / "tickets.csv"
    ...     _ = path.write_text("words,team,tags\n120,web,urgent;billing\n80,app,billing\n")
    ...     data = load_csv(path)
    >>> data.feature_names, data.label_names
    (['words', 'team=app', 'team=web'], ['billing', 'urgent'])
    """
    pandas = _pandas("load_csv")
    # Tags are split as they are written: pandas would make 3.0 of the tag 3, and nothing of the tag NA.
    split = {tags: lambda cell: tuple(cell_tags(cell, separator))} if isinstance(tags, str) else {}
    try:
        with damage_told(path):
            frame = pandas.read_csv(path, sep=delimiter, converters=split, low_memory=False)
    except (pandas.errors.ParserError, pandas.errors.EmptyDataError) as error:
        raise DataFormatError(path, f"{str(error).strip().rstrip('.')}.") from None
    return _from_frame(frame, Path(path), tags, separator, drop, max_categories, missing, require_labels)


def load_parquet(
    path: str | os.PathLike[str],
    tags: str | Sequence[str] | None = "tags",
    separator: str = ";",
    *,
    drop: Iterable[str] = (),
    max_categories: int = 50,
    missing: str = "error",
    require_labels: bool = True,
) -> MultilabelData:
    """Load a Parquet file. The column of tags may hold lists.

    Parameters
    ----------
    path : path-like
        The file.
    tags, separator, drop, max_categories, missing, require_labels
        As for `load_csv`.

    Returns
    -------
    data : MultilabelData
        As of `load_csv`.
    """
    pandas = _pandas("load_parquet")
    try:
        with damage_told(path):
            frame = pandas.read_parquet(path)
    except ImportError:
        raise needs_extra("pyarrow", "load_parquet") from None
    except DataFormatError:
        raise
    except (KeyError, ValueError) as error:
        raise DataFormatError(path, f"{str(error).strip().rstrip('.')}.") from None
    return _from_frame(frame, Path(path), tags, separator, drop, max_categories, missing, require_labels)


def _pandas(task: str) -> Any:
    try:
        import pandas as pd
    except ImportError:
        raise needs_extra("pandas", task) from None
    return pd


def _from_frame(
    frame: pd.DataFrame,
    path: Path,
    tags: str | Sequence[str] | None,
    separator: str,
    drop: Iterable[str],
    max_categories: int,
    missing: str,
    require_labels: bool,
) -> MultilabelData:
    check_choice(missing, "missing", ("error", "nan"))
    check_number(max_categories, "max_categories", minimum=1, integer=True)
    drop = list(drop)
    targets = [tags] if isinstance(tags, str) else list(tags or ())
    _refuse_absent(frame, path, "drop", drop)
    if require_labels:
        _refuse_absent(frame, path, "tags", targets)
    targets = [name for name in targets if name in frame.columns]
    if isinstance(tags, str) and targets:
        Y, labels = from_tags(frame[tags], separator)
    else:
        Y, labels = from_indicators(frame, targets, path)
    inputs = [column for column in frame.columns if column not in {*targets, *drop}]
    X, features = from_features(frame[inputs], path, max_categories, missing)
    return MultilabelData(X, Y, features, labels, path.stem)


def _refuse_absent(frame: pd.DataFrame, path: Path, argument: str, names: list[str]) -> None:
    absent = [name for name in names if name not in frame.columns]
    if absent:
        columns = ", ".join(map(str, frame.columns[:8])) + (", ..." if len(frame.columns) > 8 else "")
        raise ValueError(f"{argument} names {absent[0]!r}, but the columns of {path} are {columns}.")
