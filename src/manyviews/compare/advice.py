"""What to use: the leader if it is really ahead of plain concatenation, else concatenation."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from manyviews.compare.comparison import GUESSES, PLAIN, PLAIN_NAME, PLAIN_WAY, Comparison
from manyviews.compare.statistics import (
    ALPHA,
    Difference,
    against_leader,
    interval,
    leader_of,
    paired,
)

#: Points (of a hundred) below which an advantage does not matter.
MATTERS = 0.005
NAMES = {"macro_f1": "macro F1", "nmi": "NMI", "silhouette": "silhouette", "accuracy": "accuracy",
         "hierarchical_f1": "hierarchical F1", "map": "mean average precision",
         "reciprocal_rank": "reciprocal rank of the row itself"}  # fmt: skip


@dataclass(frozen=True)
class Advice:
    """The method to use and the sentence that says why."""

    key: str
    sentence: str
    leader: str
    margin: Difference | None
    cost: float | None


def seconds_of(found: Comparison, key: str) -> float:
    """Return the mean processor seconds of a fit with its tuning."""
    times = [r["tune_seconds"] + r["fit_seconds"] for r in found.by_method(key) if not r["error"]]
    return float(np.mean(times))


def score_text(value: Difference) -> str:
    """Return a score with its interval."""
    low, high = max(value.low, -1.0), min(value.high, 1.0)  # no score lies beyond
    return f"{value.mean:.3f} ({low:.3f} to {high:.3f})"


def advise(found: Comparison) -> Advice:
    """Say what to use, by what margin, at what cost."""
    scores, overlap, metric = found.scores(), found.task.overlap, NAMES[found.task.metric]
    best = leader_of(scores)
    titles = {key: found.methods[key].title for key in scores}
    own = interval(scores[best], overlap)
    plain, way = PLAIN[found.task.kind], PLAIN_WAY[found.task.kind]
    name = PLAIN_NAME[found.task.kind]
    chance = [paired(scores[best], scores[key], overlap) for key in GUESSES
              if key in scores and key != best]  # fmt: skip
    if any(d.mean <= 0 or d.p >= ALPHA for d in chance) or best in GUESSES:
        return Advice(
            best,
            f"Nothing to use: no method is clearly better than guessing. The best, {titles[best]}, "
            f"reaches {metric} {score_text(own)}.",
            best, None, None,
        )  # fmt: skip
    spent = f"{seconds_of(found, best):.2g} CPU seconds a split with tuning"
    if best == plain:
        return Advice(
            best,
            f"{way}: {titles[best]} leads with {metric} {score_text(own)}; none of "
            f"{len(scores)} methods does better. It takes {spent}.",
            best, None, None,
        )  # fmt: skip
    if plain not in scores:
        return Advice(
            best,
            f"Use {titles[best]}: {metric} {score_text(own)}, {spent}; {name} did not run.",
            best, None, None,
        )  # fmt: skip
    margin = against_leader(scores, overlap)[plain]
    cost = seconds_of(found, best) / max(seconds_of(found, plain), 1e-9)
    points = f"{100 * margin.mean:.1f} points"
    price = f"{cost:.1f} times its time ({spent})"
    if margin.p < ALPHA and margin.mean >= MATTERS:
        return Advice(
            best,
            f"Use {titles[best]}: {metric} {score_text(own)}, {points} more than {name} "
            f"({100 * margin.low:.1f} to {100 * margin.high:.1f}, "
            f"p = {margin.p:.2g}), at {price}.",
            best, margin, cost,
        )  # fmt: skip
    doubt = (
        f"within what chance can do (p = {margin.p:.2g})"
        if margin.p >= ALPHA
        else "too little to matter"
    )
    return Advice(
        plain,
        f"{way}: {titles[plain]} reaches {metric} "
        f"{score_text(interval(scores[plain], overlap))}; {titles[best]} is ahead by {points}, "
        f"which is {doubt}, and takes {price}.",
        best, margin, cost,
    )  # fmt: skip
