"""The fitted winner: saved, loaded, and used on new files with three lines."""

import io
import pickle
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import joblib
import numpy as np
import scipy.sparse as sp

from manyviews.compare.advice import Comparison
from manyviews.compare.fit import embedded, fitted, tuned
from manyviews.compare.reading.own import OwnData, read_own
from manyviews.compare.run import write_bytes
from manyviews.compare.task import paired_rows, similarities
from manyviews.seeding import integer_seed
from manyviews.views import Views


@dataclass
class Winner:
    """A method fitted to all labelled rows, with what it needs to read new ones.

    ``names``, ``columns`` and ``sparse`` describe the views it was fitted to. ``predictions`` are
    classes or clusters by the rows' ids; for retrieval ``items`` are the ids of the rows that can
    be found and ``spaces`` their coordinates in every view.
    """

    title: str
    settings: dict[str, Any]
    estimator: Any
    classes: list[str]
    names: tuple[str, ...]
    columns: list[list[str]]
    sparse: tuple[bool, ...]
    predictions: dict[str, str] = field(default_factory=dict)
    items: list[str] = field(default_factory=list)
    spaces: np.ndarray | None = None

    def predict(self, new: str | Path | OwnData | Views) -> list[str]:
        """Return the class of every new row; for retrieval see :meth:`search`.

        ``new`` is a path as for the comparison (its columns are matched by name), own data that
        were read, or views with the fitted columns.
        """
        if self.spaces is not None:
            raise ValueError(f"{self.title} was fitted to search: use `search` in place of predict")
        views = self._read(new)
        try:
            codes = np.asarray(self.estimator.predict(views))
        except AttributeError:
            what = f"{self.title} answers for the rows it was fitted to only: see `predictions`, "
            raise ValueError(what + "or compare again with the new rows, unlabelled") from None
        return [self.classes[c] if 0 <= c < len(self.classes) else str(c) for c in codes]

    def search(
        self, new: str | Path | OwnData | Views, seen: str, among: str, first: int = 10
    ) -> list[list[str]]:
        """Return the fitted rows nearest to every new row, the ``first`` so many, best first.

        ``seen`` is the view of the new rows that asks, ``among`` that of the fitted rows to search.
        """
        if self.spaces is None:
            raise ValueError(f"{self.title} was not fitted to search: use `predict`")
        for name in {seen, among} - set(self.names):
            raise ValueError(f"there is no view {name!r}; known: {', '.join(self.names)}")
        query = self.estimator.embed(self.names.index(seen), self._read(new).view(seen))
        near = similarities(np.asarray(query), self.spaces[self.names.index(among)])
        order = np.argsort(-near, axis=1, kind="stable")[:, :first]
        return [[self.items[j] for j in row] for row in order]

    def _read(self, new: str | Path | OwnData | Views) -> Views:
        """Return new rows with the fitted views and columns; what they lack is zero."""
        data = read_own(new, fewest=1) if isinstance(new, str | Path) else new
        if isinstance(data, Views):
            return data
        matrices, observed = {}, np.zeros((len(data), len(self.names)), dtype=bool)
        for v, (name, columns) in enumerate(zip(self.names, self.columns, strict=True)):
            X, given = sp.csr_matrix((len(data), 0)), list[str]()
            if name in data.views.names:
                at = data.views.names.index(name)
                X, given = sp.csr_matrix(data.views.matrices[at]), data.columns[at]
                observed[:, v] = data.views.observed[:, at]
            place = {column: j for j, column in enumerate(given)}
            known = [j for j, column in enumerate(columns) if column in place]
            old = [place[columns[j]] for j in known]
            pick = sp.csr_matrix((np.ones(len(old)), (old, known)), (X.shape[1], len(columns)))
            matrices[name] = X @ pick if self.sparse[v] else (X @ pick).toarray()
        return Views(matrices, ids=data.views.ids, observed=observed)


def fit_winner(found: Comparison, key: str) -> Winner:
    """Tune and fit a method on all labelled rows."""
    method, facts, data = found.methods[key], found.facts, found.data
    seed = integer_seed("compare", "winner", key)
    shown, able = data.codes, np.arange(0)
    if facts.kind == "retrieve":
        able = paired_rows(data)
        shown = np.full_like(data.codes, -1)
        shown[able] = data.codes[able] if data.classes else 0
    settings, _ = tuned(method, facts, data.views, shown, seed)
    estimator = fitted(method, facts, settings, data.views, shown, seed)
    names = [str(c) for c in range(facts.n_classes)] if facts.clustering else list(data.classes)
    winner = Winner(
        method.title, dict(settings), estimator, names, data.views.names, data.columns, facts.sparse
    )
    if facts.kind == "retrieve":
        winner.items = [data.ids[i] for i in able]
        winner.spaces = embedded(estimator, data.views[able])
        return winner
    own = method.transductive or facts.clustering
    codes = np.asarray(estimator.labels_ if own else estimator.predict(data.views))
    answers = (names[c] if c >= 0 else "" for c in codes)
    winner.predictions = dict(zip(data.ids, answers, strict=True))
    return winner


def save(winner: Winner, path: Path) -> str:
    """Write the winner whole or not at all; return why it could not be saved, or nothing."""
    buffer = io.BytesIO()
    try:
        joblib.dump(winner, buffer, compress=3)
    except (pickle.PicklingError, AttributeError, TypeError) as error:
        mend = "keep the classes of your own method in a module that Python can import"
        return f"the fitted winner could not be saved ({error}); {mend}"
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
