"""Clustering of rows alone, by coclust's names."""
from .spherical_kmeans import SphericalKmeans

__all__ = ["SphericalKmeans"]
