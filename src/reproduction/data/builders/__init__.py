"""Parsers and view construction, one module per family of sources.

Every builder is a function ``build(raw, *, entry, variant, provenance, **options)`` that reads the
fetched files in the folder ``raw`` and returns a :class:`~reproduction.data.format.MultiViewData`.
This package imports nothing itself: :mod:`reproduction.data.build` loads the one it needs.
"""
