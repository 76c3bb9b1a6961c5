r"""DPLSA: dual PLSA (Yoo and Choi 2009), MVPLSA's single-view special case.

.. math:: p(f,d) = \sum_{y,z} p(f|y)\,p(y|z)\,p(z|d)\,p(d)
          \qquad\text{(eq. 2 of Zhuang et al. 2012)}

On several views it works on their concatenation. That is another model than MVPLSA: one p(f|y)
spans all views, so a class can also encode how long a document is in one view against another.
"""

import scipy.sparse as sp

from manyviews.models.mvplsa import MVPLSA
from manyviews.preprocessing.sparse import hstack_csr

__all__ = ["DPLSA"]


class DPLSA(MVPLSA):
    """Dual PLSA on one view, or on the concatenation of several.

    Takes the parameters and has the attributes of :class:`~manyviews.models.mvplsa.MVPLSA`, with
    one entry in ``topic_word_`` and ``topic_class_`` and ``n_topics`` for the joint features.
    The start of p(z|d) still comes from the views one by one, as MVPLSA's does, so that the two
    differ in the model alone.

    References
    ----------
    Jiho Yoo and Seungjin Choi (2009). Probabilistic matrix tri-factorization. IEEE
    International Conference on Acoustics, Speech and Signal Processing.

    Examples
    --------
    >>> import numpy as np
    >>> words = np.array([[3, 0], [2, 0], [0, 3], [0, 2]])
    >>> DPLSA(n_topics=2, max_iter=50, random_state=0).fit([words], ["a", None, "b", None]).labels_
    array(['a', 'a', 'b', 'b'], dtype='<U1')
    """

    def _modelled(self, views: list[sp.csr_matrix]) -> list[sp.csr_matrix]:
        return [hstack_csr(views)] if len(views) > 1 else views
