"""Is one method really better than another?

Rank methods on several data sets, and ask whether the ranks differ by more than chance would have it. On few
data sets they seldom do. `skfactor compare` does the same, with a report.
"""

import tempfile
from pathlib import Path

from skfactor.datasets import make_multilabel
from skfactor.experiments.contest import Rules, hold
from skfactor.experiments.store import Store
from skfactor.report.figures.critical_difference import critical_difference

data = [make_multilabel(n_samples=150, n_labels=10, noise=0.3, random_state=seed) for seed in range(6)]
for number, one in enumerate(data):
    one.name = f"set {number}"
grids = {"RidgeBR": {"ridge": [0.1]}, "PLST": {"n_components": [4]}, "CSSP": {"n_components": [4]}}
with tempfile.TemporaryDirectory() as folder:
    contest = hold(data, Rules(["micro_f1"], "3-fold", grids), Store(Path(folder)), lambda line: None)

found = contest.comparison("micro_f1")
print("average ranks:", dict(zip(found.methods, found.ranks.round(2).tolist(), strict=True)))
print(f"F_F = {found.statistic:.2f}, p = {found.p:.3f}; critical difference {found.difference:.2f}")
figure = critical_difference(found)
