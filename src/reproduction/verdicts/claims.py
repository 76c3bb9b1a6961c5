"""What every check of a published claim shares: the result, the tests, the verdict.

A check is a function ``check(rows, params) -> ClaimResult``. ``rows`` holds all rows of one paper
(its setting columns, their text ``setting``, and paper, dataset, table, method, role, metric,
reading, run, value, provenance); ``params`` comes from the paper's ``claims.yaml``.

The rule for a verdict is fixed before any run, at the 5 % level throughout:

``holds``
    the effect has the sign the paper claims and the test rejects "no effect";
``fails``
    the effect has the other sign or is exactly zero;
``mixed``
    the sign is right but the test does not reject, or some of the parts hold and some do not;
``untestable``
    the rows it needs are missing (say, a data set that was never published).
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from scipy import stats

from reproduction.results.rows import PAPER
from reproduction.verdicts.agreement import CLAIM_VERDICTS

ALPHA = 0.05

#: ``provenance`` of rows: the paper's own data, real data that differs (a subset, other
#: features), real data of the same kind, data drawn from the published statistics.
PROVENANCES = ("original", "differs", "stand-in", "surrogate")

#: What pairs two runs unless the check says otherwise.
UNIT = ("dataset", "setting", "run")


@dataclass(frozen=True)
class ClaimResult:
    """Outcome of one check: verdict, effect in the metric's unit, p-value, pairs, explanation."""

    verdict: str
    effect: float
    p_value: float
    n: int
    detail: str

    def __post_init__(self) -> None:
        if self.verdict not in CLAIM_VERDICTS:
            raise ValueError(
                f"verdict {self.verdict!r} is none of {', '.join(CLAIM_VERDICTS)}; use one of them"
            )
        if not self.detail.strip():
            raise ValueError("a claim's result needs a detail that says what was compared")


@dataclass(frozen=True)
class PairedTest:
    """Paired comparison of ``n`` pairs: mean difference, its 95 % interval, d_z and p-values."""

    n: int
    difference: float
    low: float
    high: float
    effect_size: float
    t_p: float
    wilcoxon_p: float
    p_value: float

    def __str__(self) -> str:
        return (
            f"mean difference {self.difference:+.3g} [{self.low:.3g}, {self.high:.3g}], "
            f"d_z {self.effect_size:.2f}, n {self.n}, t-test p {self.t_p:.2g}, "
            f"Wilcoxon p {self.wilcoxon_p:.2g}"
        )


def _spread(difference: np.ndarray) -> float:
    """Standard deviation, exactly 0 when the differences are equal up to rounding."""
    spread = float(difference.std(ddof=1))
    return 0.0 if spread <= 1e-12 * max(1.0, float(np.abs(difference).max())) else spread


def _constant_p(mean: float, alternative: str) -> float:
    """p-value when every difference is the same number: certain, or nothing to test."""
    if mean == 0.0:
        return 1.0
    agrees = {"greater": mean > 0, "less": mean < 0, "two-sided": True}[alternative]
    return 0.0 if agrees else 1.0


def paired_test(
    ours: Sequence[float] | np.ndarray | pd.Series,
    other: Sequence[float] | np.ndarray | pd.Series | float = 0.0,
    *,
    alternative: str = "greater",
    test: str = "t",
) -> PairedTest:
    r"""Paired t-test and Wilcoxon signed-rank test of ``ours - other``.

    The effect size is Cohen's :math:`d_z = \bar d / s_d` for paired differences.

    Parameters
    ----------
    ours, other
        Two aligned samples (same seeds or data sets in the same order), or one sample and a
        number.
    alternative
        ``"greater"`` (ours is larger), ``"less"`` or ``"two-sided"``.
    test
        Which p-value decides: ``"t"`` or ``"wilcoxon"`` (needs at least 5 pairs to reach 5 %).
    """
    if alternative not in ("greater", "less", "two-sided"):
        raise ValueError(f"alternative {alternative!r}: use 'greater', 'less' or 'two-sided'")
    if test not in ("t", "wilcoxon"):
        raise ValueError(f"test {test!r}: use 't' or 'wilcoxon'")
    left = np.asarray(ours, dtype=float)
    right = np.broadcast_to(np.asarray(other, dtype=float), left.shape)
    difference = left - right
    n = difference.size
    if n < 2:
        raise ValueError(f"a paired test needs at least 2 pairs, got {n}")
    if not np.isfinite(difference).all():
        raise ValueError("a paired test needs finite values; a run in these rows is NaN")
    mean, spread = float(difference.mean()), _spread(difference)
    if spread == 0.0:
        p = _constant_p(0.0 if abs(mean) < 1e-12 else mean, alternative)
        size = 0.0 if abs(mean) < 1e-12 else math.copysign(math.inf, mean)
        return PairedTest(n, mean, mean, mean, size, p, p, p)
    t_p = float(stats.ttest_1samp(difference, 0.0, alternative=alternative).pvalue)
    w_p = float(stats.wilcoxon(difference, alternative=alternative, zero_method="zsplit").pvalue)
    half = float(stats.t.ppf(1 - ALPHA / 2, n - 1)) * spread / math.sqrt(n)
    decided = t_p if test == "t" else w_p
    return PairedTest(n, mean, mean - half, mean + half, mean / spread, t_p, w_p, decided)


def verdict_of(effect: float, p_value: float, alpha: float = ALPHA) -> str:
    """Verdict for an effect that the claim says is positive."""
    if math.isnan(effect) or math.isnan(p_value):
        return "untestable"
    if effect <= 0:
        return "fails"
    return "holds" if p_value <= alpha else "mixed"


def holds_if(
    condition: bool,
    detail: str,
    *,
    effect: float = math.nan,
    p_value: float = math.nan,
    n: int = 0,
    otherwise: str = "fails",
) -> ClaimResult:
    """``holds`` when ``condition`` is true, else ``otherwise`` (exact statements, no test)."""
    return ClaimResult("holds" if condition else otherwise, effect, p_value, n, detail)


def untestable(reason: str) -> ClaimResult:
    """Result of a claim that cannot be tested, with the reason."""
    return ClaimResult("untestable", math.nan, math.nan, 0, reason)


def combine(parts: Mapping[str, ClaimResult]) -> ClaimResult:
    """One result for a claim made of parts (data sets, tables): all hold, all fail, or mixed.

    Untestable parts do not vote. The effect is the smallest, the p-value the largest of the
    voting parts: the weakest link speaks for the whole.
    """
    voting = {name: part for name, part in parts.items() if part.verdict != "untestable"}
    detail = "; ".join(f"{name}: {part.verdict} ({part.detail})" for name, part in parts.items())
    if not voting:
        return untestable(detail or "no part of the claim has rows")
    verdicts = {part.verdict for part in voting.values()}
    verdict = verdicts.pop() if len(verdicts) == 1 else "mixed"
    effects = [part.effect for part in voting.values() if not math.isnan(part.effect)]
    p_values = [part.p_value for part in voting.values() if not math.isnan(part.p_value)]
    return ClaimResult(
        verdict,
        min(effects, default=math.nan),
        max(p_values, default=math.nan),
        sum(part.n for part in voting.values()),
        detail,
    )


def select(rows: pd.DataFrame, **criteria: Any) -> pd.DataFrame:
    """Rows whose columns equal the values given (a list, tuple or set means "one of").

    Unless they are given, ``reading`` is the one compared with print and ``role`` is
    ``"published"``; ``None`` lets every value pass.
    """
    criteria.setdefault("reading", PAPER)
    criteria.setdefault("role", "published")
    keep = np.ones(len(rows), dtype=bool)
    for column, wanted in criteria.items():
        if column not in rows.columns:
            raise ValueError(f"rows have no column {column!r}; they have {', '.join(rows.columns)}")
        if wanted is None:
            continue
        if isinstance(wanted, (list, tuple, set, frozenset)):
            keep &= rows[column].isin(list(wanted)).to_numpy()
        else:
            keep &= (rows[column] == wanted).to_numpy()
    return rows.loc[keep]


def real_rows(rows: pd.DataFrame) -> pd.DataFrame:
    """Rows measured on real data (the paper's, a subset or a stand-in), surrogates left out."""
    return rows.loc[rows["provenance"] != "surrogate"]


def original_rows(rows: pd.DataFrame) -> pd.DataFrame:
    """Rows measured on the data the paper used."""
    return rows.loc[rows["provenance"] == "original"]


def pair(
    left: pd.DataFrame, right: pd.DataFrame, on: Sequence[str] = UNIT
) -> tuple[np.ndarray, np.ndarray]:
    """Values of two sets of rows aligned on ``on``; units that only one side has are dropped."""
    keys = list(on)
    one = left.groupby(keys, sort=True)["value"].mean()
    two = right.groupby(keys, sort=True)["value"].mean()
    both = one.index.intersection(two.index).sort_values()
    return one.loc[both].to_numpy(dtype=float), two.loc[both].to_numpy(dtype=float)


def better(
    left: pd.DataFrame,
    right: pd.DataFrame,
    *,
    on: Sequence[str] = UNIT,
    margin: float = 0.0,
    higher_is_better: bool = True,
    test: str = "t",
    what: str = "",
) -> ClaimResult:
    """Claim "left is better than right (by more than ``margin``)", paired on ``on``."""
    a, b = pair(left, right, on)
    if a.size < 2:
        return untestable(
            f"{what or 'left against right'}: {a.size} common units, at least 2 needed"
        )
    sign = 1.0 if higher_is_better else -1.0
    result = paired_test(sign * (a - b), margin, test=test)
    verdict = verdict_of(result.difference, result.p_value)
    detail = f"{what + ': ' if what else ''}{result}"
    return ClaimResult(verdict, result.difference + margin, result.p_value, result.n, detail)


def best_in_every_column(
    rows: pd.DataFrame,
    method: str,
    *,
    columns: Sequence[str] = ("dataset", "setting"),
    others: Sequence[str] | None = None,
    higher_is_better: bool = True,
    min_share: float = 1.0,
) -> ClaimResult:
    """Claim "``method`` has the best mean in every column of the table".

    ``holds`` when it leads in at least ``min_share`` of the columns and the paired test over the
    columns (its mean minus the best other mean) rejects; ``fails`` when it leads in fewer than
    half; ``mixed`` otherwise. Only published methods count as rivals.
    """
    rows = rows[rows["role"] == "published"]
    rivals = set(rows["method"]) - {method}
    if others is not None:
        rivals &= set(others)
    means = rows.groupby([*columns, "method"], sort=True)["value"].mean().unstack("method")
    if method not in means.columns or not rivals:
        return untestable(f"{method} or its rivals have no rows here")
    sign = 1.0 if higher_is_better else -1.0
    table = (sign * means).dropna(subset=[method])
    rival = table[sorted(rivals)].max(axis=1)
    lead = (table[method] - rival).dropna()
    if lead.empty:
        return untestable(f"no column has both {method} and a rival")
    won = int((lead > 0).sum())
    n = len(lead)
    p_value = paired_test(lead.to_numpy()).p_value if n >= 2 else math.nan
    lost = [" ".join(map(str, np.atleast_1d(key))) for key in lead.index[lead <= 0]]
    detail = f"{method} leads in {won} of {n} columns, mean lead {lead.mean():+.3g}"
    if lost:
        detail += "; behind in " + ", ".join(lost[:6]) + (" ..." if len(lost) > 6 else "")
    if won >= min_share * n and (n < 2 or p_value <= ALPHA):
        verdict = "holds"
    else:
        verdict = "fails" if won < n / 2 else "mixed"
    return ClaimResult(verdict, float(lead.mean()), p_value, n, detail)


def monotone_trend(
    rows: pd.DataFrame,
    x: str,
    *,
    direction: str = "increasing",
    unit: Sequence[str] = ("dataset", "method", "run"),
) -> ClaimResult:
    """Claim "the value rises (falls) with x", one rank correlation per unit, tested over units.

    Spearman's rho between x and the value is taken inside every unit (a run of a method on a data
    set), then a one-sample test asks whether the mean rho is above zero. ``x`` is a column. The
    effect is the mean rho, signed so that positive supports the claim.
    """
    if direction not in ("increasing", "decreasing"):
        raise ValueError(f"direction {direction!r}: use 'increasing' or 'decreasing'")
    sign = 1.0 if direction == "increasing" else -1.0
    rhos = []
    for _, part in rows.groupby(list(unit), sort=True):
        curve = part.groupby(x)["value"].mean()
        if len(curve) < 3:
            continue
        flat = np.ptp(curve.to_numpy()) == 0.0
        rhos.append(0.0 if flat else float(stats.spearmanr(curve.index, curve.to_numpy())[0]))
    if len(rhos) < 2:
        return untestable(f"{len(rhos)} curves with at least three points; two needed")
    result = paired_test(sign * np.array(rhos))
    mean = sign * result.difference
    detail = f"mean Spearman rho {mean:+.2f} over {result.n} curves ({direction} claimed)"
    verdict = verdict_of(result.difference, result.p_value)
    return ClaimResult(verdict, result.difference, result.p_value, result.n, detail)


def insensitive(
    rows: pd.DataFrame,
    by: str = "setting",
    *,
    margin: float,
    unit: Sequence[str] = ("dataset", "method", "run"),
) -> ClaimResult:
    """Claim "the value hardly depends on ``by``": an equivalence test (two one-sided tests).

    Every pair of levels is compared, paired on ``unit``. ``holds`` when, for every pair, the
    difference is inside ±``margin`` at the 5 % level (all pairs must pass, so no adjustment is
    due); ``fails`` when some mean difference is outside the margin; ``mixed`` between. The effect
    is the margin left: margin minus the largest absolute mean difference.
    """
    if margin <= 0:
        raise ValueError(f"margin {margin}: an equivalence test needs a positive margin")
    keys = list(unit)
    wide = rows.groupby([*keys, by], sort=True)["value"].mean().unstack(by).dropna()
    levels = list(wide.columns)
    if len(levels) < 2 or len(wide) < 2:
        return untestable(
            f"{len(levels)} levels of {by} and {len(wide)} complete units; two needed"
        )
    worst, worst_p, worst_pair = -1.0, 0.0, ("", "")
    for i, first in enumerate(levels):
        for second in levels[i + 1 :]:
            difference = (wide[first] - wide[second]).to_numpy()
            upper = paired_test(difference, margin, alternative="less").p_value
            lower = paired_test(difference, -margin, alternative="greater").p_value
            worst_p = max(worst_p, upper, lower)
            size = abs(float(difference.mean()))
            if size > worst:
                worst, worst_pair = size, (str(first), str(second))
    detail = (
        f"largest mean difference between two levels of {by}: {worst:.3g} "
        f"({worst_pair[0]} against {worst_pair[1]}), margin {margin:g}, "
        f"{len(levels)} levels, {len(wide)} units"
    )
    verdict = "fails" if worst > margin else ("holds" if worst_p <= ALPHA else "mixed")
    return ClaimResult(verdict, margin - worst, worst_p, len(wide), detail)
