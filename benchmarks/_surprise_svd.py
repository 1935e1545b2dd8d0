"""The peer's side of `ratings_surprise`, for an environment that has scikit-surprise: imports nothing of ours.

    python _surprise_svd.py RATINGS.npz FACTORS EPOCHS

fits Surprise's SVD to `train` (user, item, level) and prints the seconds and the predictions of `test` as JSON.
"""

import json
import sys
import time

import numpy as np
from surprise import SVD, Trainset


def trainset(rows):
    """Surprise's own structure, without the data frame that it would be read from."""
    users, items = ({int(name): number for number, name in enumerate(np.unique(column))} for column in rows.T[:2])
    by_user, by_item = {}, {}
    for user, item, level in rows.tolist():
        user, item = users[int(user)], items[int(item)]
        by_user.setdefault(user, []).append((item, level))
        by_item.setdefault(item, []).append((user, level))
    return Trainset(by_user, by_item, len(users), len(items), len(rows), (1, 5), users, items)


def main():
    path, factors, epochs = sys.argv[1:]
    rows = np.load(path)
    data = trainset(rows["train"])
    svd = SVD(n_factors=int(factors), n_epochs=int(epochs), random_state=0)
    started = time.perf_counter()
    svd.fit(data)
    seconds = time.perf_counter() - started
    predicted = [svd.predict(int(user), int(item)).est for user, item, _ in rows["test"]]
    print(json.dumps({"seconds": seconds, "predicted": predicted}))


if __name__ == "__main__":
    main()
