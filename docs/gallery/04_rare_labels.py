"""What do I do for rare labels?

One threshold for all labels serves the frequent ones. A threshold of its own for each label, drawn towards
the common one where there are few positives to learn it from, raises the mean F1 of labels.
"""

import numpy as np

from skfactor.datasets import MultilabelData, make_multilabel
from skfactor.decisions import LabelThresholds, Threshold
from skfactor.metrics import macro_f1, micro_f1
from skfactor.multilabel import RidgeBR

data = make_multilabel(n_samples=3000, n_features=30, n_labels=20, noise=0.5, random_state=0)
kept = np.random.default_rng(0).random(data.Y.shape) < np.linspace(0.1, 1, 20)  # the first labels become rare
data = MultilabelData(data.X, data.Y.multiply(kept))
train, test = data.subset(slice(0, 2000)), data.subset(slice(2000, None))

for rule in (Threshold("micro_f1"), LabelThresholds("macro_f1")):
    predicted = RidgeBR(decision=rule).fit(train.X, train.Y).predict(test.X)
    scores = f"micro F1 {micro_f1(test.Y, predicted):.3f}, macro F1 {macro_f1(test.Y, predicted):.3f}"
    print(f"{type(rule).__name__:16} {scores}")
