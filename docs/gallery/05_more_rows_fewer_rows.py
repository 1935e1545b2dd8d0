"""What if rows come in batches, or have to be forgotten?

A model that is solved from moments takes rows in and gives them back, with the result of a fit to the rows
that are left. Nothing is read twice, and a batch may be as small as one row.
"""

import numpy as np

from skfactor import Moments
from skfactor.datasets import load
from skfactor.multilabel import PLST

data = load("digit-tags")
train, test = data.subset(slice(0, 1200)), data.subset(slice(1200, None))
batches = [(train.X[i : i + 300], train.Y[i : i + 300]) for i in range(0, 1200, 300)]

model = PLST(n_components=5, ridge=0.01).fit_moments(Moments.of(batches[:3]), held_out=batches[3])
print(f"three batches: micro F1 {model.score(test.X, test.Y):.3f}")
model.partial_fit(*batches[3])
print(f"and the fourth: {model.score(test.X, test.Y):.3f}")
model.forget(*batches[0])

again = PLST(n_components=5, ridge=0.01).fit_moments(Moments.of(batches[1:]), held_out=batches[3])
difference = np.abs(model.label_scores(test.X) - again.label_scores(test.X)).max()
print("without the first, as if it had never been there:", difference < 1e-8)
