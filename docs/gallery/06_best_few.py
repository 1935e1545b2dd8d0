"""How do I suggest the best five of many labels?

`predict_top` ranks labels without making the whole table of scores, which matters when there are many of
them.
"""

from skfactor.datasets import make_multilabel
from skfactor.metrics import ndcg_at, precision_at
from skfactor.multilabel import PLST

data = make_multilabel(
    n_samples=2000, n_features=100, n_labels=200, cardinality=5, n_components=30, n_groups=40, random_state=0
)
train, test = data.subset(slice(0, 1600)), data.subset(slice(1600, None))

model = PLST(n_components=30, ridge=0.01).fit(train.X, train.Y)
print("best five of the first two rows:", *model.predict_top(test.X[:2], 5).tolist())
scores = model.label_scores(test.X)
print(f"precision at 5: {precision_at(test.Y, scores, k=5):.3f}, nDCG at 5: {ndcg_at(test.Y, scores, k=5):.3f}")
