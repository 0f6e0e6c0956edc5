"""The papers' experiments on simulated tables: Bernoulli blocks of many kinds (Laclau, Nadif, sections 4.3 to 4.5), and the number
of SOCC's clusters (Selosse, Jacques, Biernacki, section 4.1). `bench/papers/run` reports what they give."""
import collections
import os
import subprocess

from common import ONE_THREAD, mean_and_sd, read_json

BERNOULLI = ("lbm", "dlbm1", "dlbm2", "dlbm3")
DRAWS = {model: ["--inference", "svem", "--init", "spectral", "--restarts", 10] for model in BERNOULLI[:3]}
DRAWS["dlbm3"] = ["--inference", "stochastic", "--init", "random", "--restarts", 200]


def simulate(fits, preset, seed):
    """The path of a simulated table, without its ending."""
    base = os.path.join(fits.folder, f"{preset.replace(':', '-')}-{seed}")
    subprocess.run([fits.cobloc, "simulate", preset, "--seed", str(seed), "-o", base + ".mtx"], check=True, stdout=subprocess.DEVNULL,
                   env=ONE_THREAD)
    return base


def scored(fits, base, model, options):
    """A fit with the scores of its rows, and the co-clustering error."""
    found = base + "-" + model
    result = fits.one(base + ".mtx", 3, ["-m", model, "--truth", base + ".labels.txt", "-o", found, *options])
    both = read_json([fits.cobloc, "score", found, base + ".labels.txt", "--cols", found, base + ".collabels.txt", "--json"])
    return {"acc": 100 * result["scores"]["acc"], "cce": 100 * both["cce"], "icl": result["icl"], "repaired": result["repaired"],
            "ms": 1000 * result["seconds"]}


def each_sample(fits, preset, samples, job):
    """What a job gives on each of so many simulated tables."""
    def one(seed):
        base = simulate(fits, preset, seed)
        result = job(base)
        for name in os.listdir(fits.folder):
            if name == os.path.basename(base) + ".mtx":
                os.remove(os.path.join(fits.folder, name))
        return result
    return list(fits.pool.map(one, range(1, samples + 1)))


def separations(fits, preset, samples):
    """Table 5 and 6: for each model the accuracies, the co-clustering errors, the accuracies of the hard algorithm from a hundred starts and from
    the true rows, whether the former is more likely, and the milliseconds of one hard random start."""
    def job(base):
        found = {}
        for model in BERNOULLI:
            fit = scored(fits, base, model, DRAWS[model])
            hard = scored(fits, base, model, ["--restarts", 100])
            near = scored(fits, base, model, ["--init", base + ".labels.txt"])
            single = scored(fits, base, model, ["--init", "random", "--restarts", 1])
            found[model] = (fit["acc"], fit["cce"], hard["acc"], near["acc"], hard["icl"] > near["icl"], single["ms"])
        return found
    results = each_sample(fits, preset, samples, job)
    return {model: tuple(zip(*(r[model] for r in results))) for model in BERNOULLI}


def chosen_by_icl(fits, zeros, samples):
    """Table 7: how often each of the three diagonal models is chosen by ICL."""
    def job(base):
        return read_json([fits.cobloc, "select", base + ".mtx", "--range", "3:3", "-m", ",".join(BERNOULLI[1:]), "--json"], env=ONE_THREAD)["chosen_model"]
    return collections.Counter(each_sample(fits, f"dlbm-sparse:{zeros}", samples, job))


def very_sparse(fits, preset, samples):
    """Table 9: accuracies of fits, how many of ten hard random starts each kept all clusters by themselves, and the mean accuracy of these."""
    def job(base):
        found = {}
        for model in ("lbm", "dlbm3"):
            starts = [scored(fits, base, model, ["--init", "random", "--restarts", 1, "--seed", seed]) for seed in range(1, 11)]
            found[model] = (scored(fits, base, model, [])["acc"], sum(s["repaired"] == 0 for s in starts), sum(s["acc"] for s in starts) / len(starts))
        return found
    results = each_sample(fits, preset, samples, job)
    return {model: tuple(zip(*(r[model] for r in results))) for model in ("lbm", "dlbm3")}


def socc_sizes(fits, samples):
    """Table 2: how often each number of row clusters has the largest ICL, on tables with three."""
    def job(base):
        return max(range(2, 6), key=lambda k: fits.one(base + ".mtx", k, ["-m", "socc"])["icl"])
    return collections.Counter(each_sample(fits, "socc-table1", samples, job))


def spread(values, digits=1):
    mean, sd = mean_and_sd(values)
    return f"{mean:.{digits}f} ± {sd:.{digits}f}"
