"""The papers' smaller experiments: the congressional votes, SOCC's simulated tables, k clusters for k asked.

`bench/papers/run` reports what they give, `tests/data` holds the engine to it."""
import collections
import json
import os
import subprocess

from common import ONE_THREAD, data, read_json

DIAGONAL = [["-m", "coclus"], ["-m", "splbm"], ["-m", "splbm", "--exact"], ["-m", "dlbm1"], ["-m", "dlbm2"], ["-m", "dlbm3"],
            ["-m", "dcc"], ["-m", "block"]]


def write_lines(path, values):
    with open(path, "w") as f:
        f.writelines(f"{value}\n" for value in values)
    return path


def read_labels(path):
    """The second column of a table that `cobloc fit -o` wrote."""
    with open(path) as f:
        return [line.rstrip("\n").split("\t")[1] for line in f][1:]


# ---- votes (Laclau, Nadif, section 3.5) -------------------------------------------------------

# The issues of block (1, 1), by their places; the other eight are in block 2.
ISSUES = {"handicapped-infants", "adoption-of-the-budget-resolution", "anti-satellite-test-ban", "aid-to-nicaraguan-contras",
          "mx-missile", "synfuels-corporation-cutback", "duty-free-exports", "export-administration-act-south-africa"}
PRINTED = {"lbm": (154, 14, 42, 225), "dlbm1": (154, 14, 43, 224), "dlbm2": (147, 21, 33, 234), "dlbm3": (154, 14, 42, 225)}


def read_words(name):
    with open(data(name)) as f:
        return f.read().split()


def confusion(parties, labels):
    """Republicans, then Democrats, in the Republicans' cluster and in the other one."""
    count = collections.Counter(zip(parties, labels))
    table = [[count[party, label] for label in ("0", "1")] for party in ("1", "2")]
    if table[0][0] < table[0][1]:
        table = [row[::-1] for row in table]
    return tuple(table[0] + table[1])


def votes(fits, model, *options, missing="zero"):
    """One fit of the votes: the confusion of parties and clusters, the criterion, the parameters. Votes that are not known ('?')
    are nays, as in the paper, or ignored."""
    folder = os.path.join(fits.folder, "votes")
    table = [data("votes.csv"), "--missing", "ignore"] if missing == "ignore" else [fits.matrix("votes")]
    subprocess.run([fits.cobloc, "fit", *table, "-k", "2", "-m", model, *options, "-o", folder],
                   check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=ONE_THREAD)
    with open(os.path.join(folder, "model.json")) as f:
        result = json.load(f)
    rows = read_labels(os.path.join(folder, "rows.tsv"))
    return {"confusion": confusion(read_words("votes.labels.txt"), rows), "criterion": result["criterion"], "rows": rows,
            "parameters": result["parameters"], "converged": result["stop"] == "converged"}


def printed_issues(fits):
    """A file with the printed partition of the issues."""
    return write_lines(os.path.join(fits.folder, "issues.txt"), [int(issue not in ISSUES) for issue in read_words("votes.terms.txt")])


def votes_from_print(fits):
    """Each model from the printed partition of the issues: lbm finds the rows with the issues held, the others start
    from what lbm found, with nothing held. Under dlbm3 22 members fit both blocks equally well; they stay where they are."""
    found = {"lbm": votes(fits, "lbm", "--fix-cols", printed_issues(fits))}
    start = write_lines(os.path.join(fits.folder, "members.txt"), found["lbm"]["rows"])
    for model in ("dlbm1", "dlbm2", "dlbm3"):
        found[model] = votes(fits, model, "--init", start)
    return found


# ---- SOCC's simulation (Selosse, Jacques, Biernacki, section 4.1) ------------------------------

MANNERS = ("known margins", "margins from the data")


def simulation(fits, number):
    """The ARI of rows and of columns on one simulated table, in each manner."""
    base = os.path.join(fits.folder, f"socc{number}")
    subprocess.run([fits.cobloc, "simulate", "socc-table1", "--seed", str(number), "-o", base + ".mtx"],
                   check=True, stdout=subprocess.DEVNULL, env=ONE_THREAD)
    told = ["--row-effects", base + ".row-effects.txt", "--col-effects", base + ".col-effects.txt"]
    options = dict(zip(MANNERS, (told, [])))
    found = {}
    for manner in MANNERS:
        subprocess.run([fits.cobloc, "fit", base + ".mtx", "-k", "3", "-m", "socc", *options[manner], "-o", base],
                       check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=ONE_THREAD)
        found[manner] = [read_json([fits.cobloc, "score", os.path.join(base, side), base + truth, "--json"])["ari"]
                         for side, truth in (("rows.tsv", ".labels.txt"), ("cols.tsv", ".collabels.txt"))]
    return found


def simulations(fits, count):
    """`count` tables: for each manner the ARIs of the rows and those of the columns."""
    found = list(fits.pool.map(lambda number: simulation(fits, number), range(1, count + 1)))
    return {manner: tuple(zip(*(one[manner] for one in found))) for manner in MANNERS}


# ---- what a criterion says about the classes ---------------------------------------------------

def from_classes(fits, name, k, options):
    """A fit that starts at the known classes: the optimum next to them."""
    classes = read_words(name + ".labels.txt")
    numbers = {label: place for place, label in enumerate(sorted(set(classes)))}
    start = write_lines(os.path.join(fits.folder, name + ".classes"), [numbers[label] for label in classes])
    return fits.seeds(name, k, [*options, "--init", start], [1])[0]


# ---- asked for k, get k ------------------------------------------------------------------------

def held_and_empty(fits, name, k, model, starts):
    """Of single random starts: how many had clusters that only hold because they may not become empty, and how many
    ended with an empty row or column cluster."""
    results = fits.seeds(name, k, [*model, "--init", "random", "--restarts", 1], range(1, starts + 1), truth=False)
    held = sum(r["repaired"] > 0 for r in results)
    empty = sum(len(r["row_sizes"]) != k or len(r["col_sizes"]) != k or min(r["row_sizes"] + r["col_sizes"]) == 0 for r in results)
    return held, empty
