"""How time and memory grow: one process a point, so that its peak of memory is its own."""

import json
import re
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import scipy.sparse as sp

CLASSES, SHARED = 10, 0.6
#: What grows -> sizes.
SIZES = {
    "rows": [1_000, 10_000, 100_000, 1_000_000],
    "non-zeros": [100_000, 1_000_000, 10_000_000, 100_000_000],
    "topics": [10, 50, 200, 500],
    "views": [2, 4, 8],
    "labels": [5, 20, 50, 100, 200],
}
#: Where two threads are compared with one.
THREADED = 10_000_000


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


def task(what, size, threads):
    """Return a function of the number of iterations, and the size of what it works on."""
    from manyviews.assignment.problem import LabelSetProblem
    from manyviews.assignment.solvers import solve
    from manyviews.models import MVPLSA, PLSA

    if what == "labels":
        problem = LabelSetProblem.flat(size)
        scores = np.random.default_rng(0).random((20_000, 2, size))
        return lambda n: [solve(problem, scores) for _ in range(n)], size
    # of 330 words drawn for a row about 250 non-zeros are left: some are drawn twice
    rows = {"rows": size, "non-zeros": size // 250}.get(what, 2_000)
    per_row, features = 330 if what == "non-zeros" else 30, min(50_000, max(500, rows))
    classes = np.random.default_rng(0).integers(0, CLASSES, rows)
    views = range(size if what == "views" else 1)
    Xs = [draw_view(rows, features, per_row, classes, v) for v in views]
    options = {"tol": 0.0, "random_state": 0, "n_jobs": None if threads == 1 else threads}
    if what == "views":
        y, model = np.where(np.arange(rows) % 10 == 0, classes, -1), MVPLSA(16, **options)
        return lambda n: model.set_params(max_iter=n).fit(Xs, y), size
    plsa = PLSA(size if what == "topics" else 10, **options)
    found = Xs[0].nnz if what == "non-zeros" else size
    return lambda n: plsa.set_params(max_iter=n).fit(Xs[0]), found


def one_point(what, size, threads):
    """Time an iteration at one size, in this process: a long run less a short one."""
    run, size = task(what, size, threads)
    clock = time.perf_counter if threads > 1 else time.process_time

    def seconds(count):
        start = clock()
        run(count)
        return clock() - start

    run(1)
    short, long = (min(seconds(count) for _ in range(3)) for count in (1, 4))
    took = max(long - short, 1e-9) / 3
    # the usage that a process is told of begins with that of the process it was forked from
    (line,) = re.findall(r"VmHWM:\s+(\d+) kB", Path("/proc/self/status").read_text())
    peak_mb = int(line) / 2**10
    return {"what": what, "size": size, "threads": threads, "seconds": took, "peak MB": peak_mb}


def curves():
    """Yield a row for every size of everything that grows, and for two threads at one size."""
    points = [(what, size, 1) for what, sizes in SIZES.items() for size in sizes]
    for point in (*points, ("non-zeros", THREADED, 2)):
        command = [sys.executable, "-m", "speed.growth", *map(str, point)]
        done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
        yield json.loads(done.stdout.splitlines()[-1])


if __name__ == "__main__":
    print(json.dumps(one_point(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))))
