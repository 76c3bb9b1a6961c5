"""Model selection with unlabelled rows, and rows hidden on purpose.

scikit-learn's ``cross_validate``, ``GridSearchCV`` and ``Pipeline`` take
:class:`~manyviews.views.Views` as they are. Where some rows have no label, :class:`LabelledFold`
splits the labelled ones and lets the others help in every training; :func:`transductive_validate`
trains on all rows with the held-out labels hidden.
"""

import time
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from sklearn.base import clone
from sklearn.metrics import get_scorer
from sklearn.model_selection import StratifiedKFold, check_cv

from manyviews.alignment import in_row_order
from manyviews.base import labelled_accuracy
from manyviews.labels import UNLABELLED, partial_labels, scored_rows
from manyviews.rows import gathered
from manyviews.validation import check_real
from manyviews.views import Views


def _ids(Xs: Any) -> np.ndarray | None:
    return Xs.ids if isinstance(Xs, Views) else None


def _array(y: Any) -> np.ndarray:
    """Return labels as they are, those of a plain list as objects."""
    return np.asarray(y, dtype=None if hasattr(y, "dtype") else object)


class LabelledFold:
    """Splitter that tests on labelled rows only and trains on all others.

    Parameters
    ----------
    cv : int or splitter, default 5
        How the labelled rows are split; a number means stratified folds.

    Examples
    --------
    >>> import numpy as np
    >>> y = np.array(["a", "b", None, "a", "b", None], dtype=object)
    >>> for train, test in LabelledFold(2).split(np.zeros((6, 1)), y):
    ...     print(train, test)
    [2 3 4 5] [0 1]
    [0 1 2 5] [3 4]
    """

    def __init__(self, cv: Any = 5) -> None:
        self.cv = cv

    def split(self, X: Any, y: Any, groups: Any = None) -> Iterator[tuple[np.ndarray, np.ndarray]]:
        """Yield training rows (all unlabelled ones among them) and labelled test rows."""
        y = in_row_order(y, _ids(X), "y")
        groups = in_row_order(groups, _ids(X), "groups", needed=True)
        labels = partial_labels(y, len(y))
        rows = np.flatnonzero(labels.known)
        inside = None if groups is None else np.asarray(groups)[rows]
        for _, test in self._splitter().split(rows, labels.codes[rows], inside):
            held = np.sort(rows[test])
            yield np.setdiff1d(np.arange(len(labels.codes)), held), held

    def get_n_splits(self, X: Any = None, y: Any = None, groups: Any = None) -> int:
        """Return the number of splits."""
        return int(self._splitter().get_n_splits(X, y, groups))

    def _splitter(self) -> Any:
        return StratifiedKFold(self.cv) if isinstance(self.cv, int) else check_cv(self.cv)


def labelled_scorer(scoring: Any = "accuracy") -> Callable[[Any, Any, Any], float]:
    """Return a scorer that leaves out unlabelled rows (None, NaN, or -1 among numbers).

    scikit-learn's own, such as ``scoring="accuracy"``, take a marker for a class and count the
    row as wrong.

    Parameters
    ----------
    scoring
        Name of a scorer of scikit-learn, or a scorer.

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn.model_selection import cross_val_score
    >>> from manyviews.baselines import NaiveBayesEnsemble
    >>> views, y = Views([np.eye(2)[[0, 1] * 8]]), np.array([0, 1, 0, 1, 0, 1, -1, -1] * 2)
    >>> cross_val_score(NaiveBayesEnsemble(), views, y, cv=2, scoring=labelled_scorer("f1_macro"))
    array([1., 1.])
    """
    scorer = get_scorer(scoring)

    def score(estimator: Any, Xs: Any, y: Any) -> float:
        y = in_row_order(y, _ids(Xs), "y")
        labels, known = scored_rows(y, len(Xs), estimator.classes_)
        return float(scorer(estimator, Xs[known, ...], labels[known]))

    return score


def hide_labels(y: Any, rows: np.ndarray) -> np.ndarray:
    """Return a copy of ``y`` whose given rows are unlabelled: -1 among numbers, else None."""
    labels = _array(y)
    hidden = labels.copy() if labels.dtype.kind in "if" else labels.astype(object)
    hidden[rows] = UNLABELLED if labels.dtype.kind in "if" else None
    return hidden


def transductive_validate(estimator: Any, Xs: Any, y: Any, *, cv: Any = 5) -> dict[str, np.ndarray]:
    """Score an estimator on held-out labels of rows that it sees in training, without them.

    Parameters
    ----------
    estimator
        Has ``fit(Xs, y)`` and then ``labels_``, the answer for the training rows.
    Xs, y
        Views and labels; unlabelled rows are never scored.
    cv : int or splitter
        As in :class:`LabelledFold`.

    Returns
    -------
    dict
        ``test_score`` (accuracy on the held-out labels) and ``fit_time`` of every split.

    Examples
    --------
    >>> import numpy as np
    >>> from manyviews.models import MultiViewKMeans
    >>> Xs = [np.eye(2)[[0, 1] * 4], np.eye(2)[[0, 1] * 4]]
    >>> transductive_validate(MultiViewKMeans(), Xs, ["a", "b"] * 4, cv=2)["test_score"]
    array([1., 1.])
    """
    Xs = gathered(Xs)
    y = in_row_order(y, _ids(Xs), "y")
    scores, seconds = [], []
    for _, held in LabelledFold(cv).split(Xs, y):
        start = time.perf_counter()
        model = clone(estimator).fit(Xs, hide_labels(y, held))
        seconds.append(time.perf_counter() - start)
        scores.append(labelled_accuracy(_array(y)[held], np.asarray(model.labels_)[held]))
    return {"test_score": np.array(scores), "fit_time": np.array(seconds)}


def ampute(Xs: Any, share: float, random_state: int | np.random.Generator | None = None) -> Views:
    """Return the views with some rows taken out of some of them, for studies of missing views.

    Parameters
    ----------
    Xs
        Views, a mapping or a list.
    share : float in [0, 1]
        Rows that lose a view. Each loses one view at random, among those it has, and keeps at
        least one.
    random_state
        Source of the choice.

    Examples
    --------
    >>> import numpy as np
    >>> ampute([np.ones((10, 2)), np.ones((10, 3))], 0.3, random_state=0)
    Views(10 rows: view0 2, view1 3; 3 missing)
    """
    check_real("share", share, 0.0, 1.0)
    views = Views(Xs)
    rng = np.random.default_rng(random_state)
    able = np.flatnonzero(views.observed.sum(axis=1) > 1)
    count = min(able.size, round(share * len(views)))
    observed = views.observed.copy()
    for row in rng.choice(able, size=count, replace=False):
        observed[row, rng.choice(np.flatnonzero(observed[row]))] = False
    return Views(views, observed=observed)
