"""What is measured: every estimator beside its peers, on the same data for the same problem."""

import time
import warnings

import numpy as np
import scipy.sparse as sp
from sklearn.cluster import KMeans
from sklearn.cross_decomposition import CCA as NipalsCCA  # noqa: N811
from sklearn.decomposition import NMF
from sklearn.linear_model import SGDClassifier

from manyviews.assignment.mip import CvxpyReference, solve_batch
from manyviews.assignment.ontology import Ontology
from manyviews.assignment.problem import LabelSetProblem
from manyviews.assignment.solvers import solve
from manyviews.baselines.cca import CCA
from manyviews.baselines.spherical_kmeans import SphericalKMeans
from manyviews.models.factored_em import factored_em, random_topics
from manyviews.models.multi_view_pa import MultiViewPassiveAggressive
from manyviews.models.passive_aggressive import PassiveAggressive
from manyviews.models.plsa import PLSA
from manyviews.models.two_view_pa import TwoViewPassiveAggressive
from manyviews.preprocessing.sparse import row_normalise

KL = "scikit-learn NMF, Kullback-Leibler"
SCALES = {"s": 1.0, "ms": 1e3, "µs": 1e6}
RATIO = "times slower than ours"


def seconds(task, *words):
    start = time.process_time()
    task(*words)
    return time.process_time() - start


def compare(
    part, case, tasks, *, goals=None, told=None, unit="ms", repeats=3, per=1, iterations=None,
    last=1, show="",
):  # fmt: skip
    """Time tasks in turns, ours first, so that a busy spell hits all; return a row for each.

    ``goals`` says how many times faster than a peer ours should be, ``told`` how its answer
    compares with ours: ``{gap}`` is the largest absolute difference, ``{more}`` how much larger its
    mean is; ``show`` is the format of that mean. The seconds of a task are divided by ``per``. With
    ``iterations`` a task takes their number, a long run less a short one is timed, so that set-up
    cancels, and answers are compared after ``last``.
    """
    few, many = iterations or (0, 1)
    # the first call compiles and does not count
    answers = {name: task(*([last] if iterations else [])) for name, task in tasks.items()}
    times = {name: [] for name in tasks}
    for _ in range(repeats):
        for name, task in tasks.items():
            took = seconds(task, *([many] if iterations else []))
            if iterations:
                took = max(took - seconds(task, few), 1e-9)
            times[name].append(took / (many - few) / (per if isinstance(per, int) else per[name]))
    rows, (ours, *_) = [], answers.values()
    base = np.median(next(iter(times.values())))
    for name, found in times.items():
        low, median, high = np.quantile(found, [0.25, 0.5, 0.75])
        said, mean = (told or {}).get(name, ""), np.nan
        if show or "{" in said:
            mean = np.mean(answers[name])
        if "{" in said:
            gap = max(float(np.abs(np.asarray(answers[name]) - ours).max()), 1e-16)
            said = said.format(gap=gap, more=float(mean - np.mean(ours)))
        rows.append({
            "part": part, "case": case, "method": name, "unit": unit,
            **{key: SCALES[unit] * t for key, t in
               (("median", median), ("low", low), ("high", high))},
            "repeats": repeats, RATIO: median / base, "goal": (goals or {}).get(name, np.nan),
            "reached": show.format(mean) if show and not np.isnan(mean) else "", "same": said,
        })  # fmt: skip
    return rows


def corpus(n, f, per_row, *, zipf=True):
    """Counts with the word frequencies of a text (Zipf) or equal ones, twice ``per_row`` draws."""
    rng = np.random.default_rng(0)
    weights = 1.0 / np.arange(10, f + 10) if zipf else np.ones(f)
    words = np.searchsorted(np.cumsum(weights / weights.sum()), rng.random(n * 2 * per_row))
    rows = np.repeat(np.arange(n), 2 * per_row)
    return sp.csr_matrix((np.ones(words.size), (rows, np.minimum(words, f - 1))), shape=(n, f))


def nmf(X, k, iterations):
    """Fit with rows scaled to distributions over words; return the log-likelihood a token."""
    model = NMF(
        k, solver="mu", beta_loss="kullback-leibler", init="random", max_iter=iterations, tol=0.0,
        random_state=0,
    )  # fmt: skip
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        left, right = model.fit_transform(X), model.components_
    left /= np.maximum((left @ right.sum(axis=1))[:, None], 1e-300)
    return token_likelihood(X, left, right, iterations)


def plsa(X, k, iterations):
    """Do without the likelihood in every iteration, as NMF does."""
    model = PLSA(k, max_iter=iterations, tol=0.0, track_loglik=False, random_state=0).fit(X)
    return token_likelihood(X, model.doc_topic_, model.topic_word_, iterations)


def token_likelihood(X, left, right, iterations):
    """Log-likelihood a token of factors; only of long runs, it is no part of what is timed."""
    if iterations < 10:
        return np.nan
    rows = np.repeat(np.arange(X.shape[0]), np.diff(X.indptr))
    p = np.einsum("ik,ik->i", left[rows], right.T[X.indices])
    return float(X.data @ np.log(np.maximum(p, 1e-300)) / X.data.sum())


def topics():
    part = "Topic models"
    cases = {
        "text: 4,000 documents, 8,000 words": (4000, 8000, 85, True),
        "short text: 8,000 documents, 4,000 words": (8000, 4000, 20, False),
    }
    for name, (n, f, per_row, zipf) in cases.items():
        X = corpus(n, f, per_row, zipf=zipf)
        for k in (20, 100):
            ways = {"PLSA": plsa, KL: nmf}
            yield compare(
                part, f"{name}, {X.nnz:,} non-zeros, {k} topics: one iteration",
                {way: lambda count, run=run: run(X, k, count) for way, run in ways.items()},  # noqa: B023
                goals={KL: 15.0 if k == 20 else 25.0}, show="{:.4f}",
                told={KL: "same objective, {more:+.3f} a token after as many iterations"},
                iterations=(1, 5 if k == 20 else 3), last=30 if k == 20 else 10,
            )  # fmt: skip
    n, f = 1000, 5000
    rng = np.random.default_rng(0)
    X = sp.random(n, f, 80 / f, "csr", data_rvs=lambda size: rng.poisson(2.0, size) + 1.0, rng=rng)
    start, frozen = rng.dirichlet(np.ones(20), n), np.arange(n) < 10
    given = ([X], start, frozen, *random_topics([X], [20], 20, rng))
    yield compare(
        part, f"MVPLSA, {n:,} documents, 1 view, 20 classes and topics: one iteration",
        {"MVPLSA, factored EM": lambda count: factored_em(*given, n_iter=count),
         KL: lambda count: nmf(X, 20, count)},
        told={KL: "another model"}, goals={KL: 15.0}, iterations=(2, 12),
    )  # fmt: skip


def pa1(X, y):
    model = SGDClassifier(
        loss="hinge", penalty=None, learning_rate="pa1", eta0=0.1, fit_intercept=False,
        shuffle=False, max_iter=1, tol=None,
    )  # fmt: skip
    return model.fit(X, y).coef_


def online():
    n, width, nonzeros = 20_000, 20_000, 100
    rng = np.random.default_rng(0)
    columns = np.arange(nonzeros) * 200 + rng.integers(200, size=(n, nonzeros))
    data, indptr = rng.random(n * nonzeros), np.arange(n + 1) * nonzeros
    X = sp.csr_matrix((data, columns.ravel(), indptr), shape=(n, width))
    score = X @ rng.normal(size=width)
    y = np.where(score + 0.5 * score.std() * rng.normal(size=n) > 0, 1, -1)
    options, peer = {"C": 0.1, "shuffle": False}, "scikit-learn SGD, pa1"
    yield compare(
        "Online learners", f"one view, {n:,} rows of 100 non-zeros: one row",
        {"PassiveAggressive": lambda: np.atleast_2d(PassiveAggressive(**options).fit(X, y).coef_),
         peer: lambda: pa1(X, y)},
        goals={peer: 2.0}, told={peer: "weights within {gap:.0e}"}, unit="µs", repeats=7, per=n,
    )  # fmt: skip
    views = [X[:, :10_000].tocsr(), X[:, 10_000:].tocsr()]
    several = MultiViewPassiveAggressive(gamma=0.05, **options)
    two, peer = (
        TwoViewPassiveAggressive(variant="exact", gamma=0.05, **options),
        f"{peer}, once a view",
    )
    yield compare(
        "Online learners", f"two views, {n:,} rows of 50 + 50 non-zeros: one row",
        {"MultiViewPassiveAggressive": lambda: np.ravel(several.fit(views, y).coef_),
         "TwoViewPassiveAggressive": lambda: np.concatenate(
             [w.ravel() for w in two.fit(views, y).coef_]),
         peer: lambda: [pa1(V, y) for V in views]},
        goals={peer: 1.5}, unit="µs", repeats=7, per=n,
        told={"TwoViewPassiveAggressive": "same problem, weights within {gap:.0e}",
              peer: "no agreement between views"},
    )  # fmt: skip


def dag(n_labels):
    """Labels of which most have one parent and every third two."""
    rng = np.random.default_rng(0)
    parents: dict[str, tuple[str, ...]] = {"l0": ()}
    for i in range(1, n_labels):
        count = 2 if i % 3 == 0 and i > 3 else 1
        chosen = rng.choice(np.arange(max(0, i // 3 - 2), max(1, i // 2)), count, replace=True)
        parents[f"l{i}"] = tuple(f"l{j}" for j in sorted(set(chosen.tolist())))
    return Ontology(parents)


def assignments():
    tree = Ontology({
        "root": (), "a": ("root",), "b": ("root",), "a1": ("a",), "a2": ("a",), "b1": ("b",),
        "b2": ("b",),
    })  # fmt: skip
    hier, graph = LabelSetProblem.hierarchical, "40 labels of a general graph"
    cases = [
        ("flat MAXAGREE, 7 labels, 2 views: one point", LabelSetProblem.flat(7), 60_000.0, 12),
        ("flat MAXAGREE, 100 labels, 2 views: one point", LabelSetProblem.flat(100), 20_000.0, 12),
        ("Hier-MAXAGREE, 7 labels, hard: one point", hier(tree, consistency="hard"), 25_000.0, 12),
        ("Hier-MAXAGREE, 7 labels, soft: one point", hier(tree), 10_000.0, 12),
        (f"Hier-MAXAGREE, {graph}, hard: one point", hier(dag(40), consistency="hard"), 20.0, 4),
    ]
    for case, problem, goal, points in cases:
        many = np.random.default_rng(0).random((20_000, problem.n_views, problem.n_labels))
        few, stated = many[:points], CvxpyReference(problem)
        yield compare(
            "Label sets", case,
            {"exact solver": lambda: solve(problem, many).objective[:points],  # noqa: B023
             "cvxpy, stated once": lambda: problem.objective(few, stated.solve(few)),  # noqa: B023
             "HiGHS, many points at once": lambda: problem.objective(  # noqa: B023
                 few, solve_batch(problem, few))},  # noqa: B023
            goals={"cvxpy, stated once": goal}, show="{:.6f}",
            told=dict.fromkeys(
                ("cvxpy, stated once", "HiGHS, many points at once"), "objective within {gap:.0e}"),
            per={"exact solver": len(many), "cvxpy, stated once": points,
                 "HiGHS, many points at once": points},
        )  # fmt: skip


def cosines(X, labels):
    """Spherical k-means' criterion a row: mean cosine with the own centroid."""
    sums = sp.csr_matrix((np.ones(labels.size), (labels, np.arange(labels.size)))) @ X
    return float(np.sqrt(np.asarray(sums.multiply(sums).sum(axis=1))).sum() / labels.size)


def clusters():
    k = 20
    X = row_normalise(corpus(4000, 8000, 85))

    def ours(count):
        model = SphericalKMeans(k, n_init=1, max_iter=count, random_state=0)
        return cosines(X, model.fit(X).labels_)

    def lloyd(count):
        model = KMeans(k, n_init=1, max_iter=count, tol=0.0, init="random", random_state=0)
        return cosines(X, model.fit(X).labels_)

    size, peer = f"{X.shape[0]:,} sparse rows, {X.nnz:,} non-zeros", "scikit-learn KMeans, lloyd"
    yield compare(
        "Clustering", f"spherical k-means, {size}, {k} clusters: one iteration",
        {"SphericalKMeans": ours, peer: lloyd}, goals={peer: 3.0},
        told={peer: "close objective, other starts"}, iterations=(1, 6), repeats=5, last=20,
        show="{:.4f}",
    )  # fmt: skip


def correlations():
    n, f, k = 4000, 200, 10
    rng = np.random.default_rng(3)
    shared = rng.normal(size=(n, k))
    Xs = [shared @ rng.normal(size=(k, f)) + 3 * rng.normal(size=(n, f)) for _ in range(2)]

    def sum_of_correlations(pair):
        one, two = (z - z.mean(axis=0) for z in pair)
        lengths = np.linalg.norm(one, axis=0) * np.linalg.norm(two, axis=0)
        return float(np.abs((one * two).sum(axis=0) / lengths).sum())

    ways = {
        "CCA": lambda: CCA(k, reg=0.0).fit(Xs).project(Xs),
        "scikit-learn CCA (NIPALS)": lambda: NipalsCCA(k, max_iter=5000).fit_transform(*Xs),
    }
    yield compare(
        "Correlations", f"CCA, {n:,} rows, two views of {f} columns, {k} directions: one fit",
        {way: lambda run=run: sum_of_correlations(run()) for way, run in ways.items()},
        told=dict.fromkeys(list(ways)[1:], "sum of correlations {more:+.0e}"), show="{:.6f}",
    )  # fmt: skip


PARTS = (topics, online, assignments, clusters, correlations)
