"""`python -m skfactor` is the command `skfactor`."""

from __future__ import annotations

import sys

from skfactor.cli import main

if __name__ == "__main__":
    sys.exit(main())
