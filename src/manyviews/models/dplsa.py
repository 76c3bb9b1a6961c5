r"""DPLSA: dual PLSA (Yoo and Choi 2009), MVPLSA's single-view special case.

.. math:: p(f,d) = \sum_{y,z} p(f|y)\,p(y|z)\,p(z|d)\,p(d)
          \qquad\text{(eq. 2 of Zhuang et al. 2012)}

On several views it works on their concatenation. That is another model than MVPLSA: one p(f|y)
spans all views, so a class can also encode how long a document is in one view against another.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.sparse as sp

from manyviews.models.mvplsa import MVPLSA
from manyviews.preprocessing.sparse import hstack_csr

__all__ = ["DPLSA"]


class DPLSA(MVPLSA):
    """Dual PLSA on one view, or on the concatenation of several.

    Takes the parameters and has the attributes of :class:`~manyviews.models.mvplsa.MVPLSA`, with
    one entry in ``feature_topic_`` and ``topic_class_`` and ``n_topics`` for the joint features.
    The start of p(z|d) still comes from the views one by one, as MVPLSA's does, so that the two
    differ in the model alone. A single matrix may be passed instead of a list.
    """

    def fit(self, Xs: Any, y: Any = None) -> DPLSA:
        """Fit to one matrix or a list of views; see :meth:`MVPLSA.fit`."""
        super().fit(_as_list(Xs), y)
        return self

    def transform(self, Xs: Any) -> np.ndarray:
        """Return p(z|d) of new documents; see :meth:`MVPLSA.transform`."""
        return super().transform(_as_list(Xs))

    def _modelled(self, views: list[sp.csr_matrix]) -> list[sp.csr_matrix]:
        return [hstack_csr(views)] if len(views) > 1 else views


def _as_list(Xs: Any) -> Any:
    """Wrap a single matrix (sparse, or a 2-D array) in a list."""
    if sp.issparse(Xs) or (isinstance(Xs, np.ndarray) and Xs.ndim == 2):
        return [Xs]
    return Xs
