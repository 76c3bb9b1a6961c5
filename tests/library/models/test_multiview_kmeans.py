"""Multi-view spherical k-means: its kernels to the bit, its algorithm, hierarchies."""

from fractions import Fraction

import numpy as np
import pytest
import scipy.sparse as sp
from problems import TREE, equal_parts

from manyviews.assignment.ontology import Ontology
from manyviews.kernels import spherical as kernels
from manyviews.models.multiview_estep import EStep
from manyviews.models.multiview_kmeans import MultiViewKMeans
from manyviews.models.spherical_view import SphericalView, ViewState, concatenated, weighted
from manyviews.views import Views

LEAVES = ("a1", "a2", "b1", "b2")


def blobs(rng, n=120, classes=4, noise=0.6, features=(12, 9), apart=0.0):
    """Noisy non-negative views of ``classes`` groups, the groups, and those of labelled rows.

    ``apart`` is what each group has in a feature of its own; without it two may look alike.
    """
    y = np.arange(n) % classes
    views = []
    for width in features:
        centres = rng.random((classes, width)) ** 3 + apart * np.eye(classes, width)
        views.append(np.maximum(0, centres[y] + noise * rng.normal(size=(n, width)) * 0.3))
    known = np.arange(n) < 3 * classes
    return views, y, np.where(known, y, -1)


def dense_reference(Xs, y, rule, max_iter=50):
    """Algorithm 1 line by line on dense arrays: sum, prod, cotrain or a single view.

    It ends when labels return that were there before: the last ones (converged) or older ones
    (a cycle, which co-training may enter).
    """
    unit = [x / np.where(np.linalg.norm(x, axis=1) > 0, np.linalg.norm(x, axis=1), 1)[:, None]
            for x in Xs]  # fmt: skip
    k = y.max() + 1
    free = y < 0

    def centroids(x, labels, old):
        mu = np.zeros((x.shape[1], k)) if old is None else old.copy()
        for c in range(k):
            total = x[labels == c].sum(axis=0)
            if np.linalg.norm(total) > 0:
                mu[:, c] = total / np.linalg.norm(total)
        return mu

    mus = [centroids(x, y, None) for x in unit]
    labels = [y.copy() for _ in unit]
    history = []
    for _ in range(max_iter):
        s = [x @ mu for x, mu in zip(unit, mus, strict=True)]
        if rule == "cotrain":
            new = [part.argmax(axis=1) for part in s]
        else:
            total = np.prod(s, axis=0) if rule == "prod" else np.sum(s, axis=0)
            new = [total.argmax(axis=1)] * len(s)
        labels = [np.where(free, one, y) for one in new]
        shift = 1 if rule == "cotrain" else 0
        mus = [centroids(x, labels[(v - shift) % len(unit)], mus[v]) for v, x in enumerate(unit)]
        if any(np.array_equal(labels, older) for older in history):
            break
        history.append(labels)
    return labels


@pytest.mark.parametrize("rule", ["sum", "prod", "cotrain"])
def test_equals_the_dense_algorithm(rng, rule):
    for _ in range(5):
        Xs, _, y = blobs(rng)
        Xs[1][rng.random(len(y)) < 0.2] = 0.0  # rows without links
        model = MultiViewKMeans(rule, max_iter=7).fit([sp.csr_matrix(x) for x in Xs], y)
        expected = dense_reference(Xs, y, rule, max_iter=7)
        equal_parts(model.label_sets_.argmax(axis=2).T, expected)
    Xs, _, y = blobs(rng)
    for combine, one in (("view1", Xs[0]), ("view2", Xs[1]), ("concat", np.hstack(Xs))):
        model = MultiViewKMeans(combine).fit(Xs, y)
        np.testing.assert_array_equal(model.labels_, dense_reference([one], y, "sum")[0])
        assert model.label_sets_.shape == (len(y), 1, 4)


@pytest.mark.parametrize("combine", ["sum", "prod", "maxagree", "cotrain", "view2", "concat"])
def test_good_data_are_learnt_and_new_rows_judged_by_what_was_learnt(rng, combine):
    Xs, truth, y = blobs(rng, noise=0.2, apart=3.0)
    model, known = MultiViewKMeans(combine).fit(Xs, y), y >= 0
    np.testing.assert_array_equal(model.labels_[known], y[known])
    assert (model.labels_ == truth).mean() > 0.9
    assert model.flips_[0] > 0
    assert model.n_iter_ == len(model.flips_)
    assert model.converged_ == (model.flips_[-1] == 0)
    if combine in ("prod", "cotrain"):
        return  # what follows holds where the sum of the views' scores decides
    if model.converged_:
        np.testing.assert_array_equal(model.predict(Xs)[~known], model.labels_[~known])
    scores = model.view_scores(Xs)
    np.testing.assert_allclose(scores, model.scores_, atol=1e-12)
    np.testing.assert_array_equal(model.decision_function(Xs), scores.sum(axis=1))
    assert model.transform(Xs).shape == (len(y), 4 * scores.shape[1])


@pytest.mark.parametrize("how", ["features", "gram"])
def test_cosines_with_centroids_without_the_row(rng, how):
    Xs, y, _ = blobs(rng, n=21)
    Xs[0][3], y[0] = 0.0, 4  # a row without a view, and one that is alone in its class
    view, w = SphericalView(Xs[0], how), np.ones(len(y))
    if how == "features":
        w = rng.integers(1, 4, len(y)).astype(float)
        view = weighted(view, w)
    state, members = ViewState(view, 5), np.eye(5, dtype=bool)[y]
    state.update(members)
    found, unit = state.left_out(), view.X.toarray()
    for row in range(len(y)):
        sums = unit.T @ (np.where(np.arange(len(y)) == row, 0.0, w)[:, None] * members)
        lengths = np.linalg.norm(sums, axis=0)
        expected = unit[row] @ sums / np.where(lengths > 0, lengths, 1.0)
        np.testing.assert_allclose(found[row], expected, atol=1e-7)


def test_row_scale_does_not_matter_and_gram_equals_features(rng):
    Xs, _, y = blobs(rng)
    scaled = [x * (rng.random((len(y), 1)) + 0.5) for x in Xs]
    plain = MultiViewKMeans("maxagree").fit(Xs, y)
    for given in (scaled, [SphericalView(x, "gram") for x in Xs]):
        model = MultiViewKMeans("maxagree").fit(given, y)
        np.testing.assert_array_equal(plain.labels_, model.labels_)
        equal_parts(
            [plain.scores_, *plain.centroids_], [model.scores_, *model.centroids_], atol=1e-12
        )


def test_maxagree_equals_sum_when_disagreement_never_pays(rng):
    Xs, _, y = blobs(rng, noise=1.5)
    one = MultiViewKMeans("maxagree", alphas=(0.5, 10.0, 20.0)).fit(Xs, y)
    two = MultiViewKMeans("sum").fit(Xs, y)
    np.testing.assert_array_equal(one.labels_, two.labels_)
    assert one.flips_ == two.flips_


def test_views_may_disagree_in_maxagree():
    X1 = np.eye(3)[[0, 1, 0]]
    X2 = np.eye(3)[[0, 1, 1]]  # row 2 looks like class 0 in view 1, like class 1 in view 2
    model = MultiViewKMeans("maxagree").fit([X1, X2], [0, 1, -1])
    assert model.label_sets_[2, 0].argmax() == 0
    assert model.label_sets_[2, 1].argmax() == 1
    assert model.labels_[2] == 0  # a tie between the two candidates goes to view 1
    second = MultiViewKMeans("maxagree", readout="view2").fit([X1, X2], [0, 1, -1])
    assert second.labels_[2] == 1
    with pytest.raises(ValueError, match="readout must be one of"):
        MultiViewKMeans("maxagree", readout="best").fit([X1, X2], [0, 1, -1])


def test_of_labels_that_views_hold_the_one_with_the_larger_sum_is_read(rng):
    """Ties go to view 1's, then to the first label."""
    scores, held = rng.integers(3, size=(200, 3, 4)) / 4, rng.integers(4, size=(200, 3))
    found = EStep("maxagree").read(np.eye(4, dtype=bool)[held], scores)
    for own, total, label in zip(held, scores.sum(axis=1), found, strict=True):
        best = [k for k in own if total[k] == total[own].max()]
        assert label == (own[0] if own[0] in best else min(best))


def test_zero_rows_and_zero_products():
    X1 = np.array([[1.0, 0], [0, 1], [0, 1], [0, 0]])
    X2 = np.array([[1.0, 0], [0, 1], [0, 0], [0, 0]])
    y = [0, 1, -1, -1]
    by_index = MultiViewKMeans("prod").fit([X1, X2], y)
    assert by_index.labels_.tolist() == [0, 1, 0, 0]
    by_sum = MultiViewKMeans("prod", zero_products="sum").fit([X1, X2], y)
    assert by_sum.labels_.tolist() == [0, 1, 1, 0]
    assert (by_index.scores_[3] == 0).all()


def test_cycles_are_detected():
    Xs, _, y = blobs(np.random.default_rng(4), n=60, noise=2.5)
    model = MultiViewKMeans("cotrain", max_iter=60).fit(Xs, y)
    assert model.cycle_length_ > 0
    assert not model.converged_


def test_alternating_cotraining_runs_one_view_at_a_time(rng):
    Xs, _, y = blobs(rng)
    model = MultiViewKMeans("cotrain", cotrain_order="alternating", max_iter=1).fit(Xs, y)
    free = y < 0
    assert model.label_sets_[free, 0].any(axis=1).all()
    assert not model.label_sets_[free, 1].any()


@pytest.mark.parametrize("combine", ["sum", "prod", "maxagree", "cotrain"])
def test_rows_that_lack_a_view_are_masked_and_rows_of_zeros_are_not(rng, combine):
    """Unless that is asked for. (What becomes of masked rows: the contract.)"""
    Xs, _, y = blobs(rng, apart=3.0)
    gone = (rng.random(len(y)) < 0.4) & (y < 0)  # a class must be labelled in every view
    Xs[1][gone] = 0.0
    lacking = Views(Xs, observed=np.column_stack([np.ones_like(gone), ~gone]))
    for views, missing in ((lacking, "mask"), (Views(Xs), "zero")):
        one = MultiViewKMeans(combine).fit(views, y)
        two = MultiViewKMeans(combine, missing=missing).fit(Xs, y)
        np.testing.assert_array_equal(one.label_sets_, two.label_sets_)


@pytest.mark.parametrize("combine", ["sum", "prod", "maxagree", "view1"])
@pytest.mark.parametrize("consistency", ["soft", "hard"])
def test_hierarchies(rng, combine, consistency):
    Xs, leaf, y = blobs(rng, noise=0.3, apart=3.0)
    names = [LEAVES[i] if i >= 0 else None for i in y]
    model = MultiViewKMeans(combine, TREE, consistency=consistency).fit(Xs, names)
    o, known = model.ontology_, y >= 0
    predicted = np.array([LEAVES.index(name) for name in model.labels_])
    np.testing.assert_array_equal(predicted[known], leaf[known])
    assert (predicted == leaf).mean() > 0.9
    assert model.score(Xs, names) > 0.9
    if consistency == "hard":
        assert not o.violations(model.label_sets_, "ancestors", "disjoint").any()
    sets = np.array([o.closure([name] if name else []) for name in names])
    again = MultiViewKMeans(combine, Ontology(TREE), consistency=consistency).fit(Xs, sets)
    np.testing.assert_array_equal(np.array(o.names)[again.labels_], model.labels_)
    if model.converged_:
        np.testing.assert_array_equal(model.predict(Xs)[~known], model.labels_[~known])


def test_clear_errors(rng):
    Xs, _, y = blobs(rng)
    names = [LEAVES[i] if i >= 0 else None for i in y]
    sets = np.array([Ontology(TREE).closure([name] if name else []) for name in names])
    bad = sets.copy()
    bad[0, Ontology(TREE).index["a"]] = False
    for combine, views, labels, text in (
        ("sum", Xs, [None if n == "a2" else n for n in names], "'a2' has no labelled row"),
        ("sum", Xs, [("a1", "c"), *names[1:]], "label 'c' is not in the ontology"),
        ("sum", Xs, bad, r"row 0 \(.*\) violates the ontology"),
        ("sum", Xs, sets[:, :3], "boolean matrix of shape"),
        ("sum", Xs, names[:5], "one entry per row"),
        ("cotrain", Xs, names, "has no hierarchical variant"),
        ("sum", Xs[:1], names, "needs at least 2 views"),
    ):
        with pytest.raises(ValueError, match=text):
            MultiViewKMeans(combine, TREE).fit(views, labels)


def test_sums_of_raw_rows_weigh_long_rows_more():
    X, first = np.array([[10.0, 0], [0, 1], [0, 0], [1, 1]]), np.arange(4)[:, None] < 2
    unit, raw = (SphericalView(X, sum_raw=raw).centroids(first)[:, 0] for raw in (False, True))
    np.testing.assert_allclose(unit, np.sqrt([0.5, 0.5]))
    np.testing.assert_allclose(raw, np.array([10, 1]) / np.sqrt(101))


def by_hand(X, centroids, columns, out):
    """Product and sum rounded once, entry by entry in the row's order."""
    for i in range(X.shape[0]):
        for c, column in enumerate(columns):
            total = 0.0
            for e in range(X.indptr[i], X.indptr[i + 1]):
                exact = Fraction(X.data[e]) * Fraction(centroids[X.indices[e], c])
                total = float(exact + Fraction(total))
            out[i, column] = total


@pytest.mark.parametrize("index_type", [np.int32, np.int64])
def test_scores_are_those_of_plain_loops_to_the_bit(rng, index_type):
    for count in [*range(1, 10), 16, 17, 25, 40]:
        rows, features = int(rng.integers(1, 30)), int(rng.integers(1, 40))
        X = sp.random(rows, features, 0.3, "csr", random_state=rng)
        X.data -= 0.5
        X.indptr, X.indices = X.indptr.astype(index_type), X.indices.astype(index_type)
        centroids = rng.standard_normal((features, count))
        columns = rng.permutation(count + 3)[:count]
        expected = rng.standard_normal((rows, count + 3))
        fast = expected.copy()
        by_hand(X, centroids, columns, expected)
        # what stands behind the centroids must not matter
        table = np.concatenate([centroids.ravel(), np.full(kernels.WIDTH, np.nan)])
        kernels.centroid_scores(X.indptr, X.indices, X.data, table, columns, fast)
        assert np.array_equal(fast, expected), count


def test_sums_of_members_are_added_row_by_row(rng):
    for _ in range(10):
        rows, features, classes = (int(n) for n in rng.integers(1, 20, 3))
        X = sp.random(rows, features, 0.4, "csr", random_state=rng)
        members = rng.random((rows, classes)) < 0.4
        columns = rng.permutation(classes)[: int(rng.integers(1, classes + 1))]
        expected = np.zeros((features, columns.size))
        for i, c in zip(*np.nonzero(members[:, columns]), strict=True):
            for e in range(X.indptr[i], X.indptr[i + 1]):
                expected[X.indices[e], c] += X.data[e]
        found = np.full_like(expected, np.nan)
        kernels.member_sums(X.indptr, X.indices, X.data, members, columns, found)
        assert np.array_equal(found, expected)


@pytest.mark.parametrize("how", ["features", "gram"])
def test_a_state_is_what_all_its_members_give(rng, how):
    """Updates of the changed classes alone lead to the scores of all classes together.

    Rows without entries make classes that sum to zero: those keep their centroid.
    """
    for _ in range(5):
        rows, features, classes = (int(n) for n in rng.integers(2, 25, 3))
        X = sp.random(rows, features, 0.2, "csr", random_state=rng)
        view = SphericalView(X, how)
        state = ViewState(view, classes)
        scores = np.zeros((rows, classes))
        kept = np.zeros((rows, classes), dtype=bool)
        members = np.zeros((2, rows, classes), dtype=bool)
        for _ in range(6):
            flips = rng.random((rows, classes)) < rng.choice([0.01, 0.3])
            members[1] ^= flips
            state.update(members[1])
            sums = view.X.T @ members[1].astype(float)
            length = np.sqrt((sums**2).sum(axis=0))
            alive = (length > 0) & (members[1] != kept).any(axis=0)
            scores[:, alive] = view.X @ (sums[:, alive] / length[alive])
            kept[:, alive] = members[1][:, alive]
            assert np.allclose(state.scores, scores, atol=1e-12)
            assert np.array_equal(state.members, kept)


@pytest.mark.parametrize("k", [1, 2, 3, 4, 5, 8, 9, 17, 21])
def test_sweeps_of_kmeans_equal_dense_ones(k, rng):
    """Assignment with ties (equal centroids, zero rows) and unit sums against plain numpy."""
    X = rng.integers(0, 3, (40, 12)) * (rng.random((40, 12)) < 0.4) * 1.0
    X[5] = 0.0
    columns = sp.csr_matrix(X.T)
    centroids = rng.integers(-1, 2, (12, k)) * 1.0
    centroids[:, -1] = centroids[:, 0]
    labels, best = np.empty(40, np.int64), np.empty(40)
    kernels.nearest(X @ centroids, labels, best)
    np.testing.assert_array_equal(labels, (X @ centroids).argmax(axis=1))
    np.testing.assert_array_equal(best, (X @ centroids).max(axis=1))
    total = kernels.unit_sums(columns.indptr, columns.indices, columns.data, labels, centroids)
    sums = X.T @ np.eye(k)[labels]
    lengths = np.linalg.norm(sums, axis=0)
    np.testing.assert_allclose(centroids, sums / np.where(lengths > 0, lengths, 1.0), atol=1e-15)
    assert total == pytest.approx(lengths.sum())


@pytest.mark.parametrize("scaled", [False, True])
def test_views_side_by_side_are_their_concatenation(rng, scaled):
    Xs = [sp.random_array((30, width), density=0.3, rng=rng).toarray() for width in (40, 70)]
    Xs[0][:3] = 0.0  # rows that lack a view, or all
    Xs[1][2:5] = 0.0
    joined = concatenated([SphericalView(X, "gram") for X in Xs], scaled)
    units = [SphericalView(X, "features").X.toarray() for X in Xs]
    alone = SphericalView(np.hstack(units if scaled else Xs), "features")
    assert alone.gram is None
    np.testing.assert_allclose(joined.X.toarray(), alone.X.toarray(), atol=1e-15)
    rows = alone.X.toarray()
    np.testing.assert_allclose(joined.gram, rows @ rows.T, atol=1e-12)


@pytest.mark.parametrize("rule", ["sum", "prod"])
def test_one_label_set_for_all_views_has_its_own_weights(rng, rule):
    ontology = Ontology(TREE)
    scores = rng.random((200, 2, len(ontology)))
    one, two = (
        EStep(rule, ontology, alphas=alphas).assign(scores)
        for alphas in ((0.5, 0.1, 1.0), (10.0, 0.1, 0.01))
    )
    np.testing.assert_array_equal(one, two)
