"""TWOMF by stochastic gradients in single precision, against the bare matrix products of the same shapes."""

import numpy as np

from benchmarks._measure import alternating, report
from skfactor.multilabel import TWOMF

ROWS, FEATURES, LABELS, RANK = 43_907, 120, 101, 100


def products(batch: int) -> list[tuple[int, int, int]]:
    """Shapes (a, b, c) of the products (a x b) (b x c) of one step, as `MomentumLearner._gradients` lists them."""
    tables = [(batch, k, RANK) for k in (FEATURES, LABELS)] * 2  # X Ex, Y Ey, X Dx', Y Dy'
    tables += [(k, batch, RANK) for k in (FEATURES, LABELS)] * 2  # their transposes, in the gradients
    squares = [(RANK, k, RANK) for k in (FEATURES, LABELS, batch, batch)]  # Gx, Gy, Kx, Ky
    return tables + squares + [(batch, RANK, RANK)] * 3 + [(RANK, RANK, k) for k in (FEATURES, LABELS)]


def main() -> None:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(ROWS, FEATURES)).astype(np.float32)
    Y = (rng.random((ROWS, LABELS)) < 0.04).astype(np.float32)
    for batch in (64, 256, 1024):
        pairs = [
            (rng.normal(size=(a, b)).astype(np.float32), rng.normal(size=(b, c)).astype(np.float32))
            for a, b, c in products(batch)
        ]
        steps = -(-ROWS // batch)

        def bare(pairs=pairs, steps=steps) -> None:  # type: ignore[no-untyped-def]
            for _ in range(steps):
                for A, B in pairs:
                    A @ B

        model = TWOMF(
            RANK, solver="sgd", batch_size=batch, max_epochs=1, validation_fraction=0.0, warm_start=True
        ).fit(X, Y)
        epochs: list[float] = []

        def epoch(model=model, epochs=epochs) -> None:  # type: ignore[no-untyped-def]
            epochs.append(model.fit(X, Y).history_[-1].seconds)

        _, floor = alternating(epoch, bare)
        flops = 2 * steps * sum(a * b * c for a, b, c in products(batch))
        report(
            f"TWOMF by sgd, float32, batches of {batch}: rate / sgemm's", floor / min(epochs), "x", "at least 0.5"
        )
        print(f"  {flops / min(epochs) / 1e9:.0f} of {flops / floor / 1e9:.0f} GFLOP/s", flush=True)
