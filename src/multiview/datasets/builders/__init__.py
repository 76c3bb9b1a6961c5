"""Parsers and view construction, one module per family of sources.

Every builder is a function ``build(raw, *, entry, variant, provenance, **options)`` that reads the
fetched files in the folder ``raw`` and returns a :class:`~multiview.datasets.format.MultiViewData`.
This package imports nothing itself: :mod:`multiview.datasets.build` loads the one it needs.
"""
