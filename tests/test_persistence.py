"""save and load: everything returns as it was, nothing unsafe is read, and nothing is half written."""

from __future__ import annotations

import io
import json
import os
import pickle
import sys
import types
import warnings
import zipfile
from dataclasses import dataclass, field
from enum import Enum, Flag
from typing import Any, NamedTuple

import numpy as np
import pytest
import scipy
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from scipy import sparse
from sklearn.base import BaseEstimator
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer, LabelBinarizer, MultiLabelBinarizer, StandardScaler
from sklearn.utils.fixes import parse_version
from sklearn.utils.validation import check_is_fitted

import skfactor
from skfactor import persistence
from skfactor.persistence import load, save

HOME = "skfactor._testing"


def at_home(thing: Any) -> Any:
    """Make a class or function of this file one of the module `skfactor._testing`."""
    home = sys.modules.setdefault(HOME, types.ModuleType(HOME))
    thing.__module__ = HOME
    thing.__qualname__ = thing.__name__
    setattr(home, thing.__name__, thing)
    return thing


@at_home
@dataclass
class Rule:
    threshold: Any = 0.5
    extra: list[Any] = field(default_factory=list)


@at_home
@dataclass(frozen=True)
class FrozenRule:
    threshold: Any = 0.5


@at_home
@dataclass(slots=True)
class SlotRule:
    threshold: Any = 0.5
    unset: Any = field(init=False)


@at_home
@dataclass(frozen=True, slots=True)
class FrozenSlotRule:
    threshold: Any = 0.5
    scratch: Any = "scratch"
    _not_saved = ("scratch",)


@at_home
class Pair(NamedTuple):
    left: Any
    right: Any


@at_home
class Colour(Enum):
    RED = "red"
    PAIR = (1, 2)


@at_home
class Access(Flag):
    READ = 1
    WRITE = 2


@at_home
def halve(values: Any) -> Any:
    return values / 2


@at_home
class Stateful:
    """Writes and reads its own state, which is no dict."""

    def __init__(self, numbers: Any) -> None:
        self.numbers = numbers

    def __getstate__(self) -> Any:
        return ("numbers", self.numbers)

    def __setstate__(self, state: Any) -> None:
        self.numbers = state[1]


@at_home
class Slotted:
    __slots__ = ("__dict__", "_private", "value")


@at_home
class ListLike(list[int]):
    pass


@at_home
class Remade:
    def __reduce__(self) -> Any:
        return os.getcwd, ()


@at_home
class Model(BaseEstimator):
    _not_saved = ("cache_", "absent_")

    def __init__(self, n_components: Any = 2, decision: Any = None, random_state: Any = None) -> None:
        self.n_components = n_components
        self.decision = decision
        self.random_state = random_state

    def fit(self, X: Any) -> Model:
        self.coef_ = np.asarray(X) * 2.0
        self.classes_ = np.array(["sea", "snow", 3], dtype=object)
        self.cache_ = lambda: self
        self.labels_ = MultiLabelBinarizer().fit([["a"], ["b"]])
        return self

    def predict(self, X: Any) -> Any:
        return np.asarray(X) @ self.coef_.T


class Stranger:
    pass


@pytest.fixture
def path(tmp_path):
    return tmp_path / "model.skf"


@pytest.fixture(scope="module")
def shared_path(tmp_path_factory):
    return tmp_path_factory.mktemp("hypothesis") / "model.skf"


def round_trip(value, path, **options):
    save(value, path, **options)
    return load(path)


def same(left, right):
    """Whether two values are equal and of equal types, down to the innermost."""
    if type(left) is not type(right):
        return False
    if isinstance(left, np.ndarray):
        equal_kind = left.dtype == right.dtype and left.shape == right.shape
        if left.dtype == object:
            return equal_kind and all(map(same, left.ravel(), right.ravel()))
        return equal_kind and left.tobytes() == right.tobytes()
    if isinstance(left, np.generic):
        return left.dtype == right.dtype and left.tobytes() == right.tobytes()
    if isinstance(left, list | tuple):
        return len(left) == len(right) and all(map(same, left, right))
    if isinstance(left, dict):
        return same(list(left), list(right)) and same(list(left.values()), list(right.values()))
    if isinstance(left, float):
        return left == right or (left != left and right != right)
    return left == right


# Every kind returns


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
    ids=repr,
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


@pytest.mark.parametrize("name", sorted(persistence._SPARSE))
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
arrays = hnp.arrays(dtypes, hnp.array_shapes(min_dims=0, min_side=0, max_side=3))
nested = st.recursive(
    hashable | arrays | st.floats(),
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


# Instances


def test_slots_return(path):
    rule = SlotRule([1])
    thing = Slotted()
    thing.value, thing._private, thing.other = 1, 2, 3
    rule_again, thing_again = round_trip([rule, thing], path)
    assert rule_again.threshold == [1]
    assert not hasattr(rule_again, "unset")
    assert (thing_again.value, thing_again._private, thing_again.other) == (1, 2, 3)


def test_own_state_is_honoured(path):
    assert round_trip(Stateful([1, 2]), path).numbers == [1, 2]


def test_a_fitted_estimator_returns(path):
    X = np.arange(6.0).reshape(2, 3)
    model = Model(decision=FrozenRule(0.3), random_state=np.random.RandomState(0)).fit(X)
    loaded = round_trip(model, path)
    check_is_fitted(loaded)
    assert type(loaded) is Model
    assert loaded.decision == FrozenRule(0.3)
    assert same(loaded.classes_, model.classes_)
    np.testing.assert_array_equal(loaded.predict(X), model.predict(X))


def test_an_unfitted_estimator_returns_unfitted(path):
    loaded = round_trip(Model(n_components=7), path)
    assert vars(loaded) == vars(Model(n_components=7))


def test_fields_not_saved_become_none(path):
    loaded = round_trip(Model().fit([[1.0]]), path)
    assert loaded.cache_ is None
    assert not hasattr(loaded, "absent_")
    assert round_trip(FrozenSlotRule(scratch=lambda: 0), path) == FrozenSlotRule(scratch=None)


def test_estimators_of_scikit_learn_return(path):
    X = np.random.default_rng(0).normal(size=(30, 4))
    y = np.where(X[:, 0] > 0, "yes", "no")
    pipeline = make_pipeline(StandardScaler(), LogisticRegression()).fit(X, y)
    loaded, binarizer = round_trip((pipeline, LabelBinarizer().fit(y)), path)
    np.testing.assert_array_equal(loaded.predict_proba(X), pipeline.predict_proba(X))
    assert binarizer.transform(["yes"]).tolist() == [[1]]


def test_what_is_shared_is_stored_once_and_comes_back_shared(path):
    array, rule = np.ones((300, 300)), Rule()
    loaded = round_trip({"one": array, "two": [array, rule], "rule": rule}, path)
    assert loaded["one"] is loaded["two"][0]
    assert loaded["rule"] is loaded["two"][1]
    assert path.stat().st_size < 1.1 * array.nbytes


def test_compression_makes_it_smaller(path):
    zeros = np.zeros(10_000)
    save(zeros, path)
    full = path.stat().st_size
    save(zeros, str(path), compressed=True)
    assert path.stat().st_size < full / 10
    assert same(load(str(path)), zeros)


def test_the_file_tells_its_origin_and_numpy_reads_its_arrays(path):
    save(Model().fit([[1.0]]), path)
    with np.load(path, allow_pickle=False) as archive:
        tree = json.loads(archive["skfactor.json"])
        np.testing.assert_array_equal(archive["array_0"], [[2.0]])
    assert tree["format"] == 1
    assert tree["skfactor"] == skfactor.__version__
    assert tree["class"] == "skfactor._testing.Model"
    assert tree["versions"]["numpy"] == np.__version__
    assert set(tree["versions"]) == {"numpy", "scipy", "scikit-learn"}
    assert tree["date"].endswith("+00:00")


# What cannot be stored


def local_function():
    return 0


@pytest.mark.parametrize(
    ("value", "message"),
    [
        (lambda: 0, "decision.threshold: cannot store a function <lambda>"),
        (local_function, "decision.threshold: cannot store a function local_function"),
        (np.mean, "decision.threshold: cannot store"),
        (np.log, "decision.threshold: cannot store an instance of numpy.ufunc"),
        (Stranger(), r"decision.threshold: cannot store an instance of \S*Stranger"),
        (Stranger, "decision.threshold: cannot store a class Stranger"),
        (os, "decision.threshold: cannot store an instance of builtins.module"),
        ([1, {"a": {2: open}}], r"decision.threshold\[1\]\['a'\]\[2\]: cannot store"),
        (np.array([1, len], dtype=object), r"decision.threshold\[1\]: cannot store"),
        (SlotRule(len), "decision.threshold.threshold: cannot store"),
        (FrozenSlotRule(len), "decision.threshold.threshold: cannot store"),
        (ListLike([1]), "decision.threshold: cannot store .*ListLike: it is more than its attributes"),
        (Remade(), "decision.threshold: cannot store .*Remade: it is more than its attributes"),
        (np.ma.array([1], mask=[True]), "decision.threshold: cannot store .*MaskedArray"),
        (np.zeros(1, dtype=[("a", object)]), "decision.threshold: cannot store an instance of numpy.ndarray"),
        (np.dtype("(2,)f8"), "decision.threshold: cannot store the dtype"),
        (np.random.Generator(np.random.Philox(0)), "decision.threshold: cannot store a Philox generator"),
        (Enum("Own", ["A"]).A, "decision.threshold: cannot store the member"),
    ],
    ids=lambda value: value if isinstance(value, str) else type(value).__name__,
)
def test_the_message_names_the_place(value, message, tmp_path):
    with pytest.raises(TypeError, match=message):
        save(Model(decision=Rule(value)), tmp_path / "model.skf")
    assert not list(tmp_path.iterdir())


def test_the_message_for_the_model_itself(path):
    with pytest.raises(TypeError, match=r"the model itself: cannot store an instance of .*Stranger"):
        save(Stranger(), path)


def test_compiled_parts_of_scikit_learn_are_refused_with_their_place(path):
    forest = RandomForestClassifier(n_estimators=1).fit([[0.0], [1.0]], [0, 1])
    with pytest.raises(TypeError, match=r"estimators_\[0\]\.tree_: cannot store .*Tree"):
        save(forest, path)
    with pytest.raises(TypeError, match="func: cannot store"):
        save(FunctionTransformer(np.log), path)


def test_cycles_are_refused(path):
    rule = Rule()
    rule.extra.append(rule)
    with pytest.raises(ValueError, match=r"extra\[0\]: cannot store a Rule that contains itself"):
        save(rule, path)
    assert not path.exists()


# Nothing is half written


def test_a_missing_folder_is_named(tmp_path):
    with pytest.raises(FileNotFoundError, match=r"there is no folder .*nowhere\. Create it first"):
        save(1, tmp_path / "nowhere" / "model.skf")


def test_a_failure_leaves_the_old_file_and_nothing_else(path, monkeypatch):
    save("old", path)

    def full_disk(*_, **__):
        raise OSError("no space left")

    monkeypatch.setattr(persistence.npy, "write_array", full_disk)
    with pytest.raises(OSError, match="no space left"):
        save(np.ones(3), path)
    assert load(path) == "old"
    assert list(path.parent.iterdir()) == [path]


def test_a_folder_in_the_way_leaves_nothing(tmp_path):
    (tmp_path / "model").mkdir()
    with pytest.raises(OSError, match="model"):
        save(1, tmp_path / "model")
    assert [entry.name for entry in tmp_path.iterdir()] == ["model"]


def test_saving_replaces(path):
    save("old", path)
    assert round_trip("new", path) == "new"
    assert list(path.parent.iterdir()) == [path]


# Safety and damage


def craft(path, *nodes, **changes):
    """Write a file whose nodes are these and whose model is the last of them."""
    tree = {"format": 1, "skfactor": skfactor.__version__, "nodes": nodes, "model": {"node": len(nodes) - 1}}
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("skfactor.json", json.dumps(tree | changes))


@pytest.mark.parametrize("kind", ["class", "function", "instance", "enum"])
@pytest.mark.parametrize(
    "address",
    [
        "os:system",
        "builtins:eval",
        "subprocess:Popen",
        "skfactor.persistence:os.system",
        "skfactor.persistence:os",
        "skfactor.persistence:zipfile.ZipFile",
        "skfactor.persistence:Path",
        "skfactor.persistence:save.__globals__",
        "skfactor._testing:Model.__init__.__builtins__",
        "skfactor:load",
        "skfactor.cli.__main__:main",
        "skfactor_evil:Model",
        ".os:system",
        "",
        "skfactor.missing:Model",
        "skfactor.persistence:Missing",
        "sklearn.utils:Bunch",
        "sklearn.utils._bunch:Bunch",
        "sklearn.datasets._base:load_files",
    ],
)
def test_only_allowed_names_are_loaded(kind, address, path):
    craft(path, [kind, address, None])
    if kind in ("class", "function"):
        craft(path, [kind, address])
    with pytest.raises(ValueError, match=r"Cannot load \S*model.skf: it names "):
        load(path)


def test_a_foreign_module_is_not_even_imported(path, tmp_path, monkeypatch):
    (tmp_path / "stranger_module.py").write_text("class Thing: pass")
    monkeypatch.syspath_prepend(tmp_path)
    craft(path, ["instance", "stranger_module:Thing", None])
    with pytest.raises(ValueError, match="it names stranger_module:Thing"):
        load(path)
    assert "stranger_module" not in sys.modules


def test_functions_and_members_are_not_made_instances(path):
    for address in (f"{HOME}:halve", f"{HOME}:Model.predict"):
        craft(path, ["instance", address, None])
        with pytest.raises(ValueError, match=r"it names skfactor\._testing"):
            load(path)


def test_no_initializer_runs(path):
    craft(path, ["dict", "threshold", 1], ["instance", f"{HOME}:Rule", {"node": 0}])
    assert vars(load(path)) == {"threshold": 1}


def test_pickles_are_not_read(path):
    npy = io.BytesIO()
    np.save(npy, np.array([Rule()], dtype=object), allow_pickle=True)
    craft(path, model={"array": 0})
    with zipfile.ZipFile(path, "a") as archive:
        archive.writestr("array_0.npy", npy.getvalue())
    with pytest.raises(ValueError, match=r"Cannot load .*allow_pickle=False"):
        load(path)


@pytest.mark.parametrize(
    "nodes",
    [
        [["scalar", "|O", "00" * 8]],
        [["unknown", 1]],
        [["list", {"node": 0}]],
        [["list", {"array": 0}]],
        [["list", {"node": 1, "array": 1}]],
        [["dict", "key without value"]],
        [["list"], ["set", {"node": 0}]],
        [["bytes", "no hex"]],
        [["tuple", 2, 2], ["sparse", "eval_array", {"node": 0}, None]],
    ],
    ids=str,
)
def test_nonsense_is_refused(nodes, path):
    craft(path, *nodes)
    with pytest.raises(ValueError, match=r"Cannot load \S*model.skf: it is damaged or was not written by"):
        load(path)


def tamper(path, member, change):
    """Replace the content of one member of the file by what `change` makes of it."""
    with zipfile.ZipFile(path) as archive:
        contents = {name: archive.read(name) for name in archive.namelist()}
    contents[member] = change(contents[member])
    with zipfile.ZipFile(path, "w") as archive:
        for name, content in contents.items():
            archive.writestr(name, content)


@pytest.mark.parametrize("wrong", [7_000_000, -7_000_000, -(2**31)])
@pytest.mark.parametrize(
    ("name", "members"),
    [
        ("csr_array", ["array_1.npy", "array_2.npy"]),
        ("csc_matrix", ["array_1.npy", "array_2.npy"]),
        ("bsr_array", ["array_1.npy", "array_2.npy"]),
        ("coo_array", ["array_1.npy", "array_2.npy"]),
        ("lil_matrix", ["array_1.npy", "array_2.npy"]),
        ("dok_array", ["array_1.npy", "array_2.npy"]),
        ("dia_matrix", ["array_1.npy"]),
    ],
)
def test_sparse_indices_that_point_outside_are_refused(name, members, wrong, path):
    def last_index(content):
        array = np.load(io.BytesIO(content))
        array[-1] = wrong
        stream = io.BytesIO()
        np.save(stream, array)
        return stream.getvalue()

    for member in members:
        save(getattr(sparse, name)(np.eye(4)), path)
        tamper(path, member, last_index)
        with pytest.raises(ValueError, match="Cannot load"):
            load(path)


def test_a_random_state_outside_of_its_memory_is_refused(path):
    save(np.random.RandomState(0), path)
    tamper(path, "skfactor.json", lambda tree: tree.replace(b'"pos", 624', b'"pos", 100000'))
    with pytest.raises(ValueError, match="outside of its memory"):
        load(path)


def not_a_zip(path):
    path.write_bytes(b"no zip at all")


def empty(path):
    path.write_bytes(b"")


def pickled(path):
    path.write_bytes(pickle.dumps({"a": 1}))


def other_zip(path):
    np.savez(path.with_suffix(".npz"), a=1)
    path.with_suffix(".npz").rename(path)


def truncated(path):
    save(np.arange(1000), path)
    path.write_bytes(path.read_bytes()[:-100])


def bits_flipped(path):
    save(np.arange(1000), path)
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 1
    path.write_bytes(content)


def too_deep(path):
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("skfactor.json", "[" * 200_000)


def no_dict(path):
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("skfactor.json", "[]")


@pytest.mark.parametrize(
    "make", [not_a_zip, empty, pickled, other_zip, truncated, bits_flipped, too_deep, no_dict]
)
def test_other_and_damaged_files_get_one_line(make, path):
    make(path)
    with pytest.raises(ValueError, match=r"Cannot load \S*model.skf: it is damaged or was not") as raised:
        load(path)
    assert "\n" not in str(raised.value)


def test_every_truncation_is_noticed(path):
    save({"a": np.arange(20), "b": Rule()}, path)
    content = path.read_bytes()
    for length in range(0, len(content), 37):
        path.write_bytes(content[:length])
        with pytest.raises(ValueError, match="Cannot load"):
            load(path)


def test_a_missing_file_is_just_missing(path):
    with pytest.raises(FileNotFoundError, match=r"model\.skf"):
        load(path)


def test_a_newer_format_says_what_to_do(path):
    craft(path, ["list"], format=2, skfactor="9.1.0")
    with pytest.raises(ValueError, match=r"skfactor 9\.1\.0 saved it .*pip install --upgrade skfactor"):
        load(path)


def test_another_minor_version_warns(path):
    craft(path, ["list"], skfactor="0.0.7")
    with pytest.warns(UserWarning, match=r"was saved by skfactor 0\.0\.7") as caught:
        assert load(path) == []
    assert caught[0].filename == __file__
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(UserWarning, match="was saved by"):
            load(path)


def test_another_patch_is_silent(path):
    craft(path, ["list"], skfactor=".".join([*skfactor.__version__.split(".")[:2], "99"]))
    assert load(path) == []
