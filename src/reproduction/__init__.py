"""Papers on multi-view learning, rebuilt on the library :mod:`manyviews`.

Stations: :mod:`reproduction.data` (fetch, build views), :mod:`reproduction.results` (fit),
:mod:`reproduction.verdicts` (score) and :mod:`reproduction.pages` (write). Every paper has a room
of its own in :mod:`reproduction.papers`; :mod:`reproduction.workflow` is what Snakemake needs.
"""
