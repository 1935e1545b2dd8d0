"""The fitted linear map from features to label scores."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

import numpy as np
from scipy import sparse
from sklearn.utils import gen_batches

from skfactor._arrays import like
from skfactor._validation import FloatArray, IntArray, Matrix, check_number
from skfactor.moments.second import Centre

#: Scores are made in blocks of rows of about this many bytes.
BLOCK_BYTES = 2**26


@dataclass(frozen=True)
class Factors:
    """scores = X E W + b, with the encoder E (D x r), the decoder W (r x L) and the intercept b (L).

    Attributes
    ----------
    encoder : ndarray of shape (n_features, n_components)
    decoder : ndarray of shape (n_components, n_labels) or None
        None stands for the identity: the codes are the scores.
    intercept : ndarray of shape (n_labels,) or None
        None stands for zeros.
    """

    encoder: FloatArray
    decoder: FloatArray | None = None
    intercept: FloatArray | None = None

    @property
    def n_components(self) -> int:
        """The rank r."""
        return int(self.encoder.shape[1])

    @property
    def n_labels(self) -> int:
        """L."""
        return int((self.encoder if self.decoder is None else self.decoder).shape[1])

    def uncentred(self, centre: Centre) -> Factors:
        """The same map for data as it came, where this one was found on centred and scaled data.

        E / s and u W, with the intercept my - mx' (E / s) u W, for means mx, my, the scale s and the unit u of y.
        """
        encoder = self.encoder / centre.scale[:, None]
        if self.decoder is None:
            encoder, decoder = encoder * centre.unit_y, None
        else:
            decoder = self.decoder * centre.unit_y
        outer = replace(self, encoder=encoder, decoder=decoder)
        return replace(outer, intercept=centre.mean_y - outer._decoded(centre.mean_x @ encoder))

    def leading(self, n_components: int, centre: Centre) -> Factors:
        """The map with the first components alone; `centre` is that of the data that it was found on."""
        encoder = self.encoder[:, :n_components]
        inner = Factors(encoder, None if self.decoder is None else self.decoder[:n_components])
        return replace(inner, intercept=centre.mean_y - inner._decoded(centre.mean_x @ encoder))

    def _decoded(self, codes: FloatArray) -> FloatArray:
        return codes if self.decoder is None else codes @ like(self.decoder, codes)

    def transform(self, X: Matrix) -> FloatArray:
        """Codes X E (n x r), in the precision of X."""
        codes: FloatArray = X @ like(self.encoder, X)
        return codes

    def scores(self, X: Matrix) -> FloatArray:
        """Scores (n x L), in the precision of X."""
        return self.decode(self.transform(X))

    def decode(self, codes: FloatArray) -> FloatArray:
        """Scores (n x L) of rows that have these codes (n x r)."""
        scores = self._decoded(codes)
        return scores if self.intercept is None else scores + like(self.intercept, scores)

    def blocks(self, X: Matrix) -> Iterator[tuple[slice, FloatArray]]:
        """Row slices with their scores, so that no n x L matrix is made."""
        return score_blocks(self.scores, X, self.n_labels)

    def top(self, X: Matrix, k: int) -> sparse.csr_array:
        """The k highest scores of each row, as a sparse table (n x L) with the best of a row stored first.

        Equal scores go to the label that comes first.
        """
        check_number(k, "k", minimum=1, maximum=self.n_labels, integer=True)
        found = [top_of(scores, k) for _, scores in self.blocks(X)]
        columns, values = (np.concatenate(parts) for parts in zip(*found, strict=True))
        starts = np.arange(0, columns.size + 1, k)
        return sparse.csr_array((values.ravel(), columns.ravel(), starts), shape=(X.shape[0], self.n_labels))


def score_blocks(
    scores: Callable[[Matrix], FloatArray], X: Matrix, n_labels: int
) -> Iterator[tuple[slice, FloatArray]]:
    """Row slices with their scores (b x L), for anything that scores rows."""
    rows = max(1, BLOCK_BYTES // (8 * max(1, n_labels)))
    for part in gen_batches(X.shape[0], rows):
        yield part, scores(X[part])


def top_of(scores: FloatArray, k: int) -> tuple[IntArray, FloatArray]:
    """Columns and values (n x k) of the k highest scores of each row, falling.

    Scores that differ by no more than rounding count as equal, and go to the label that comes first: so a tie
    is broken the same way however the rows were blocked.
    """
    rounded = np.round(scores, 12 if scores.dtype == np.float64 else 5)
    if k == 1:  # what every fit asks for, and a fifth of the work below
        first = rounded.argmax(axis=1, keepdims=True)
        return first, np.take_along_axis(scores, first, axis=1)
    edge = np.partition(rounded, -k, axis=1)[:, [-k]]
    above, level = rounded > edge, rounded == edge
    room = k - above.sum(axis=1, keepdims=True)
    chosen = above | (level & (np.cumsum(level, axis=1) <= room))
    columns = np.nonzero(chosen)[1].reshape(len(scores), k)
    falling = np.argsort(-np.take_along_axis(rounded, columns, axis=1), axis=1, kind="stable")
    columns = np.take_along_axis(columns, falling, axis=1)
    return columns, np.take_along_axis(scores, columns, axis=1)


def ranks(scores: FloatArray, k: int) -> IntArray:
    """Place (n x L) of each entry within its row, 0 for the highest; k for all behind the first k."""
    places = np.full(scores.shape, k)
    np.put_along_axis(places, top_of(scores, k)[0], np.arange(k)[None, :], axis=1)
    return places
