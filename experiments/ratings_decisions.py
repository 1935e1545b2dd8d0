"""What decides best on a level, for given margins? Thresholds as fitted, calibrated ones, or medians of shares.

    python -m experiments.ratings_decisions [ml-100k ml-1m]

Of the training parts of tables 4.1 and 3.19 of the thesis, five ratings of each user are held out, and models are
fitted to the others. Mean absolute errors on the held-out ratings go to
`experiments/results/ratings-decisions.json`:

- own: the decision as published, by thresholds or by the first stage of HMF that says no;
- count: the number of margins above 0 (the same, but for HMF);
- calibrated: count, with a shift for each boundary that has the fewest errors on half of the held-out ratings
  (exact sweep), measured on the other half, both ways round;
- median s: the median of the shares exp(-s loss), which decision="median" takes with s = 2.

On MovieLens 100K, medians with s = 2 have lower errors than the published decisions, by .0005 to .004, and by .05
for PMMMF with ten factors, which needs other boundaries. Calibrated thresholds help the latter most (.08), and no
other model beyond chance: MMMF's error rises by .005. So the median is a parameter; thresholds stay as they are
fitted.
"""

from __future__ import annotations

import json
import sys
import warnings
from typing import Any

import numpy as np

from experiments.five_folds import RESULTS
from skfactor import datasets, ratings
from skfactor._validation import FloatArray, IntArray
from skfactor.experiments import protocols
from skfactor.experiments.provenance import provenance
from skfactor.model_selection import LeaveKOut
from skfactor.ordinal import level_shares

PROTOCOLS = {"ml-100k": "shares", "ml-1m": "weak"}
PARTS = (1, 2, 3)
SHARPNESSES = (0.7, 1.0, 1.4, 2.0, 2.8, 4.0)
WEIGHTED = {"ridge_power": 0.5, "biases": True}
#: By data set: the ridges that the tables chose most often.
MODELS: dict[str, dict[str, Any]] = {
    "ml-100k": {
        "MMMF": ratings.MMMF(ridge=17.78),
        "MMMF weighted": ratings.MMMF(ridge=1.33, **WEIGHTED),
        "PMMMF": ratings.PMMMF(ridge=31.62),
        "PMMMF d=10": ratings.PMMMF(ridge=56.23, n_components=10),
        "HMF": ratings.HMF(ridge=13.34),
        "HMF weighted": ratings.HMF(ridge=1.0, **WEIGHTED),
    },
    "ml-1m": {
        "MMMF": ratings.MMMF(ridge=23.71),
        "MMMF weighted": ratings.MMMF(ridge=1.78, **WEIGHTED),
        "HMF": ratings.HMF(ridge=20.0),
        "HMF weighted": ratings.HMF(ridge=1.33, **WEIGHTED),
    },
}
PATH = RESULTS / "ratings-decisions.json"


def measure(data: Any, name: str, model: Any, number: int) -> dict[str, float]:
    part = protocols.part(PROTOCOLS[name], data, number)
    inner, held = next(LeaveKOut(k=5, n_splits=1, random_state=0).split(data.pairs[part.train]))
    train, test = part.train[inner], part.train[held]
    model.set_params(levels=data.levels.tolist(), dtype="float32").fit(data.pairs[train], data.ratings[train])
    own = np.searchsorted(data.levels, model.predict(data.pairs[test]))
    level = np.searchsorted(data.levels, data.ratings[test])
    margins = np.clip(model.decision_function(data.pairs[test]), -1e6, 1e6)
    found = {"own": own, "count": (margins > 0).sum(axis=1), "calibrated": calibrated(margins, level)}
    for sharpness in SHARPNESSES:
        shares = level_shares(margins, sharpness=sharpness)
        found[f"median {sharpness:g}"] = (np.cumsum(shares[:, :-1], axis=1) < 0.5).sum(axis=1)
    return {decision: round(float(np.abs(levels - level).mean()), 5) for decision, levels in found.items()}


def calibrated(margins: FloatArray, level: IntArray) -> IntArray:
    """Levels by shifted boundaries, each half of the ratings by the shifts of the other."""
    half = np.random.default_rng(0).permutation(len(level)) % 2
    levels = np.empty_like(level)
    for own in (0, 1):
        learn, use = half != own, half == own
        shifts = [best_shift(margin, level[learn] > q) for q, margin in enumerate(margins[learn].T)]
        levels[use] = (margins[use] > shifts).sum(axis=1)
    return levels


def best_shift(margin: FloatArray, above: Any) -> float:
    """The threshold of a margin with the fewest errors."""
    order = np.argsort(margin)
    ascending = margin[order]
    errors = (~above).sum() + np.concatenate([[0], np.cumsum(np.where(above[order], 1, -1))])
    middles = np.concatenate([[-np.inf], (ascending[1:] + ascending[:-1]) / 2, [np.inf]])
    return float(middles[np.argmin(errors)])


def main() -> None:
    warnings.filterwarnings("ignore", ".*pairs have a user or an item")
    found = json.loads(PATH.read_text())["runs"] if PATH.exists() else {}
    for name in sys.argv[1:] or PROTOCOLS:
        data = datasets.load(name)
        for what, model in MODELS[name].items():
            for number in PARTS:
                key = f"{name}, {what}, part {number}"
                if key not in found:
                    found[key] = measure(data, name, model, number)
                    PATH.write_text(json.dumps({"made": provenance(), "runs": found}, indent=1) + "\n")
            runs = [found[f"{name}, {what}, part {number}"] for number in PARTS]
            means = {decision: round(float(np.mean([run[decision] for run in runs])), 4) for decision in runs[0]}
            print(name, what, means, flush=True)


if __name__ == "__main__":
    main()
