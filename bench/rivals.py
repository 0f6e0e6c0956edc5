"""The other programs of bench/quality, one run a process.

usage: rivals.py METHOD MATRIX.npz K SEED LABELS

Each takes the counts of the filled rows and columns, and gives one or several labellings of the rows. They go to LABELS.0, LABELS.1, ...
(-1: an empty row). Prints the processor time of the method alone, without imports and reading. Exits with 77 where a package is missing.
"""
import json
import sys
import time
import warnings

import numpy as np
import scipy.sparse as sp


def spectral(x, k, seed):
    """scikit-learn's spectral co-clustering, with its defaults."""
    from sklearn.cluster import SpectralCoclustering
    model = SpectralCoclustering(k, random_state=seed)
    return lambda: [model.fit(x).row_labels_]


def nmf(x, k, seed):
    """scikit-learn's factors of the TF-IDF matrix; a row belongs to its largest one."""
    from sklearn.decomposition import NMF
    from sklearn.feature_extraction.text import TfidfTransformer
    model = NMF(k, random_state=seed)
    return lambda: [model.fit_transform(TfidfTransformer().fit_transform(x)).argmax(axis=1)]


def lda(x, k, seed):
    """scikit-learn's topics, with its defaults; a row belongs to its most probable one."""
    from sklearn.decomposition import LatentDirichletAllocation
    model = LatentDirichletAllocation(k, random_state=seed)
    return lambda: [model.fit_transform(x).argmax(axis=1)]


def gensim(x, k, seed):
    """gensim's topics in ten passes, as many as scikit-learn makes: its default of one is for streams."""
    from gensim.matutils import Sparse2Corpus
    from gensim.models import LdaModel
    corpus, names = Sparse2Corpus(x, documents_columns=False), {term: str(term) for term in range(x.shape[1])}

    def run():
        model = LdaModel(corpus, k, names, passes=10, eval_every=None, random_state=seed)
        return [model.inference(list(corpus))[0].argmax(axis=1)]
    return run


def bipartite(x, seed):
    """A graph of rows and columns and what keeps them apart. Counts are multiple edges; real values say only that there is an edge."""
    import graph_tool
    import graph_tool.inference
    x = x.tocoo()
    graph = graph_tool.Graph(directed=False)
    graph.add_vertex(sum(x.shape))
    graph.add_edge_list(np.column_stack([x.row, x.shape[0] + x.col]))
    side = graph.new_vertex_property("int")
    side.a[x.shape[0]:] = 1
    options = {"clabel": side, "pclabel": side, "deg_corr": True}
    if np.all(x.data == np.round(x.data)):
        options["eweight"] = graph.new_edge_property("int", vals=x.data.astype(int))
    graph_tool.seed_rng(seed)
    np.random.seed(seed)
    return graph_tool.inference, graph, options


def flat(x, k, seed):
    """graph-tool's degree-corrected block model; it chooses the number of groups."""
    inference, graph, options = bipartite(x, seed)
    return lambda: [inference.minimize_blockmodel_dl(graph, state_args=options).get_blocks().a[:x.shape[0]]]


def nested(x, k, seed):
    """graph-tool's hierarchy of such models: a labelling for each level that holds more than one group of rows."""
    inference, graph, options = bipartite(x, seed)

    def run():
        state = inference.minimize_nested_blockmodel_dl(graph, state_args=options)
        levels = [state.project_level(level).get_blocks().a[:x.shape[0]] for level in range(len(state.levels))]
        return [labels for labels in levels if labels.min() < labels.max()]
    return run


def main():
    method, matrix, k, seed, out = sys.argv[1:]
    warnings.simplefilter("ignore")
    x = sp.csr_matrix(sp.load_npz(matrix), dtype=np.float64)
    rows, cols = np.flatnonzero(x.sum(axis=1)), np.flatnonzero(x.sum(axis=0))
    try:
        run = globals()[method](x[rows][:, cols], int(k), int(seed))
    except ImportError:
        sys.exit(77)
    start = time.process_time()
    levels = run()
    seconds = time.process_time() - start
    for level, found in enumerate(levels):
        labels = np.full(x.shape[0], -1)
        labels[rows] = found
        np.savetxt(f"{out}.{level}", labels, fmt="%d")
    print(json.dumps({"processor": seconds, "levels": len(levels)}))


if __name__ == "__main__":
    main()
