"""On real data, objectives only fall: every solver that promises it, on losses and penalties of this project."""

import warnings

import numpy as np
import pytest
from scipy import linalg, sparse
from sklearn.exceptions import ConvergenceWarning
from sklearn.preprocessing import StandardScaler

from skfactor import Moments, datasets
from skfactor.losses import LOSSES
from skfactor.penalties import PENALTIES
from skfactor.solvers import multiplicative, nnls, proximal_gradient
from skfactor.solvers.conjugate_gradient import minimize_conjugate_gradient
from skfactor.solvers.lbfgs import minimize_lbfgs
from skfactor.solvers.momentum import at_rest, with_momentum
from skfactor.solvers.newton import Expansion, newton_step
from skfactor.solvers.stopping import iterate

pytestmark = pytest.mark.data
RIDGE = 0.01


@pytest.fixture(scope="module", params=["emotions", "corel5k"])
def real(request):
    return datasets.load(request.param)


@pytest.fixture(scope="module")
def moments(real):
    return Moments.of(real.X, real.Y).centred("std")


@pytest.fixture(params=["smooth_hinge", "modified_square", "logistic"])
def margins(request, real):
    """Mean loss of the scores X Z of the first three labels, and a ridge on Z (D x 3)."""
    X = StandardScaler(with_mean=False).fit_transform(real.X[:1000])
    return Margins(LOSSES[request.param], X, real.Y[:1000, :3].toarray() * 2.0 - 1)


class Margins:
    def __init__(self, loss, X, y):
        self.loss, self.X, self.y = loss, X, y

    def value(self, Z):
        return float(self.loss.value(self.y, self.X @ Z).sum()) / len(self.y) + RIDGE * float(np.sum(Z * Z))

    def gradient(self, Z):
        return self.X.T @ self.loss.gradient(self.y, self.X @ Z) / len(self.y) + 2 * RIDGE * Z

    def expand(self, Z):
        curvature = self.loss.curvature(self.y, self.X @ Z) / len(self.y)
        return Expansion(
            self.value(Z),
            self.gradient(Z),
            lambda P: self.X.T @ (curvature * (self.X @ P)) + 2 * RIDGE * P,
            lambda P: P,
        )

    def of_parts(self, parts):
        return self.value(parts[0]), [self.gradient(parts[0])]

    @property
    def start(self):
        return np.zeros((self.X.shape[1], self.y.shape[1]))


def falls(objectives, at_least=3):
    assert len(objectives) > at_least
    assert (np.diff(objectives) <= 1e-12 * abs(objectives[0])).all()
    assert objectives[-1] < objectives[0]
    return objectives[-1]


def quiet(function, *arguments, **options):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        return function(*arguments, **options)


@pytest.mark.parametrize("penalty", ["l1", "l2", "l21", "nonnegative"])
def test_proximal_gradient(moments, penalty):
    right = moments.xy()[:, :20]

    def squares(Z):
        image = moments.xx(Z)
        return float(np.sum(Z * (image / 2 - right))), image - right

    weighted = PENALTIES[penalty].times(0.1 * np.abs(right).max())
    bound = float(linalg.eigvalsh(moments.held.Sxx)[-1])
    _, objectives = quiet(
        proximal_gradient.minimize, squares, weighted, np.zeros_like(right), bound, quadratic=True, max_iter=200
    )
    falls(objectives)


def test_descents_agree(margins):
    ends = [
        falls(quiet(minimize, margins.of_parts, [margins.start], tol=1e-8).objectives)
        for minimize in (minimize_lbfgs, minimize_conjugate_gradient)
    ]
    Z, newton = margins.start, []
    for _ in range(40):
        Z, value = newton_step(margins, Z, residual=0.1, max_products=100)
        newton.append(value)
    assert ends == pytest.approx([falls(newton)] * 2, rel=1e-3)


def test_multiplicative_updates(real):
    cross = abs(sparse.csr_array(real.X)).T @ real.Y.toarray()
    rng = np.random.default_rng(0)
    start = rng.uniform(0.1, 1, (cross.shape[0], 4)), rng.uniform(0.1, 1, (4, cross.shape[1]))
    (U, V), objectives = quiet(
        multiplicative.minimize,
        (lambda U, V: (cross @ V.T, U @ (V @ V.T)), lambda U, V: (U.T @ cross, U.T @ U @ V)),
        lambda U, V: float(np.sum((cross - U @ V) ** 2)),
        start,
        max_iter=100,
    )
    falls(objectives)
    exact = nnls.solve(U.T @ U, cross.T @ U).T  # of the last V there is no better one
    assert np.sum((cross - U @ exact) ** 2) <= np.sum((cross - U @ V) ** 2)


def test_momentum(moments):
    right = moments.xy()[:, :5]
    length = 1 / float(linalg.eigvalsh(moments.held.Sxx)[-1])

    def step(Z):
        image = moments.xx(Z)
        return Z - length * (image - right), float(np.sum(Z * (image / 2 - right)))

    start = np.zeros_like(right)
    _, slow = quiet(iterate, step, start, max_iter=100, tol=0, name=None)
    _, fast = quiet(iterate, with_momentum(step), at_rest(start), max_iter=100, tol=0, name=None)
    assert falls(fast) < falls(slow)
