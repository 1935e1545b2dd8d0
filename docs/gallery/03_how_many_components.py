"""How many components, and how much ridge?

A search over ranks and ridges costs little more than one fit: the rows are read once, and every candidate of
every fold is solved from their second moments.
"""

from skfactor.datasets import make_multilabel
from skfactor.model_selection import FactorSearchCV
from skfactor.multilabel import PLST

data = make_multilabel(n_samples=600, n_features=40, n_labels=20, n_components=5, random_state=0)
grid = {"n_components": [1, 2, 5, 10, 20], "ridge": [0.001, 0.01, 0.1, 1.0, 10.0]}

search = FactorSearchCV(PLST(), grid, scoring="micro_f1").fit(data.X, data.Y)
print("best:", search.best_params_, f"with micro F1 {search.best_score_:.3f}")
results = zip(search.cv_results_["params"], search.cv_results_["mean_test_score"], strict=True)
for values, score in results:
    if values["ridge"] == search.best_params_["ridge"]:
        print(f"{values['n_components']:2d} components: {score:.3f}")
