"""Sizes by modularity, by coclust's names."""
from __future__ import annotations

from typing import Any, List, Sequence, Tuple


from ..coclustering import CoclustMod


def best_modularity_partition(
    in_data: Any, nbr_clusters_range: Sequence[int], n_rand_init: int = 1
) -> Tuple[CoclustMod, List[float]]:
    """The best of several sizes by modularity.

    Parameters
    ----------
    in_data : array or sparse matrix of shape (n_samples, n_features)
    nbr_clusters_range : sequence of int
        The sizes.
    n_rand_init : int
        Starts of each size.

    Returns
    -------
    model : CoclustMod
        That of the largest modularity; a larger size must gain more than 1e-4.
    modularities : list of float
        One for each size.
    """
    fitted = [CoclustMod(n_clusters=k, n_init=n_rand_init, random_state=0).fit(in_data)
              for k in nbr_clusters_range]
    if not fitted:
        raise ValueError("there is no size to try")
    best = fitted[0]
    for model in fitted[1:]:
        if model.modularity - best.modularity > 1e-4:
            best = model
    return best, [float(model.modularity) for model in fitted]
