"""What the scripts in this folder share: fits, many at a time, and the pages they write."""
import concurrent.futures
import json
import os
import re
import statistics
import subprocess

HERE = os.path.dirname(os.path.abspath(__file__))
PYTHON = "/usr/bin/python3" if os.path.exists("/usr/bin/python3") else "python3"
DATA = os.environ.get("COBLOC_DATA", os.path.join(HERE, "..", "..", "shared", "data"))
ONE_THREAD = dict(os.environ, OMP_NUM_THREADS="1")
THREADS = {name: "1" for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")}

# scikit-learn's spectral co-clustering of MATRIX.npz into K, labels to a file: seconds of the clock and of the processor.
SPECTRAL = """
import json, sys, time
import numpy as np
import scipy.sparse as sp
try:
    from sklearn.cluster import SpectralCoclustering
except ImportError:
    sys.exit(77)
x = sp.csr_matrix(sp.load_npz(sys.argv[1]), dtype=np.float64)
rows, cols = np.flatnonzero(x.sum(axis=1)), np.flatnonzero(x.sum(axis=0))
model = SpectralCoclustering(int(sys.argv[2]), random_state=1)
filled = x[rows][:, cols]
start, processor = time.perf_counter(), time.process_time()
model.fit(filled)
seconds, processor = time.perf_counter() - start, time.process_time() - processor
labels = np.full(x.shape[0], -1)
labels[rows] = model.row_labels_
np.savetxt(sys.argv[3], labels, fmt="%d")
print(json.dumps({"seconds": seconds, "processor": processor}))
"""


# ---- running ----------------------------------------------------------------------------------

def read_json(command, **options):
    """What a command prints, as an object; None where it says that it cannot run here (77)."""
    run = subprocess.run([str(word) for word in command], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **options)
    if run.returncode == 77:
        return None
    if run.returncode != 0:
        raise RuntimeError(f"{' '.join(str(word) for word in command)}: {run.stderr.strip()}")
    return json.loads(run.stdout)


def best(runs):
    return min(runs, key=lambda r: r["seconds"])


def data(name):
    return os.path.join(DATA, name)


class Fits:
    """Runs `cobloc fit` and its kin, one thread a fit and a fit a core: the answers do not depend on the threads."""

    def __init__(self, cobloc, folder, workers=None):
        self.cobloc, self.folder = cobloc, folder
        self.pool = concurrent.futures.ThreadPoolExecutor(workers or len(os.sched_getaffinity(0)))

    def matrix(self, name, ending=".cbm"):
        """A data set in a format of its own, made the first time; a mapped file opens at once."""
        path = os.path.join(self.folder, name + ending)
        if not os.path.exists(path):
            subprocess.run([self.cobloc, "convert", data(name + ".mtx.gz"), path], check=True, stdout=subprocess.DEVNULL)
        return path

    def one(self, path, k, options, command="fit"):
        return read_json([self.cobloc, command, path, "-k", k, "--json", "--threads", 1, *options], env=ONE_THREAD)

    def seeds(self, name, k, options, seeds, truth=True, command="fit"):
        """The results of one fit for each seed."""
        path = self.matrix(name)
        scored = ["--truth", data(name + ".labels.txt")] if truth else []
        return list(self.pool.map(lambda seed: self.one(path, k, [*options, *scored, "--seed", seed], command), seeds))


def best_by_criterion(results):
    """The best, as `cobloc fit` chooses among its starts: those that kept all clusters by themselves come first."""
    sign = -1 if results[0]["criterion_name"] in ("wrong cells", "squared error") else 1
    return max(results, key=lambda r: (r["repaired"] == 0, sign * r["criterion"]))


def mean_and_sd(values):
    values = list(values)
    return statistics.fmean(values), statistics.stdev(values) if len(values) > 1 else 0.0


# ---- writing ----------------------------------------------------------------------------------

def table(header, rows):
    """A Markdown table, as lines."""
    return ["| " + " | ".join(header) + " |", "|" + "---|" * len(header)] + ["| " + " | ".join(row) + " |" for row in rows]


def write_section(document, name, text):
    """Puts a text between the marks of its name in a document."""
    begin, end = f"<!-- {name} begins -->", f"<!-- {name} ends -->"
    with open(document) as f:
        old = f.read()
    if begin not in old or end not in old:
        raise SystemExit(f"{document}: no marks '{begin}' and '{end}'")
    new = re.sub(re.escape(begin) + ".*" + re.escape(end), lambda _: begin + "\n" + text + end, old, flags=re.S)
    with open(document, "w") as f:
        f.write(new)


def machine():
    """This machine in a few words."""
    model, memory = "an unknown processor", 0
    try:
        with open("/proc/cpuinfo") as f:
            model = re.search(r"model name\s*:\s*(.*)", f.read()).group(1)
        with open("/proc/meminfo") as f:
            memory = int(re.search(r"MemTotal:\s*(\d+)", f.read()).group(1)) / 1048576
    except (OSError, AttributeError):
        pass
    model = re.sub(r"\((R|TM)\)|\bCPU\b|Processor", "", model)
    return f"{len(os.sched_getaffinity(0))} cores of {' '.join(model.split())}, {memory:.0f} GiB"
