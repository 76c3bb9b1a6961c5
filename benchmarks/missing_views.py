"""Accuracy when rows lack views, 0 to 70 per cent, on real data: a tidy table and a figure.

    python benchmarks/missing_views.py VIEWS_FOLDER [--runs 3] [--imml PYTHON]

``VIEWS_FOLDER`` holds the view files of the reproduction (``data/views`` after a run). In every run
one row in five is labelled (every class at least twice), then a share of all rows loses one view at
random, labelled or not. Everybody gets the same rows, labels and holes; scored are the unlabelled
rows. Classifiers: MVPLSA, multi-view k-means and the naive Bayes ensemble take the holes as they
are; logistic regression works on the joined columns, with holes as zeros or as the column means of
the rows that have the view. Clusterers see no labels and are scored by NMI; spherical k-means works
on the joined columns. Those of iMML run if ``--imml`` names a Python that has it (``pip install
imml`` in an environment of its own), in the first run; what it offers is looked up. One that needs
more, or takes longer than ``--imml-seconds``, is left out of that data set with a line that says
so. Every fit is a row of ``build/missing_views.csv``; what is there is not computed again. From it
come ``docs/guide/missing_views.csv`` (means over runs), the figure beside it and the page's table.
"""

import argparse
import csv
import sys
import time
import warnings
from pathlib import Path

import numpy as np
import scipy.sparse as sp
from imml_clusterers import of_imml
from measured import DOCS, markdown, read_csv, write_block, write_csv
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import normalized_mutual_info_score
from sklearn.preprocessing import MaxAbsScaler

from manyviews.baselines import (
    CoRegularisedSpectral,
    MultiViewClustering,
    NaiveBayesEnsemble,
    SphericalKMeans,
)
from manyviews.model_selection import ampute
from manyviews.models import MVPLSA, MultiViewKMeans
from manyviews.preprocessing.sparse import row_normalise
from manyviews.views import Views
from reproduction.data.format import MultiViewData

TABLE, PAGE, BLOCK = (
    DOCS / "guide" / "missing_views.csv",
    DOCS / "guide" / "missing_views.md",
    "missing views",
)
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
COLUMNS = (
    "dataset",
    "task",
    "share",
    "run",
    "method",
    "score",
    "score_where_missing",
    "seconds",
)


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
            CoRegularisedSpectral(
                k, lam=0.5, affinity="cosine", n_neighbors=20, n_init=1, random_state=seed
            )
            .fit(views)
            .labels_
        ),
    )
    everything = np.ones(len(y), dtype=bool)
    for name, fill in (("zeros", "zero"), ("column means", "mean")):
        yield (
            f"spherical k-means, {name}",
            lambda fill=fill: (
                SphericalKMeans(k, random_state=seed).fit(joined(views, everything, fill)).labels_
            ),
        )


def scored(views, y, labelled, run, there):
    """Yield one row per classifier and clusterer that is not there yet."""
    lacks = ~views.observed.all(axis=1)[~labelled]
    for method, predict in classifiers(views, y, labelled, run):
        if ("classification", method) in there:
            continue
        start = time.process_time()
        right = (predict() == y)[~labelled]
        yield {
            "task": "classification",
            "method": method,
            "score": right.mean(),
            "score_where_missing": right[lacks].mean() if lacks.any() else "",
            "seconds": time.process_time() - start,
        }
    for method, predict in clusterers(views, y, run):
        if ("clustering", method) in there:
            continue
        start = time.process_time()
        yield clustered(method, y, predict(), time.process_time() - start)


def clustered(method, y, labels, seconds):
    """Return the row of a clusterer."""
    score = normalized_mutual_info_score(y, labels)
    return {
        "task": "clustering",
        "method": method,
        "score": score,
        "score_where_missing": "",
        "seconds": seconds,
    }


def measure(options, done):
    """Yield one row per data set, share, run and method; ``done`` has those that are there."""
    for name in options.only or SETS:
        whole, y = load(options.folder, name)
        skip = set()
        for run in range(options.runs):
            labelled = some_labels(y, np.random.default_rng([run, 1]))
            for share in SHARES:
                place = {"dataset": name, "share": share, "run": run}
                there = done.get((name, share, run), set())
                views = whole
                if share:
                    views = ampute(whole, share, np.random.default_rng([run, round(100 * share)]))
                for row in scored(views, y, labelled, run, there):
                    yield place | row
                wanted = options.imml and run == 0 and share in options.imml_shares
                if wanted and not any(method.startswith("iMML") for _, method in there):
                    k = np.unique(y).size
                    others = of_imml(options.imml, views, k, run, options.imml_seconds, skip)
                    for method, (labels, seconds) in others.items():
                        yield place | clustered(method, y, labels, seconds)
                print(f"{name}: run {run + 1} of {options.runs}, {share:.0%}", flush=True)


def means(rows):
    """Return one row per data set, task, method and share: means over the runs."""
    cells = {}
    for row in rows:
        key = row["dataset"], row["task"], row["method"], row["share"]
        cells.setdefault(key, []).append(row)
    found = []
    for (dataset, task, method, share), here in cells.items():
        missing = [r["score_where_missing"] for r in here if r["score_where_missing"] != ""]
        found.append(
            {
                "dataset": dataset,
                "task": task,
                "method": method,
                "share": share,
                "runs": len(here),
                "score": round(float(np.mean([r["score"] for r in here])), 4),
                "score_where_missing": round(float(np.mean(missing)), 4) if missing else "",
                "seconds": round(float(np.mean([r["seconds"] for r in here])), 1),
            }
        )
    order = {name: i for i, name in enumerate(SETS)}
    return sorted(found, key=lambda r: (r["task"], order[r["dataset"]], r["method"], r["share"]))


def block(table):
    """Return the page's tables: the scores without holes and with the most."""
    text = "![Accuracy and NMI by the share of rows that lack a view](missing_views.svg)\n\n"
    for task, score in (("classification", "accuracy"), ("clustering", "NMI")):
        here = [row for row in table if row["task"] == task]
        names = list(dict.fromkeys(row["dataset"] for row in here))
        lines = []
        for method in dict.fromkeys(row["method"] for row in here):
            curves = {
                name: {r["share"]: r["score"] for r in here
                       if (r["dataset"], r["method"]) == (name, method)}
                for name in names
            }  # fmt: skip
            ends = {name: (c[0.0], c[SHARES[-1]]) for name, c in curves.items()
                    if {0.0, SHARES[-1]} <= set(c)}  # fmt: skip
            cells = [f"{ends[n][0]:.2f} to {ends[n][1]:.2f}" if n in ends else "" for n in names]
            change = np.mean([last - first for first, last in ends.values()]) if ends else None
            lines.append([method, *cells, "" if change is None else f"{change:+.2f}"])
        runs = max(row["runs"] for row in here)
        of = "one run" if runs == 1 else f"means of up to {runs} runs"
        text += (
            f"{task.capitalize()}, {score} with no row and with {100 * SHARES[-1]:.0f} % of the "
        )
        text += f"rows lacking a view ({of}):\n"
        text += markdown(["method", *names, "mean change"], lines)
    return text + "[All points](missing_views.csv)\n"


def draw(table, path):
    """Draw the curves of means: a column per data set, classification above clustering."""
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
                axis.plot(
                    [100 * r["share"] for r in here],
                    [r["score"] for r in here],
                    marker=".",
                    label=method,
                    color=f"C{m}",
                    linestyle=_line(method),
                )
            low, high = axis.get_ylim()
            axis.set_ylim(max(0.0, min(low, high - 0.2)), min(high, 1.02))  # no zoom into noise
            axis.set_title(name if i == 0 else "")
            axis.set_xlabel("rows that lack a view, %" if i == 1 else "")
        axes[i, 0].set_ylabel("accuracy" if i == 0 else "NMI")
        axes[i, -1].legend(loc="center left", bbox_to_anchor=(1.0, 0.5), frameon=False)
    figure.tight_layout()
    figure.savefig(path, metadata={"Date": None}, bbox_inches="tight")


def _line(method):
    """Return how a curve is drawn: broken for joined columns, dotted for iMML."""
    if method.startswith("iMML"):
        return ":"
    return "--" if "," in method else "-"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--imml", help="a Python that can import imml")
    parser.add_argument("--imml-shares", type=float, nargs="+", default=SHARES)
    parser.add_argument("--imml-seconds", type=int, default=30, help="of a clusterer, at most")
    parser.add_argument("--only", nargs="+", choices=list(SETS))
    parser.add_argument("--csv", type=Path, default=Path("build/missing_views.csv"))
    parser.add_argument("--page", action="store_true", help="write the page from what is there")
    options = parser.parse_args()
    lacking = [n for n in options.only or SETS if not (options.folder / f"{n}.npz").is_file()]
    if lacking:
        sys.exit(f"{options.folder} has no {lacking[0]}.npz; run the workflow first: make data")
    warnings.simplefilter("ignore")
    options.csv.parent.mkdir(parents=True, exist_ok=True)
    there, done = read_csv(options.csv) if options.csv.is_file() else [], {}
    for row in there:
        place = row["dataset"], row["share"], row["run"]
        done.setdefault(place, set()).add((row["task"], row["method"]))
    if there:
        print(f"{options.csv} has {len(there)} rows already; delete it to start anew", flush=True)
    if not options.page:
        with options.csv.open("a", newline="", encoding="utf-8") as file:
            writer = csv.DictWriter(file, COLUMNS, lineterminator="\n")
            if not there:
                writer.writeheader()
            for row in measure(options, done):
                row = {k: round(float(v), 4) if isinstance(v, float) else v for k, v in row.items()}
                writer.writerow(row)
                file.flush()
    table = means(read_csv(options.csv))
    if set(SETS) <= {row["dataset"] for row in table}:
        write_csv(TABLE, table)
        draw(table, TABLE.with_suffix(".svg"))
        write_block(PAGE, BLOCK, block(table))
    else:
        print(block(table))


if __name__ == "__main__":
    main()
