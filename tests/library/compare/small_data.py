"""Small own data on which comparisons finish in seconds, and files of them."""

import io

import numpy as np
import pytest
from problems import random_case

pytest.importorskip("yaml", reason="own data need the extra: manyviews[compare]")

from manyviews.compare.reading.own import OwnData
from manyviews.compare.run import compare
from manyviews.views import Views

CHEAP = ["majority", "chance", "concatenation", "complement_nb", "single_view"]
SEARCHERS = ["chance", "cca", "semantic_matching"]


def compared(data, only=CHEAP, **options):
    """One round of cheap methods, or of all (None)."""
    return compare(data, rounds=1, only=only, **{"say": lambda _: None, **options})


def as_own(matrices, codes, **more):
    """Views of numbers and the classes of their rows, as if they had been read."""
    named = {f"part{v}": X for v, X in enumerate(matrices)}
    return OwnData(
        name="small",
        views=Views(named, ids=np.array([f"r{i}" for i in range(len(codes))])),
        kinds=["numbers"] * len(matrices),
        graphs=[False] * len(matrices),
        codes=codes,
        classes=[f"class {c}" for c in range(codes.max() + 1)],
        columns=[[f"c{j}" for j in range(X.shape[1])] for X in matrices],
        **more,
    )


def own_data(rng, n_rows=60, n_classes=2, **more):
    """Counts in two views whose classes can be told apart."""
    case = random_case(rng, n_classes=n_classes, n_rows=n_rows)
    return as_own([np.round(40 * X) for X in case.matrices], case.classes.astype(np.int64), **more)


def saved(save, *values, **named):
    """What a function writes into a stream."""
    buffer = io.BytesIO()
    save(buffer, *values, **named)
    return buffer.getvalue()


def write(folder, files):
    """Write texts and bytes by name."""
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
