"""Small paired data, settings to match, and the rows of every job on them."""

import numpy as np
import pandas as pd
import pytest
from job_rows import run_job
from scipy import sparse

from reproduction.data.format import MultiViewData
from reproduction.papers.coplsa_multimodal.names import DATASETS, PAPER
from reproduction.papers.coplsa_multimodal.names import WIKIPEDIA as DATA
from reproduction.papers.coplsa_multimodal.settings import PaperSettings
from reproduction.results.jobs import jobs_of
from reproduction.results.settings import complete

FEW = dict.fromkeys(DATASETS, 6)
SMALLER = {"documents": None, "topics": FEW, "iterations": FEW, "trace": {"iterations": 6}}


def make_pairs(rng) -> MultiViewData:
    """Paired data of three classes; the text tells more than the image."""
    n, n_test = 150, 50
    y = rng.permutation(np.arange(n) % 3)
    views = {}
    for view, width, tokens in (("text", 30, 20), ("image", 21, 10)):
        # a third of the words belongs to each class
        own = np.arange(width) % 3 == y[:, None]
        chances = np.where(own, 4.0, 1.0) * rng.uniform(0.5, 1.5, width)
        chances /= chances.sum(axis=1, keepdims=True)
        views[view] = sparse.csr_matrix([rng.multinomial(tokens, p) for p in chances])
    views["topics"] = sparse.csr_matrix(rng.dirichlet(np.ones(5), n) + 0.5 * np.eye(5)[y])
    return MultiViewData(
        name=DATA,
        views={name: X.astype(float) for name, X in views.items()},
        labels=y,
        class_names=["a", "b", "c"],
        ids=[str(i) for i in range(n)],
        feature_names={"text": [f"w{i}" for i in range(30)]},
        rows={
            "is_test": np.arange(n) >= n - n_test,
            "article": np.array([f"a{i % 80}" for i in range(n)]),
        },
    )


@pytest.fixture
def settings() -> PaperSettings:
    """Settings of a quick run, smaller still."""
    return complete(PaperSettings, SMALLER, size="quick")


@pytest.fixture
def pairs(rng) -> MultiViewData:
    """Paired data of three classes; the text tells more than the image."""
    return make_pairs(rng)


@pytest.fixture(scope="module")
def rows(module_rng):
    """Rows of all jobs of one data set, as the next station reads them; made once for a file."""
    pairs, places = make_pairs(module_rng), [job.place for job in jobs_of(PAPER)]
    own = [place for place in places if place.startswith(f"{DATA}/")]
    return pd.concat([run_job(PAPER, place, pairs, given=SMALLER)[0] for place in own])
