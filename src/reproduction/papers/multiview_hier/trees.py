"""Table 4 and Figures 8 to 11: hierarchical against flat methods on a tree of classes."""

from typing import Any

import numpy as np
import pandas as pd

from manyviews.assignment.ontology import Ontology
from manyviews.seeding import generator
from reproduction.data.format import MultiViewData
from reproduction.papers.multiview_hier.common import (
    Fit,
    Prepared,
    agreement,
    controls,
    fit,
    fit_flat,
    paper_views,
    partition,
    score,
    setting_name,
    statistics,
)
from reproduction.papers.multiview_hier.constants import (
    HIER_METHODS,
    UNLABELLED,
)
from reproduction.papers.multiview_hier.ranks import average_ranks
from reproduction.results.jobs import Context, Result, Row

#: Readings of the constraint sets. The paper's definitions read literally count all ancestors and
#: all disjoint pairs; that is the one compared with print.
CONSTRAINTS: dict[str, dict[str, str]] = {
    "paper": {},
    "constraints=parents+siblings": {"subset": "parents", "mutex": "siblings"},
    "consistency=hard": {"consistency": "hard"},
}
RANKED = (
    "V12", "COTRAIN", "SUMSCORE", "Hier-SUMSCORE", "PRODSCORE", "Hier-PRODSCORE", "MAXAGREE",
    "Hier-MAXAGREE",
)  # fmt: skip


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

    def fit(self, combine: str, prepared: Prepared, known: np.ndarray, **options: Any) -> Fit:
        """Fit a Hier- method from the label sets of the known rows."""
        given = self.sets & known[:, None]
        return fit(combine, prepared, given, ontology=self.ontology, **options)

    def leaves(self, done: Fit) -> np.ndarray:
        """Return the predicted class index of every row."""
        return self.class_of[done.labels]


def sample(data: MultiViewData, per_leaf: int | None) -> MultiViewData:
    """Return at most ``per_leaf`` rows of every leaf, drawn once for all runs (None: all)."""
    if per_leaf is None or np.bincount(data.labels).max() <= per_leaf:
        return data
    rng = generator("multiview_hier", data.name, "rows per leaf")
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


def _flip_rows(setting: str, method: str, done: Fit, run: int) -> list[Row]:
    return [
        Row("fig11b", f"{setting},iteration={i + 1:02d}", method, "bits_flipped", float(f), run=run)
        for i, f in enumerate(done.model.flips_)
    ]


def one_run(
    context: Context, tree: Tree, prepared: Prepared, percent: float, run: int
) -> list[Row]:
    """Return all rows of one partition: flat methods, Hier- methods under every reading."""
    y = tree.data.labels
    setting = setting_name(percent)
    known = partition(context.job.dataset, percent, run, y)
    max_iter = context.settings["max_iter"]
    traced = percent == max(context.settings["tree_train"])
    rows: list[Row] = []
    flat = fit_flat(prepared, y, known, max_iter)
    for name, done in flat.items():
        rows += score("4", setting, name, y, done.labels, known, run=run, source=done)
        rows += _flip_rows(setting, name, done, run) if traced else []
    for name, guess in controls(y, known, (context.job.dataset, setting, run)).items():
        rows += score("4", setting, name, y, guess, known, run=run)
    for reading, value in agreement(flat["V1"].labels, flat["V2"].labels, known).items():
        rows.append(Row("4", setting, "V1 vs V2", "view_agreement", value, reading, run))
    others = percent in context.settings["train"] and run < context.settings["constraint_runs"]
    for name, combine in HIER_METHODS.items():
        differs = {"differs_from_flat_pct": flat[name.removeprefix("Hier-")].labels}
        declared = None
        for reading, options in CONSTRAINTS.items():
            if reading != "paper" and not others:
                continue
            done = tree.fit(combine, prepared, known, max_iter=max_iter, **options)
            guess = tree.leaves(done)
            source = done if reading == "paper" else None
            rows += score(
                "4", setting, name, y, guess, known, run=run, reading=reading, source=source
            )
            for metric, value in _shares(tree, done, known).items():
                rows.append(Row("extra:label_sets", setting, name, metric, value, reading, run))
            if reading == "paper":
                declared = guess
                rows += _flip_rows(setting, name, done, run) if traced else []
            else:
                differs[f"changed_by_{reading.partition('=')[2]}_pct"] = guess
        assert declared is not None
        for metric, other in differs.items():
            share = 100 * (1 - agreement(declared, other, known)[UNLABELLED])
            rows.append(Row("extra:label_sets", setting, name, metric, share, run=run))
    return rows


def _derived(rows: list[Row]) -> list[Row]:
    """Return the relative gains of means and the average ranks, per reading."""
    frame = pd.DataFrame([vars(row) for row in rows])
    frame = frame[(frame["table"] == "4") & frame["metric"].isin(["macro_f1_pct", "micro_f1_pct"])]
    out = []
    for reading in sorted(set(frame["reading"])):
        flat_reading = UNLABELLED if reading.endswith(UNLABELLED) else "paper"
        hier = frame["method"].isin(list(HIER_METHODS)) & (frame["reading"] == reading)
        flat = ~frame["method"].isin(list(HIER_METHODS)) & (frame["reading"] == flat_reading)
        part = frame[hier | flat]
        complete = part.loc[part["method"] == "Hier-SUMSCORE", ["setting", "run"]]
        part = part.merge(complete.drop_duplicates(), on=["setting", "run"])
        means = part.groupby(["setting", "metric", "method"], sort=True)["value"].mean()
        macro = means.xs("macro_f1_pct", level="metric").unstack("method")
        for name in HIER_METHODS:
            base = macro[name.removeprefix("Hier-")]
            for setting, gain in (100 * (macro[name] / base - 1)).items():
                out.append(Row("4", str(setting), name, "relative_gain_pct", gain, reading))
        for method, rank in average_ranks(part, RANKED).items():
            out.append(Row("4", "avg rank", method, "average_rank", rank, reading))
    return out


def run(context: Context) -> Result:
    """Run Table 4 on one tree, all shares and partitions."""
    small = context.job.dataset != "nell_mv"
    settings = context.settings
    data = sample(context.data, settings["tree_rows_per_leaf"] if small else None)
    tree = Tree(data)
    prepared = paper_views(data)
    plan = [
        (percent, number)
        for percent in settings["tree_train"]
        for number in range(settings["stand_in_runs" if small else "runs"])
    ]
    # NELL_mv's own statistics come with Table 2
    rows = statistics(data, prepared) if small else []
    for percent, number in context.progress(plan, data.name):
        rows += one_run(context, tree, prepared, percent, number)
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
