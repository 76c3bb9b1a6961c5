"""Multi-view learning: five published methods as tested estimators, and their reproduction.

Estimators take a list of views ``Xs`` (one matrix per view, same rows) and follow the
scikit-learn contract. Start at :mod:`multiview.models`, :mod:`multiview.baselines` and
:mod:`multiview.assignment`; the papers' protocols live in :mod:`multiview.experiments`.
"""

__version__ = "0.1.0"
