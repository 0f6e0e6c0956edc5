"""Co-clustering algorithms, by coclust's names."""
from .base_diagonal_coclust import BaseDiagonalCoclust
from .base_non_diagonal_coclust import BaseNonDiagonalCoclust
from .coclust_info import CoclustInfo
from .coclust_mod import CoclustMod
from .coclust_spec_mod import CoclustSpecMod

__all__ = [
    "BaseDiagonalCoclust",
    "BaseNonDiagonalCoclust",
    "CoclustInfo",
    "CoclustMod",
    "CoclustSpecMod",
]
