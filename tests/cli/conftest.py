"""Small files of every form, and the command run in this process."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

from skfactor.cli.app import app

ARFF = """@relation sounds
@attribute pitch numeric
@attribute loud numeric
@attribute bright numeric
@attribute sad {0,1}
@attribute calm {0,1}
@data
"""
XML = '<labels xmlns="http://mulan.sourceforge.net/labels"><label name="sad"/><label name="calm"/></labels>'


class Command:
    """Runs the command; what it wrote is in `out` and `err`."""

    def __call__(self, *arguments, code=0):
        result = CliRunner().invoke(app, [str(argument) for argument in arguments])
        self.out, self.err = result.stdout, result.stderr
        assert result.exit_code == code, f"{result.exit_code}: {result.stderr} {result.exception!r}"
        return self.out

    def json(self, *arguments, code=0):
        return json.loads(self(*arguments, "--json", code=code))

    def error(self, *arguments, code=2):
        """The one line on stderr, and nothing on stdout."""
        assert self(*arguments, code=code) == ""
        (line,) = self.err.splitlines()
        assert line.startswith("error: ")
        return line


@pytest.fixture
def skfactor(monkeypatch, tmp_path):
    monkeypatch.setenv("SKFACTOR_CACHE", str(tmp_path / "cache"))
    return Command()


@pytest.fixture
def arff(tmp_path):
    """Sixty rows of sounds, two labels that follow from the features, and their XML."""
    X = np.random.default_rng(0).normal(size=(60, 3)).round(3)
    rows = [f"{a},{b},{c},{int(a + c > 0)},{int(b < 0.5)}" for a, b, c in X]
    path = tmp_path / "sounds.arff"
    path.write_text(ARFF + "\n".join(rows) + "\n")
    path.with_suffix(".xml").write_text(XML)
    return path


@pytest.fixture
def tickets(tmp_path):
    """A table with a column of text and a column of tags."""
    kinds = [
        ("120", "web", "urgent;billing"),
        ("80", "app", "billing"),
        ("90", "app", ""),
        ("130", "web", "urgent"),
    ]
    path = tmp_path / "tickets.csv"
    path.write_text("words,team,tags\n" + "".join(",".join(row) + "\n" for row in kinds * 5))
    return path


@pytest.fixture
def model(skfactor, tmp_path) -> Path:
    """RidgeBR, fitted to the digits."""
    path = tmp_path / "digits.skf"
    skfactor("fit", "digit-tags", "--method", "RidgeBR", "--set", "ridge=0.01", "--out", path)
    return path
