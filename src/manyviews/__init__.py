"""Multi-view learning: estimators that learn from several views of the same rows.

Estimators take the views as a list of matrices (same rows), a mapping from names to matrices, or
:class:`Views`, and follow the scikit-learn contract. Start at :mod:`manyviews.models`,
:mod:`manyviews.baselines` and :mod:`manyviews.assignment`.
"""

from manyviews._lazy import attach

__version__ = "0.2.0"
__getattr__, __dir__ = attach(__name__, __file__)
__all__ = __dir__()
