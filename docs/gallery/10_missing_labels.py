"""What if some entries of Y are unknown?

Mark them as nan: LEML fits the entries that are known, instead of taking the others for zeros.
"""

import numpy as np

from skfactor.datasets import make_multilabel
from skfactor.metrics import micro_f1
from skfactor.multilabel import LEML

data = make_multilabel(n_samples=600, n_features=20, n_labels=10, random_state=0)
X, Y = data.X, data.Y.toarray().astype(float)
unknown = np.random.default_rng(0).random((400, 10)) < 0.6

as_unknown = LEML(n_components=5).fit(X[:400], np.where(unknown, np.nan, Y[:400]))
as_zero = LEML(n_components=5).fit(X[:400], np.where(unknown, 0, Y[:400]))
for name, model in (("taken for zeros", as_zero), ("left out", as_unknown)):
    print(f"60 % of the labels unknown, {name}: micro F1 {micro_f1(Y[400:], model.predict(X[400:])):.3f}")
