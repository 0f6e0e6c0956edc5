"""Scores, by coclust's names."""
from . import external, internal

__all__ = ["external", "internal"]
