"""`skfactor reproduce` on a small table, in a process that is killed at a moment that is asked for.

    python -m tests.experiments.interrupted MOMENT NUMBER FOLDER

The process gets SIGKILL, which nothing can catch, the NUMBER-th time that it comes to the moment: in the middle of
a run ("run"), of writing a file ("write"), or between writing and renaming it ("rename").
"""

import os
import signal
import sys
from pathlib import Path

from skfactor.cli.app import app
from skfactor.experiments import declared, run_labels
from skfactor.experiments.declared import Entry, Slice, Source, Table


def small():
    """A table of the digits, of whose methods one is not written and one cannot be fitted."""
    return Table(
        name="small",
        title="Digits",
        published="ommf-2",
        protocol="3-fold",
        metrics=["micro_f1", "hamming_loss"],
        choose="micro_f1",
        note="",
        times=[],
        datasets={"digits": Source("digit-tags"), "gone": Source("gone", missing="it burnt")},
        methods={
            "RidgeBR": Entry("RidgeBR", {"ridge": [0.01, 10.0]}),
            "PLST": Entry("PLST", {"n_components": 99}),
            "Dream": Entry("Dream"),
        },
        quick=Slice(1, {"digits": {"RidgeBR": {"micro_f1": [0.8, 0.95]}}}),
    )


class Death:
    """Called often, deadly once."""

    def __init__(self, number):
        self.left = number

    def __call__(self):
        self.left -= 1
        if self.left == 0:
            os.kill(os.getpid(), signal.SIGKILL)


def in_a_run(death):
    """Models are fitted, and nothing is measured yet."""
    measure = run_labels.measure
    run_labels.measure = lambda *arguments: death() or measure(*arguments)


def in_a_write(death):
    """Half of the text is in the file."""
    write = Path.write_text

    def halting(path, text, **options):
        write(path, text[: len(text) // 2], **options)
        death()
        return write(path, text, **options)

    Path.write_text = halting


def before_a_rename(death):
    """The file is whole, and has not got its name."""
    replace = os.replace
    os.replace = lambda *paths: death() or replace(*paths)


MOMENTS = {"run": in_a_run, "write": in_a_write, "rename": before_a_rename}

if __name__ == "__main__":
    moment, number, folder = sys.argv[1:]
    MOMENTS[moment](Death(int(number)))
    declared.names, declared.table = lambda: ["small"], lambda name: small()
    app(["reproduce", "small", "--out", folder])
