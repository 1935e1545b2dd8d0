"""The package as a whole: what importing costs, what it offers, and that its files agree."""

import importlib
import inspect
import pkgutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
import yaml
from sklearn.base import BaseEstimator

import skfactor

ROOT = Path(__file__).parents[1]


def modules():
    return [
        info.name for info in pkgutil.walk_packages(skfactor.__path__, "skfactor.") if "__main__" not in info.name
    ]


@pytest.mark.parametrize("name", modules())
def test_every_module_says_what_it_is(name):
    assert importlib.import_module(name).__doc__


def test_public_names_exist():
    for name in [None, *modules()]:
        module = importlib.import_module(name) if name else skfactor
        for public in getattr(module, "__all__", []):
            assert hasattr(module, public), f"{name}.{public}"


@pytest.mark.parametrize("room", ["multilabel", "ratings", "features"])
def test_the_readme_has_every_method(room):
    readme, module = (ROOT / "README.md").read_text(), importlib.import_module(f"skfactor.{room}")
    methods = [
        name
        for name in module.__all__
        if issubclass(getattr(module, name), BaseEstimator)
        and not inspect.isabstract(getattr(module, name))
        and name != "RatingModel"  # the base of the others
    ]
    assert [name for name in methods if f"`{name}`" not in readme] == []


def test_importing_loads_nothing_heavy():
    heavy = {"scipy", "sklearn", "numba", "pandas", "matplotlib", "torch"}
    code = f"import sys, skfactor; print(sorted({heavy!r} & set(sys.modules)))"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "[]"


def test_unknown_names_are_refused():
    with pytest.raises(AttributeError, match="has no attribute 'Momentum'"):
        _ = skfactor.Momentum
    assert "Moments" in dir(skfactor)


def test_the_version_is_written_once_and_the_changelog_knows_it():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert project["version"] == skfactor.__version__
    assert f"## {skfactor.__version__}" in (ROOT / "CHANGELOG.md").read_text()


def test_pre_commit_runs_the_tools_of_make_test():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    pinned = dict(line.split("==") for line in project["optional-dependencies"]["dev"] if "==" in line)
    hooks = yaml.safe_load((ROOT / ".pre-commit-config.yaml").read_text())["repos"]
    used = {
        repo["repo"].split("/")[-1].split("mirrors-")[-1].replace("-pre-commit", ""): repo["rev"] for repo in hooks
    }
    assert {name: revision.lstrip("v") for name, revision in used.items()} == pinned
