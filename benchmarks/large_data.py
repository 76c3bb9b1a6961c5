"""MVPLSA on a million rows: minutes and memory to convergence, on one thread and on two.

    python benchmarks/large_data.py [--rows 1000000] [--csv FILE]

Draws two views of counts with 50 million non-zeros each (Zipf's law, ten classes, one row in ten
labelled), writes them to a temporary folder, and fits in a process of its own for every number of
threads, so that the peak of memory is that of reading and fitting alone. EM stops when an iteration
gains less than a ten-thousandth of the log-likelihood. Both fits must agree bit by bit. A full run
writes ``docs/guide/large_data.csv`` and the table of that page; with ``--csv`` only that file.
"""

import argparse
import hashlib
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
import scipy.sparse as sp
from measured import DOCS, markdown, write_block, write_csv
from speed.growth import CLASSES, draw_view

TABLE, PAGE, BLOCK = DOCS / "guide" / "large_data.csv", DOCS / "guide" / "large_data.md", "rows"
#: Words drawn to a row and view, so that some 50 different ones are left.
DRAWN = 56
FEATURES = 50_000
TOPICS, TOL, MAX_ITER = 32, 1e-4, 150


def write_data(folder, rows):
    """Write two views, the classes and which rows are labelled."""
    classes = np.random.default_rng(0).integers(0, CLASSES, rows)
    np.save(folder / "classes.npy", classes)
    for v in range(2):
        X = draw_view(rows, FEATURES, DRAWN, classes, v)
        np.savez(folder / f"view{v}.npz", indptr=X.indptr, indices=X.indices, data=X.data)


def fit(folder, threads):
    """Fit in this process and return what it took."""
    from manyviews.models import MVPLSA

    classes = np.load(folder / "classes.npy")
    Xs = []
    for v in range(2):
        with np.load(folder / f"view{v}.npz") as part:
            arrays = part["data"], part["indices"], part["indptr"]
            Xs.append(sp.csr_matrix(arrays, shape=(classes.size, FEATURES)))
    labelled = np.arange(classes.size) % 10 == 0
    y = np.where(labelled, classes, -1)
    small = [X[:1000] for X in Xs]
    MVPLSA(TOPICS, max_iter=1, random_state=0, n_jobs=threads).fit(small, y[:1000])  # compiles
    start = time.perf_counter()
    model = MVPLSA(TOPICS, max_iter=MAX_ITER, tol=TOL, random_state=0, n_jobs=threads, verbose=5)
    model.fit(Xs, y)
    seconds = time.perf_counter() - start
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    learnt = hashlib.sha256(model.doc_topic_.tobytes())
    for topics in model.topic_word_:
        learnt.update(topics.tobytes())
    return {
        "rows": classes.size,
        "non_zeros": sum(X.nnz for X in Xs),
        "cores": len(os.sched_getaffinity(0)),
        "threads": threads,
        "iterations": model.n_iter_,
        "minutes": round(seconds / 60, 2),
        "seconds_an_iteration": round(seconds / model.n_iter_, 2),
        "peak_gib": round(peak / 2**20 / (1024 if sys.platform == "darwin" else 1), 2),
        "accuracy": round(float(np.mean(model.labels_[~labelled] == classes[~labelled])), 4),
        "bits": learnt.hexdigest()[:12],
    }


def measure(rows, counts):
    """Yield one row per number of threads, each from a process of its own."""
    with tempfile.TemporaryDirectory() as name:
        steps = [["write", str(rows)], *(["fit", str(count)] for count in counts)]
        for step in steps:
            call = [sys.executable, __file__, "--folder", name, "--step", *step]
            done = subprocess.run(call, stdout=subprocess.PIPE, text=True, check=False)
            if done.returncode:
                sys.exit(f"{' '.join(step)} failed with {done.returncode}: see above")
            if step[0] == "fit":
                yield json.loads(done.stdout.splitlines()[-1])


def block(rows):
    """Return the page's table."""
    first = rows[0]
    same = "the same bits" if len({row["bits"] for row in rows}) == 1 else "other bits"
    head = (
        f"{first['rows']:,} rows, two views, {first['non_zeros']:,} non-zeros; "
        f"{first['cores']} cores; {same} on every number of threads.\n"
    )
    columns = ("threads", "iterations", "minutes", "seconds_an_iteration", "peak_gib")
    table = markdown(
        ["threads", "iterations", "minutes to convergence", "seconds an iteration", "peak GiB"],
        [[row[k] for k in columns] for row in sorted(rows, key=lambda row: row["threads"])],
    )
    return f"{head}{table}[The numbers](large_data.csv)\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--threads", type=int, nargs="+", default=[2, 1])
    parser.add_argument("--csv", type=Path, help="where to write it instead of the page")
    parser.add_argument("--folder", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--step", nargs=2, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.step:
        what, number = options.step
        if what == "write":
            write_data(options.folder, int(number))
        else:
            print(json.dumps(fit(options.folder, int(number))))
        return
    table = []
    for row in measure(options.rows, options.threads):
        print(", ".join(f"{k} {v}" for k, v in row.items()), flush=True)
        table.append(row)
    write_csv(options.csv or TABLE, table)
    if options.csv is None:
        write_block(PAGE, BLOCK, block(table))
    if len({row["bits"] for row in table}) > 1:
        sys.exit("the fits differ in their bits")


if __name__ == "__main__":
    main()
