"""Online logistic regression on the concatenation, and on every view alone."""

from typing import Any

from sklearn.linear_model import SGDClassifier

from manyviews.compare.method import Facts, Method, Settings
from manyviews.compare.online import Online
from manyviews.compare.prepare import OneView, one_view_facts


class OneOnlineView(OneView):
    """An online estimator that sees one view alone."""

    def partial_fit(self, Xs: Any, y: Any) -> Any:
        """Learn a block; the estimator picks its view."""
        self.estimator.partial_fit(Xs, y)
        return self


def regression(seed: int) -> SGDClassifier:
    """Return logistic regression by averaged stochastic gradients."""
    return SGDClassifier(loss="log_loss", alpha=1e-4, average=True, random_state=seed)


def build(facts: Facts, settings: Settings, seed: int) -> Any:
    """Return the learner."""
    return Online(facts, regression(seed))


def methods(facts: Facts) -> dict[str, Method]:
    """Return the learner on all views, and one a view if there are several."""
    found = {
        "online_concatenation": Method(
            "Online logistic regression on the concatenation",
            ("stream",),
            "control",
            build,
            one_table=True,
        )
    }
    for v, name in enumerate(facts.names if facts.n_views > 1 else ()):
        alone = one_view_facts(facts, v)

        def one(facts: Facts, settings: Settings, seed: int, alone: Facts = alone) -> Any:
            return OneOnlineView(Online(alone, regression(seed)), alone.names[0])

        found[f"online_view.{name}"] = Method(
            f"View '{name}' alone, online logistic regression", ("stream",), "control", one
        )
    return found
