"""One pass over the data, then small algebra: the only code that forms X'X."""

from skfactor.moments.centred import CentredMoments
from skfactor.moments.moments import MEMORY_BUDGET, Moments, Scale

__all__ = ["MEMORY_BUDGET", "CentredMoments", "Moments", "Scale"]
