"""What importing costs in fresh interpreters: of the package, which is lazy, and of a method."""

import subprocess
import sys

from benchmarks._measure import alternating, report

#: What a method cannot do without: scikit-learn's estimators and validation, and SciPy's parts that it uses.
FLOOR = "import sklearn.base, sklearn.utils.validation, sklearn.model_selection, scipy.sparse.linalg, scipy.linalg"


def starting(*codes: str) -> list[float]:
    """Least seconds of a fresh interpreter that runs each code."""
    runs = [lambda code=code: subprocess.run([sys.executable, "-c", code], check=True) for code in codes]
    return alternating(*runs, rounds=7)


def main() -> None:
    numpy, package, floor, method = starting(
        "import numpy", "import numpy, skfactor", FLOOR, "from skfactor.multilabel import RidgeBR"
    )
    report("import skfactor beyond numpy", package - numpy, "s", "at most 0.3")
    report("from skfactor.multilabel import RidgeBR beyond numpy", method - numpy, "s", "no goal")
    report("of that, beyond the parts of scikit-learn and SciPy that it uses", method - floor, "s", "at most 0.3")
