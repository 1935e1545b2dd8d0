"""How do I store a model?

`save` writes arrays and settings, no pickle: a file from a stranger cannot run code when it is loaded.
"""

import tempfile
from pathlib import Path

import skfactor
from skfactor.datasets import load
from skfactor.multilabel import PLST

data = load("digit-tags")
model = PLST(n_components=5).fit(data.X, data.Y)
with tempfile.TemporaryDirectory() as folder:
    path = Path(folder) / "tagger.skf"
    skfactor.save(model, path)
    again = skfactor.load(path)
    print(f"{path.stat().st_size // 1024} KiB:", again)
print("the same predictions:", (again.predict(data.X) != model.predict(data.X)).nnz == 0)
