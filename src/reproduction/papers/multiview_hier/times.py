"""The figure of this paper whose subject is time: Figure 11 (a)."""

import pandas as pd
from matplotlib.figure import Figure

from reproduction.pages.declared import dots
from reproduction.papers.multiview_hier.paper import study
from reproduction.papers.multiview_hier.settings import TREES

#: Solver -> metric of its E-step; a fit takes that often the exact fit's iterations and points.
SLOW = {"batched": "batch_ms_per_point", "cvxpy": "cvxpy_ms_per_point"}
FITS, STEPS = "time:4", "time:mip_check"


def fit_seconds(timings: pd.DataFrame, dataset: str) -> pd.DataFrame:
    """Median seconds of a fit per method, with the MIP solvers' estimates beside."""
    here = timings[timings["dataset"] == dataset]
    fits, slow = (
        here[here["table"] == table].pivot_table("value", "method", "metric", aggfunc="median")
        for table in (FITS, STEPS)
    )
    points = fits["iterations"] * fits["documents"]
    estimated = {name: slow[of] / 1e3 * points for name, of in SLOW.items()}
    return pd.DataFrame({"exact": fits["seconds"], **estimated})


def figures(rows: pd.DataFrame, timings: pd.DataFrame) -> dict[str, tuple[Figure, str]]:
    """Return Figure 11 (a) with its text alternative: exact fits measured, the others estimated."""
    if not {FITS, STEPS} <= {*timings["table"]}:
        print("Figure 11 (a) is not drawn: its fits were not run; `rows: measured` times them")
        return {}
    wide = {dataset: fit_seconds(timings, dataset) for dataset in TREES}
    frame = pd.concat(wide, names=["dataset"]).reset_index()
    frame = frame.melt(["dataset", "method"], var_name="solver").dropna(subset="value")
    frame = frame.assign(metric="seconds per fit", low=frame["value"], high=frame["value"])
    fig = dots(study, frame, ["method"], ["solver"])
    for ax in fig.axes:
        ax.set_xscale("log")
    return {"figure-11a": (fig, "Seconds per fit of every method: exact, batched, by cvxpy.")}
