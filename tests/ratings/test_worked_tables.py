"""The worked examples of the thesis: V. Kumar, "Matrix factorization", chapter 3."""

import numpy as np
import pytest

from skfactor.ordinal import smooth_hinge, threshold_loss
from skfactor.ratings.embedding import Embedding
from skfactor.ratings.hmf import Stages, at_boundary, first_below
from skfactor.ratings.triples import Triples


def table(text):
    return np.array([[float(entry) for entry in line.split()] for line in text.strip().splitlines()])


# Tables 3.1 and 3.2: likes and dislikes, and factors of two components.
LIKES = table("""
0 1 0 0 1 0 -1
-1 0 1 1 1 0 -1
0 1 -1 0 0 1 -1
-1 1 -1 1 -1 1 0
-1 0 -1 1 1 0 0
0 -1 0 1 0 1 1
1 1 0 -1 0 0 0
""")
U32 = table("-0.63 -0.50\n-0.69 -0.96\n0.27 -1.09\n0.63 -0.84\n-0.02 -1.03\n1.19 -0.03\n-1.11 0.21")
V32 = table("-0.37 0.94\n-0.70 -1.02\n-1.06 0.42\n0.55 -0.97\n-1.04 -0.36\n0.67 -0.58\n0.65 0.81")
# Table 3.3
SCORES = table("""
-0.24 0.95 0.46 0.14 0.84 -0.13 -0.81
-0.65 1.46 0.33 0.55 1.06 0.09 -1.23
-1.12 0.92 -0.74 1.21 0.11 0.81 -0.71
-1.02 0.42 -1.02 1.16 -0.35 0.91 -0.27
-0.96 1.06 -0.41 0.99 0.39 0.58 -0.85
-0.47 -0.80 -1.27 0.68 -1.23 0.81 0.75
0.61 0.56 1.26 -0.81 1.08 -0.87 -0.55
""")
# Tables 3.4 and 3.5; their last column repeats the first, a misprint.
HINGE = table("""
0 0.05 0 0 0.16 0 0
0.35 0 0.67 0.45 0 0 0.35
0 0.08 0.26 0 0 0.19 0
0 0.58 0 0 0.65 0.09 0
0.04 0 0.59 0.01 0.61 0 0.04
0 0.20 0 0.32 0 0.19 0
0.39 0.44 0 0.19 0 0 0.39
""")
SMOOTH_HINGE = table("""
0 0 0 0 0.01 0 0
0.06 0 0.23 0.10 0 0 0.06
0 0 0.03 0 0 0.02 0
0 0.17 0 0 0.21 0 0
0 0 0.17 0 0.19 0 0
0 0.02 0 0.05 0 0.02 0
0.08 0.10 0 0.02 0 0 0.08
""")


def test_scores_of_table_3_3():
    everyone = np.arange(7)
    found = Embedding(U32, V32, np.zeros((1, 1))).grid_scores(everyone, everyone)
    assert np.allclose(found, SCORES, atol=0.00501, rtol=0)


@pytest.mark.parametrize(
    ("loss", "printed"), [(lambda z: np.maximum(1 - z, 0), HINGE), (smooth_hinge, SMOOTH_HINGE)]
)
def test_losses_of_tables_3_4_and_3_5_but_their_last_column(loss, printed):
    found = np.where(LIKES != 0, loss(LIKES * SCORES), 0)
    assert np.allclose(found[:, :-1], printed[:, :-1], atol=0.006, rtol=0)
    assert np.array_equal(printed[:, -1], printed[:, 0])
    assert np.abs(found[:, -1] - printed[:, -1]).max() > 0.05


# Table 3.6: factors and thresholds for ratings from 1 to 5.
U36 = table("""
0.22 -0.12
0.90 0.05
1.45 0.31
-1.52 0.04
0.94 1.06
1.09 -1.45
0.10 0.14
-0.60 -1.65
-0.24 0.71
0.48 0.59
""")
V36 = table("""
-0.79 1.01
0.10 1.21
1.51 -0.32
0.76 0.63
-0.53 0.24
1.45 -0.79
-0.98 -0.74
-0.17 0.72
-0.72 -1.32
0.39 -0.63
""")
# Table 3.7
SCORES37 = table("""
-0.30 -0.12 0.37 0.09 -0.15 0.41 -0.13 -0.12 0.00 0.16
-0.66 0.15 1.34 0.72 -0.47 1.27 -0.92 -0.12 -0.71 0.32
-0.83 0.52 2.09 1.30 -0.69 1.86 -1.65 -0.02 -1.45 0.37
1.24 -0.10 -2.31 -1.13 0.82 -2.24 1.46 0.29 1.04 -0.62
0.33 1.38 1.08 1.38 -0.24 0.53 -1.71 0.60 -2.08 -0.30
-2.33 -1.65 2.11 -0.09 -0.93 2.73 0.00 -1.23 1.13 1.34
0.06 0.18 0.11 0.16 -0.02 0.03 -0.20 0.08 -0.26 -0.05
-1.19 -2.06 -0.38 -1.50 -0.08 0.43 1.81 -1.09 2.61 0.81
0.91 0.84 -0.59 0.26 0.30 -0.91 -0.29 0.55 -0.76 -0.54
0.22 0.76 0.54 0.74 -0.11 0.23 -0.91 0.34 -1.12 -0.18
""")


def test_scores_of_table_3_7():
    everyone = np.arange(10)
    found = Embedding(U36, V36, np.zeros((1, 4))).grid_scores(everyone, everyone)
    assert np.allclose(found, SCORES37, atol=0.00501, rtol=0)


def test_the_two_losses_of_one_rating():
    margins = 0.37 - np.array([[-0.61, -0.18, 0.51, 1.21]])  # of user 1 and item 3, which got a 4
    assert threshold_loss(margins, [3], immediate=True) == pytest.approx([0.65], abs=0.005)
    assert threshold_loss(margins, [3]) == pytest.approx([0.75], abs=0.005)


# Table 3.8, the stages of 3.9, 3.11, 3.13, 3.15, and the completed table 3.17.
OBSERVED = table("""
3 0 0 5 2 0 0
5 4 0 1 5 3 4
1 0 4 0 3 1 0
5 4 0 0 0 0 1
0 3 2 0 5 2 0
""")
STAGES = [
    table("""
    1 1 1 1 1 1 -1
    1 1 1 -1 1 1 1
    -1 -1 1 -1 1 -1 1
    1 1 -1 1 1 1 -1
    1 1 1 -1 1 1 1
    """),
    table("""
    1 -1 -1 1 -1 1 -1
    1 1 -1 -1 1 1 1
    -1 -1 1 -1 1 -1 1
    1 1 -1 1 -1 1 -1
    -1 1 -1 -1 1 -1 1
    """),
    table("""
    -1 -1 1 1 -1 1 -1
    1 1 -1 -1 1 -1 1
    -1 -1 1 1 -1 -1 1
    1 1 -1 -1 1 1 -1
    1 1 -1 -1 1 -1 1
    """),
    table("""
    -1 1 1 1 -1 1 1
    1 -1 -1 -1 1 -1 -1
    -1 1 -1 1 -1 -1 1
    1 -1 -1 -1 1 -1 -1
    1 -1 -1 -1 1 -1 -1
    """),
]
COMPLETED = table("""
3 2 2 5 2 5 1
5 4 2 1 5 3 4
1 1 4 1 3 1 5
5 4 1 3 2 4 1
2 3 2 1 5 2 4
""")


def test_the_stages_combine_to_table_3_17():
    predicted = 1 + first_below(np.stack(STAGES) > 0)
    assert np.array_equal(np.where(OBSERVED > 0, OBSERVED, predicted), COMPLETED)


def test_stages_as_embeddings_combine_alike():
    # Any table of signs is a product of itself and the identity.
    stages = Stages(tuple(Embedding(stage, np.eye(7), np.zeros((1, 1))) for stage in STAGES))
    found = stages.grid_index(np.arange(5), np.arange(7)) + 1
    assert np.array_equal(np.where(OBSERVED > 0, OBSERVED, found), COMPLETED)
    users, items = np.divmod(np.arange(35), 7)
    assert np.array_equal(stages.index(users, items) + 1, found.ravel())


def test_bi_level_tables_of_the_stages():
    users, items = np.nonzero(OBSERVED)
    triples = Triples.of(users, items, (OBSERVED[users, items] - 1).astype(np.int8), OBSERVED.shape)
    signs = [2 * at_boundary(triples, q).levels - 1 for q in range(4)]
    # Row 3 of Y^2 as the thesis prints it is that of Y^1: rating 3 is above 2, so both are the same.
    assert [row[triples.user_column() == 2].tolist() for row in signs] == [
        [-1, 1, 1, -1],
        [-1, 1, 1, -1],
        [-1, 1, -1, -1],
        [-1, -1, -1, -1],
    ]
