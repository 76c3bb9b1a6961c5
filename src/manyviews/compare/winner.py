"""The fitted winner: saved, loaded, and used on new files with three lines."""

from __future__ import annotations

import io
import pickle
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import joblib
import numpy as np
import scipy.sparse as sp

from manyviews.compare.comparison import Comparison
from manyviews.compare.fit import fitted, tuned
from manyviews.compare.reading.own import OwnData, read_own
from manyviews.compare.store import write_bytes
from manyviews.seeding import integer_seed
from manyviews.views import Views


@dataclass
class Winner:
    """A method fitted to all labelled rows, with what it needs to read new ones.

    Attributes
    ----------
    title, settings
        The method and the settings chosen on all labelled rows.
    estimator
        The fitted estimator on views.
    classes
        Names of the classes.
    names, columns, sparse
        The views it was fitted to, their columns in order, and whether they are sparse.
    predictions
        Id of every row of the comparison -> its class or cluster.
    """

    title: str
    settings: dict[str, Any]
    estimator: Any
    classes: list[str]
    names: tuple[str, ...]
    columns: list[list[str]]
    sparse: tuple[bool, ...]
    predictions: dict[str, str]

    def predict(self, new: str | Path | OwnData | Views) -> list[str]:
        """Return the class of every new row.

        Parameters
        ----------
        new
            A path as for the comparison (its columns are matched by name), own data that were
            read, or views with the fitted columns.
        """
        if isinstance(new, str | Path):
            new = read_own(new, fewest=1)
        views = self.matched(new) if isinstance(new, OwnData) else new
        try:
            codes = np.asarray(self.estimator.predict(views))
        except AttributeError:
            raise ValueError(
                f"{self.title} answers for the rows it was fitted to only: see `predictions`, or "
                "run the comparison again with the new rows among the old, unlabelled"
            ) from None
        return [self.classes[c] if 0 <= c < len(self.classes) else str(c) for c in codes]

    def matched(self, data: OwnData) -> Views:
        """Return new rows with the fitted views and columns; what they lack is zero."""
        matrices, observed = {}, []
        for name, columns, sparse in zip(self.names, self.columns, self.sparse, strict=True):
            if name not in data.views.names:
                matrices[name] = _as_fitted(sp.csr_matrix((len(data), len(columns))), sparse)
                observed.append(np.zeros(len(data), dtype=bool))
                continue
            v = data.views.names.index(name)
            place = {column: j for j, column in enumerate(data.columns[v])}
            pairs = [(place[c], j) for j, c in enumerate(columns) if c in place]
            old, new = zip(*pairs, strict=True) if pairs else ((), ())
            X = sp.csr_matrix(data.views.matrices[v])
            pick = sp.csr_matrix((np.ones(len(old)), (old, new)), shape=(X.shape[1], len(columns)))
            matrices[name] = _as_fitted(X @ pick, sparse)
            observed.append(data.views.observed[:, v])
        return Views(matrices, ids=data.views.ids, observed=np.column_stack(observed))


def _as_fitted(X: sp.csr_matrix, sparse: bool) -> Any:
    return X if sparse else X.toarray()


def fit_winner(found: Comparison, key: str) -> Winner:
    """Tune and fit a method on all labelled rows."""
    method, facts, data = found.methods[key], found.facts, found.data
    seed = integer_seed("compare", "winner", key)
    settings, _ = tuned(method, facts, data.views, data.codes, seed)
    estimator = fitted(method, facts, settings, data.views, data.codes, seed)
    if method.transductive or facts.clustering:
        codes = np.asarray(estimator.labels_)
    else:
        codes = np.asarray(estimator.predict(data.views))
    names = [str(c) for c in range(facts.n_classes)] if facts.clustering else data.classes
    told = {key: names[c] if c >= 0 else "" for key, c in zip(data.ids, codes, strict=True)}
    return Winner(
        method.title, dict(settings), estimator, list(names), data.views.names, data.columns,
        facts.sparse, told,
    )  # fmt: skip


def save(winner: Winner, path: Path) -> str:
    """Write the winner whole or not at all; return why it could not be saved, or nothing."""
    buffer = io.BytesIO()
    try:
        joblib.dump(winner, buffer, compress=3)
    except (pickle.PicklingError, AttributeError, TypeError) as error:
        return (
            f"the fitted winner could not be saved ({error}); keep the classes of your own method "
            "in a module that Python can import"
        )
    write_bytes(path, buffer.getvalue())
    return ""


def load(path: str | Path) -> Winner:
    """Load a winner that a comparison of yours wrote.

    The file is a pickle: loading one from others can run their code.
    """
    winner = joblib.load(path)
    if not isinstance(winner, Winner):
        raise ValueError(f"{path} holds no winner of a comparison")
    return winner
