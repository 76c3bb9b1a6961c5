"""A rival to copy: an estimator of the library beside the paper's methods."""

import numpy as np
import scipy.sparse as sp

from manyviews.baselines.mvc import MultiViewClustering
from reproduction.papers.coplsa_clustering.rivals import compare
from reproduction.results.jobs import Context
from reproduction.results.rows import Result


def predict(Xs: list[sp.csr_matrix], n_clusters: int, seed: int) -> np.ndarray:
    """Return a cluster for every document."""
    return MultiViewClustering(n_clusters, random_state=seed).fit(Xs).labels_


def run(context: Context) -> Result:
    """Run it as every method of Table 1 is run."""
    return compare(context, "MVC", predict)
