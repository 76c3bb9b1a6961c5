"""From rows to words: a verdict for each published cell, a test for each published claim.

The rule knows no paper: ``words``, ``margins``, ``agreement`` (a cell), ``statistics``, ``parts``,
``claims`` (a sentence), ``base_rates`` and ``simulate`` (what a count of words is worth). Around it
``readings`` finds the rows that answer a cell, ``data_facts`` says what the data are, ``ledger``
and ``claim_scores`` judge all of a paper, ``hypotheses`` what was tried; ``score`` begins.
"""
