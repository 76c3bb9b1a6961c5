"""Claims of the co-regularised PLSA paper, by the text's protocol and by the inferred one.

Runs share their random start across methods and the split into training and test pairs is fixed, so
methods are compared in pairs. SCM has no random part: its one value stands against every run.
TVGraz is not public; its stand-in is used only where Wikipedia has no rows.
"""

from functools import partial

import pandas as pd

from asprinted.claims import better, data_of, equal, select
from asprinted.declared import Params, chosen, compared
from asprinted.parts import Part, every, exact, some, untestable
from reproduction.papers.coplsa_multimodal import settings as cm


def _table(rows: pd.DataFrame, params: Params) -> pd.DataFrame:
    """Rows on the data sets named, or on the stand-in where they have none."""
    found = chosen(rows, {**params, "dataset": None}, metric=cm.METRIC)
    own = found[found["dataset"].isin(params["dataset"])]
    own = own if len(own) else found[found["dataset"] == params.get("stand_in")]
    runs = sorted(set(own["run"]))
    parts = []
    for _, part in own.groupby("method", sort=True):
        once = len(set(part["run"])) == 1
        parts += [part.assign(run=run) for run in runs] if once else [part]
    return pd.concat(parts, ignore_index=True) if parts else own


_compared = partial(compared, choose=_table)
#: Every one of the methods is above every other one, on average over columns; or in every space.
beats = _compared("{one} above {two}".format)
order = _compared("{space} space, {one} above {two}".format, each=("space",))
directions_close = _compared(
    "{space} space, {method}".format, by="direction", each=("space", "method"), test=equal,
    margins=1, on=("dataset", "run"),
)  # fmt: skip
semantic_above_topic = _compared(
    "{method}".format, by="space", each=("method",), on=("dataset", "direction", "run"),
    shown="{} space".format,
)  # fmt: skip


def beats_in_general(rows: pd.DataFrame, params: Params) -> Part:
    """The mean of ``methods`` is above the one other: one test."""
    (other,), found = params["others"], _table(rows, params)
    own = found[found["method"].isin(params["methods"])]
    if lacking := set(params["methods"]) - set(own["method"]):
        return untestable(f"no rows of {', '.join(sorted(lacking))}")
    return better(own, found[found["method"] == other], names=("co-regularised PLSA", other))


def monotone(rows: pd.DataFrame, params: Params) -> Part:
    """The objective never falls with the exact steps."""
    at = {"metric": "falls", "start": cm.RANDOM_START, "method": cm.COUPLED}
    part = chosen(rows, params, table="extra:monotone", **at)
    if part.empty:
        return untestable("no objective traces")
    falls = part.groupby("method", sort=True)["value"].sum()
    counted = ", ".join(f"{method} {int(value)}" for method, value in falls.items())
    total = int(falls.sum())
    reason = f"sweeps in which the objective fell, {len(part)} runs together: {counted}"
    return exact(total == 0, reason, data=data_of(part), n=len(part), effect=float(-total))


def quick_convergence(rows: pd.DataFrame, params: Params) -> Part:
    """Sweeps to a share of the gain, and Newton steps, are at most ``most`` for every method."""
    share, most = params["share"], params["most"]
    found = select(rows, table="extra:convergence", method=cm.COUPLED, reading=params["reading"])
    kinds = {
        f"sweeps to {100 * share:g} % of the gain": ("sweeps", share),
        "Newton steps of a column": ("newton_steps", None),
    }
    parts = {}
    for what, (metric, at) in kinds.items():
        kind = select(found, reading=None, metric=metric, share=at)
        for method, runs in kind.groupby("method", sort=True):
            mean = float(runs["value"].mean())
            reason = f"{mean:.1f} on average, at most {most} claimed"
            parts[f"{what}, {method}"] = exact(
                mean <= most, reason, data=data_of(runs), n=len(runs), effect=most - mean
            )
    return every(parts)


def two_step_falls(rows: pd.DataFrame, params: Params) -> Part:
    """From some start the criticised update lets the objective fall, where the exact does not."""
    parts = {}
    for start in params["starts"]:
        part = chosen(rows, params, table="extra:monotone", metric="falls", start=start)
        theirs, ours = part[part["method"] == cm.TWO_STEP], part[part["method"] == cm.L2]
        if theirs.empty or ours.empty:
            parts[start] = untestable("no traces of the two l2 updates")
            continue
        runs = int((theirs["value"] > 0).sum())
        own = int(ours["value"].sum())
        reason = f"it fell in {runs} of {len(theirs)} runs, the exact update in {own} sweeps"
        parts[start] = exact(
            runs > 0 and own == 0, reason, data=data_of(theirs), n=len(theirs), effect=float(runs)
        )
    return some(parts)
