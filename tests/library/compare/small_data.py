"""Small own data on which comparisons finish in seconds."""

import numpy as np
import pytest
from problems import random_case

pytest.importorskip("yaml", reason="own data need the extra: manyviews[compare]")

from manyviews.compare.reading.own import OwnData
from manyviews.compare.run import Options, compare
from manyviews.views import Views

CHEAP = ["majority", "chance", "concatenation", "complement_nb", "single_view"]
SEARCHERS = ["chance", "cca", "semantic_matching"]


def compared(data, folder, only=CHEAP, **options):
    """One round of cheap methods, or of all (None)."""
    return compare(data, folder, Options(**{"rounds": 1, "only": only, **options}), lambda _: None)


def own_data(rng, n_rows=60, n_classes=2, n_views=2, **more):
    """Counts in two views whose classes can be told apart."""
    case = random_case(rng, n_views=n_views, n_classes=n_classes, n_rows=n_rows)
    names = [f"part{v}" for v in range(n_views)]
    matrices = [np.round(40 * X) for X in case.matrices]
    ids = np.array([f"r{i}" for i in range(n_rows)])
    return OwnData(
        name="small",
        views=Views(dict(zip(names, matrices, strict=True)), ids=ids),
        kinds=["numbers"] * n_views,
        graphs=[False] * n_views,
        codes=case.classes.astype(np.int64),
        classes=[f"class {c}" for c in range(n_classes)],
        columns=[[f"c{j}" for j in range(X.shape[1])] for X in matrices],
        **more,
    )
