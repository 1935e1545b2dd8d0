import numpy as np
import pytest
from scipy import linalg

from skfactor.solvers import spectral


@pytest.mark.parametrize("small", [2000, 0], ids=["whole", "lanczos"])
def test_leading_eigenvectors(small):
    rng = np.random.default_rng(0)
    A = rng.normal(size=(60, 30))
    A = A @ A.T  # rank 30 of 60
    values, vectors = spectral.leading_eigenvectors(lambda V: A @ V, 60, 5, small=small)
    assert np.allclose(values, np.linalg.eigvalsh(A)[::-1][:5])
    assert np.allclose(A @ vectors, vectors * values)
    assert np.allclose(vectors.T @ vectors, np.eye(5))


def test_signs_are_fixed():
    vectors = spectral.with_fixed_signs(np.array([[0.1, 0.9], [-0.8, -0.2]]))
    assert np.array_equal(vectors, [[-0.1, 0.9], [0.8, -0.2]])


def test_rounding_does_not_turn_a_vector_with_two_largest_entries():
    for tiny in (-1e-15, 1e-15):
        assert spectral.with_fixed_signs(np.array([[0.5], [-0.7 + tiny], [0.7]]))[1] > 0


def test_an_eigenvalue_that_is_there_many_times():
    for n in range(3, 25):  # of a few of these sizes, LAPACK finds no vector of the largest eigenvalue
        A = np.eye(n) + (1 - np.eye(n)) / (n - 1) - 2 / n
        values, vectors = spectral.leading_eigenvectors(lambda V, A=A: A @ V, n, 1)
        assert vectors.shape == (n, 1)
        assert np.allclose(A @ vectors, vectors * values)


def test_values_are_never_negative():
    A = np.zeros((4, 4)) - 1e-18 * np.eye(4)
    assert spectral.leading_eigenvectors(lambda V: A @ V, 4, 4)[0].min() >= 0


def test_generalized_eigenvectors_large_and_small():
    rng = np.random.default_rng(0)
    A, B = (table @ table.T for table in rng.normal(size=(2, 40, 60)))
    expected = linalg.eigh(A, B)[0][::-1][:3]
    for small in (10, 2000):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(spectral, "SMALL", small)
            values, vectors = spectral.leading_generalized_eigenvectors(
                lambda V: A @ V, lambda V: B @ V, lambda V: linalg.solve(B, V), 40, 3
            )
        np.testing.assert_allclose(values, expected)
        np.testing.assert_allclose(vectors.T @ B @ vectors, np.eye(3), atol=1e-8)
        np.testing.assert_allclose(A @ vectors, B @ vectors * values, atol=1e-6)
