"""What if only a few rows have labels?

CNMF takes all rows, labelled or not, and spreads the labels of the few by similarity. A row without labels
has nan in its place.
"""

import numpy as np

from skfactor.datasets import make_multilabel
from skfactor.metrics import average_precision
from skfactor.multilabel import CNMF, RidgeBR

data = make_multilabel(n_samples=600, n_features=60, n_labels=10, sparse=True, random_state=1)
Y = data.Y.toarray().astype(float)
labelled = np.arange(600) < 30
Y_known = np.where(labelled[:, None], Y, np.nan)

spread = CNMF().fit(data.X, Y_known).transduction_[~labelled]
alone = RidgeBR().fit(data.X[labelled], Y[labelled]).label_scores(data.X[~labelled])
for name, scores in (("30 rows alone", alone), ("with the 570 others", spread)):
    print(f"{name:20} average precision {average_precision(Y[~labelled], np.asarray(scores)):.3f}")
