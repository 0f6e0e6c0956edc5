"""For people who come from scikit-learn: documents into co-clusters, step by step.

A co-clustering groups rows and columns at the same time: documents together with the words that they
share. Everything below is scikit-learn as you know it; cobloc is one estimator of the pipeline.

    python3 examples/python/from_scikit_learn.py
"""
from pathlib import Path

import pandas
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline

import cobloc
from cobloc import CoClustering, Selection, Vectorizer

# 55 genes, a sentence or two about each, and the trait that each is best known for.
genes = pandas.read_csv(Path(__file__).parent.parent / "genes" / "genes.csv")
texts, traits = genes["text"], genes["trait"]

# ---- 1. A pipeline: words, counts, clusters ------------------------------------------------------
pipe = make_pipeline(CountVectorizer(stop_words="english", min_df=3),
                     CoClustering(5, model="coclus", random_state=1))
labels = pipe.fit_predict(texts)
print("1. NMI with the traits:", round(cobloc.score(labels, traits)["nmi"], 3))
print("   a new text goes to cluster", pipe.predict(["asthma and allergy of the airways"])[0])

# ---- 2. The same with cobloc's own words: stop words of the language that is detected -------------
words = Vectorizer(stop_words="auto", tokens="words", min_df=3)
counts = pandas.DataFrame.sparse.from_spmatrix(words.fit_transform(texts), index=genes["gene"],
                                               columns=words.get_feature_names_out())
blocs = CoClustering(5, model="coclus", random_state=1).fit(counts)
print(f"2. {counts.shape[1]} terms, language {words.language_}, modularity {blocs.criterion_:.3f}")
print("   cluster 0 holds", ", ".join(counts.index[blocs.row_labels_ == 0][:5]), "...")

# ---- 3. What the clusters are about --------------------------------------------------------------
about = blocs.result_.describe(terms=4)
for bloc in about.itertuples():
    print(f"3. {bloc.rows:2d} genes, {bloc.cols:2d} terms: {', '.join(bloc.telling)}")

# ---- 4. How many clusters? Leave it out: it is chosen --------------------------------------------
chosen = CoClustering(random_state=1).fit(counts)
print(f"4. chosen: {chosen.n_clusters_} clusters by {chosen.model_}. {chosen.result_['size_summary']}")
curve = Selection((2, 7), "coclus", by="modularity", random_state=1).fit(counts).curve()
print(curve[["k", "modularity", "as_good"]].to_string(index=False))

# ---- 5. A grid, where classes are known ----------------------------------------------------------
grid = GridSearchCV(CoClustering(5, random_state=1), {"model": ["coclus", "plbm", "skmeans"]}, cv=3,
                    scoring="normalized_mutual_info_score")
grid.fit(counts, traits)
print("5. best model by held-out NMI:", grid.best_params_["model"])

# ---- 6. Probabilities, scores, pictures, the report ----------------------------------------------
soft = CoClustering(5, model="plbm", inference="soft", random_state=1).fit(counts)
print("6. probabilities:", soft.predict_proba(counts[:1]).round(2).tolist())
blocs.result_.report(path="report.html", truth=traits, title="Genes", row_word="genes", col_word="terms")
try:
    import matplotlib

    matplotlib.use("Agg")
    blocs.result_.plot.matrix().figure.savefig("matrix.png")
    print("   report.html and matrix.png are written; in a notebook, result_.report() shows inline")
except ImportError:
    print("   report.html is written")
