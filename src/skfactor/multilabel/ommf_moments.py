"""The moment solver of OMMF: exact block minimization of what is left after the codes are eliminated."""

from __future__ import annotations

import numpy as np
from scipy import linalg

from skfactor._validation import FloatArray
from skfactor.moments import CentredMoments
from skfactor.solvers.balance import balance
from skfactor.solvers.momentum import at_rest, with_momentum
from skfactor.solvers.stopping import iterate

#: Models that are solved from the same moments, from which on the eigenbases of these are worth their time.
ROTATION_PAYS = 4
#: With cheap products, Lanczos' method pays from this size on, and for one in so many eigenvectors.
CHEAP, FEW = 300, 10


class JointMoments:
    """Second moments S of z = (x, y), known by their products, with the weights 1 - a of x and a of y.

    Attributes
    ----------
    weight : ndarray of shape (D + L,)
        1 - a for features, a for labels.
    blocks : tuple of (slice, float)
        Rows of the features and of the labels, each with its weight.
    """

    def __init__(self, moments: CentredMoments, label_weight: float):
        D, L = moments.n_features, moments.n_labels
        self.moments = moments
        self.blocks = ((slice(0, D), 1 - label_weight), (slice(D, D + L), label_weight))
        self.weight = np.repeat([1 - label_weight, label_weight], [D, L])

    def times(self, V: FloatArray) -> FloatArray:
        """S V for V ((D + L) x k)."""
        of, (x, _), (y, _) = self.moments, *self.blocks
        return np.vstack([of.xx(V[x]) + of.xy(V[y]), of.yx(V[x]) + of.yy(V[y])])

    def leading(self, n_components: int) -> tuple[FloatArray, FloatArray]:
        """Leading eigenvalues and eigenvectors of root S root, for the roots of the weights."""
        root = np.sqrt(self.weight)[:, None]
        key = ("OMMF", self.blocks[1][1])
        return self.moments.leading(
            key, lambda Z: root * self.times(root * Z), len(root), n_components, small=self.small(n_components)
        )

    def small(self, n_components: int) -> int | None:
        """Size up to which S is decomposed as a whole, for so many of its vectors; None for the usual one."""
        return None

    def unrotated(self, W: FloatArray) -> FloatArray:
        """W in the coordinates of the moments."""
        return W

    def total(self) -> float:
        """Weighted variance: the trace of diag(weight) S."""
        return float(self.weight @ np.concatenate(self.moments.diagonals()))


class RotatedJointMoments(JointMoments):
    """The same in the eigenbases of Cxx and Cyy, where a product costs D L k.

    To find the bases takes as long as many iterations, so it pays for many models. All of them are the same in any
    orthonormal basis.
    """

    def times(self, V: FloatArray) -> FloatArray:
        """S V for V ((D + L) x k)."""
        of, (x, _), (y, _) = self.moments, *self.blocks
        C, (Sx, _), (Sy, _) = of.rotated_xy, of.eigh_x, of.leading_y(of.n_labels)
        return np.vstack([Sx[:, None] * V[x] + C @ V[y], C.T @ V[x] + Sy[:, None] * V[y]])

    def small(self, n_components: int) -> int:
        """As above; a product costs next to nothing."""
        return max(CHEAP, FEW * n_components)

    def unrotated(self, W: FloatArray) -> FloatArray:
        """W in the coordinates of the moments."""
        of, (x, _), (y, _) = self.moments, *self.blocks
        return np.vstack([of.eigh_x[1] @ W[x], of.leading_y(of.n_labels)[1] @ W[y]])


def joint_moments(moments: CentredMoments, label_weight: float) -> JointMoments:
    """In the eigenbases where many models are solved from the same moments, and these are kept."""
    rotated = moments.points >= ROTATION_PAYS and moments.held is not None
    return (RotatedJointMoments if rotated else JointMoments)(moments, label_weight)


def code_map(W: FloatArray, weight: FloatArray, ridge: float) -> FloatArray:
    """M (r x (D + L)) that makes the best codes h = M z: (W' diag(weight) W + ridge I)^-1 W' diag(weight)."""
    weighted = weight[:, None] * W
    G = W.T @ weighted + ridge * np.eye(W.shape[1])
    return np.asarray(linalg.solve(G, weighted.T, assume_a="pos"))


def code_spread(joint: JointMoments, W: FloatArray, ridge: float) -> tuple[FloatArray, float]:
    """A = M S M' (r x r), how the codes vary, and the mean square of what they leave of a feature."""
    M = code_map(W, joint.weight, ridge)
    B = joint.times(M.T)
    A = M @ B
    variance = float(np.mean(joint.moments.diagonals()[0]))
    return A, variance + left_of_features(W, B, A, joint.moments.n_features)


def left_of_features(W: FloatArray, B: FloatArray, A: FloatArray, n_features: int) -> float:
    """Mean over the features of the variance that the codes leave, less the variance itself.

    (tr(P'P A) - 2 tr(P'B_x)) / D,    B = Z'H / n and A = H'H / n for codes H
    """
    P = W[:n_features]
    return float((np.sum((P.T @ P) * A) - 2 * np.sum(P * B[:n_features])) / n_features)


def start(joint: JointMoments, n_components: int, ridge: float) -> FloatArray:
    """Leading eigenvectors of the weighted moments, as long as they would be if both weights were the larger, w.

    Then the solution is known: weighted, its squared lengths are (s - ridge / sqrt(w)) sqrt(w), s the square roots
    of the eigenvalues.
    """
    root = np.sqrt(joint.weight)[:, None]
    values, V = joint.leading(n_components)
    common = np.sqrt(joint.weight.max())
    shrunk = np.sqrt(values) - ridge / common
    length = np.sqrt(np.maximum(shrunk, 1e-3 * np.sqrt(values[0])) * common)
    return np.asarray(V * length / np.where(root > 0, root, 1.0))


def solve(
    joint: JointMoments, n_components: int, ridge: float, *, max_iter: int, tol: float
) -> tuple[FloatArray, list[float]]:
    """W = (P; Q) ((D + L) x r), and the objective of every iteration.

    With the codes eliminated by h = M z, the moments of the codes are all that the data still enters by:

        A = M S M' (r x r),   B = S M' ((D + L) x r),   P <- (1-a) B_x ((1-a) A + ridge I)^-1,   Q likewise

    Codes, P, Q and the balance of W with the codes are each the exact minimizer given the others, so the objective
    never rises; momentum takes the same steps from further ahead.
    """
    total, identity = joint.total(), np.eye(n_components)

    def step(W: FloatArray) -> tuple[FloatArray, float]:
        M = code_map(W, joint.weight, ridge)
        B = joint.times(M.T)
        A = M @ B
        weighted = joint.weight[:, None] * W
        error = total - 2 * np.sum(weighted * B) + np.sum((W.T @ weighted) * A)
        objective = error + ridge * (np.sum(W**2) + np.trace(A))
        following = [
            linalg.solve(weight * A + ridge * identity, weight * B[rows].T, assume_a="pos").T
            for rows, weight in joint.blocks
        ]
        W = np.vstack(following)
        return W @ balance(W.T @ W, A), float(objective)

    first = at_rest(start(joint, n_components, ridge))
    last, objectives = iterate(with_momentum(step), first, max_iter=max_iter, tol=tol, name="OMMF")
    return last.now, objectives
