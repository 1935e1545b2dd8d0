"""How do I predict several labels for each row?

X is any table of numbers, Y a table of zeros and ones with a column for each label. A threshold is chosen
while the model is fitted, on scores of training rows by models that had not seen them, so that `predict`
needs no tuning.
"""

from skfactor.datasets import load
from skfactor.metrics import micro_f1
from skfactor.multilabel import RidgeBR

data = load("digit-tags")  # handwritten digits; tags such as "even" and "prime"
train, test = data.subset(slice(0, 1200)), data.subset(slice(1200, None))

model = RidgeBR(ridge=0.01).fit(train.X, train.Y)
predicted = model.predict(test.X)
print(f"micro F1 of {len(test)} new rows: {micro_f1(test.Y, predicted):.3f}")

for row in range(3):
    tags = [data.label_names[label] for label in predicted[[row]].indices]
    print(f"row {row}:", ", ".join(tags))
