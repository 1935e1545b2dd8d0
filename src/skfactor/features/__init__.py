"""Richer features for the same moments: ordinary transformers, to stand before any method in a pipeline."""

from skfactor.features.block_scaler import BlockScaler
from skfactor.features.kernel import KernelFeatures
from skfactor.features.leaves import LeafFeatures

__all__ = ["BlockScaler", "KernelFeatures", "LeafFeatures"]
