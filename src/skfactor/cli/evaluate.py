"""`skfactor evaluate`: how good a method is on rows that it was not fitted to, beside the plain one."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import typer

from skfactor.cli.options import Decision, Drop, Labels, Reading, Settings, Source, Tags, listed
from skfactor.cli.output import Out
from skfactor.cli.verb import verb

if TYPE_CHECKING:
    from skfactor.cli.contest import LabelRound
    from skfactor.datasets import MultilabelData

_METRICS = (
    "micro_f1,macro_f1,example_f1,subset_accuracy,hamming_loss,one_error,coverage,ranking_loss,average_precision"
)
_FOLDS = 5


class _Protocol(NamedTuple):
    """The rounds of an evaluation, how many they are, and in words."""

    words: str
    rounds: Iterable[LabelRound]
    total: int = 1


@verb(
    "skfactor evaluate digit-tags --method PLST --set n_components=5",
    "skfactor evaluate emotions --method PLST --split --metrics micro_f1,precision@3",
    "skfactor evaluate music-test.arff --labels music.xml --model music.skf",
)
def evaluate(
    out: Out,
    *,
    data: Source,
    method: Annotated[
        str | None, typer.Option("--method", "-m", metavar="NAME", help="The method to fit.")
    ] = None,
    settings: Settings,
    decision: Decision = None,
    folds: Annotated[
        int | None, typer.Option(min=2, metavar="K", help="Random folds of the rows.", show_default="5")
    ] = None,
    split: Annotated[bool, typer.Option("--split", help="The data set's own training and test part.")] = False,
    test: Annotated[str | None, typer.Option(metavar="DATA", help="Fit to all of DATA, test on this.")] = None,
    model: Annotated[Path | None, typer.Option(metavar="FILE", help="Test a fitted model on DATA.")] = None,
    metrics: Annotated[str, typer.Option(metavar="NAMES", help="Metrics, with commas.")] = _METRICS,
    baseline: Annotated[bool, typer.Option(help="Show RidgeBR beside another method.")] = True,
    seed: Annotated[int, typer.Option(metavar="N", help="Draws the folds.")] = 0,
    labels: Labels = None,
    tags: Tags = None,
    drop: Drop,
    reading: Reading,
) -> None:
    """Measure how good a method is on rows that it was not fitted to.

    By default on 5 random folds. The plain method, RidgeBR, gets the same rows and, as far as it has them, the
    same settings: a method that does not beat it is not worth its trouble.
    """
    _check_ways({"--folds": folds, "--split": split, "--test": test}, model, [method, settings, decision])
    from skfactor.cli import contest
    from skfactor.cli.inputs import loader_options, read_multilabel, shape
    from skfactor.cli.models import read_model

    wanted = contest.metrics_by_name(listed(metrics))
    if model is not None:
        models = {str(model): read_model(model)}
    else:
        models = contest.rivals(method or "", settings, decision, seed, baseline)
    options = loader_options(labels, tags, drop, reading)
    samples = read_multilabel(out, data, options)
    if model is not None:
        protocol = _Protocol(f"all rows of {data}", [(None, samples)])
    elif test is not None:
        other = read_multilabel(out, test, options)
        protocol = _Protocol(f"fitted to {data}, tested on {test}", [(samples, other)])
    else:
        protocol = _within(samples, data, split, folds or _FOLDS, seed)
    trial = contest.trial_of_labels(out, wanted)
    results = contest.summary(models, contest.run(out, models, protocol.rounds, protocol.total, trial), wanted)
    document = {"data": shape(samples), "protocol": protocol.words, "seed": seed, "results": results}
    out.result(document, lambda: _show(out, protocol, results))


def _within(samples: MultilabelData, source: str, split: bool, folds: int, seed: int) -> _Protocol:
    """Training and test rows out of one data set."""
    from skfactor.cli.contest import random_folds

    if split:
        return _Protocol(f"the split of {source}", [samples.split()])
    words = f"{folds} random folds of {source}, seed {seed}"
    return _Protocol(words, random_folds(samples, folds, seed), folds)


def _check_ways(ways: dict[str, Any], model: Path | None, unfitted: list[Any]) -> None:
    """Refuse options of which only one can be meant."""
    if model is not None:
        ways = {"--model": model} | dict(zip(("--method", "--set", "--decision"), unfitted, strict=True)) | ways
    elif unfitted[0] is None:
        raise ValueError("Which method? Give --method, or --model for one that is fitted.")
    chosen = [name for name, value in ways.items() if value]
    if len(chosen) > 1:
        raise ValueError(f"{' and '.join(chosen)} exclude each other.")


def _show(out: Out, protocol: _Protocol, results: list[dict[str, Any]]) -> None:
    spread = ": mean ± standard deviation" if protocol.total > 1 else ""
    out.line(f"{protocol.words}{spread}")
    from skfactor.cli import contest

    contest.show(out, results)
