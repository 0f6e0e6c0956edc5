"""What the scripts in this folder share: fits, many at a time, and the pages they write."""
import concurrent.futures
import html
import json
import math
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


SHAPES = {5: (3000, 3000), 6: (20000, 10000), 7: (150000, 50000), 8: (1000000, 100000), 9: (8000000, 200000)}


def simulation(folder, size, clusters=20):
    """The command that draws a Poisson block matrix with about 10^size entries, and where; margins are uneven, as they are in texts."""
    n, d = SHAPES[size]
    spec = {"model": "poisson", "n": n, "d": d, "row_proportions": [1 / clusters] * clusters,
            "col_proportions": [1 / clusters] * clusters,
            "parameters": [[6.0 if k == l else 1.0 for l in range(clusters)] for k in range(clusters)],
            "row_effects": {"distribution": "lognormal", "mean": 100, "sigma": 0.5},
            "col_effects": {"distribution": "gamma", "mean": 1, "shape": 0.5}, "density": 10 ** size / (n * d), "seed": 1}
    path = os.path.join(folder, f"s{size}")
    with open(path + ".json", "w") as f:
        json.dump(spec, f)
    return ["simulate", "--spec", path + ".json", "-o", path + ".cbm"], path + ".cbm"


def simulated(program, folder, size, clusters=20):
    """Such a matrix."""
    command, path = simulation(folder, size, clusters)
    subprocess.run([*program, *command], check=True, stdout=subprocess.DEVNULL)
    return path


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


def write_section(document, name, text, timed=True):
    """Puts a text between the marks of its name in a document. Times depend on the machine: benchmarks name it."""
    if timed and name.startswith("bench/"):
        text = f"\nMeasured on {machine()}.\n{text}"
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


def text(x, y, what, anchor="middle", extra=""):
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}"{extra}>{html.escape(what)}</text>'


def svg_frame(width, height):
    return [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-family="sans-serif" font-size="12">',
            f'<rect width="{width}" height="{height}" fill="white"/>']


def draw_chart(path, title, x_title, y_title, curves):
    """Curves (name, xs, ys) over a logarithmic x, as SVG."""
    width, height, left, top, right, bottom = 560, 300, 60, 36, 150, 44
    colours = ("#0072b2", "#d55e00", "#56b4e9", "#e69f00")
    xs = [math.log10(x) for _, line, _ in curves for x in line]
    low, high, most = min(xs), max(xs), 1.1 * max(y for _, _, line in curves for y in line)

    def place(x, y):
        return (left + (math.log10(x) - low) / (high - low) * (width - left - right), height - bottom - y / most * (height - top - bottom))

    parts = [*svg_frame(width, height), text((left + width - right) / 2, 20, title, extra=' font-weight="bold"'),
             text((left + width - right) / 2, height - 8, x_title),
             text(16, (top + height - bottom) / 2, y_title, extra=f' transform="rotate(-90 16 {(top + height - bottom) / 2:.1f})"')]
    for power in range(math.ceil(low - 0.1), math.floor(high + 0.1) + 1):
        parts.append(text(place(10 ** power, 0)[0], height - bottom + 16, f"10^{power}"))
    step = 10 ** math.floor(math.log10(most / 2))
    for tick in range(int(most / step) + 1):
        y = place(10 ** low, tick * step)[1]
        parts.append(f'<line x1="{left}" x2="{width - right}" y1="{y:.1f}" y2="{y:.1f}" stroke="#ddd"/>' + text(left - 6, y + 4, f"{tick * step:g}", "end"))
    for number, (name, line_x, line_y) in enumerate(curves):
        points, colour = [place(x, y) for x, y in zip(line_x, line_y)], colours[number % len(colours)]
        parts.append(f'<polyline fill="none" stroke="{colour}" stroke-width="2" points="{" ".join(f"{x:.1f},{y:.1f}" for x, y in points)}"/>')
        parts += [f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{colour}"/>' for x, y in points]
        y = top + 14 + 18 * number
        parts.append(f'<line x1="{width - right + 8}" x2="{width - right + 28}" y1="{y - 4}" y2="{y - 4}" stroke="{colour}" stroke-width="2"/>'
                     + text(width - right + 34, y, name, "start"))
    with open(path, "w") as f:
        f.write("\n".join(parts + ["</svg>"]) + "\n")


def draw_dots(path, title, x_title, rows, series):
    """A line for each row, and on it a dot from 0 to 1 for each series (name, values; None: no dot), as SVG."""
    left, top, right, bottom, step = 100, 36, 170, 44, 26
    width, height = 640, top + step * len(rows) + bottom
    colours = ("#000000", "#0072b2", "#56b4e9", "#009e73", "#f0c000", "#d55e00", "#cc79a7")
    middle = (left + width - right) / 2
    parts = [*svg_frame(width, height), text(middle, 20, title, extra=' font-weight="bold"'), text(middle, height - 8, x_title)]

    def across(value):
        return left + value * (width - left - right)

    for tick in range(6):
        parts += [f'<line x1="{across(tick / 5):.1f}" x2="{across(tick / 5):.1f}" y1="{top}" y2="{height - bottom}" stroke="#eee"/>',
                  text(across(tick / 5), height - bottom + 16, f"{tick / 5:g}")]
    for number, name in enumerate(rows):
        y = top + step * (number + 0.5)
        parts += [f'<line x1="{left}" x2="{width - right}" y1="{y:.1f}" y2="{y:.1f}" stroke="#ddd"/>', text(left - 8, y + 4, name, "end")]
    for number, (name, values) in reversed(list(enumerate(series))):
        colour, y = colours[number % len(colours)], top + 14 + 18 * number
        marks = [(across(value), top + step * (row + 0.5)) for row, value in enumerate(values) if value is not None]
        parts += [f'<circle cx="{x:.1f}" cy="{at:.1f}" r="5" fill="{colour}" stroke="white"/>' for x, at in marks + [(width - right + 20, y - 4)]]
        parts.append(text(width - right + 34, y, name, "start"))
    with open(path, "w") as f:
        f.write("\n".join(parts + ["</svg>"]) + "\n")
