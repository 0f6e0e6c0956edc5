"""What the papers print, for `bench/papers`, with the words that go under each table."""
import collections

Paper = collections.namedtuple("Paper", "source kind scores")
Experiment = collections.namedtuple("Experiment", "options papers seeds")
DataSet = collections.namedtuple("DataSet", "title file k experiments words")

SOURCES = {
    "slides": "Ailem, Role, Nadif on Coclus (CIKM 2015) and SPLBM (TKDE 2017), as in Nadif's slides",
    "EBCO": "Affeldt, Labiod, Nadif, Ensemble block co-clustering (CIKM 2020)",
    "DLBM": "Laclau, Nadif, Diagonal latent block model for binary data (Statistics and Computing 2017)",
}


def best(source, nmi, ari=None, acc=None):
    return Paper(source, "best", (nmi, ari, acc))


def mean(source, nmi, ari):
    return Paper(source, "mean", (nmi, ari, None))


def fit(options, *papers, seeds=20):
    return Experiment(options.split(), papers, seeds)


def words(text):
    return [line.strip() for line in text.strip().splitlines()]


SETS = {
    "classic4": DataSet("CLASSIC4", "classic4", 4, [
        fit("", best("slides", .73, None, .90)),
        fit("-m coclus -w tfidf", best("slides", .70, None, .88), mean("EBCO", .67, .61)),
        fit("-m coclus -w binary", best("slides", .72, None, .90)),
        fit("-m splbm --exact"),
        fit("-m splbm"),
        fit("-m itcc", best("slides", .67, None, .87)),
        fit("-m itcc -w tfidf", mean("EBCO", .66, .58)),
        fit("-m dcc -w tfidf", mean("EBCO", .72, .71)),
        fit("-m lbm", best("DLBM", .301, .217, .561)),
        fit("-m dlbm3", best("DLBM", .661, .623, .855)),
    ], words("""
        WORDS-classic4
        """)),
    "cstr": DataSet("CSTR", "cstr", 4, [
        fit("-m coclus"),
        fit("-m coclus -w tfidf", mean("EBCO", .66, .70)),
        fit("-m splbm --exact"),
        fit("-m splbm"),
        fit("-m socc"),
        fit("-m itcc"),
        fit("-m itcc -w tfidf", mean("EBCO", .69, .70)),
        fit("-m itcc -w binary", best("DLBM", .700, .658, .699)),
        fit("-m dcc -w tfidf", mean("EBCO", .68, .61)),
        fit("-m lbm", best("DLBM", .699, .717, .838)),
        fit("-m dlbm3", best("DLBM", .779, .816, .901)),
    ], words("""
        WORDS-cstr
        """)),
    "classic3": DataSet("CLASSIC3", "classic3", 3, [
        fit("-m coclus"),
        fit("-m coclus -w tfidf", mean("EBCO", .94, .97)),
        fit("-m itcc -w tfidf", mean("EBCO", .94, .96)),
        fit("-m itcc -w binary", best("DLBM", .923, .954, .985)),
        fit("-m dcc -w tfidf", mean("EBCO", .94, .97)),
        fit("-m lbm", best("DLBM", .439, .399, .640)),
        fit("-m dlbm3", best("DLBM", .908, .944, .981)),
    ], words("""
        WORDS-classic3
        """)),
    "k1b": DataSet("K1B", "k1b", 6, [
        fit("-m coclus", best("slides", .54, .31, .60)),
        fit("-m splbm", best("slides", .66, .60, .79)),
        fit("-m splbm --inference soft", best("slides", .69, .72, .84)),
        fit("-m splbm --inference stochastic", best("slides", .72, .76, .86), seeds=10),
        fit("-m splbm --inference svem", best("slides", .75, .79, .88), seeds=10),
        fit("-m splbm --exact"),
        fit("-m itcc", best("slides", .58, .40), seeds=10),
    ], words("""
        WORDS-k1b
        """)),
    "tdt2": DataSet("TDT2", "tdt2", 30, [
        fit("-m coclus", best("slides", .84, .85, .87), seeds=4),
        fit("-m splbm", best("slides", .81, .81, .83), seeds=4),
        fit("-m dlbm3", best("DLBM", .767, .678, .748), seeds=2),
    ], words("""
        WORDS-tdt2
        """)),
    "ng20": DataSet("NG20", "ng20", 20, [
        fit("-m coclus", best("slides", .52, None, .37), seeds=2),
    ], words("""
        WORDS-ng20
        """)),
    "votes": DataSet("", "votes", 2, [], words("WORDS-votes")),
    "socc": DataSet("", "", 3, [], words("WORDS-socc")),
    "clusters": DataSet("", "", 0, [], words("WORDS-clusters")),
}
