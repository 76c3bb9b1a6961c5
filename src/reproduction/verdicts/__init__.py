"""From rows to words: a verdict for each published cell, a test for each published claim.

The rule itself is the package :mod:`asprinted`, which knows no paper. Here ``readings`` finds the
rows that answer a cell, ``data_facts`` says what the data are, ``ledger`` and ``claim_scores``
judge all of a paper, ``hypotheses`` what was tried, ``replication`` counts; ``chain`` begins.
"""
