"""Richer features for the same moments: ordinary transformers, to stand before any method in a pipeline."""

from skfactor.features.kernel import KernelFeatures

__all__ = ["KernelFeatures"]
