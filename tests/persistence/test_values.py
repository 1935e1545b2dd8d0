"""Values of every kind return as they were: Python's own, NumPy's and SciPy's, in any nesting."""

from __future__ import annotations

import numpy as np
import pytest
import scipy
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from scipy import sparse
from skfactor._testing import Access, Colour, FrozenRule, FrozenSlotRule, Pair, Rule, halve, round_trip, same
from sklearn.linear_model import LogisticRegression
from sklearn.utils.fixes import parse_version

from skfactor.persistence import arrays


@pytest.fixture(scope="module")
def shared_path(tmp_path_factory):
    return tmp_path_factory.mktemp("hypothesis") / "model.skf"


@pytest.mark.parametrize(
    "value",
    [
        None,
        True,
        -3,
        2**200,
        1.5,
        -0.0,
        float("nan"),
        float("inf"),
        -float("inf"),
        "",
        "ä\ud800\0",
        b"\x00\xff",
        [],
        [1, [2, (3,)]],
        (),
        {},
        {1: "int", "1": "str", (1, "a"): "tuple", None: 0, 2.5: 0, b"b": 0, frozenset({1}): 0},
        {True: [], "nested": {"b": {}}},
        {1, "a", (2, None)},
        frozenset(),
        slice(1, None, 2),
        np.dtype("f4"),
        np.dtype(">i8"),
        np.dtype("M8[ns]"),
        np.dtype("O"),
        np.dtype([("a", "f8", (2,)), ("b", "U3")]),
        Pair(1, [2]),
        Colour.RED,
        Colour.PAIR,
        Access.READ | Access.WRITE,
        Rule,
        Rule(extra=[np.float32(1)]),
        FrozenRule(threshold=(1,)),
        FrozenSlotRule(threshold=[1], scratch=None),
        LogisticRegression,
        halve,
    ],
    ids=lambda value: type(value).__name__,
)
def test_values_return(value, path):
    assert same(round_trip(value, path), value)


@pytest.mark.parametrize(
    "array",
    [
        np.arange(6, dtype=">i2").reshape(2, 3),
        np.asfortranarray(np.arange(6.0).reshape(2, 3)),
        np.arange(10)[::-3],
        np.empty((0, 3), dtype=np.float32),
        np.array(5),
        np.array([1 + 2j, np.nan]),
        np.array(["", "sea", "snöw"]),
        np.array([b"a", b"bc"]),
        np.array(["2020-01-01", "NaT"], dtype="M8[D]"),
        np.array([1, 2], dtype="m8[us]"),
        np.array([(1, "x")], dtype=[("a", "i4"), ("b", "U2")]),
        np.array(["sea", 3, None, (1, 2), [4]], dtype=object),
        np.array([["a", "b"], [1, 2.5]], dtype=object),
        np.array("alone", dtype=object),
        np.empty((0, 2), dtype=object),
    ],
    ids=lambda array: f"{array.dtype}{array.shape}",
)
@pytest.mark.parametrize("compressed", [False, True])
def test_arrays_return(array, compressed, path):
    loaded = round_trip(array, path, compressed=compressed)
    assert same(loaded, array)
    assert loaded.flags.f_contiguous or not array.flags.f_contiguous


@pytest.mark.parametrize(
    "scalar",
    [
        np.float64(np.nan),
        np.float32(0.1),
        np.longdouble(1) / 3,
        np.int8(-3),
        np.uint64(2**64 - 1),
        np.bool_(True),
        np.complex64(1j),
        np.str_(""),
        np.str_("snöw"),
        np.bytes_(b"a"),
        np.datetime64("2020-01-01T00:00", "ns"),
        np.timedelta64(3, "h"),
        np.array([(1, "x")], dtype=[("a", "i4"), ("b", "U2")])[0],
    ],
    ids=repr,
)
def test_scalars_return_with_their_type(scalar, path):
    assert same(round_trip([scalar, {scalar if scalar.dtype.names is None else 0: 1}], path)[0], scalar)


@pytest.mark.parametrize("name", sorted(arrays._SPARSE))
def test_sparse_containers_return(name, path):
    dense = np.array([[0, 1.5, 0, 0], [2, 0, 0, 0]])
    container = getattr(sparse, name)(dense)
    loaded = round_trip(container, path)
    assert type(loaded) is type(container)
    assert loaded.dtype == container.dtype
    np.testing.assert_array_equal(loaded.toarray(), dense)


@pytest.mark.skipif(parse_version(scipy.__version__) < parse_version("1.15"), reason="SciPy has no sparse vectors")
@pytest.mark.parametrize("name", ["csr_array", "coo_array", "dok_array"])
def test_sparse_vectors_return(name, path):
    vector = getattr(sparse, name)(np.array([0, 1, 0, 2]))
    loaded = round_trip(vector, path)
    assert loaded.shape == (4,)
    np.testing.assert_array_equal(loaded.toarray(), vector.toarray())


def test_sparse_details_return(path):
    unsorted = sparse.csr_array((np.array([1, 0], dtype=np.int8), [2, 0], [0, 2]), shape=(1, 3))
    blocks = sparse.bsr_array(np.eye(4), blocksize=(2, 2))
    unsorted_again, blocks_again, empty = round_trip([unsorted, blocks, sparse.csc_array((0, 3))], path)
    assert unsorted_again.indices.tolist() == [2, 0]
    assert unsorted_again.nnz == 2
    assert blocks_again.blocksize == (2, 2)
    assert empty.shape == (0, 3)


@pytest.mark.parametrize(
    "random",
    [
        np.random.RandomState(3),
        np.random.RandomState(np.random.PCG64(3)),
        np.random.default_rng(3),
        np.random.Generator(np.random.MT19937(3)),
        np.random.Generator(np.random.SFC64(3)),
    ],
    ids=str,
)
def test_random_generators_go_on(random, path):
    random.normal(size=5)
    random.integers(9) if isinstance(random, np.random.Generator) else random.randint(9)
    loaded = round_trip(random, path)
    assert type(loaded) is type(random)
    np.testing.assert_array_equal(loaded.normal(size=9), random.normal(size=9))


keys = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text() | st.binary()
hashable = st.recursive(
    keys, lambda inner: st.tuples(inner, inner) | st.frozensets(inner, max_size=3), max_leaves=5
)
dtypes = st.sampled_from(["?", "i1", ">u4", "f2", "f8", "c16", "S3", "U2", "M8[s]"])
tables = hnp.arrays(dtypes, hnp.array_shapes(min_dims=0, min_side=0, max_side=3))
nested = st.recursive(
    hashable | tables | st.floats(),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.lists(inner, max_size=3).map(tuple)
        | st.dictionaries(hashable, inner, max_size=3)
        | st.sets(hashable, max_size=3)
        | st.builds(Pair, inner, inner)
    ),
    max_leaves=12,
)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(value=nested)
def test_nested_values_return(shared_path, value):
    assert same(round_trip(value, shared_path), value)
