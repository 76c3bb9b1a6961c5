"""The papers' estimators."""

from manyviews._lazy import attach

__getattr__, __dir__ = attach(__name__, __file__)
__all__ = __dir__()
