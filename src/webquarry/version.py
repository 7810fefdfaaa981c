"""The version of this package, readable without importing anything else."""

__version__ = "0.2.0"
