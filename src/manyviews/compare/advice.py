"""What to use: the leader if it is really ahead of the best method on one table; else that."""

from dataclasses import dataclass

from manyviews.compare.comparison import GUESSES, PLAIN_NAME, PLAIN_WAY, Comparison
from manyviews.compare.statistics import ALPHA, Difference, against, interval, leader_of

#: Points (of a hundred) below which an advantage does not matter.
MATTERS = 0.005
NAMES = {"macro_f1": "macro F1", "nmi": "NMI", "silhouette": "silhouette", "accuracy": "accuracy",
         "hierarchical_f1": "hierarchical F1", "map": "mean average precision",
         "reciprocal_rank": "reciprocal rank of the row itself"}  # fmt: skip


@dataclass(frozen=True)
class Advice:
    """The method to use and the sentence that says why.

    ``margin`` is the leader's over the best method on one table; None if they are one, or none ran.
    """

    key: str
    sentence: str
    leader: str
    margin: Difference | None = None


def score_text(value: Difference) -> str:
    """Return a score with its interval."""
    low, high = max(value.low, -1.0), min(value.high, 1.0)  # no score lies beyond
    return f"{value.mean:.3f} ({low:.3f} to {high:.3f})"


def advise(found: Comparison) -> Advice:
    """Say what to use, by what margin, at what cost."""
    scores, overlap, metric = found.scores(), found.task.overlap, NAMES[found.task.metric]
    best, plain = leader_of(scores), found.reference()
    title = {key: found.methods[key].title for key in scores}
    own = {key: f"{metric} {score_text(interval(scores[key], overlap))}" for key in scores}
    spent = f"{found.seconds(best):.2g} CPU seconds a split with tuning"
    way, name = PLAIN_WAY[found.task.kind], PLAIN_NAME[found.task.kind]
    guesses = [key for key in GUESSES if key in scores]
    if best in guesses or any(against(scores, key, overlap)[best].p >= ALPHA for key in guesses):
        said = (
            f"Nothing to use: no method is clearly better than guessing. The best, {title[best]}, "
            f"reaches {own[best]}."
        )
        return Advice(best, said, best)
    if plain is None:
        return Advice(best, f"Use {title[best]}: {own[best]}, {spent}; {name} did not run.", best)
    if best == plain:
        said = (
            f"{way}: {title[best]} leads with {own[best]}; none of {len(scores)} methods does "
            f"better. It takes {spent}."
        )
        return Advice(best, said, best)
    margin = against(scores, plain, overlap)[best]
    cost = found.seconds(best) / max(found.seconds(plain), 1e-9)
    low, high = 100 * margin.low, 100 * margin.high
    ahead = f"{100 * margin.mean:.1f} points more ({low:.1f} to {high:.1f}, p = {margin.p:.2g})"
    price = f"{cost:.1f} times its time ({spent})"
    if margin.p < ALPHA and margin.mean >= MATTERS:
        said = f"Use {title[best]}: {own[best]}, {ahead} than {name} ({title[plain]}), at {price}."
        return Advice(best, said, best, margin)
    said = (
        f"{way}: {title[plain]} reaches {own[plain]}. No difference that matters: {title[best]} "
        f"has {ahead}, at {price}."
    )
    return Advice(plain, said, best, margin)
