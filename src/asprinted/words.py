"""The words of the three axes and of claims, each list from best to worst (decision 21)."""

from collections.abc import Iterable

#: Data axis: the paper's data, less of it, the same objects with other features, real data of the
#: same kind, data drawn from published statistics.
SAME, SUBSET, OTHER_FEATURES = "same", "subset", "other features"
STAND_IN, SURROGATE = "stand-in", "surrogate"
DATA = (SAME, SUBSET, OTHER_FEATURES, STAND_IN, SURROGATE)

#: Agreement is judged on these; a headline counts ``same`` alone.
JUDGED = (SAME, SUBSET, OTHER_FEATURES)

#: Protocol axis: the paper's words, the field's default where they are silent, chosen to fit.
TEXT, CONVENTION, INFERRED = "text", "convention", "inferred"
PROTOCOL = (TEXT, CONVENTION, INFERRED)

#: Agreement of a cell with print.
EQUIVALENT, COMPATIBLE, NEAR, DIFFERENT = "equivalent", "compatible", "near", "different"
NOT_COMPARABLE, NOT_RUN = "not comparable", "not run"
AGREEMENT = (EQUIVALENT, COMPATIBLE, NEAR, DIFFERENT, NOT_COMPARABLE, NOT_RUN)

#: What a test says about a claim.
HOLDS, TIE, OPEN, REFUTED = "holds", "no practical difference", "open", "refuted"
UNTESTABLE = "untestable"
CLAIM = (HOLDS, TIE, OPEN, REFUTED, UNTESTABLE)

#: What a sentence may be about, besides the paper's own data sets under random draws.
DATA_OF_THIS_KIND = "data of this kind"

#: Readings of rows that are no runs: the printed figures, means and deviations of a reproduction.
PRINT, SUMMARY = "print", "summary"

#: Who made a claim: the authors, or we.
PUBLISHED, OURS = "published", "ours"


def worst(words: Iterable[str], axis: tuple[str, ...]) -> str:
    """Return the worst of the words on an axis; without any word, its best."""
    found = set(words)
    if unknown := sorted(found - set(axis)):
        raise ValueError(f"{unknown[0]!r} is none of {', '.join(axis)}; use one of them")
    return max(found, key=axis.index, default=axis[0])
