"""Multi-view learning: estimators that learn from several views of the same rows.

Estimators take a list of views ``Xs`` (one matrix per view, same rows) and follow the
scikit-learn contract. Start at :mod:`manyviews.models`, :mod:`manyviews.baselines` and
:mod:`manyviews.assignment`.
"""

__version__ = "0.2.0.dev0"
