"""The clusterers of iMML, run by a Python that has it, on views with holes."""

import json
import subprocess
import tempfile
from pathlib import Path

import numpy as np
import scipy.sparse as sp

from manyviews.preprocessing.sparse import row_normalise


def of_imml(python, views, k, seed, seconds, skip):
    """Return name to clusters and seconds of iMML's clusterers, run by another Python.

    ``skip`` names those that failed on this data set before; new ones are said and added.
    """
    with tempfile.TemporaryDirectory() as folder:
        tables = {}
        for v, X in enumerate(views.matrices):
            table = row_normalise(sp.csr_matrix(X)).toarray()
            table[~views.observed[:, v]] = np.nan
            tables[f"v{v}"] = table
        path = Path(folder) / "views.npz"
        np.savez(path, **tables)
        call = [python, "-c", _IMML, str(path), str(k), str(seed), str(seconds), *sorted(skip)]
        done = subprocess.run(call, capture_output=True, text=True, check=False)
    found = {}
    for line in done.stdout.splitlines():
        if line.startswith("{"):
            answer = json.loads(line)
            name = answer["name"]
            if "labels" in answer:
                found[f"iMML {name}"] = np.array(answer["labels"]), answer["seconds"]
            else:
                skip.add(name)
                print(f"  iMML {name} left out: {answer['error']}", flush=True)
    if done.returncode:
        print(f"  iMML left out: {done.stderr.strip().splitlines()[-1]}", flush=True)
    return found


# Every clusterer runs in a fork of the process that has imported iMML: one that computes for
# minutes inside a single call of numpy hears no signal, so the system ends it by its core seconds.
_IMML = """
import inspect, json, multiprocessing, resource, signal, sys, time, warnings
warnings.simplefilter("ignore")
import numpy as np
import imml.cluster as cluster
path, k, seed, seconds, *skip = sys.argv[1:]
Xs = list(np.load(path).values())
def answer(kind, given, pipe):
    start = time.process_time()
    limit = int(start + float(seconds)) + 1
    resource.setrlimit(resource.RLIMIT_CPU, (limit, limit))
    try:
        labels = [int(c) for c in kind(**given).fit_predict([X.copy() for X in Xs])]
        pipe.send({"labels": labels, "seconds": time.process_time() - start})
    except Exception as error:
        pipe.send({"error": f"{type(error).__name__}: {error}"[:120].replace(chr(10), " ")})
for name, kind in inspect.getmembers(cluster, inspect.isclass):
    settings = inspect.signature(kind).parameters
    if name in skip or "n_clusters" not in settings or not hasattr(kind, "fit_predict"):
        continue
    given = {"n_clusters": int(k)} | ({"random_state": int(seed)} if "random_state" in settings
                                      else {})
    ours, theirs = multiprocessing.Pipe()
    child = multiprocessing.get_context("fork").Process(target=answer, args=(kind, given, theirs))
    child.start()
    theirs.close()
    try:
        found = ours.recv()
    except EOFError:
        child.join()
        late = child.exitcode in (-signal.SIGXCPU, -signal.SIGKILL)
        why = f"longer than {seconds} s on a core" if late else "it ended without an answer"
        found = {"error": why}
    child.join()
    print(json.dumps({"name": name} | found), flush=True)
"""
