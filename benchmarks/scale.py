"""MVPLSA and PLSA at scale: time, memory and threads, one process per line of the table.

    python benchmarks/scale.py [--rows 1000000] [--nonzeros 100000000] [--threads 1 2] [--csv FILE]

Two views of documents of ten classes, one in a hundred labelled; words of a class are drawn from
its own Zipf law, mixed with one that all classes share. Settings: EM as ever (one thread, feature
by feature), EM over blocks of rows on threads, and stepwise EM in batches. Every fit ends at
``tol=1e-4`` or after ``--iterations``. Peak memory is that of the whole process, data included.
"""

import argparse
import csv
import json
import resource
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import scipy.sparse as sp

CLASSES, TOPICS, SHARED = 10, 16, 0.6


def draw_view(n_rows, n_features, per_row, classes, seed):
    """Draw counts row by row from the class's words, in blocks that stay small."""
    rng = np.random.default_rng(seed)
    zipf = 1.0 / np.arange(1, n_features + 1)
    laws = []
    for _ in range(CLASSES):
        own = zipf[rng.permutation(n_features)]
        laws.append(np.cumsum(SHARED * zipf / zipf.sum() + (1 - SHARED) * own / own.sum()))
    indices = np.empty((n_rows, per_row), dtype=np.int32)
    for first in range(0, n_rows, 50_000):
        rows = slice(first, min(n_rows, first + 50_000))
        drawn = rng.random((rows.stop - rows.start, per_row))
        for c in range(CLASSES):
            mine = classes[rows] == c
            found = np.searchsorted(laws[c], drawn[mine])
            indices[rows][mine] = np.minimum(found, n_features - 1)
    indptr = np.arange(0, n_rows * per_row + 1, per_row, dtype=np.int64)
    X = sp.csr_matrix((np.ones(n_rows * per_row), indices.ravel(), indptr))
    X.resize(n_rows, n_features)
    X.sum_duplicates()
    return X


def one_run(options):
    """Fit once and print the figures as JSON."""
    from manyviews.models import MVPLSA, PLSA

    classes = np.random.default_rng(0).integers(0, CLASSES, options.rows)
    per_row = max(1, options.nonzeros // (2 * options.rows))
    Xs = [draw_view(options.rows, options.features, per_row, classes, v) for v in range(2)]
    y = np.where(np.arange(options.rows) % 100 == 0, classes, -1)
    settings = {"max_iter": options.iterations, "tol": 1e-4, "random_state": 0}
    settings["n_jobs"] = None if options.jobs == 0 else options.jobs
    if options.batches:
        settings["batch_size"] = max(1, options.rows // 50)
    if options.model == "MVPLSA":
        model = MVPLSA(TOPICS, **settings)
        data = (Xs, y)
    else:
        model = PLSA(CLASSES, **settings)
        data = (Xs[0],)
    small = [X[:200] for X in Xs]  # compiled before the clock starts
    warm = type(model)(**{**model.get_params(), "max_iter": 1})
    if options.batches:
        warm.set_params(batch_size=100)
    warm.fit(small, y[:200] if len(set(y[:200])) > 2 else classes[:200]) if len(
        data
    ) == 2 else warm.fit(small[0])
    start, used = time.perf_counter(), time.process_time()
    model.fit(*data)
    seconds, used = time.perf_counter() - start, time.process_time() - used
    right = ""
    if len(data) == 2:
        right = round(float(np.mean(model.labels_[y < 0] == classes[y < 0])), 4)
    print(
        json.dumps(
            {
                "model": options.model,
                "rows": options.rows,
                "nonzeros": int(sum(X.nnz for X in (Xs if len(data) == 2 else Xs[:1]))),
                "way": "batches" if options.batches else "EM",
                "threads": options.jobs or "as ever",
                "iterations": model.n_iter_,
                "seconds": round(seconds, 1),
                "seconds_per_iteration": round(seconds / model.n_iter_, 2),
                "cpu_seconds": round(used, 1),
                "peak_gib": round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20, 2),
                "loglik": float(f"{model.loglik_[-1]:.8g}"),
                "right_of_unlabelled": right,
            }
        )
    )


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--nonzeros", type=int, default=100_000_000)
    parser.add_argument("--features", type=int, default=50_000)
    parser.add_argument("--iterations", type=int, default=40)
    parser.add_argument("--threads", type=int, nargs="+", default=[1, 2])
    parser.add_argument("--models", nargs="+", default=["MVPLSA", "PLSA"])
    parser.add_argument("--csv", type=Path)
    parser.add_argument("--model", help=argparse.SUPPRESS)
    parser.add_argument("--jobs", type=int, default=0, help=argparse.SUPPRESS)
    parser.add_argument("--batches", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.model:
        one_run(options)
        return
    table = []
    shared = [f"--{name}={getattr(options, name)}" for name in
              ("rows", "nonzeros", "features", "iterations")]  # fmt: skip
    for model in options.models:
        for way in ([], ["--batches"]):
            for jobs in ([0] if not way else []) + options.threads:
                call = [sys.executable, __file__, f"--model={model}", f"--jobs={jobs}", *shared]
                done = subprocess.run(
                    call + way, stdout=subprocess.PIPE, text=True, check=True
                ).stdout
                table.append(json.loads(done.splitlines()[-1]))
                print(", ".join(f"{k} {v}" for k, v in table[-1].items()), flush=True)
    if options.csv:
        with options.csv.open("w", newline="", encoding="utf-8") as file:
            writer = csv.DictWriter(file, table[0])
            writer.writeheader()
            writer.writerows(table)


if __name__ == "__main__":
    main()
