"""What `import skfactor` costs beyond NumPy, in fresh interpreters."""

import subprocess
import sys

from benchmarks._measure import alternating, report


def main() -> None:
    numpy_alone, both = (
        lambda code=code: subprocess.run([sys.executable, "-c", code], check=True)
        for code in ("import numpy", "import numpy, skfactor")
    )
    floor, seconds = alternating(numpy_alone, both, rounds=7)
    report("import skfactor beyond numpy", seconds - floor, "s", "at most 0.3")
