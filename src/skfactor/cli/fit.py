"""`skfactor fit`: data -> a model in a file."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from skfactor.cli.options import Decision, Drop, Force, Labels, Method, OutFile, Reading, Settings, Source, Tags
from skfactor.cli.output import Out, refuse_overwriting
from skfactor.cli.verb import verb

if TYPE_CHECKING:
    from skfactor.datasets import MultilabelData


@verb(
    "skfactor fit digit-tags --method PLST --set n_components=5 --out digits.skf",
    "skfactor fit tickets.csv --tags topics --method RidgeBR --set ridge=0.3 --out tickets.skf",
    "skfactor fit music.arff --labels music.xml -m PLST --decision label_thresholds "
    "--set decision__metric=macro_f1 -o music.skf",
)
def fit(
    out: Out,
    *,
    data: Source,
    method: Method,
    target: OutFile,
    settings: Settings,
    decision: Decision = None,
    labels: Labels = None,
    tags: Tags = None,
    drop: Drop,
    reading: Reading,
    force: Force = False,
) -> None:
    """Fit a method to data, and save the model."""
    refuse_overwriting(target, force)
    from skfactor import save
    from skfactor.cli.inputs import loader_options, read_multilabel
    from skfactor.cli.models import fit_with_names, make

    model = make(method, settings, decision)
    samples = read_multilabel(out, data, loader_options(labels, tags, drop, reading))
    started = time.perf_counter()
    with out.waiting(f"Fitting {type(model).__name__} ..."):
        fit_with_names(model, samples)
    seconds = time.perf_counter() - started
    save(model, target)
    document = _document(model, samples, seconds, target)
    out.result(document, lambda: _show(out, document))


def _document(model: Any, samples: MultilabelData, seconds: float, target: Path) -> dict[str, Any]:
    from skfactor.cli.inputs import shape
    from skfactor.cli.models import parameters

    rule = getattr(model, "decision_", None)
    return {
        "method": type(model).__name__,
        "parameters": parameters(model),
        "data": shape(samples),
        "decision": {
            "rule": type(rule).__name__,
            "metric": getattr(rule, "metric", None),
            "held_out": getattr(rule, "value_", None),
            "threshold": getattr(rule, "threshold_", None),
        },
        "seconds": seconds,
        "model": target,
        "bytes": target.stat().st_size,
    }


def _show(out: Out, document: dict[str, Any]) -> None:
    data, decision = document["data"], document["decision"]
    pairs = [
        ("data", f"{data['name']}: {data['rows']} rows, {data['features']} features, {data['labels']} labels"),
        ("method", document["method"]),
    ]
    if decision["held_out"] is not None:
        pairs.append(("held out", f"{decision['metric']} {decision['held_out']:.4f}"))
        pairs.append(("decision", f"{decision['rule']}, threshold {decision['threshold']:.4g}"))
    pairs.append(("time", f"{document['seconds']:.2f} s"))
    pairs.append(("saved", f"{document['model']} ({document['bytes'] / 1024:.0f} KiB)"))
    out.pairs(pairs)
