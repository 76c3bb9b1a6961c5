"""How often ``manyviews compare`` says "use this" when it should not, and when it should.

Data are drawn whose truth is known. Every method learns from columns of its own. Without an effect
all columns are drawn alike: no method is better than another on new rows, the one that the others
must beat among them, and every "use" is wrong. With an effect one method has better columns, about
ten points of the score. Splits, scores, looks and advice are those of the comparison; the learners
are the simplest of their kind, for all methods at once.

``python benchmarks/compare_truth.py --sets 1000`` writes the guide's table: the share of data sets
with a false "use" and with the right one, and the planted difference with its deviation over
splits.
"""

import argparse
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import sklearn
from joblib import Parallel, delayed

from manyviews.compare.advice import Comparison, advise
from manyviews.compare.method import Method, facts_of
from manyviews.compare.reading.own import OwnData
from manyviews.compare.run import add_records, most_rounds
from manyviews.compare.statistics import decided
from manyviews.compare.task import Split, Task, recognise, splits_of
from manyviews.views import Views
from reproduction.pages.markup import markdown_table, write_block

GUIDE = Path(__file__).parents[1] / "docs" / "guide"
TABLE = GUIDE / "compare_truth.csv"
#: Columns of a method, in both views.
WIDTH = 8


@dataclass(frozen=True)
class Case:
    """One kind of data.

    ``signal`` is how far the classes lie apart for every method, ``better`` for the planted one;
    ``shared`` is the correlation of the methods' noise.
    """

    name: str
    more: dict[str, Any]
    rows: int
    signal: float
    better: float
    methods: int = 5
    classes: int = 2
    shared: float = 0.0


def cases() -> list[Case]:
    """Return all tasks, few labels at three shares, correlated and many methods, few rows."""
    few = {"task": "few labels"}
    return [
        Case("full labels", {}, 400, 0.7, 1.1),
        Case("full labels, few rows", {}, 200, 0.7, 1.1),
        Case("full labels, correlated methods", {}, 400, 0.7, 1.1, shared=0.7),
        Case("full labels, many methods", {}, 400, 0.7, 1.1, methods=16),
        Case("few labels, 5 %", {**few, "label_share": 0.05}, 400, 1.3, 2.0),
        # as many rows as make the deviation 5 (seen on other seeds than those that are counted)
        Case("few labels, 5 %, deviation 5", {**few, "label_share": 0.05}, 700, 1.1, 1.7),
        Case("few labels, 10 %", {**few, "label_share": 0.1}, 200, 1.3, 2.0),
        Case("few labels, 30 %", {**few, "label_share": 0.3}, 200, 0.9, 1.4),
        Case("few labels, 5 %, many methods", {**few, "label_share": 0.05}, 400, 1.3, 2.0, 16),
        Case("clustering", {"task": "cluster"}, 900, 1.5, 1.9, 4),
        Case("clustering, many methods", {"task": "cluster"}, 900, 1.5, 1.9, 16),
        Case("clustering without labels", {"clusters": 3}, 400, 1.5, 3.5, 3, classes=3),
        Case("retrieval", {"task": "retrieval"}, 300, 1.0, 1.3, 4, classes=3),
    ]


def drawn(case: Case, effect: bool, rng: np.random.Generator) -> tuple[OwnData, np.ndarray]:
    """Draw data, and the same as methods x views x rows x columns."""
    codes = rng.permutation(np.arange(case.rows) % case.classes)
    centres = rng.standard_normal((case.classes, WIDTH))
    centres -= centres.mean(axis=0)
    centres /= np.linalg.norm(centres, axis=1, keepdims=True)
    signal = np.full((case.methods, 1, 1, 1), case.signal)
    signal[-1] = case.better if effect else case.signal
    common = rng.standard_normal((1, 2, case.rows, WIDTH))
    noise = rng.standard_normal((case.methods, 2, case.rows, WIDTH))
    X = np.sqrt(case.shared) * common + np.sqrt(1 - case.shared) * noise
    X += signal * centres[codes]
    classes = [f"c{c}" for c in range(case.classes)]
    if "clusters" in case.more:  # nobody knows the classes
        codes, classes = np.full_like(codes, -1), []
    tables = X.transpose(1, 2, 0, 3).reshape(2, case.rows, -1)
    columns = [f"x{j}" for j in range(tables.shape[2])]
    data = OwnData(
        name=case.name, views=Views({"a": tables[0], "b": tables[1]}), kinds=["numbers"] * 2,
        graphs=[False] * 2, codes=codes, classes=classes, columns=[columns] * 2, **case.more,
    )  # fmt: skip
    return data, X


def told(task: Task, X: np.ndarray, codes: np.ndarray, split: Split, seed: int) -> np.ndarray:
    """Return what every method answers on a split."""
    if task.kind == "retrieve":
        return correlated(X[:, :, split.train], X[:, :, split.test])
    T = np.concatenate([X[:, 0], X[:, 1], np.ones((*X[:, 0].shape[:2], 1))], axis=2)
    if task.kind == "cluster":
        at = np.searchsorted(split.rows, split.test)
        return clustered(T[:, split.rows], task.n_classes, np.random.default_rng(seed))[:, at]
    member = np.zeros((len(codes), task.n_classes))  # of what may be seen
    member[split.train, codes[split.train]] = 1
    learnt = T[:, split.train]
    square = np.eye(T.shape[2]) + learnt.transpose(0, 2, 1) @ learnt
    weights = np.linalg.solve(square, learnt.transpose(0, 2, 1) @ member[split.train])
    return (T[:, split.test] @ weights).argmax(axis=2)


def clustered(T: np.ndarray, k: int, rng: np.random.Generator) -> np.ndarray:
    """Return clusters by k-means, the better of two starts."""
    least, labels = np.full(len(T), np.inf), np.zeros(T.shape[:2], dtype=np.int64)
    for _ in range(2):
        centres = T[:, rng.permutation(T.shape[1])[:k]]
        for _ in range(10):
            far = (centres**2).sum(axis=2)[:, None] - 2 * T @ centres.transpose(0, 2, 1)
            member = np.eye(k)[far.argmin(axis=2)].transpose(0, 2, 1)
            centres = member @ T / np.maximum(member.sum(axis=2), 1)[..., None]
        loss = far.min(axis=2).sum(axis=1)
        labels[loss < least] = far.argmin(axis=2)[loss < least]
        least = np.minimum(loss, least)
    return labels


def correlated(train: np.ndarray, test: np.ndarray) -> np.ndarray:
    """Return coordinates along the directions in which two views vary together."""
    centred = train - train.mean(axis=2, keepdims=True)
    u, s, vt = np.linalg.svd(centred[:, 0].transpose(0, 2, 1) @ centred[:, 1])
    sides = np.stack([u, vt.transpose(0, 2, 1)], axis=1)
    return np.asarray(test @ sides * np.sqrt(s)[:, None, None])


def compared(data: OwnData, X: np.ndarray, seed: int) -> Comparison:
    """Compare as the command does; the first method is the one on one table."""
    task = recognise(data)
    facts = facts_of(data, task.n_classes, task.kind)
    methods = {
        f"m{k}": Method(f"method {k}", (task.kind,), "plain", lambda *_: None, one_table=k == 0)
        for k in range(len(X))
    }
    found = Comparison(data, task, facts, methods, [])
    rounds = most_rounds(len(data))
    for number in range(rounds):
        if number and decided(found.scores(), task.overlap, rounds):
            break
        splits = splits_of(task, data, number)
        records = [
            {"method": key, "split": split.name, "error": None, "predicted": answer,
             "tune_seconds": 0.0, "fit_seconds": 1.0}
            for split in splits
            for key, answer in zip(methods, told(task, X, data.codes, split, seed), strict=True)
        ]  # fmt: skip
        add_records(found, splits, records)
    return found


def outcome(case: Case, effect: bool, seed: int) -> tuple[bool, float, float]:
    """Return whether the planted method (any, without one) is advised, and how far it is ahead."""
    with sklearn.config_context(assume_finite=True, skip_parameter_validation=True):  # to be quick
        found = compared(*drawn(case, effect, np.random.default_rng(seed)), seed)
    scores, last = found.scores(), f"m{case.methods - 1}"
    ahead = scores[last] - scores["m0"]
    advice = advise(found).key
    used = advice == last if effect else advice != "m0"
    return used, float(ahead.mean()), float(ahead.std(ddof=1))


def measure(case: Case, sets: int) -> dict[str, Any]:
    """Return the row of a case."""
    found: dict[str, Any] = {"case": case.name, "rows": case.rows, "methods": case.methods}
    for effect, name in ((False, "false use"), (True, "right use")):
        work = (delayed(outcome)(case, effect, seed) for seed in range(sets))
        used, means, spreads = zip(*Parallel(n_jobs=-1)(work), strict=True)
        found[name] = f"{np.mean(used):.1%}"
    return {**found, "points ahead": round(100 * np.mean(means), 1),
            "deviation": round(100 * np.mean(spreads), 1), "data sets": sets}  # fmt: skip


def guide_table() -> str:
    """Return what was measured, for the guide."""
    table = pd.read_csv(TABLE, dtype=str)
    return markdown_table(list(table), table.to_numpy().tolist())


def main() -> None:
    """Measure all cases, or some again."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sets", type=int, default=1000, help="data sets a case and truth")
    parser.add_argument("--only", default="", help="cases whose name has this part")
    given = parser.parse_args()
    order = [case.name for case in cases()]
    for case in (case for case in cases() if given.only in case.name):
        row, known = measure(case, given.sets), pd.read_csv(TABLE, dtype=str)
        print(*row.values(), sep=" | ", flush=True)
        rows = pd.concat([known[known["case"] != case.name], pd.DataFrame([row]).astype(str)])
        rows = rows.sort_values("case", key=lambda names: names.map(order.index))
        rows.to_csv(TABLE, index=False, lineterminator="\n")
        write_block(GUIDE / "compare.md", "truth", guide_table())


if __name__ == "__main__":
    main()
