"""The part of the report on the best method of a data set: thresholds, labels, examples, errors."""

from __future__ import annotations

import numpy as np
from scipy import sparse

from skfactor._validation import FloatArray, IntArray
from skfactor.datasets import MultilabelData
from skfactor.experiments.contest import Contest
from skfactor.metrics import macro_f1
from skfactor.report.figures.label_map import label_map, layout
from skfactor.report.figures.thresholds import thresholds
from skfactor.report.look import Look, label_vectors, look
from skfactor.report.page import Example, Picture, Section, Table, Words
from skfactor.report.portrait import names_of
from skfactor.report.standing import rare_labels

#: Labels on the map, pairs of similar labels, rows that are shown, entries of the list of errors.
MAPPED, PAIRS, ROWS, ERRORS = 400, 25, 6, 20


def closer(contest: Contest, data: MultilabelData) -> list[Section]:
    """Sections on one data set."""
    one = look(contest, data)
    pictures = [rare_labels(contest, data), _thresholds(one), *_map(one)]
    text = f"{one.method}, fitted to the training rows of the first part; what it says of the test rows."
    return [
        Section(f"A closer look: {data.name}", text, pictures=pictures, tables=_similar(one)),
        _examples(one),
        _worst(one),
    ]


def _thresholds(one: Look) -> Picture:
    shifts, curves = threshold_curves(one)
    rows = [
        [float(shift), *(float(values[place]) for values in curves.values())] for place, shift in enumerate(shifts)
    ]
    best, here = float(curves["micro F1"].max()), float(curves["micro F1"][np.abs(shifts).argmin()])
    return Picture(
        "What other thresholds would give",
        thresholds(shifts, curves),
        f"Precision, recall and F1 against the threshold: micro F1 is {here:.3f} at the calibrated threshold and "
        f"{best:.3f} at the best one.",
        Table(["shift", *curves], rows),
        "On test rows; the threshold was calibrated on held-out scores of training rows. Left of it more is "
        "predicted, right of it less.",
    )


def threshold_curves(one: Look, points: int = 61) -> tuple[FloatArray, dict[str, FloatArray]]:
    """Metrics of predicting where margin > shift, for shifts around 0.

    From where four times as much is predicted as is true, to where a fiftieth of that is.
    """
    density = one.true.nnz / one.margins.size
    low, high = np.quantile(one.margins, [1 - min(0.9, 4 * density), 1 - density / 50])
    shifts = np.union1d(np.linspace(min(low, -1e-3), max(high, 1e-3), points), [0.0])
    tables = [sparse.csr_array(one.margins > shift) for shift in shifts]
    counts = np.array([[table.multiply(one.true).sum(), table.nnz] for table in tables], dtype=float)
    hits, predicted = counts.T
    total = one.true.sum()
    return shifts, {
        "micro F1": 2 * hits / (predicted + total),
        "precision": hits / np.maximum(predicted, 1),
        "recall": hits / max(total, 1),
        "macro F1": np.array([macro_f1(one.true, table.astype(float)) for table in tables]),
    }


def _frequent(one: Look, count: int) -> tuple[IntArray, FloatArray]:
    """The most frequent labels that occur, and their numbers of rows."""
    counts = np.asarray(one.data.Y.sum(axis=0)).ravel()
    order = np.argsort(-counts, kind="stable")[:count]
    order = order[counts[order] > 0]
    return order, counts[order]


def _map(one: Look) -> list[Picture]:
    chosen, counts = _frequent(one, MAPPED)
    if len(chosen) < 3:
        return []
    vectors, source = label_vectors(one)
    names = [names_of(one.data)[place] for place in chosen]
    places = layout(vectors[chosen])
    rows = [
        [name, int(count), float(x), float(y)] for name, count, (x, y) in zip(names, counts, places, strict=True)
    ]
    left_out = one.data.Y.shape[1] - len(chosen)
    text = f"Labels that are close have like directions in {source}. Point at one to see its name."
    return [
        Picture(
            "A map of the labels",
            label_map(places, counts, names),
            f"{len(chosen)} labels as points, those of like direction in {source} close together; the largest are "
            f"{', '.join(names[:3])}.",
            Table(["label", "rows", "across", "up"], rows),
            text + (f" {left_out} rare labels are left out." if left_out else ""),
            {"labels": [f"{name}: {int(count)} rows" for name, count in zip(names, counts, strict=True)]},
        )
    ]


def _similar(one: Look) -> list[Table]:
    chosen, counts = _frequent(one, 2000)
    if len(chosen) < 2:
        return []
    vectors, source = label_vectors(one)
    names = names_of(one.data)
    together = one.data.Y[:, chosen].T @ one.data.Y[:, chosen]
    rows = [
        [names[chosen[a]], names[chosen[b]], cosine, int(together[a, b]), int(counts[a]), int(counts[b])]
        for a, b, cosine in similar_pairs(vectors[chosen], PAIRS)
    ]
    header = ["label", "like", "cosine", "rows with both", "rows with the first", "rows with the second"]
    return [Table(header, rows, f"The most similar labels, by {source}")]


def similar_pairs(vectors: FloatArray, count: int) -> list[tuple[int, int, float]]:
    """The pairs of rows with the largest cosines above 0, largest first.

    >>> similar_pairs(np.array([[1.0, 0.0], [-1.0, 1.0], [2.0, 0.1]]), 3)
    [(0, 2, 0.99875...)]
    """
    length = np.linalg.norm(vectors, axis=1, keepdims=True)
    unit = vectors / np.where(length > 0, length, 1)
    first, second = np.triu_indices(len(unit), 1)
    cosines = (unit @ unit.T)[first, second]
    best = np.argsort(-cosines, kind="stable")[:count]
    return [(int(first[place]), int(second[place]), float(cosines[place])) for place in best[cosines[best] > 0]]


def _examples(one: Look) -> Section:
    covered = np.flatnonzero(np.diff(one.true.indptr))
    drawn = np.random.default_rng(0).permutation(covered)[:ROWS]
    text = "Test rows, drawn at random from those that have a label."
    return Section(f"Examples: {one.data.name}", text, examples=[_example(one, row) for row in drawn])


def _worst(one: Look) -> Section:
    """Rows with the gravest errors: the surest of the wrong labels, and the surest refusal of a true one."""
    true = one.true.toarray() > 0
    wrong = np.where(true, -one.margins, one.margins)
    rows = np.argsort(-wrong.max(axis=1), kind="stable")[:ROWS]
    rows = rows[wrong.max(axis=1)[rows] > 0]
    entries = np.argsort(-wrong, axis=None, kind="stable")[:ERRORS]
    places = [divmod(int(entry), wrong.shape[1]) for entry in entries if wrong.flat[entry] > 0]
    names = names_of(one.data)
    listed = [
        [int(one.rows[row]), names[label], "missed" if true[row, label] else "wrong", float(wrong[row, label])]
        for row, label in places
    ]
    text = (
        "The rows where the method is most sure and not right: look at them for labels that are wrong in the data."
    )
    table = Table(["row", "label", "error", "beyond the threshold by"], listed, "The gravest single errors")
    return Section(
        f"Worst errors: {one.data.name}", text, tables=[table], examples=[_example(one, row) for row in rows]
    )


def _example(one: Look, row: int) -> Example:
    """The labels of a row, the surest of each kind first."""
    true, found = (table[[row]].toarray()[0] > 0 for table in (one.true, one.predicted))
    names, order = names_of(one.data), np.argsort(-np.abs(one.margins[row]), kind="stable")
    kinds = (true & found, true & ~found, found & ~true)
    hits, missed, wrong = ([names[place] for place in order if kind[place]] for kind in kinds)
    place = int(one.rows[row])
    return Example(f"Row {place}", features_in_words(one.data, place), Words(hits, missed, wrong))


def features_in_words(data: MultilabelData, row: int, count: int = 8) -> str:
    """The features of a row that stand out most, by name; nothing if features have no names.

    Of sparse features (such as words) those that are there, the rarer ones first.
    """
    if data.feature_names is None:
        return ""
    names = np.array([brief(name) for name in data.feature_names], dtype=object)
    if sparse.issparse(data.X):
        places = data.X.indices[data.X.indptr[row] : data.X.indptr[row + 1]]
        rows = np.asarray((data.X[:, places] != 0).sum(axis=0)).ravel()
        return ", ".join(names[places[np.argsort(rows, kind="stable")[:count]]])
    deviation = (data.X[row] - data.X.mean(axis=0)) / np.maximum(data.X.std(axis=0), 1e-12)
    places = np.argsort(-np.abs(deviation), kind="stable")[: count // 2]
    return ", ".join(f"{names[place]} {data.X[row, place]:.3g}" for place in places)


def brief(name: str, length: int = 30) -> str:
    """A name, without its middle if it is long.

    >>> brief("Std_Acc1000_Mean_Mem40_MFCC4_Power_powerFFT"), brief("pitch")
    ('Std_Acc1000_Mea…_Power_powerFFT', 'pitch')
    """
    return name if len(name) <= length else f"{name[: length // 2]}…{name[-length // 2 :]}"
