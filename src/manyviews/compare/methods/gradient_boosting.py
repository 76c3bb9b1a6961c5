"""Gradient boosted trees on the concatenation; wide tables are reduced to 50 directions."""

from typing import Any

from sklearn.decomposition import TruncatedSVD
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.pipeline import make_pipeline

from manyviews.compare.method import Facts, Method, Settings
from manyviews.compare.prepare import Prepared, weighted

#: Columns up to which trees see the table itself.
WIDE = 200


def build(facts: Facts, settings: Settings, seed: int) -> Any:
    """Return the classifier."""
    model: Any = HistGradientBoostingClassifier(max_iter=50, max_leaf_nodes=15, random_state=seed)
    if sum(facts.widths) > WIDE:
        model = make_pipeline(TruncatedSVD(50, random_state=seed), model)
    return Prepared(weighted(facts), model, joined=True, dense=sum(facts.widths) <= WIDE)


def unfit(facts: Facts) -> str:
    """Say when it would take too long."""
    if facts.n_classes > 20:
        return f"a tree a class and step is too slow for {facts.n_classes} classes (20 at most)"
    return "more than 20,000 rows take too long" if facts.n_rows > 20_000 else ""


METHOD = Method(
    "Gradient boosted trees", ("classify",), "plain", build, unfit=unfit, one_table=True
)
