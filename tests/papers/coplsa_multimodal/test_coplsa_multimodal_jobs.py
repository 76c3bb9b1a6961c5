import numpy as np
import pytest
from scipy import sparse

from reproduction.data.format import MultiViewData
from reproduction.papers.coplsa_multimodal import protocol, table
from reproduction.papers.coplsa_multimodal.retrieval import centred_correlation
from reproduction.results.jobs import Context, find_job, jobs_of, result_frames
from reproduction.workflow.config import load_config

PAPER = "coplsa_multimodal"


def test_centred_correlation_ignores_mean_and_length():
    rng = np.random.default_rng(0)
    a, mean = rng.random((5, 3)), rng.random(3)
    np.testing.assert_allclose(np.diag(centred_correlation(a, a, mean, mean)), 1.0)
    stretched = centred_correlation(mean + 7 * (a - mean), a, mean, mean)
    np.testing.assert_allclose(stretched, centred_correlation(a, a, mean, mean))


def pairs(name, n=150, n_test=50, seed=0):
    """Small paired data of three classes; the text tells more than the image."""
    rng = np.random.default_rng(seed)
    y = rng.integers(3, size=n)
    centres = [rng.dirichlet(np.full(30, 0.1), 3), rng.dirichlet(np.full(20, 0.5), 3)]
    views = {}
    for view, c, tokens in (("text", centres[0], 15), ("image", centres[1], 10)):
        noisy = 0.5 * c[y] + 0.5 / c.shape[1]
        views[view] = sparse.csr_matrix(np.array([rng.multinomial(tokens, p) for p in noisy]))
    views["topics"] = sparse.csr_matrix(rng.dirichlet(np.ones(5), n) + 0.5 * np.eye(5)[y])
    return MultiViewData(
        name=name,
        views={k: v.astype(float) for k, v in views.items()},
        labels=y,
        class_names=["a", "b", "c"],
        ids=[str(i) for i in range(n)],
        feature_names={"text": [f"w{i}" for i in range(30)]},
        rows={
            "is_test": np.arange(n) >= n - n_test,
            "article": np.array([f"a{i % 80}" for i in range(n)]),
        },
    )


@pytest.fixture(scope="module")
def settings():
    found = load_config("config/quick.yaml")["papers"][PAPER]
    return {
        **found,
        "documents": None,
        "topics": {"wikipedia_pairs": 6, "web_news": 6, "tvgraz": 6},
    }


@pytest.fixture(scope="module")
def frames(settings):
    """Rows of all jobs of one data set, in order."""
    data = pairs("wikipedia_pairs")
    done = {}
    for job in jobs_of(PAPER):
        if job.dataset != "wikipedia_pairs":
            continue
        context = Context(
            job=job,
            views=dict.fromkeys(job.view_keys, data),
            settings=settings,
            results={name: done[name] for name in job.after},
        )
        result = job.load()(context)
        done[f"{job.dataset}/{job.name}"] = result_frames(job, result)[0]
    return done


def test_jobs_cover_all_published_cells(frames):
    rows = [f[(f["table"] == "1") & (f["reading"] == "paper")] for f in frames.values()]
    found = {(s, m) for f in rows for s, m in zip(f["setting"], f["method"], strict=True)}
    for space in ("topic", "semantic"):
        for direction in ("i2t", "t2i"):
            for method in ("SCM", "Link PLSA", "l1 coPLSA", "l2 coPLSA", "sKL coPLSA"):
                assert (f"{space};{direction}", method) in found


def test_link_plsa_is_symmetric_in_the_joint_protocol_only(frames):
    link = frames["wikipedia_pairs/link"]
    link = link[(link["table"] == "1") & (link["method"] == "Link PLSA")]
    wide = link.pivot_table(index=["reading", "run"], columns="setting", values="value")
    joint = wide.loc["paper"]
    np.testing.assert_allclose(joint["semantic;i2t"], joint["semantic;t2i"], atol=1e-12)
    honest = wide.loc["protocol=honest"]
    assert (np.abs(honest["semantic;i2t"] - honest["semantic;t2i"]) > 1e-6).all()


def test_values_are_precisions_and_beat_chance(frames):
    skl = frames["wikipedia_pairs/skl"]
    part = skl[skl["metric"] == "map_at_10"]
    assert part["value"].between(0, 1).all()
    mean = skl[(skl["setting"] == "semantic;i2t") & (skl["reading"] == "paper")]["value"].mean()
    link = frames["wikipedia_pairs/link"]
    chance = link[(link["method"] == "control:random order") & (link["reading"] == "paper")]
    assert mean > chance["value"].mean() + 0.1


def test_lambda_is_chosen_from_the_grid(frames, settings):
    for divergence in ("skl", "l2", "l1"):
        rows = frames[f"wikipedia_pairs/{divergence}"]
        chosen = rows.loc[rows["table"] == "extra:lambda_chosen", "value"].iloc[0]
        assert chosen in [float(x) for x in settings["lambda_grid"][divergence]]


def test_the_exact_steps_never_fall(frames):
    rows = frames["wikipedia_pairs/objective"]
    falls = rows[(rows["metric"] == "falls") & (rows["method"] != "l2, two-step update")]
    assert (falls["value"] == 0).all()


def test_validation_uses_training_pairs_alone(settings):
    data = pairs("wikipedia_pairs")
    split = protocol.validation_split(data, settings)
    test = {data.ids[i] for i in np.flatnonzero(data.rows["is_test"])}
    assert not test & set(split.test_ids)
    assert len(split.test_labels) + len(split.train_labels) == (~data.rows["is_test"]).sum()


def test_methods_share_their_start(settings):
    split = protocol.load_split(pairs("wikipedia_pairs"), settings)
    one, two = protocol.start(split, 6, 3), protocol.start(split, 6, 3)
    np.testing.assert_array_equal(one[0], two[0])
    assert not np.array_equal(one[0], protocol.start(split, 6, 4)[0])
    model = table.fit(split, settings, 3, divergence="skl", lam=1.0)
    again = table.fit(split, settings, 3, divergence="skl", lam=1.0)
    np.testing.assert_array_equal(model.doc_topics_[0], again.doc_topics_[0])


def test_the_stand_in_has_no_released_topics(settings):
    data = pairs("web_news")
    del data.views["topics"]
    job = find_job(PAPER, "web_news", "scm")
    result = job.load()(Context(job=job, views={"web_news": data}, settings=settings))
    assert {row.method for row in result.rows} >= {"SCM", "control:true class of the text"}
