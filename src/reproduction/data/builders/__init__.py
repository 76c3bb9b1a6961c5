"""Parsers and view construction, one module per family of sources.

Every builder is a function ``build(files, *, key, **options)`` of the fetched files
(:class:`~reproduction.data.builders.raw.RawFiles`) that returns the fields of a
:class:`~reproduction.data.format.MultiViewData`. This package imports nothing itself:
:mod:`reproduction.data.build` loads the one it needs.
"""
