"""Table of classifiers, and what of them is no estimator elsewhere."""

from typing import Any

from sklearn.decomposition import TruncatedSVD
from sklearn.dummy import DummyClassifier
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import ComplementNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer
from sklearn.semi_supervised import LabelSpreading
from sklearn.svm import LinearSVC

from manyviews.baselines.cotraining import CoTraining
from manyviews.baselines.graph_classifiers import SGC, GraphSpreading
from manyviews.baselines.naive_bayes import NaiveBayesEnsemble
from manyviews.baselines.stacking import Stacking
from manyviews.compare.method import Facts, Method, Settings, grid, most, several, two_views
from manyviews.compare.prepare import as_counts, prepared, weighted
from manyviews.models.dplsa import DPLSA
from manyviews.models.multi_view_pa import MultiViewPassiveAggressive
from manyviews.models.multiview_kmeans import MultiViewKMeans
from manyviews.models.mvplsa import MVPLSA
from manyviews.models.two_view_pa import TwoViewPassiveAggressive
from manyviews.views import Views

#: Columns up to which trees and neighbours see the table itself.
WIDE = 200


def regression(facts: Facts, settings: Settings, seed: int) -> Any:
    """Return logistic regression with the penalty of the settings."""
    return LogisticRegression(C=settings["C"], max_iter=1000)


def _narrow(model: Any, facts: Facts, rank: int, seed: int) -> Any:
    """Return a model that sees wide tables reduced to so many directions."""
    wide = facts.width > WIDE
    return make_pipeline(TruncatedSVD(rank, random_state=seed), model) if wide else model


def boosted(facts: Facts, settings: Settings, seed: int) -> Any:
    """Return gradient boosted trees."""
    model = HistGradientBoostingClassifier(max_iter=50, max_leaf_nodes=15, random_state=seed)
    return _narrow(model, facts, 50, seed)


def spreading(facts: Facts, s: Settings, seed: int) -> Any:
    """Return label spreading (Zhou et al. 2004)."""
    model = LabelSpreading("knn", n_neighbors=s["neighbours"], alpha=s["alpha"], max_iter=100)
    return _narrow(model, facts, 100, seed)


def graph_views(facts: Facts) -> list[Any]:
    """Return the views that can serve as a graph: links first, else sparse counts."""
    links = [view for view in facts.views if view.graph]
    return links or [view for view in facts.views if view.kind == "counts" and view.sparse]


def convolved(facts: Facts, settings: Settings, seed: int) -> Any:
    """Return simple graph convolution over the first view that can serve as a graph."""
    graph = graph_views(facts)[0]
    used = [view.name for view in facts.views if view.name == graph.name or not view.graph]
    pick = FunctionTransformer(lambda Xs: Views(Xs).select(used))
    model = SGC(settings["hops"], settings["C"], graphs=[graph.name], shared=not graph.graph)
    return make_pipeline(weighted(facts), pick, model)


C = grid(C=(1.0, 10.0, 0.1, 100.0))
_RULES = ("maxagree", "sum", "prod", "cotrain")
_BOTH = ("classify", "cluster")
METHODS = (
    Method("Majority class", ("classify",), "control",
           lambda facts, s, seed: DummyClassifier(strategy="most_frequent"), key="majority"),
    Method("Chance", ("classify",), "control", lambda facts, s, seed: DummyClassifier(
               strategy="stratified", random_state=seed), key="chance"),
    Method("Logistic regression on the concatenation", ("classify",), "control",
           prepared(regression, table=True), C, one_table=True, key="concatenation"),
    Method("Linear SVM on the concatenation", ("classify",), "plain",
           prepared(lambda facts, s, seed: LinearSVC(
               C=s["C"], random_state=seed, max_iter=3000), table=True),
           grid(C=(1.0, 10.0, 0.1, 0.01)), one_table=True, key="linear_svm"),
    Method("Complement naive Bayes", ("classify",), "plain",
           prepared(lambda facts, s, seed: ComplementNB(alpha=s["alpha"]), as_counts, table=True),
           grid(alpha=(1.0, 0.1, 0.01)), one_table=True, key="complement_nb"),
    Method("Gradient boosted trees", ("classify",), "plain",
           prepared(boosted, table=True, narrow=WIDE), one_table=True, key="gradient_boosting",
           unfit=lambda facts: most(20, "classes")(facts) or most(20_000)(facts)),
    Method("Label spreading", ("classify",), "plain", prepared(spreading, table=True),
           grid(neighbours=(10, 25), alpha=(0.8, 0.2)), transductive=True, unfit=most(20_000),
           one_table=True, key="label_spreading"),
    Method("Stacking of the views", ("classify",), "plain",
           prepared(lambda facts, s, seed: Stacking(s["C"], random_state=seed)),
           grid(C=(10.0, 1.0, 100.0)), unfit=several, key="stacking"),
    Method("Labels that spread over the views' graphs", ("classify",), "plain",
           prepared(lambda facts, s, seed: GraphSpreading()), transductive=True,
           unfit=lambda facts: several(facts) or most(10_000)(facts), key="graph_spreading"),
    Method("Graph smoothing and regression (SGC)", ("classify",), "plain",
           convolved, tuple({"hops": hops, "C": C}
                 for hops, C in ((2, 10.0), (2, 1.0), (1, 10.0), (3, 10.0))),
           transductive=True, key="sgc", unfit=lambda facts: "" if graph_views(facts) else
           "no view holds links, or sparse counts to link rows by"),
    Method("Naive Bayes of the views", ("classify",), "paper",
           prepared(lambda facts, s, seed: NaiveBayesEnsemble(s["alpha"], s["combine"]), as_counts),
           grid(combine=("mean", "product"), alpha=(1.0, 0.1)), key="naive_bayes"),
    Method("Co-training", ("classify",), "paper",
           prepared(lambda facts, s, seed: CoTraining(
               (s["per_class"],) * facts.n_classes, random_state=seed), as_counts),
           grid(per_class=(1, 3)), transductive=True, unfit=two_views, key="cotraining"),
    Method("Multi-view passive-aggressive", ("classify",), "paper",
           prepared(lambda facts, s, seed: MultiViewPassiveAggressive(
               s["C"], s["gamma"], max_iter=5, random_state=seed)),
           grid(C=(0.1, 1.0), gamma=(0.01, 0.1)), key="multi_view_pa"),
    # as printed, which knows two classes
    Method("Two-view passive-aggressive", ("classify",), "paper",
           prepared(lambda facts, s, seed: TwoViewPassiveAggressive(
               s["C"], s["gamma"], max_iter=5, random_state=seed)),
           grid(C=(0.1, 1.0), gamma=(0.05, 0.5)), key="two_view_pa",
           unfit=lambda facts: two_views(facts) or most(2, "classes")(facts)),
    Method("Multi-view k-means", ("classify",), "paper",
           prepared(lambda facts, s, seed: MultiViewKMeans(s["combine"])), grid(combine=_RULES),
           transductive=True, unfit=several, key="multiview_kmeans"),
    # without classes, the classes of MVPLSA and DPLSA are clusters
    Method("MVPLSA", _BOTH, "paper",
           prepared(lambda facts, s, seed: MVPLSA(
               s["topics"], n_classes=facts.n_clusters, max_iter=60, tol=1e-5,
               view_weights=s["weights"], random_state=seed), as_counts),
           ({"topics": 32, "weights": None}, {"topics": 32, "weights": "balanced"},
            {"topics": 96, "weights": None}), transductive=True, key="mvplsa"),
    Method("DPLSA", _BOTH, "paper",
           prepared(lambda facts, s, seed: DPLSA(
               s["topics"], n_classes=facts.n_clusters, max_iter=60, tol=1e-5, random_state=seed),
               as_counts), grid(topics=(32, 96)), transductive=True, one_table=True, key="dplsa"),
)  # fmt: skip
