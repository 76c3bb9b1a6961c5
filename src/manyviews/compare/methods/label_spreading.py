"""Label spreading (Zhou et al. 2004) on the neighbour graph of the concatenation."""

from typing import Any

from sklearn.decomposition import TruncatedSVD
from sklearn.semi_supervised import LabelSpreading

from manyviews.compare.method import Facts, Method, Settings
from manyviews.compare.prepare import Prepared, weighted


def build(facts: Facts, settings: Settings, seed: int) -> Any:
    """Return the classifier."""
    model: Any = LabelSpreading(
        kernel="knn", n_neighbors=settings["neighbours"], alpha=settings["alpha"], max_iter=100
    )
    if sum(facts.widths) > 200:
        model = Reduced(model, seed)
    return Prepared(weighted(facts), model, joined=True)


class Reduced:
    """A model on 100 directions of a wide table, where neighbours are found faster."""

    def __init__(self, model: Any, seed: int) -> None:
        self.model = model
        self.reduction = TruncatedSVD(100, random_state=seed)

    def fit(self, X: Any, y: Any) -> Any:
        """Reduce and fit."""
        self.model.fit(self.reduction.fit_transform(X), y)
        return self

    def predict(self, X: Any) -> Any:
        """Reduce and predict."""
        return self.model.predict(self.reduction.transform(X))

    @property
    def transduction_(self) -> Any:
        """Labels of the rows it was fitted to."""
        return self.model.transduction_


def unfit(facts: Facts) -> str:
    """Say when it would take too long."""
    return "more than 20,000 rows take too long" if facts.n_rows > 20_000 else ""


GRID = tuple(
    {"neighbours": k, "alpha": alpha} for k, alpha in ((10, 0.8), (10, 0.2), (25, 0.8), (25, 0.2))
)
METHOD = Method(
    "Label spreading", ("classify",), "plain", build, GRID, transductive=True, unfit=unfit,
    one_table=True,
)  # fmt: skip
