"""Compare many methods on your own data, fairly, and say which to use.

The only part of the library that knows files; no estimator imports it. It needs the extra
``compare``: ``pip install manyviews[compare]``.
"""
