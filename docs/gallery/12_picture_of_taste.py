"""What has a rating model learned?

With two factors, it can be seen: items are points, and a user's levels are strips between parallel lines.
"""

from skfactor.datasets import make_ratings
from skfactor.ratings import MMMF
from skfactor.report.figures.ratings_geometry import levels_of_user

data, _ = make_ratings(n_users=60, n_items=80, random_state=0)
model = MMMF(n_components=2, ridge=0.5, random_state=0).fit(data.pairs, data.ratings)
right = (model.predict(data.pairs) == data.ratings).mean()
print(f"two factors reproduce {100 * right:.0f} % of the ratings that they were fitted to")
figure = levels_of_user(model, user=7)
