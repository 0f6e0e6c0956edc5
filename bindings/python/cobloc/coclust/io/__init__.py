"""Data in, by coclust's names."""
from . import data_loading, data_transformation, input_checking, notebook

__all__ = ["data_loading", "data_transformation", "input_checking", "notebook"]
