"""The papers' numbers on the papers' data, each by the commands that a user would type. See docs/reproduction.md."""
import os
import sys
import tempfile

BENCH = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "bench")
sys.path[:0] = [BENCH, os.path.join(BENCH, "papers")]
from common import DATA, Fits, best_by_criterion, mean_and_sd
from experiments import DIAGONAL, MANNERS, PRINTED, held_and_empty, simulations, votes, votes_from_print

if not os.path.isdir(DATA):
    print("skipped: no data")
    sys.exit(77)

failures = []


def check(good, what):
    print("ok   " if good else "MISS ", what, flush=True)
    if not good:
        failures.append(what)


def at_least(what, values, **targets):
    """Each score of `values` is at least its target."""
    said = ", ".join(f"{name} {values[name]:.4f} (target {target})" for name, target in targets.items())
    check(all(values[name] >= target for name, target in targets.items()), f"{what}: {said}")


def scores(result):
    return dict(result["scores"], criterion=result["criterion"])


def means(results):
    return {name: mean_and_sd(scores(r)[name] for r in results)[0] for name in ("nmi", "ari", "acc", "criterion")}


def check_classics(fits):
    """Default fits, and the best of them by criterion."""
    coclus = fits.seeds("classic4", 4, ["-m", "coclus"], range(1, 9))
    at_least("CLASSIC4 coclus, best of 8", scores(best_by_criterion(coclus)), nmi=.75, ari=.75)
    at_least("CLASSIC4 coclus, mean of 8", means(coclus), nmi=.745, criterion=.394)
    splbm = fits.seeds("classic4", 4, ["-m", "splbm", "--exact"], range(1, 9))
    at_least("CLASSIC4 splbm --exact, best of 8", scores(best_by_criterion(splbm)), nmi=.78, ari=.79)
    cstr = fits.seeds("cstr", 4, ["-m", "splbm", "--exact"], range(1, 21))
    at_least("CSTR splbm --exact, best of 20", scores(best_by_criterion(cstr)), nmi=.78)
    classic3 = fits.seeds("classic3", 3, ["-m", "coclus", "-w", "tfidf"], range(1, 9))
    at_least("CLASSIC3 coclus on TF-IDF, best of 8", scores(best_by_criterion(classic3)), nmi=.93)


def check_ensembles(fits):
    """Table 2 of Affeldt and others 2020, less one standard deviation, and the sizes of its Table 3."""
    for name, k, nmi, ari in (("classic3", 3, .955, .975), ("cstr", 4, .785, .82), ("classic4", 4, .76, .77)):
        at_least(f"{name} ebco, mean of 3", means(fits.seeds(name, k, [], range(1, 4), command="ensemble")), nmi=nmi, ari=ari)
        found = fits.seeds(name, "auto", [], [1], command="ensemble")[0]["k"]
        check(found == k, f"{name} ebco -k auto: {found} (target {k})")


def check_many_classes(fits):
    k1b = fits.seeds("k1b", 6, ["-m", "splbm"], range(1, 9))
    at_least("K1B splbm, best of 8", scores(best_by_criterion(k1b)), nmi=.72, ari=.68)
    exact = fits.seeds("k1b", 6, ["-m", "splbm", "--exact"], range(1, 9))
    at_least("K1B splbm --exact, best of 8", scores(best_by_criterion(exact)), nmi=.72, ari=.68)
    tdt2 = fits.seeds("tdt2", 30, ["-m", "splbm", "--restarts", 2], range(1, 3))
    at_least("TDT2 splbm, best of 2 with 2 starts", scores(best_by_criterion(tdt2)), nmi=.85, ari=.84)


def check_sparse_binary(fits):
    """Table 11 of Laclau and Nadif 2017, less .05 of NMI: where next to all cells are zeros, co-clusters are found all the same."""
    for name, k, restarts, nmi in (("cstr", 4, 6, .73), ("classic3", 3, 6, .86), ("tdt2", 30, 2, .72)):
        at_least(f"{name} dlbm3, mean of 2", means(fits.seeds(name, k, ["-m", "dlbm3", "--restarts", restarts], range(1, 3))), nmi=nmi)


def check_votes(fits):
    found = votes_from_print(fits)
    for model in ("lbm", "dlbm3"):
        check(found[model]["confusion"] == PRINTED[model], f"votes, {model} at the printed issues: {found[model]['confusion']}")
    best = votes(fits, "lbm", "--restarts", "50")
    check(abs(best["criterion"] + 3987.016) < 5e-4, f"votes, lbm, best of 50 starts: {best['criterion']:.3f}")
    check(best["confusion"] == (154, 14, 35, 232), f"votes, lbm, best of 50 starts: {best['confusion']}")
    wrong = votes(fits, "dlbm3", "--restarts", "50")["criterion"] / (435 * 16)
    check(f"{wrong:.4f}" == "0.2273", f"votes, dlbm3, best of 50 starts: eps {wrong:.4f}")


def check_simulations(fits):
    found = simulations(fits, 10)
    for manner, target in zip(MANNERS, (.99, .90)):
        rows, cols = found[manner]
        check(min(rows) == 1, f"SOCC simulated, {manner}: row ARI at least {min(rows):.3f}")
        check(mean_and_sd(cols)[0] >= target, f"SOCC simulated, {manner}: mean column ARI {mean_and_sd(cols)[0]:.3f} (target {target})")


def check_clusters(fits):
    for name, k, starts in (("classic3", 3, 100), ("k1b", 6, 100), ("tdt2", 30, 3)):
        for model in DIAGONAL:
            _, empty = held_and_empty(fits, name, k, model, starts)
            check(empty == 0, f"{name} k = {k}, {' '.join(model[1:])}: {empty} of {starts} random starts with an empty cluster")


with tempfile.TemporaryDirectory() as folder:
    fits = Fits(os.path.abspath(sys.argv[1]), folder)
    for part in (check_votes, check_classics, check_ensembles, check_many_classes, check_sparse_binary, check_simulations, check_clusters):
        part(fits)
if failures:
    sys.exit(f"{len(failures)} missed")
