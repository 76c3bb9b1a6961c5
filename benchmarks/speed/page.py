"""The page of the board."""

import html
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from reproduction.pages.figures import PALETTE, figure_html, new_figure
from reproduction.pages.markup import Cell, Table, csv_text, frame_cells, table_html
from reproduction.pages.page import markdown_html, page_html
from reproduction.pages.stamp import page_stamp
from speed.measure import exponent

_MET, _MISSED = "goal met", "goal missed"


def _times(ratio: float) -> str:
    if ratio >= 100:
        return f"{ratio:,.0f}x"
    return f"{ratio:.1f}x" if ratio >= 2 else f"{ratio:.2f}x"


def _goal(row: Any) -> Cell:
    if np.isnan(row["goal"]):
        return Cell("", "")
    met = row["times slower than ours"] >= row["goal"]
    word, css = (_MET, "v-holds") if met else (_MISSED, "v-near")
    text = f"{_times(row['goal'])}: {word}"
    return Cell(f'<span class="badge {css}">{html.escape(text)}</span>', text, float(row["goal"]))


def comparison_html(rows: pd.DataFrame, name: str) -> str:
    """One case: bars on a logarithmic scale in a table, ours first."""
    top = np.log10(max(rows["times slower than ours"].max(), 10.0))
    cells = []
    for _, row in rows.iterrows():
        ratio = row["times slower than ours"]
        width = 4 + 96 * max(np.log10(max(ratio, 1e-3)), 0.0) / top
        ours = row["method"] == rows["method"].iloc[0]
        colour = PALETTE[2] if ours else PALETTE[0]
        bar = (
            f'<span style="display:inline-block;width:7rem"><span style="display:block;height:.7em;'
            f'border-radius:.2em;width:{width:.0f}%;background:{colour}"></span></span>'
        )
        spread = f"{row['low']:.3g} to {row['high']:.3g}"
        measured = f"{row['median']:.3g} {row['unit']}"
        cells.append(
            [
                Cell(html.escape(row["method"]), row["method"], row["method"], "text"),
                Cell(html.escape(measured), measured, float(row["median"]), "num"),
                Cell(spread, spread, float(row["low"]), "num"),
                Cell(_times(ratio), _times(ratio), float(ratio), "num"),
                Cell(bar, ""),
                Cell(html.escape(row["reached"]), row["reached"]),
                Cell(html.escape(row["same"]), row["same"], row["same"], "text"),
                _goal(row),
            ]
        )
    header = ["method", "median", "quartiles", "time against ours", "log scale", "reached",
              "compared", "goal"]  # fmt: skip
    caption = str(rows["case"].iloc[0])
    return table_html(Table(name, caption, header, cells, csv_text(rows)))


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


@dataclass
class Limits:
    """What the core can do, and where our own time goes."""

    core: dict[str, float]
    stages: pd.DataFrame


def _limits_html(limits: Limits) -> str:
    core, frame = limits.core, limits.stages
    said = (
        f"One core of this machine, probed: {core['Gflop/s']:.1f} Gflop/s in a dense matrix "
        f"product by BLAS, {core['GB/s memory']:.1f} GB/s from memory and "
        f"{core['GB/s cache']:.1f} GB/s from the second cache, two arrays read and one written. "
        "Operations and bytes of a stage are counted by hand, at the least."
    )
    caption = "Where our own time goes, stage by stage, and what of the core it uses"
    cells = frame_cells(frame, 3, ())
    table = Table("stages", caption, list(frame.columns), cells, csv_text(frame))
    return f"<p>{html.escape(said)}</p>{table_html(table)}"


def speed_page(
    rows: pd.DataFrame,
    growth: pd.DataFrame,
    limits: Limits,
    peers: dict[str, str],
    about: str,
) -> str:
    """Return the page of the board."""
    contents: list[dict[str, Any]] = []
    goals = rows[rows["goal"].notna()]
    met = int((goals["times slower than ours"] >= goals["goal"]).sum())
    missing = {name: why for name, why in peers.items() if why}
    body = [
        markdown_html(
            "# Speed beside the peers\n\n"
            f"{rows['case'].nunique()} cases, {rows['method'].nunique()} methods; {met} of "
            f"{len(goals)} goals are met. Within a case all take turns in one process (OR-tools "
            "follows in one of its own, since its HiGHS breaks another), on one thread, and the "
            "seconds are those of the processor; what is shown is the median of the repeats with "
            "its quartiles. Where two methods solve the same problem, the page "
            f"says what each reached. {about}\n\n"
            "Measured on one machine, so figures differ elsewhere: read the ratios. "
            "`snakemake --cores 1 benchmark` writes this page; [speed.csv](speed.csv) has the "
            "rows.\n",
            contents,
        )
    ]
    number = 0
    for part in dict.fromkeys(rows["part"]):
        body.append(markdown_html(f"## {part}\n", contents))
        here = rows[rows["part"] == part]
        for case in dict.fromkeys(here["case"]):
            number += 1
            body.append(comparison_html(here[here["case"] == case], f"case {number}"))
    body.append(markdown_html("## Growth\n", contents))
    body.append(growth_html(growth))
    body.append(markdown_html("## The limit\n", contents))
    body.append(_limits_html(limits))
    body.append(markdown_html("## Peers that are not here\n", contents))
    listed = "".join(
        f"<li><strong>{html.escape(name)}</strong>: {html.escape(why)}</li>"
        for name, why in missing.items()
    )
    body.append(f"<ul>{listed}</ul>" if missing else "<p>Every peer was installed.</p>")
    stamp = page_stamp("")
    stamp.pop("Configuration")
    return page_html("".join(body), page="speed", contents=contents, stamp=stamp)
