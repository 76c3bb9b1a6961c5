"""A fit that is looked at after every iteration, so that one run answers all caps."""

from typing import Any

import numpy as np

from manyviews.models.multiview_kmeans import MultiViewKMeans


class Traced(MultiViewKMeans):
    """Keeps the labels a fit would have given had it stopped after each iteration."""

    def _iterate(self, *parts: Any) -> None:
        self._trail: list[np.ndarray] = []
        super()._iterate(*parts)

    def _swept(self, states: Any, sets: np.ndarray) -> None:
        scores = np.stack([state.scores for state in states], axis=1)
        self._trail.append(self._estep(len(states)).read(sets, scores, self._present))

    def trail(self, given: np.ndarray) -> list[np.ndarray]:
        """Return the labels after 1, 2, ... iterations; labelled rows keep theirs."""
        return [np.where(given >= 0, given, self.classes_[labels]) for labels in self._trail]
