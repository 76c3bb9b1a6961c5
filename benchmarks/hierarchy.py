"""Hierarchical multi-view k-means against hiclass on the same splits of real trees.

    python benchmarks/hierarchy.py VIEWS_FOLDER --hiclass PYTHON [--csv FILE] [--runs 3]

``PYTHON`` is one that has hiclass (``pip install hiclass`` in its own environment). Both see the
same labelled rows; multi-view k-means also sees the unlabelled ones, without labels, which is what
it is for. hiclass gets the views joined, rows of length one, and logistic regression as the local
classifier per parent node. Scored on the unlabelled rows: accuracy of the leaf, and hierarchical F1
(label sets with all ancestors, Kiritchenko et al. 2006), which credits a path that stops early.
Writes ``docs/guide/hierarchy.csv`` and the table on the method's page; with ``--csv`` only that
file.
"""

import argparse
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
import scipy.sparse as sp
from measured import DOCS, markdown, write_block, write_csv

from manyviews.assignment.ontology import Ontology
from manyviews.models import MultiViewKMeans
from manyviews.preprocessing.sparse import row_normalise
from reproduction.data.format import MultiViewData

SHARES = (0.1, 0.3)
TABLE, PAGE, BLOCK = (
    DOCS / "guide" / "hierarchy.csv",
    DOCS / "methods" / "multiview_kmeans.md",
    "hierarchy",
)
_HICLASS = """
import sys, time
import numpy as np, scipy.sparse as sp
from hiclass import LocalClassifierPerParentNode
from sklearn.linear_model import LogisticRegression
folder = sys.argv[1]
X = sp.load_npz(folder + "/X.npz").tocsr()
split = np.load(folder + "/split.npz", allow_pickle=True)
start = time.process_time()
local = LogisticRegression(C=10.0, max_iter=500)
model = LocalClassifierPerParentNode(local_classifier=local).fit(X[split["train"]], split["paths"])
found = model.predict(X[split["test"]])
np.save(folder + "/found.npy", np.asarray(found, dtype=str))
print(time.process_time() - start)
"""


def paths(ontology, leaves):
    """Return the path from the root to each leaf, '' where it is shorter than the deepest."""
    deepest = int(ontology.depth.max()) + 1
    table = np.full((len(leaves), deepest), "", dtype=object)
    for row, leaf in enumerate(leaves):
        above = np.flatnonzero(ontology.above[ontology.index[leaf]])
        order = above[np.argsort(ontology.depth[above])]
        table[row, : len(order)] = [ontology.names[i] for i in order]
    return table


def hierarchical_f1(found, truth):
    """Return micro-averaged F1 of label sets (rows, labels)."""
    both = (found & truth).sum()
    return 2.0 * both / (found.sum() + truth.sum())


def with_hiclass(python, X, train, test, leaves, ontology):
    """Return hiclass's label sets of the test rows and its seconds."""
    with tempfile.TemporaryDirectory() as folder:
        sp.save_npz(f"{folder}/X.npz", X)
        known = paths(ontology, leaves[train]).astype(str)
        np.savez(f"{folder}/split.npz", train=train, test=test, paths=known)
        done = subprocess.run([python, "-c", _HICLASS, folder], capture_output=True, text=True,
                              check=False)  # fmt: skip
        if done.returncode:
            sys.exit(f"hiclass failed: {done.stderr.strip().splitlines()[-1]}")
        found = np.load(f"{folder}/found.npy")
    sets = np.array([ontology.closure([n for n in row if n]) for row in found])
    return sets, float(done.stdout.split()[-1])


def measure(folder, names, python, runs):
    """Yield one row per data set, share, run and method."""
    for name in names:
        data = MultiViewData.load(folder / f"{name}.npz")
        ontology = Ontology(data.ontology)
        keep = np.flatnonzero(data.labels >= 0)
        views = [sp.csr_matrix(X[keep]) for X in data.views.values()]
        leaves = np.array(data.class_names, dtype=object)[data.labels[keep]]
        truth = ontology.label_sets(leaves)
        X = sp.csr_matrix(sp.hstack([row_normalise(V) for V in views]))
        for share in SHARES:
            for run in range(runs):
                rng = np.random.default_rng([run, round(100 * share)])
                known = rng.random(len(leaves)) < share
                for leaf in np.unique(leaves.astype(str)):
                    known[rng.permutation(np.flatnonzero(leaves == leaf))[:2]] = True
                train, test = np.flatnonzero(known), np.flatnonzero(~known)
                row = {"dataset": name, "share": share, "run": run}
                yield row | judged("hiclass", *with_hiclass(python, X, train, test, leaves,
                                   ontology), truth[test], ontology)  # fmt: skip
                y = np.where(known, leaves, None)
                for combine in ("sum", "maxagree", "concat"):
                    start = time.process_time()
                    model = MultiViewKMeans(combine, ontology, missing="mask").fit(views, y)
                    seconds = time.process_time() - start
                    sets = ontology.label_sets(model.labels_[test].tolist())
                    method = f"multi-view k-means, {combine}"
                    yield row | judged(method, sets, seconds, truth[test], ontology)
                    if combine == "sum":
                        new = [V[test] for V in views]
                        for threshold in (0.3, 0.5):
                            sets = model.predict_nodes(new, threshold)
                            yield row | judged(f"{method}, nodes over {threshold}", sets, seconds,
                                               truth[test], ontology)  # fmt: skip
                print(f"{name}: {share:.0%} labelled, run {run + 1} of {runs}", flush=True)


def judged(method, sets, seconds, truth, ontology):
    """Return the figures of one method."""
    leaves = ontology.leaves
    right = (sets[:, leaves] == truth[:, leaves]).all(axis=1)
    return {
        "method": method,
        "leaf_accuracy": round(float(right.mean()), 4),
        "hierarchical_f1": round(float(hierarchical_f1(sets, truth)), 4),
        "stopped_early": round(float((~sets[:, leaves].any(axis=1)).mean()), 4),
        "seconds": round(seconds, 2),
    }


def block(rows):
    """Return the page's table: means over the runs."""
    lines = []
    for name in dict.fromkeys(row["dataset"] for row in rows):
        for share in SHARES:
            for method in dict.fromkeys(row["method"] for row in rows):
                here = [
                    row
                    for row in rows
                    if (row["dataset"], row["share"], row["method"]) == (name, share, method)
                ]
                means = [
                    f"{np.mean([row[k] for row in here]):.3f}"
                    for k in ("leaf_accuracy", "hierarchical_f1", "stopped_early")
                ]
                seconds = f"{np.mean([row['seconds'] for row in here]):.1f}"
                lines.append([name, f"{share:.0%}", method, *means, seconds])
    runs = len({row["run"] for row in rows})
    header = ["tree", "labelled", "method", "leaf accuracy", "hierarchical F1", "stops early"]
    table = markdown([*header, "seconds"], lines)
    return f"Means of {runs} splits:\n{table}[All runs](../guide/hierarchy.csv)\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--hiclass", required=True, help="a Python that can import hiclass")
    parser.add_argument("--datasets", nargs="+", default=["cora_tree"])
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--csv", type=Path, help="where to write it instead of the page")
    options = parser.parse_args()
    table = list(measure(options.folder, options.datasets, options.hiclass, options.runs))
    write_csv(options.csv or TABLE, table)
    if options.csv is None:
        write_block(PAGE, BLOCK, block(table))
    print(block(table))


if __name__ == "__main__":
    main()
