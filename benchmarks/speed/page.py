"""The page of the board."""

import html
from typing import Any

import numpy as np
import pandas as pd

from reproduction.pages.figures import figure_html, new_figure
from reproduction.pages.markup import Table, csv_text, frame_cells, table_html
from reproduction.pages.page import markdown_html, page_html
from reproduction.pages.stamp import page_stamp
from speed.measure import RATIO, exponent


def _times(ratio: float) -> str:
    if np.isnan(ratio):
        return ""
    return f"{ratio:,.0f}x" if ratio >= 100 else f"{ratio:.3g}x"


def comparison_html(rows: pd.DataFrame, name: str, elsewhere: pd.DataFrame) -> str:
    """One case as a table, ours first; ``elsewhere`` has the ratios of other processors."""
    ratio, goal = rows[RATIO], rows["goal"]
    others = elsewhere[elsewhere["case"] == rows["case"].iloc[0]]
    judged = np.where(goal.isna(), "", np.where(ratio >= goal, ": goal met", ": goal missed"))
    shown = pd.DataFrame(
        {
            "method": rows["method"],
            f"median, {rows['unit'].iloc[0]}": rows["median"],
            "quartiles": [f"{a:.3g} to {b:.3g}" for a, b in rows[["low", "high"]].to_numpy()],
            "time against ours": ratio.map(_times),
            **{
                f"on {processor}": rows["method"].map(part.set_index("method")[RATIO]).map(_times)
                for processor, part in others.groupby("processor")
            },
            "reached": rows["reached"],
            "compared": rows["same"],
            "goal": goal.map(_times) + judged,
        }
    )
    caption = str(rows["case"].iloc[0])
    cells = frame_cells(shown, 3, ())
    return table_html(Table(name, caption, list(shown.columns), cells, csv_text(rows)))


def _short(size: float) -> str:
    return f"{size:.0f}" if size < 1e4 else f"{size:.0e}".replace("e+0", "e")


def growth_html(rows: pd.DataFrame) -> str:
    """Growth curves with their exponents, and the table."""
    one = rows[rows["threads"] == 1]
    names = list(dict.fromkeys(one["what"]))
    figure, axes = new_figure(1, len(names), width=9.6, height=2.6)
    fitted = []
    for axis, what in zip(np.ravel(axes), names, strict=True):
        part = one[one["what"] == what]
        slope = exponent(list(part["size"]), list(part["seconds"]))
        axis.loglog(part["size"], 1e3 * part["seconds"], marker="o")
        axis.set_title(f"{what}: exponent {slope:.2f}", fontsize=8)
        axis.set_xticks(part["size"], [_short(size) for size in part["size"]])
        axis.minorticks_off()
        axis.set_xlabel(what)
        fitted.append(f"{what} {slope:.2f}")
    np.ravel(axes)[0].set_ylabel("ms an iteration")
    alt = "Time of an iteration over the size; fitted exponents: " + ", ".join(fitted)
    text = "Time of one iteration on one core; the exponent is the slope of a straight line."
    shown = rows.assign(ms=1e3 * rows["seconds"]).drop(columns="seconds")
    shown = shown[["what", "size", "threads", "ms", "peak MB"]]
    table = Table(
        "growth", "Time and peak memory by size", list(shown.columns), frame_cells(shown, 3, ()),
        csv_text(shown),
    )  # fmt: skip
    return figure_html(figure, "growth", alt, text) + table_html(table)


def speed_page(
    rows: pd.DataFrame,
    growth: pd.DataFrame,
    peers: dict[str, str],
    about: str,
    elsewhere: pd.DataFrame | None = None,
) -> str:
    """Return the page of the board."""
    contents: list[dict[str, Any]] = []
    goals = rows[rows["goal"].notna()]
    met = int((goals[RATIO] >= goals["goal"]).sum())
    if elsewhere is None:
        elsewhere = pd.DataFrame(columns=["processor", "case", "method", RATIO])
    body = [
        markdown_html(
            "# Speed beside the peers\n\n"
            f"{rows['case'].nunique()} cases, {rows['method'].nunique()} methods; {met} of "
            f"{len(goals)} goals are met. Within a case all take turns in one process, on one "
            "thread, and the seconds are those of the processor; what is shown is the median of "
            "the repeats with its quartiles. Where two methods solve the same problem, the page "
            f"says what each reached. {about}\n\n"
            "Measured on one machine, so figures differ elsewhere: read the ratios. "
            "`snakemake --cores 1 benchmark` writes this page; [speed.csv](speed.csv) has the "
            "rows.\n",
            contents,
        )
    ]
    part = ""
    for number, (_, here) in enumerate(rows.groupby("case", sort=False), 1):
        if here["part"].iloc[0] != part:
            part = here["part"].iloc[0]
            body.append(markdown_html(f"## {part}\n", contents))
        body.append(comparison_html(here, f"case {number}", elsewhere))
    body += [markdown_html("## Growth\n", contents), growth_html(growth)]
    body.append(markdown_html("## Peers that are not here\n", contents))
    listed = "".join(
        f"<li><strong>{html.escape(name)}</strong>: {html.escape(why)}</li>"
        for name, why in peers.items()
        if why
    )
    body.append(f"<ul>{listed}</ul>" if listed else "<p>Every peer was installed.</p>")
    stamp = page_stamp("")
    stamp.pop("Configuration")
    return page_html("".join(body), page="speed", contents=contents, stamp=stamp)
