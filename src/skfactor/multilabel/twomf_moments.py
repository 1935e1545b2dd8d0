"""The moment solver of TWOMF: four blocks, each minimized exactly, in the eigenbases of the moments."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from scipy import linalg

from skfactor._validation import FloatArray
from skfactor.moments import CentredMoments
from skfactor.solvers.balance import balance
from skfactor.solvers.momentum import at_rest, with_momentum
from skfactor.solvers.stopping import iterate


class Weights(NamedTuple):
    """What the terms of the objective weigh: a and c the two autoencoders, d the link, b the penalty."""

    feature: float
    label: float
    link: float
    ridge: float


class Blocks(NamedTuple):
    """Encoders Ex (D x r), Ey (L x r) and decoders Dx (r x D), Dy (r x L)."""

    Ex: FloatArray
    Dx: FloatArray
    Ey: FloatArray
    Dy: FloatArray


@dataclass(frozen=True)
class Problem:
    """The objective in the eigenbases of Cxx = V diag(x) V' and Cyy = W diag(y) W', where C is V'Cxy W.

        a (tr Cxx - 2 tr(Dx Cxx Ex) + tr(Ex'Cxx Ex Dx Dx')) + c (the same of y)
            + d (tr Cyy - 2 tr(Dy Cxy' Ex) + tr(Ex'Cxx Ex Dy Dy')) + b (sum of the squared norms)

    There, a product with Cxx is a product with a diagonal, so that no iteration costs more than
    O(D L r + (D + L) r^2).
    """

    x: FloatArray
    y: FloatArray
    C: FloatArray
    weights: Weights

    def decoders(self, Ex: FloatArray, Ey: FloatArray) -> tuple[FloatArray, FloatArray, float]:
        """The best Dx and Dy for given encoders, two ridge regressions, and the objective that they give.

            (a Ex'Cxx Ex + b I) Dx = a Ex'Cxx
            (c Ey'Cyy Ey + d Ex'Cxx Ex + b I) Dy = c Ey'Cyy + d Ex'Cxy

        At the minimum over D of tr(D'K D) - 2 tr(D'R), with K D = R, the value is -tr(D'R).
        """
        a, c, d, b = self.weights
        x_code, y_code = self.x[:, None] * Ex, self.y[:, None] * Ey
        Kx, penalty = Ex.T @ x_code, b * np.eye(Ex.shape[1])
        right_x, right_y = a * x_code.T, c * y_code.T + d * (Ex.T @ self.C)
        Dx = linalg.solve(a * Kx + penalty, right_x, assume_a="pos")
        Dy = linalg.solve(c * (Ey.T @ y_code) + d * Kx + penalty, right_y, assume_a="pos")
        total = a * self.x.sum() + (c + d) * self.y.sum()
        fitted = np.sum(Dx * right_x) + np.sum(Dy * right_y)
        return Dx, Dy, float(total - fitted + b * (np.sum(Ex**2) + np.sum(Ey**2)))

    def encoders(self, Dx: FloatArray, Dy: FloatArray) -> tuple[FloatArray, FloatArray]:
        """The best Ex and Ey for given decoders, two Sylvester equations:

        Cxx Ex (a Dx Dx' + d Dy Dy') + b Ex = a Cxx Dx' + d Cxy Dy'
        Cyy Ey (c Dy Dy') + b Ey = c Cyy Dy'
        """  # noqa: D400
        a, c, d, b = self.weights
        Gy = Dy @ Dy.T
        right_x = a * self.x[:, None] * Dx.T + d * (self.C @ Dy.T)
        Ex = _sylvester(self.x, a * (Dx @ Dx.T) + d * Gy, b, right_x)
        Ey = _sylvester(self.y, c * Gy, b, c * self.y[:, None] * Dy.T)
        return Ex, Ey

    def step(self, encoders: FloatArray) -> tuple[FloatArray, float]:
        """The next encoders, Ex above Ey ((D + L) x r), and the objective of these.

        Decoders, encoders and the balance between them are each the best given the others, so the objective never
        rises.
        """
        Dx, Dy, objective = self.decoders(*self.split(encoders))
        following = np.vstack(self.encoders(Dx, Dy))
        return following @ balance(following.T @ following, Dx @ Dx.T + Dy @ Dy.T), objective

    def split(self, encoders: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Ex and Ey."""
        return encoders[: len(self.x)], encoders[len(self.x) :]

    def link(self) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Singular vectors and values of (Cxx + b I)^-1/2 Cxy, the same for every rank; not those of rounding."""
        root = np.sqrt(self.x + self.weights.ridge)[:, None]
        U, strength, W = linalg.svd(self.C / root, full_matrices=False)
        rank = int(np.sum(strength > strength[0] * max(self.C.shape) * np.finfo(float).eps))
        return U[:, :rank], strength[:rank], W[:rank].T

    def start(self, n_components: int, link: tuple[FloatArray, FloatArray, FloatArray]) -> FloatArray:
        """Encoders to start from: the leading vectors of the link, then the directions in which x varies most.

        Labels are encoded as the link decodes them.
        """
        U, strength, W = (part[..., :n_components] for part in link)
        length = np.sqrt(strength / strength.max(initial=np.finfo(float).tiny))
        # More components than features: labels alone use the rest, where the columns of a wide identity are 0.
        own = np.eye(len(self.x), n_components - len(strength))
        Ex = np.hstack([U * length, own]) / np.sqrt(self.x + self.weights.ridge)[:, None]
        Ey = np.zeros((len(self.y), n_components))
        Ey[:, : len(strength)] = W * length
        return np.vstack([Ex, Ey])


def _sylvester(diagonal: FloatArray, T: FloatArray, ridge: float, right: FloatArray) -> FloatArray:
    """Solve diag(diagonal) E T + ridge E = right for E, T symmetric: a division in the eigenbasis of T."""
    values, vectors = linalg.eigh(T, driver="evd")
    divided = (right @ vectors) / (diagonal[:, None] * np.maximum(values, 0.0) + ridge)
    return np.asarray(divided @ vectors.T)


def solve(
    moments: CentredMoments, n_components: int, weights: Weights, *, max_iter: int, tol: float
) -> tuple[Blocks, list[float]]:
    """The four blocks, in the coordinates of the moments, and the objective of every iteration."""
    x, V = moments.eigh_x
    y, W = moments.leading_y(moments.n_labels)
    problem = Problem(x, y, moments.rotated_xy, weights)

    link = moments.once(("TWOMF link", weights.ridge), problem.link)
    first = at_rest(problem.start(n_components, link))
    last, objectives = iterate(with_momentum(problem.step), first, max_iter=max_iter, tol=tol, name="TWOMF")
    Ex, Ey = problem.split(last.now)
    Dx, Dy, _ = problem.decoders(Ex, Ey)
    return Blocks(V @ Ex, Dx @ V.T, W @ Ey, Dy @ W.T), objectives
