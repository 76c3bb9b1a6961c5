"""The declared searches: PCoSC's graphs and constructions of SIFT words."""

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp

from reproduction.data.format import MultiViewData
from reproduction.papers.coplsa_clustering import protocol, search, training
from reproduction.papers.coplsa_clustering.columns import PAPER, RULES, TABLES
from reproduction.papers.coplsa_clustering.settings import PaperSettings
from reproduction.results.jobs import Context, find_job
from reproduction.results.published import printed_methods
from reproduction.results.rows import result_frames
from reproduction.results.settings import complete

SETTINGS = complete(PaperSettings, {}, size="quick")


@pytest.fixture
def context(rng):
    y = np.arange(80) % 4
    views = {}
    for name in ("rgb", "sift", "lbp", *search.CONSTRUCTIONS):
        topics = rng.dirichlet(np.full(15, 0.4), 4)
        views[name] = sp.csr_matrix(rng.poisson(15 * topics[y]).astype(float))
    data = MultiViewData("corel5k", views, y, list("abcd"), [str(i) for i in range(80)])
    chosen = pd.DataFrame(
        [
            {
                "table": "choice:best_view",
                "rule": rule,
                "view": view,
                "value": float(view == "sift"),
            }
            for rule in RULES
            for view in ("rgb", "sift")
        ]
    )
    job = find_job(PAPER, "corel5k", "search")
    return Context(job, {"corel5k": data}, SETTINGS, {"corel5k/kmeans": chosen})


def test_every_reading_has_rows_and_the_order_of_views_is_told(context):
    result = context.job.load()(context)
    frame = result_frames(PAPER, "corel5k", result.rows, TABLES, printed_methods(PAPER))[0]
    spectral = {f"pcosc_nmi: {name}" for *_, name in search.spectral_names()}
    sift = {
        f"sift_best: {search.sift_name(c, s)}"
        for c in search.CONSTRUCTIONS
        for s in search.SIFT_SCALES
    }
    assert set(frame["reading"]) == spectral | sift
    assert set(frame[frame["reading"].isin(spectral)]["method"]) == {"PCoSC"}
    # by hand: k-means on the square roots of one construction, and on those of colour
    task = protocol.make_task(context)
    here = frame[frame["reading"] == "sift_best: sift_dog, sqrt"].set_index(["method", "metric"])
    for method, view in (("K-means + BOVF", "sift_dog"), (search.ON_COLOUR, "rgb")):
        X = sp.csr_matrix(context.data.views[view].sqrt())
        expected = protocol.scores(task.y, task.kmeans(X, "kmeans", view, 0))
        assert here.loc[method]["value"].to_dict() == pytest.approx(expected)
    own = frame[(frame["metric"] == "accuracy_pct") & frame["reading"].isin(sift)]
    wide = own.pivot_table(index="reading", columns="method", values="value")
    ahead = int((wide["K-means + BOVF"] > wide[search.ON_COLOUR]).sum())
    assert f"In {ahead} of {len(sift)} readings" in training.sift_sentence(frame)
    assert training.sift_sentence(frame.iloc[:0]) == ""


def test_labels_move_no_clustering_of_the_search(context, rng, monkeypatch):
    """Sentinel: with shuffled labels the same clusterings are scored."""
    seen = []
    real = protocol.clustering_accuracy

    def spy(y, labels):
        seen.append(labels.tobytes())
        return real(y, labels)

    monkeypatch.setattr(protocol, "clustering_accuracy", spy)
    search.run_photographs(context)
    clean = list(seen)
    seen.clear()
    context.data.labels[:] = rng.permutation(context.data.labels)
    search.run_photographs(context)
    assert seen == clean
