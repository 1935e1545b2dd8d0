"""Why was this label predicted?

MLC-HMF is a tree of small models. Each keeps the training rows that it gets right; for a new row, those vote
that keep its nearest neighbours. So a prediction can name its voters.
"""

import pandas as pd

from skfactor.datasets import load
from skfactor.multilabel import MLCHMF
from skfactor.report.figures.label_tree import draw_label_tree

data = load("digit-tags")
tags = pd.DataFrame(data.Y.toarray(), columns=data.label_names)
model = MLCHMF(max_iter=50, random_state=0).fit(data.X[:600], tags[:600])
print(model.explain(data.X[600:601])[0])
figure = draw_label_tree(model.tree_)
