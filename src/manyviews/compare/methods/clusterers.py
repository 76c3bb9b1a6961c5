"""Table of clusterers."""

from typing import Any

from sklearn.cluster import KMeans
from sklearn.pipeline import make_pipeline

from manyviews.baselines.cca_kmeans import CCAKMeans
from manyviews.baselines.coreg_spectral import CoRegularisedSpectral
from manyviews.baselines.graph_clustering import AMGL, MeanGraphSpectral
from manyviews.baselines.lsa_kmeans import LSAKMeans
from manyviews.baselines.mvc import MultiViewClustering
from manyviews.baselines.one_table import PLSAClustering
from manyviews.baselines.spherical_kmeans import SphericalKMeans
from manyviews.baselines.vote_plsa import VotePLSA
from manyviews.compare.method import Facts, Method, Settings, most, several, two_views
from manyviews.compare.prepare import as_counts, prepared, weighted
from manyviews.models.pairwise_coplsa import PairwiseCoPLSA

#: Columns from which CCA sees a view by topics, and pairs of rows in a penalty at most.
WIDE, PAIRS = 300, 100_000


def cca_kmeans(facts: Facts, settings: Settings, seed: int) -> Any:
    """Return CCA and k-means; wide views are reduced to topics first."""
    wide = max(view.width for view in facts.views) > WIDE
    model = CCAKMeans(facts.n_classes, n_topics=50 if wide else None, random_state=seed)
    return make_pipeline(as_counts(facts) if wide else weighted(facts), model)


def seeded(kind: Any, **more: Any) -> Any:
    """Return how a clusterer is built that wants the number of clusters and a seed."""
    return lambda facts, s, seed: kind(facts.n_classes, random_state=seed, **more)


_TASK = ("cluster",)
METHODS = (
    Method("K-means on the concatenation", _TASK, "control",
           prepared(seeded(KMeans, n_init=10), table=True), one_table=True, key="kmeans"),
    Method("LSA and k-means", _TASK, "plain", prepared(seeded(LSAKMeans)), one_table=True,
           key="lsa_kmeans", unfit=lambda facts:
           "" if facts.width > 3 else "needs more than three columns"),
    Method("Spectral clustering of the mean graph", _TASK, "plain",
           prepared(seeded(MeanGraphSpectral)), unfit=most(6000), key="mean_graph_spectral"),
    Method("AMGL", _TASK, "plain", prepared(seeded(AMGL)), key="amgl",
           unfit=lambda facts: several(facts) or most(20_000)(facts)),
    Method("Cosine k-means on the concatenation", _TASK, "paper",
           prepared(seeded(SphericalKMeans), table=True), one_table=True, key="spherical_kmeans"),
    Method("PLSA on the concatenation", _TASK, "paper",
           prepared(seeded(PLSAClustering), as_counts, table=True), one_table=True, key="plsa"),
    Method("CCA and k-means", _TASK, "paper", cca_kmeans, unfit=two_views, key="cca_kmeans"),
    Method("Co-regularised spectral clustering", _TASK, "paper",
           prepared(seeded(CoRegularisedSpectral, affinity="cosine", n_neighbors=15)),
           unfit=lambda facts: several(facts) or most(6000)(facts), key="coreg_spectral"),
    Method("MVC", _TASK, "paper", prepared(seeded(MultiViewClustering, n_init=3, n_restarts=3)),
           unfit=several, key="mvc"),
    Method("Pairwise Co-PLSA", _TASK, "paper",
           prepared(lambda facts, s, seed: PairwiseCoPLSA(
               facts.n_classes, pair_share=min(PAIRS, facts.n_rows * (facts.n_rows - 1) // 4),
               random_state=seed), as_counts), unfit=several, key="pairwise_coplsa"),
    Method("Vote-based PLSA", _TASK, "paper", prepared(seeded(VotePLSA), as_counts), unfit=several,
           key="vote_plsa"),
)  # fmt: skip
