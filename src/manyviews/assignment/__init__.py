"""Exact label-set assignment: closed forms, enumeration, tree programmes and the MIP oracle.

Names are loaded on first use, so that importing one module does not load (or depend on) the rest.
"""

from manyviews._lazy import attach

__getattr__, __dir__ = attach(__name__, __file__)
__all__ = __dir__()
