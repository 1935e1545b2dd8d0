"""Solvers that know nothing of labels or ratings; one file each."""
