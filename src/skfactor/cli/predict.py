"""`skfactor predict`: a model and data -> labels of each row."""

from __future__ import annotations

import csv
import sys
from collections.abc import Iterable, Iterator
from contextlib import nullcontext
from pathlib import Path
from typing import IO, TYPE_CHECKING, Annotated, Any, NamedTuple

import typer

from skfactor.cli.options import Drop, Force, Labels, Reading, Source, Tags
from skfactor.cli.output import Out, new_file, refuse_overwriting
from skfactor.cli.verb import verb

if TYPE_CHECKING:
    from skfactor._validation import Matrix

# Rows are predicted in blocks of so many scores, so that those of all rows need not be in memory.
_SCORES = 2**22


class Tagged(NamedTuple):
    """The labels of a row, best first, and their scores."""

    labels: list[str]
    scores: list[float]


@verb(
    "skfactor predict tickets.skf new-tickets.csv",
    "skfactor predict tickets.skf new-tickets.csv --top 3 --scores --out tagged.csv",
)
def predict(
    out: Out,
    *,
    model: Annotated[Path, typer.Argument(metavar="MODEL", help="A file that 'skfactor fit' wrote.")],
    data: Source,
    top: Annotated[
        int | None, typer.Option(min=1, metavar="K", help="The K best labels, however low their scores.")
    ] = None,
    scores: Annotated[bool, typer.Option("--scores", help="Write the score of each label, too.")] = False,
    target: Annotated[
        Path | None, typer.Option("--out", "-o", metavar="FILE", help="Write to a file.", show_default="stdout")
    ] = None,
    labels: Labels = None,
    tags: Tags = None,
    drop: Drop,
    reading: Reading,
    force: Force = False,
) -> None:
    """Predict the labels of each row, best first, as CSV.

    Features are matched by name where both the model and the data have names. The data need not have labels.
    """
    if target is not None:
        refuse_overwriting(target, force)
    from skfactor._validation import check_number
    from skfactor.cli.inputs import loader_options, read_features
    from skfactor.cli.models import features_for, read_model

    fitted = read_model(model)
    samples = read_features(out, data, loader_options(labels, tags, drop, reading))
    X = features_for(fitted, samples, data)
    if top is not None:
        check_number(top, "--top", minimum=1, maximum=len(fitted.classes_), integer=True)
    out.quiet = out.quiet or (target is None and sys.stdout.isatty())  # no bar among the rows
    predicted = _predicted(out, fitted, X, top)
    if out.as_json and target is None:
        rows = [row._asdict() if scores else {"labels": row.labels} for row in predicted]
        out.result({"model": model, "data": data, "rows": rows}, lambda: None)
        return
    with nullcontext() if target is None else new_file(target, force) as unfinished:
        _write(unfinished, predicted, scores)
    if target is not None:
        document = {"model": model, "data": data, "rows": X.shape[0], "out": target}
        out.result(document, lambda: out.remark(f"{X.shape[0]} rows written to {target}"))


def _predicted(out: Out, model: Any, X: Matrix, top: int | None) -> Iterator[Tagged]:
    names = [str(name) for name in model.classes_]
    size = max(1, _SCORES // len(names))
    starts = range(0, X.shape[0], size)
    for start in out.track(starts, "Predicting", len(starts)):
        yield from _block(model, X[start : start + size], names, top)


def _block(model: Any, X: Matrix, names: list[str], top: int | None) -> Iterable[Tagged]:
    import numpy as np

    from skfactor.cli.models import labels_of, scores_of
    from skfactor.factors import top_of

    scores = scores_of(model, X)
    order, falling = top_of(scores, top or len(names))
    kept = np.ones(order.shape, dtype=bool)
    if top is None:
        kept = np.take_along_axis(labels_of(model, X).toarray() > 0, order, axis=1)
    for columns, values, keep in zip(order, falling, kept, strict=True):
        yield Tagged([names[column] for column in columns[keep]], values[keep].tolist())


def _write(path: Path | None, rows: Iterable[Tagged], with_scores: bool) -> None:
    with nullcontext(sys.stdout) if path is None else path.open("w", newline="", encoding="utf-8") as file:
        _write_rows(file, rows, with_scores)
        file.flush()


def _write_rows(file: IO[str], rows: Iterable[Tagged], with_scores: bool) -> None:
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(["row", "labels", "scores"] if with_scores else ["row", "labels"])
    for number, row in enumerate(rows):
        scores = [";".join(f"{score:.6g}" for score in row.scores)] if with_scores else []
        writer.writerow([number, ";".join(row.labels), *scores])
