"""How do I complete a table of ratings?

Give pairs of user and item, and their levels. A max-margin model predicts a level, not a number between two
of them. Compare it with the plain models, always.
"""

import numpy as np

from skfactor.datasets import make_ratings
from skfactor.metrics import mae
from skfactor.ratings import MMMF, BiasOnly, ItemMedian

data, table = make_ratings(n_users=100, n_items=60, random_state=0)
train, test = np.split(np.random.default_rng(0).permutation(len(data.ratings)), [1500])

for model in (ItemMedian(), BiasOnly(), MMMF(n_components=10, ridge=1.0)):
    model.fit(data.pairs[train], data.ratings[train])
    error = mae(data.ratings[test], model.predict(data.pairs[test]))
    print(f"{type(model).__name__:10} mean absolute error {error:.3f}")
print("user 0 on items 0 to 9:", *model.complete([0], range(10))[0])
