"""Co-regularised spectral clustering (Kumar et al. 2011)."""

from typing import Any

from manyviews.baselines.coreg_spectral import CoRegularisedSpectral
from manyviews.compare.method import Facts, Method, Settings
from manyviews.compare.prepare import Prepared, weighted


def build(facts: Facts, settings: Settings, seed: int) -> Any:
    """Return the clusterer."""
    model = CoRegularisedSpectral(
        facts.n_classes, affinity="cosine", n_neighbors=15, random_state=seed
    )
    return Prepared(weighted(facts), model)


def unfit(facts: Facts) -> str:
    """Say when there is nothing to combine, or too much."""
    if facts.n_views == 1:
        return "there is one view only"
    return "more than 6,000 rows take too long" if facts.n_rows > 6000 else ""


METHOD = Method("Co-regularised spectral clustering", ("cluster",), "paper", build, unfit=unfit)
