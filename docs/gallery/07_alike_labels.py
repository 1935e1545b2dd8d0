"""Which labels go together?

GroPLE finds groups of labels that share few codes. The picture shows its decoder: a block for each group, an
empty row where the group does not use a code.
"""

from skfactor.datasets import make_multilabel
from skfactor.multilabel import GroPLE
from skfactor.report.figures.label_groups import label_groups

data, truth = make_multilabel(
    n_samples=500, n_features=20, n_labels=12, n_groups=3, noise=0.05, random_state=0, return_groups=True
)
model = GroPLE(n_components=8, n_groups=3, group_sparsity=0.01).fit(data.X, data.Y)

for group in range(3):
    members = (model.label_groups_ == group).nonzero()[0]
    print(f"found together: labels {members.tolist()}, made in groups {sorted(set(truth[members].tolist()))}")
figure = label_groups(model)
