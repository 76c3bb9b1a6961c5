"""Table 4 and Figures 8 to 11: hierarchical against flat methods on a tree of classes."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd

from manyviews.assignment.ontology import Ontology
from manyviews.seeding import generator
from reproduction.data.format import MultiViewData
from reproduction.papers.multiview_hier import PAPER, STAND_INS
from reproduction.papers.multiview_hier.columns import UNLABELLED
from reproduction.papers.multiview_hier.methods import (
    COUNTERPART,
    FLAT_METHODS,
    HIER_NAMES,
    MACRO,
    MICRO,
    RANKED,
)
from reproduction.papers.multiview_hier.protocol import (
    Case,
    Fit,
    Prepared,
    Target,
    agreement,
    average_ranks,
    cases,
    controls,
    fit,
    fit_flat,
    paper_views,
    score,
    share_name,
    statistics,
)
from reproduction.results.jobs import Context
from reproduction.results.rows import INFERRED, Result, Row

#: Readings of the constraint sets. The paper's definitions read literally count all ancestors and
#: all disjoint pairs; that is the one compared with print.
CONSTRAINTS: Mapping[str, dict[str, str]] = {
    INFERRED: {},
    "parents+siblings": {"subset": "parents", "mutex": "siblings"},
    "hard": {"consistency": "hard"},
}


class Tree:
    """A data set with its ontology; leaf predictions as class indices."""

    def __init__(self, data: MultiViewData) -> None:
        assert data.ontology is not None
        self.data = data
        self.ontology = Ontology(data.ontology)
        self.column = np.array([self.ontology.index[name] for name in data.class_names])
        self.class_of = np.full(len(self.ontology), -1)
        self.class_of[self.column] = np.arange(len(self.column))
        self.sets = self.ontology.above[self.column[data.labels]]

    def fit(self, method: str, prepared: Prepared, known: np.ndarray, **options: Any) -> Fit:
        """Fit a Hier- method from the label sets of the known rows."""
        given = self.sets & known[:, None]
        combine = FLAT_METHODS[COUNTERPART[method]]
        return fit(combine, prepared, given, ontology=self.ontology, **options)

    def leaves(self, done: Fit) -> np.ndarray:
        """Return the predicted class index of every row."""
        return self.class_of[done.labels]


def sample(data: MultiViewData, per_leaf: int | None) -> MultiViewData:
    """Return at most ``per_leaf`` rows of every leaf, drawn once for all runs (None: all)."""
    if per_leaf is None or np.bincount(data.labels).max() <= per_leaf:
        return data
    rng = generator(PAPER, data.name, "rows per leaf")
    kept = []
    for c in range(len(data.class_names)):
        members = np.flatnonzero(data.labels == c)
        kept.append(rng.permutation(members)[:per_leaf])
    return data.subset(np.sort(np.concatenate(kept)))


def _shares(tree: Tree, done: Fit, known: np.ndarray) -> dict[str, float]:
    """Return what the label sets of the unlabelled rows look like, in percent."""
    sets = done.model.label_sets_[~known]
    broken = tree.ontology.violations(sets, "ancestors", "disjoint").sum(axis=1) > 0
    leaves = sets[:, :, tree.ontology.leaves].any(axis=1).sum(axis=1)
    return {
        "violating_sets_pct": 100 * float(broken.mean()),
        "views_disagree_pct": 100 * float((sets != sets[:, :1]).any(axis=(1, 2)).mean()),
        "no_leaf_pct": 100 * float((leaves == 0).mean()),
        "several_leaves_pct": 100 * float((leaves > 1).mean()),
    }


def _scored(case: Case, method: str, done: Fit, guess: np.ndarray) -> list[Row]:
    """Return the scores of a fit, with the time it took."""
    return score(
        "4", {"train": case.percent}, method, case.y, guess, case.known,
        run=case.run, seconds=done.seconds, iterations=done.iterations,
    )  # fmt: skip


def _flips(case: Case, method: str, done: Fit) -> list[Row]:
    """Return the label bits that flipped in every iteration (Figure 11 b)."""
    return [
        Row(
            "fig11b", {"train": case.percent, "iteration": i}, method, "bits_flipped",
            float(flipped), run=case.run,
        )
        for i, flipped in enumerate(done.model.flips_, start=1)
    ]  # fmt: skip


def _flat_rows(dataset: str, case: Case, flat: Mapping[str, Fit], traced: bool) -> list[Row]:
    """Return the rows of the flat methods, of the controls and of the views' agreement."""
    rows: list[Row] = []
    at = {"train": case.percent}
    for name, done in flat.items():
        rows += _scored(case, name, done, done.labels)
        rows += _flips(case, name, done) if traced else []
    seed = (dataset, share_name(case.percent), case.run)
    for name, guess in controls(case.y, case.known, seed).items():
        rows += score("4", at, name, case.y, guess, case.known, run=case.run, role="control")
    same = agreement(flat["V1"].labels, flat["V2"].labels, case.known)
    for scored, value in same.items():
        place = {**at, "scored": scored}
        rows.append(Row("4", place, "V1 vs V2", "view_agreement", value, run=case.run))
    return rows


def one_run(context: Context, tree: Tree, prepared: Prepared, case: Case) -> list[Row]:
    """Return all rows of one partition: flat methods, Hier- methods under every reading."""
    settings, known, run = context.settings, case.known, case.run
    traced = case.percent == max(settings.tree_train)
    flat = fit_flat(prepared, case.given, settings.max_iter)
    rows = _flat_rows(context.job.dataset, case, flat, traced)
    every = case.percent in settings.train and run < settings.constraint_runs
    at = {"train": case.percent}
    for name, counterpart in COUNTERPART.items():
        guesses = {}
        for reading, options in CONSTRAINTS.items():
            if reading != INFERRED and not every:
                continue
            done = tree.fit(name, prepared, known, max_iter=settings.max_iter, **options)
            guesses[reading] = tree.leaves(done)
            if reading == INFERRED:
                rows += _scored(case, name, done, guesses[reading])
                rows += _flips(case, name, done) if traced else []
            else:
                rows += score(
                    "4", at, name, case.y, guesses[reading], known, run=run, reading=reading
                )
            for metric, value in _shares(tree, done, known).items():
                rows.append(Row("extra:label_sets", at, name, metric, value, reading, run))
        declared = guesses.pop(INFERRED)
        others = {"differs_from_flat_pct": flat[counterpart].labels}
        others |= {f"changed_by_{reading}_pct": guess for reading, guess in guesses.items()}
        for metric, other in others.items():
            share = 100 * (1 - agreement(declared, other, known)[UNLABELLED])
            rows.append(Row("extra:label_sets", at, name, metric, share, run=run))
    return rows


def _derived(rows: list[Row]) -> list[Row]:
    """Return the relative gains of means and the average ranks, per reading and scoring."""
    frame = pd.DataFrame([{**vars(row), **row.at} for row in rows if row.table == "4"])
    frame = frame[frame["metric"].isin([MACRO, MICRO])]
    hier = frame["method"].isin(HIER_NAMES)
    out = []
    for reading, scored in frame[["reading", "scored"]].drop_duplicates().itertuples(index=False):
        # flat methods know no constraints: they stand beside every reading
        beside = frame["reading"].where(hier, reading) == reading
        part = frame[beside & (frame["scored"] == scored)]
        complete = part.loc[part["method"] == HIER_NAMES[0], ["train", "run"]]
        part = part.merge(complete.drop_duplicates(), on=["train", "run"])
        means = part.groupby(["train", "metric", "method"], sort=True)["value"].mean()
        macro = means.xs(MACRO, level="metric").unstack("method")
        for name, counterpart in COUNTERPART.items():
            for percent, gain in (100 * (macro[name] / macro[counterpart] - 1)).items():
                at = {"train": percent, "scored": scored}
                out.append(Row("4", at, name, "relative_gain_pct", gain, reading))
        for method, rank in average_ranks(part, RANKED, ["train"]).items():
            out.append(Row("4", {"scored": scored}, method, "average_rank", rank, reading))
    return out


def run(context: Context) -> Result:
    """Run Table 4 on one tree, all shares and partitions."""
    settings = context.settings
    stands_in = context.job.dataset in STAND_INS
    runs, per_leaf = settings.tree_size(context.job.dataset)
    data = sample(context.data, per_leaf)
    tree = Tree(data)
    prepared = paper_views(data)
    leaves = Target(None, data.labels, data.class_names)
    plan = list(cases(context.job.dataset, leaves, settings.tree_train, range(runs)))
    # NELL_mv's own statistics come with Table 2
    rows = statistics(data, prepared) if stands_in else []
    for case in context.progress(plan, data.name):
        rows += one_run(context, tree, prepared, case)
    details = {
        "documents": data.n_rows,
        "labels": list(tree.ontology.names),
        "leaf_frequency": dict(
            zip(data.class_names, np.bincount(data.labels).tolist(), strict=True)
        ),
        "features": [view.shape[1] for view in prepared.pair],
        "non_zeros": [view.X.nnz for view in prepared.pair],
    }
    return Result(rows + _derived(rows), details)
