"""Accuracy when rows lack views, 0 to 70 per cent, on real data: a tidy table and a figure.

    python benchmarks/missing_views.py VIEWS_FOLDER [--csv FILE] [--svg FILE] [--runs 5]
        [--imml PYTHON]

``VIEWS_FOLDER`` holds the view files of the reproduction (``data/views`` after a run). In every run
one row in five is labelled (every class at least twice), then a share of all rows loses one view at
random, labelled or not. Everybody gets the same rows, labels and holes; scored are the unlabelled
rows. Classifiers: MVPLSA, multi-view k-means and the naive Bayes ensemble take the holes as they
are; logistic regression works on the joined columns, with holes as zeros or as the column means of
the rows that have the view. Clusterers see no labels and are scored by NMI; those of iMML run if
``--imml`` names a Python that has it (``pip install imml`` in an environment of its own).
"""

import argparse
import csv
import json
import subprocess
import sys
import tempfile
import time
import warnings
from pathlib import Path

import numpy as np
import scipy.sparse as sp
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import normalized_mutual_info_score
from sklearn.preprocessing import MaxAbsScaler

from manyviews.baselines import CoRegularisedSpectral, MultiViewClustering, NaiveBayesEnsemble
from manyviews.model_selection import ampute
from manyviews.models import MVPLSA, MultiViewKMeans
from manyviews.preprocessing.sparse import row_normalise
from manyviews.views import Views
from reproduction.data.format import MultiViewData

#: Data set to its views; all are counts or other non-negative features.
SETS = {
    "newsgv2": ("v1", "v2"),
    "newsgv4": ("v1", "v2", "v3", "v4"),
    "wikipedia_linqs": ("content", "links"),
    "web_news": ("text", "image"),
    "digits": ("pix", "fac", "fou"),
}
SHARES = (0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7)
LABELLED = 0.2
#: Clusterers of iMML that take missing views, with the arguments they need.
IMML = ("NEMO", "MSNE", "SUMO", "MRGCN", "EEIMVC", "LFIMVC", "IMSCAGL", "DAIMC")


def load(folder, name):
    """Return the views and classes of the rows that have a class, on scales that can be joined."""
    data = MultiViewData.load(folder / f"{name}.npz")
    keep = np.flatnonzero(data.labels >= 0)
    views = {v: sp.csr_matrix(data.views[v][keep]) for v in SETS[name]}
    if name == "digits":  # columns of very different ranges: each to at most 1
        views = {v: sp.csr_matrix(MaxAbsScaler().fit_transform(X)) for v, X in views.items()}
        views = {v: abs(X) for v, X in views.items()}
    return Views(views), data.labels[keep]


def some_labels(y, rng):
    """Return which rows are labelled: a share, and two of every class at least."""
    labelled = rng.random(y.size) < LABELLED
    for c in np.unique(y):
        labelled[rng.permutation(np.flatnonzero(y == c))[:2]] = True
    return labelled


def joined(views, labelled, fill):
    """Return one table; rows that lack a view hold zeros, or the means of the labelled rows."""
    parts = []
    for v, X in enumerate(views.matrices):
        unit = row_normalise(sp.csr_matrix(X))
        if fill == "mean":
            here = views.observed[:, v]
            known = here & labelled
            mean = np.asarray(unit[known].mean(axis=0)).ravel() if known.any() else 0.0
            gap = sp.csr_matrix((~here).astype(float)[:, None])
            unit = unit + gap @ sp.csr_matrix(np.atleast_2d(mean))
        parts.append(unit)
    return sp.csr_matrix(sp.hstack(parts))


def classifiers(views, y, labelled, seed):
    """Yield name and predicted classes of every classifier."""
    given = np.where(labelled, y, -1)
    yield (
        "MVPLSA",
        lambda: MVPLSA(32, random_state=seed, view_weights="balanced").fit(views, given).labels_,
    )
    yield (
        "multi-view k-means",
        lambda: MultiViewKMeans("sum", missing="mask").fit(views, given).labels_,
    )
    yield "naive Bayes ensemble", lambda: NaiveBayesEnsemble().fit(views, given).predict(views)
    for name, fill in (("zeros", "zero"), ("column means", "mean")):

        def regression(fill=fill):
            X = joined(views, labelled, fill)
            model = LogisticRegression(C=10.0, max_iter=1000).fit(X[labelled], y[labelled])
            return model.predict(X)

        yield f"logistic regression, {name}", regression


def clusterers(views, y, seed):
    """Yield name and clusters of every clusterer."""
    k = np.unique(y).size
    yield (
        "MVPLSA",
        lambda: (
            MVPLSA(32, n_classes=k, random_state=seed, view_weights="balanced").fit(views).labels_
        ),
    )
    yield (
        "multi-view clustering",
        lambda: MultiViewClustering(k, random_state=seed).fit(views).labels_,
    )
    yield (
        "co-regularised spectral",
        lambda: (
            CoRegularisedSpectral(k, lam=0.5, affinity="cosine", n_neighbors=20, random_state=seed)
            .fit(views)
            .labels_
        ),
    )


def of_imml(python, views, k, seed):
    """Return name to clusters of iMML's clusterers, run by another Python; said if one fails."""
    with tempfile.TemporaryDirectory() as folder:
        tables = {}
        for v, X in enumerate(views.matrices):
            table = row_normalise(sp.csr_matrix(X)).toarray()
            table[~views.observed[:, v]] = np.nan
            tables[f"v{v}"] = table
        path = Path(folder) / "views.npz"
        np.savez(path, **tables)
        call = [python, "-c", _IMML, str(path), str(k), str(seed), *IMML]
        done = subprocess.run(call, capture_output=True, text=True, check=False)
    found = {}
    for line in done.stdout.splitlines():
        if line.startswith("{"):
            answer = json.loads(line)
            if "labels" in answer:
                found[f"iMML {answer['name']}"] = np.array(answer["labels"])
            else:
                print(f"  iMML {answer['name']} left out: {answer['error']}", flush=True)
    if done.returncode:
        print(f"  iMML left out: {done.stderr.strip().splitlines()[-1]}", flush=True)
    return found


_IMML = """
import json, sys, warnings
warnings.simplefilter("ignore")
import numpy as np
import imml.cluster as cluster
path, k, seed, *names = sys.argv[1:]
Xs = list(np.load(path).values())
for name in names:
    try:
        model = getattr(cluster, name)(n_clusters=int(k), random_state=int(seed))
        labels = [int(c) for c in model.fit_predict(Xs)]
        print(json.dumps({"name": name, "labels": labels}), flush=True)
    except Exception as error:
        why = f"{type(error).__name__}: {error}"[:120]
        print(json.dumps({"name": name, "error": why}), flush=True)
"""


def measure(folder, runs, python, only):
    """Yield one row per data set, share, run and method."""
    for name in only or SETS:
        whole, y = load(folder, name)
        for run in range(runs):
            labelled = some_labels(y, np.random.default_rng([run, 1]))
            for share in SHARES:
                views = whole
                if share:
                    views = ampute(whole, share, np.random.default_rng([run, round(100 * share)]))
                for method, predict in classifiers(views, y, labelled, run):
                    start = time.process_time()
                    right = (predict() == y)[~labelled]
                    lacks = ~views.observed.all(axis=1)[~labelled]
                    row = {
                        "dataset": name,
                        "task": "classification",
                        "share": share,
                        "run": run,
                        "method": method,
                        "score": right.mean(),
                        "score_where_missing": right[lacks].mean() if lacks.any() else "",
                    }
                    yield row | {"seconds": time.process_time() - start}
                found = {}
                for method, predict in clusterers(views, y, run):
                    start = time.process_time()
                    found[method] = predict(), time.process_time() - start
                if python:
                    others = of_imml(python, views, np.unique(y).size, run)
                    found |= {method: (labels, "") for method, labels in others.items()}
                for method, (labels, seconds) in found.items():
                    score = normalized_mutual_info_score(y, labels)
                    yield {
                        "dataset": name,
                        "task": "clustering",
                        "share": share,
                        "run": run,
                        "method": method,
                        "score": score,
                        "score_where_missing": "",
                        "seconds": seconds,
                    }
            print(f"{name}: run {run + 1} of {runs}", flush=True)


def draw(table, path):
    """Draw the curves: a column per data set, classification above clustering."""
    import matplotlib.pyplot as plt

    plt.rcParams |= {"svg.hashsalt": "manyviews", "font.size": 8}
    names = list(dict.fromkeys(row["dataset"] for row in table))
    figure, axes = plt.subplots(2, len(names), figsize=(2.6 * len(names), 5), squeeze=False)
    for i, task in enumerate(("classification", "clustering")):
        methods = list(dict.fromkeys(r["method"] for r in table if r["task"] == task))
        for j, name in enumerate(names):
            axis = axes[i, j]
            for m, method in enumerate(methods):
                here = [
                    r
                    for r in table
                    if (r["dataset"], r["task"], r["method"]) == (name, task, method)
                ]
                shares = sorted({float(r["share"]) for r in here})
                means = [
                    np.mean([float(r["score"]) for r in here if float(r["share"]) == s])
                    for s in shares
                ]
                axis.plot(
                    np.multiply(shares, 100),
                    means,
                    marker=".",
                    label=method,
                    color=f"C{m}",
                    linestyle="--" if "regression" in method else "-",
                )
            axis.set_title(name if i == 0 else "")
            axis.set_xlabel("rows that lack a view, %" if i == 1 else "")
        axes[i, 0].set_ylabel("accuracy" if i == 0 else "NMI")
        axes[i, -1].legend(loc="center left", bbox_to_anchor=(1.0, 0.5), frameon=False)
    figure.tight_layout()
    figure.savefig(path, metadata={"Date": None}, bbox_inches="tight")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--imml", help="a Python that can import imml")
    parser.add_argument("--only", nargs="+", choices=list(SETS))
    parser.add_argument("--csv", type=Path, default=Path("missing_views.csv"))
    parser.add_argument("--svg", type=Path, default=Path("missing_views.svg"))
    options = parser.parse_args()
    lacking = [n for n in options.only or SETS if not (options.folder / f"{n}.npz").is_file()]
    if lacking:
        sys.exit(f"{options.folder} has no {lacking[0]}.npz; run the workflow first: make data")
    warnings.simplefilter("ignore")
    table = []
    with options.csv.open("w", newline="", encoding="utf-8") as file:
        for row in measure(options.folder, options.runs, options.imml, options.only):
            if not table:
                writer = csv.DictWriter(file, row)
                writer.writeheader()
            writer.writerow({k: round(v, 4) if isinstance(v, float) else v for k, v in row.items()})
            file.flush()
            table.append(row)
    draw(table, options.svg)


if __name__ == "__main__":
    main()
