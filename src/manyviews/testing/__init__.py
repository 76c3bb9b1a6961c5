"""Checks that an estimator on several views keeps the contract of this library.

:func:`check_multiview_estimator` is what scikit-learn's ``check_estimator`` is for one matrix.
"""

from manyviews._lazy import attach

__getattr__, __dir__ = attach(__name__, __file__)
__all__ = __dir__()
