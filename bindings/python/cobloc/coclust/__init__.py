"""The names of the package coclust, on cobloc's engine: its users change an import.

Classes, arguments and attributes are those of coclust; `n_init`, `max_iter` and `tol` mean the same.
Starts are cobloc's own unless `init` is given, so a run ends at a criterion that is as good or better.
Matrices stay sparse, and no table of rows by columns is ever made.
"""
import sys
import types

from . import clustering, coclustering, evaluation, initialization, io, visualization
from .coclustering import CoclustInfo, CoclustMod, CoclustSpecMod

__all__ = [
    "CoclustInfo",
    "CoclustMod",
    "CoclustSpecMod",
    "clustering",
    "coclustering",
    "evaluation",
    "initialization",
    "io",
    "visualization",
]


def _old_modules() -> None:
    """Old releases had a module for each class: `from coclust.CoclustMod import CoclustMod`."""
    for old in (CoclustInfo, CoclustMod, CoclustSpecMod):
        for package in (__name__, f"{__name__}.coclustering"):
            module = types.ModuleType(f"{package}.{old.__name__}", old.__doc__)
            setattr(module, old.__name__, old)
            sys.modules[module.__name__] = module


_old_modules()
