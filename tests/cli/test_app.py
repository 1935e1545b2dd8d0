import json
import os
import subprocess
import sys
import time

import pytest

import skfactor as package
from skfactor.cli import main


def python(*arguments, **options):
    return subprocess.run([sys.executable, *arguments], capture_output=True, text=True, check=False, **options)


def test_module_is_the_command():
    done = python("-m", "skfactor", "--version")
    assert (done.returncode, done.stdout.strip()) == (0, f"skfactor {package.__version__}")


def test_help_is_fast_and_imports_nothing_heavy():
    code = (
        "import sys; sys.argv = ['skfactor', '--help']; from skfactor.cli import main; main();"
        "print([name for name in ('numpy', 'sklearn', 'scipy') if name in sys.modules])"
    )
    started = time.perf_counter()
    done = python("-c", code)
    assert time.perf_counter() - started < 3  # 0.25 s on an idle machine
    assert done.stdout.strip().endswith("[]")
    assert "evaluate" in done.stdout


def test_error_leaves_one_line_and_code_2():
    done = python("-m", "skfactor", "fit", "digit-tags", "--method", "nothing", "--out", "unwritten.skf")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "error: There is no method 'nothing'. Choose from " + done.stderr.partition("from ")[2]
    assert done.stderr.count("\n") == 1


def test_reader_that_stops_early_is_no_error(model):
    command = f"{sys.executable} -m skfactor predict {model} digit-tags | head -2"
    done = subprocess.run(command, shell=True, capture_output=True, text=True, check=False)
    assert len(done.stdout.splitlines()) == 2
    assert done.stderr == ""


@pytest.mark.skipif(os.name == "nt", reason="signals")
def test_interrupt_leaves_code_130():
    code = (
        "import os, signal, sys; from skfactor.cli import main, demo; sys.argv = ['skfactor', 'demo'];"
        "demo.STEPS = (lambda out, stage: os.kill(os.getpid(), signal.SIGINT),); sys.exit(main())"
    )
    done = python("-c", code)
    assert done.returncode == 130
    assert done.stderr == "error: interrupted\n"


def test_missing_extra_is_named(monkeypatch, capsys):
    monkeypatch.setattr("skfactor.cli.find_spec", lambda name: None if name == "rich" else object())
    assert main() == 2
    assert capsys.readouterr().err == "error: the command skfactor needs rich: pip install 'skfactor[cli]'\n"


def test_main_returns_the_code(monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["skfactor", "--version"])
    assert main() == 0
    monkeypatch.setattr(sys, "argv", ["skfactor", "data", "get", "digit-tags"])
    assert main() == 2
    assert "digit-tags needs no fetching" in capsys.readouterr().err


@pytest.mark.parametrize("arguments", [(), ("data",)])
def test_without_verb_shows_help(skfactor, arguments):
    assert "Usage" in skfactor(*arguments)


@pytest.mark.parametrize(
    "verb",
    [
        "demo",
        "fit",
        "predict",
        "evaluate",
        "compare",
        "reproduce",
        "data list",
        "data get",
        "rate fit",
        "rate evaluate",
    ],
)
def test_help_has_an_example(skfactor, verb):
    text = skfactor(*verb.split(), "--help")
    assert f"skfactor {verb}" in text.partition("Examples")[2]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("fot",), "error: No such command 'fot'. Did you mean 'fit'? See "),
        (("fit", "digit-tags", "--out", "x"), "Missing option '--method'"),
        (("evaluate", "digit-tags", "--folds", "1"), "'--folds'"),
        (("data", "describe", "digit-tgas"), "Did you mean 'digit-tags'?"),
        (("data", "describe", "no/such.arff"), "error: There is no file no/such.arff."),
    ],
)
def test_usage_errors_are_one_line(skfactor, arguments, said):
    assert said in skfactor.error(*arguments)


def test_debug_shows_where(skfactor):
    skfactor("data", "describe", "no/such.arff", "--debug", code=2)
    assert "Traceback" in skfactor.err
    assert skfactor.err.endswith("error: There is no file no/such.arff.\n")


def test_unexpected_error_says_its_type(skfactor, monkeypatch):
    def broken(*arguments):
        raise KeyError("place")

    monkeypatch.setattr("skfactor.cli.demo.STEPS", (broken,))
    assert skfactor.error("demo", "--json") == "error: KeyError: 'place' (--debug shows where)"


def test_memory_error_without_words(skfactor, monkeypatch):
    def greedy(*arguments):
        raise MemoryError

    monkeypatch.setattr("skfactor.cli.demo.STEPS", (greedy,))
    assert skfactor.error("demo", "--json") == "error: there is not enough memory"


def test_demo_shows_and_documents(skfactor, tmp_path):
    report = tmp_path / "demo.html"
    text = skfactor("demo", "--report", report)
    assert f"open {report}" in text
    assert "A closer look: digit-tags" in report.read_text()
    assert "RidgeBR" in text
    assert "PLST" in text
    assert len(text.splitlines()) < 50
    document = skfactor.json("demo", "--report", report)
    assert document["report"] == str(report)
    assert document["scores"]["PLST"]["micro_f1"] > 0.85
    assert len(document["tags"]) == 5
    assert document["partial_fit"]["difference_to_fit"] < 1e-8
    assert document["forget"]["difference_to_before"] < 1e-8
    errors = document["ratings"]["mae"]
    assert errors["MMMF"] < errors["BiasOnly"] < errors["ItemMedian"]


def test_json_is_plain():
    from pathlib import Path

    import numpy as np

    from skfactor.cli.output import plain

    value = {"a": np.float64("nan"), 2: (np.arange(2), Path("b")), "c": np.bool_(True), "d": float("inf")}
    assert json.loads(json.dumps(plain(value))) == {"a": None, "2": [[0, 1], "b"], "c": True, "d": None}
