import numpy as np
import pandas as pd
import pytest

from reproduction.papers.coplsa_multimodal import PAPER, models, protocol
from reproduction.papers.coplsa_multimodal.columns import JOINT_STEP, LINK, SKL, TWO_STEP
from reproduction.papers.coplsa_multimodal.retrieval import centred_correlation
from reproduction.papers.coplsa_multimodal.settings import PaperSettings
from reproduction.results.jobs import Context, find_job
from reproduction.results.published import load_published, printed_methods
from reproduction.results.rows import result_frames
from reproduction.results.search import search_table
from reproduction.results.settings import SettingsError, complete
from reproduction.rooms import tables_of
from reproduction.verdicts.claims import select

DATA = "wikipedia_pairs"


def test_centred_correlation_ignores_mean_and_length(rng):
    a, mean = rng.random((5, 3)), rng.random(3)
    np.testing.assert_allclose(np.diag(centred_correlation(a, a, mean, mean)), 1.0)
    stretched = centred_correlation(mean + 7 * (a - mean), a, mean, mean)
    np.testing.assert_allclose(stretched, centred_correlation(a, a, mean, mean))


@pytest.fixture
def rows(frames):
    return pd.concat(frames.values(), ignore_index=True)


def test_the_jobs_make_every_published_cell_and_a_control_for_it(rows):
    cells = load_published(PAPER)
    cells = cells[cells["dataset"] == DATA]
    keys = ["table", "setting", "method", "metric"]
    made = set(select(rows)[keys].itertuples(index=False, name=None))
    assert set(cells[keys].itertuples(index=False, name=None)) <= made
    bounded = set(select(rows, table="1", role="control")["setting"])
    assert set(cells["setting"]) <= bounded
    assert rows.loc[rows["metric"] == protocol.METRIC, "value"].between(0, 1).all()
    searched = rows["table"].str.startswith(search_table(""))
    assert searched.any()
    assert set(rows.loc[~searched, "reading"]) == {
        "inferred", "honest", "usual penalty", "recorded", "short run", "short run, fitted"
    }  # fmt: skip


def test_link_plsa_is_symmetric_in_the_joint_protocol_only(rows):
    link = select(rows, table="1", method=LINK, reading=None)
    wide = link.pivot_table(index=["reading", "run"], columns="setting", values="value")
    joint, honest = wide.loc["inferred"], wide.loc["honest"]
    np.testing.assert_allclose(joint["semantic;i2t"], joint["semantic;t2i"], atol=1e-12)
    assert (np.abs(honest["semantic;i2t"] - honest["semantic;t2i"]) > 1e-6).all()


def test_the_method_beats_chance(rows):
    ours = select(rows, table="1", method=SKL, space="semantic")["value"].mean()
    chance = select(rows, table="1", method="random order", role="control")["value"].mean()
    assert ours > chance + 0.1


def test_the_exact_steps_never_fall(rows):
    falls = select(rows, metric="falls", role=None)
    assert {TWO_STEP, JOINT_STEP, SKL} <= set(falls["method"])
    assert (falls.loc[falls["method"] != TWO_STEP, "value"] == 0).all()
    ours = rows[(rows["role"] == "ours") & rows["table"].str.startswith("extra")]
    assert set(ours["method"]) == {JOINT_STEP}


def test_lambda_is_the_best_of_the_grid(pairs, settings):
    grid = {"l2": [0.01, 1.0, 30.0]}
    more = complete(PaperSettings, {**settings.model_dump(), "lambda_grid": grid})
    job = find_job(PAPER, DATA, "l2")
    result = job.load()(Context(job, {DATA: pairs}, more))
    rows, _ = result_frames(PAPER, DATA, result.rows, tables_of(PAPER), printed_methods(PAPER))
    chosen = select(rows, table="choice:lambda_chosen")["value"].tolist()
    means = select(rows, table="choice:lambda").groupby("lambda_")["value"].mean().round(12)
    assert set(means.index) == set(grid["l2"])
    assert chosen == [max(means.index, key=lambda lam: (means[lam], -lam))]
    assert result.details["lambda"] == chosen[0]


def test_validation_uses_training_pairs_alone(pairs, settings):
    split = protocol.validation_split(pairs, settings)
    test = {pairs.ids[i] for i in np.flatnonzero(pairs.rows["is_test"])}
    assert not test & set(split.test_ids)
    assert len(split.test_labels) + len(split.train_labels) == (~pairs.rows["is_test"]).sum()


def test_methods_share_their_start(pairs, settings):
    split = protocol.load_split(pairs, settings)
    one, two = protocol.start(split, 6, 3), protocol.start(split, 6, 3)
    np.testing.assert_array_equal(one[0], two[0])
    assert not np.array_equal(one[0], protocol.start(split, 6, 4)[0])
    model = models.fit(split, settings, 3, divergence="skl", lam=1.0)
    again = models.fit(split, settings, 3, divergence="skl", lam=1.0)
    np.testing.assert_array_equal(model.doc_topic_[0], again.doc_topic_[0])


def test_the_stand_in_has_no_released_topics(pairs, settings):
    del pairs.views["topics"]
    job = find_job(PAPER, "web_news", "scm")
    result = job.load()(Context(job, {"web_news": pairs}, settings))
    assert {row.method for row in result.rows if row.role == "control"} == {
        "raw features", "true class of the text",
    }  # fmt: skip
    assert "choice:text_view" not in {row.table for row in result.rows}
    assert set(result.details) == {"words"}


@pytest.mark.parametrize(
    ("given", "names"),
    [
        ({"runs": 100_000}, "runs"),
        ({"topics": {"tvgraz": 1}}, "topics.tvgraz"),
        ({"lambda_grid": {"l1": []}}, "lambda_grid.l1"),
        ({"lambda_grid": {"l1": [-1.0]}}, "lambda_grid.l1.0"),
        ({"validation_share": 0.9}, "validation_share"),
        ({"runs": 2, "control_runs": 3}, "control_runs"),
        ({"runs": 2, "detail_runs": 3}, "detail_runs"),
    ],
)
def test_absurd_settings_are_refused_by_name(given, names):
    with pytest.raises(SettingsError, match=f"^{names}: "):
        complete(PaperSettings, given)
