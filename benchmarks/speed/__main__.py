"""The speed board, every kernel beside its peers: ``PYTHONPATH=benchmarks python -m speed``."""

import argparse
import os
import platform
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pandas as pd
from threadpoolctl import threadpool_limits

from reproduction.files import write_text
from reproduction.pages.figures import figure_html, new_figure
from reproduction.pages.markup import Table, csv_text, frame_cells, table_html
from reproduction.pages.page import markdown_html, page_html
from reproduction.pages.stamp import page_stamp
from speed.cases import PARTS, RATIO
from speed.growth import curves

THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS")
#: Freed memory stays with the process: else the time of methods with large temporary arrays, as of
#: NMF, depends on what was freed before them.
KEPT = ("MALLOC_TRIM_THRESHOLD_", "MALLOC_MMAP_THRESHOLD_")
#: Ratios that were measured, by processor: what :func:`slower` compares with.
RATIOS = Path(__file__).resolve().parents[1] / "ratios.csv"
#: A method of ours fails when a peer's time in units of ours fell below this share of the kept one.
LIMIT = 1 / 1.2


def slower(kept, found):
    """Say of which cases ours became a fifth slower beside a peer, and of which nothing is kept."""
    if kept.empty:
        return [f"no ratios are kept for {platform.machine()}: run the board on it first"]
    both = found.merge(kept, on=["case", "method"], how="left", suffixes=("", " kept"))
    ratio, before = both[RATIO], both[f"{RATIO} kept"]
    lost = both[(ratio < LIMIT * before) | before.isna()]
    return [
        f"{row.case}, {row.method}: {row[RATIO]:.3g} times ours, {row[f'{RATIO} kept']:.3g} before"
        for _, row in lost.iterrows()
    ]


def processor():
    """Name the processor, as far as the system does."""
    told = Path("/proc/cpuinfo").read_text() if Path("/proc/cpuinfo").is_file() else ""
    names = {line.partition(": ")[2] for line in told.splitlines() if line.startswith("model name")}
    return ", ".join([platform.machine(), *sorted(names)])


def amount(value):
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


def times(ratio):
    return "" if np.isnan(ratio) else f"{amount(ratio)}x"


def comparison_html(rows, name, elsewhere):
    """One case as a table, ours first; ``elsewhere`` has the ratios of other processors."""
    ratio, goal, caption = rows[RATIO], rows["goal"], str(rows["case"].iloc[0])
    others = elsewhere[elsewhere["case"] == caption]
    judged = np.where(goal.isna(), "", np.where(ratio >= goal, ": goal met", ": goal missed"))
    shown = pd.DataFrame(
        {
            "method": rows["method"],
            f"median, {rows['unit'].iloc[0]}": rows["median"].map(amount),
            "quartiles": [
                f"{amount(a)} to {amount(b)}" for a, b in rows[["low", "high"]].to_numpy()
            ],
            "time against ours": ratio.map(times),
            **{
                f"on {processor}": rows["method"].map(part.set_index("method")[RATIO]).map(times)
                for processor, part in others.groupby("processor")
            },
            "reached": rows["reached"],
            "compared": rows["same"],
            "goal": goal.map(times) + judged,
        }
    )
    cells = frame_cells(shown, 3, ())
    return table_html(Table(name, caption, list(shown.columns), cells, csv_text(rows)))


def growth_html(rows):
    """Growth curves with their exponents, and the table."""
    one = rows[rows["threads"] == 1]
    names = list(dict.fromkeys(one["what"]))
    figure, axes = new_figure(1, len(names), width=9.6, height=2.6)
    fitted = []
    for axis, what in zip(np.ravel(axes), names, strict=True):
        part = one[one["what"] == what]
        slope = np.polyfit(np.log(part["size"]), np.log(part["seconds"]), 1)[0]
        axis.loglog(part["size"], 1e3 * part["seconds"], marker="o")
        axis.set_title(f"{what}: exponent {slope:.2f}", fontsize=8)
        short = [f"{n:.0f}" if n < 1e4 else f"{n:.0e}".replace("e+0", "e") for n in part["size"]]
        axis.set_xticks(part["size"], short)
        axis.minorticks_off()
        axis.set_xlabel(what)
        fitted.append(f"{what} {slope:.2f}")
    np.ravel(axes)[0].set_ylabel("ms an iteration")
    alt = "Time of an iteration over the size; fitted exponents: " + ", ".join(fitted)
    text = "Time of one iteration on one core; the exponent is the slope of a straight line."
    shown = rows.assign(ms=1e3 * rows["seconds"])[["what", "size", "threads", "ms", "peak MB"]]
    table = Table(
        "growth", "Time and peak memory by size", list(shown.columns), frame_cells(shown, 3, ()),
        csv_text(shown),
    )  # fmt: skip
    return figure_html(figure, "growth", alt, text) + table_html(table)


def speed_page(rows, growth, about, elsewhere):
    """Return the page of the board."""
    contents = []
    goals = rows[rows["goal"].notna()]
    met = int((goals[RATIO] >= goals["goal"]).sum())
    body = [
        markdown_html(
            "# Speed beside the peers\n\n"
            f"{rows['case'].nunique()} cases, {rows['method'].nunique()} methods; {met} of "
            f"{len(goals)} goals that we set ourselves are met. Within a case all take turns in "
            "one process, on one thread, and the seconds are those of the processor; shown is "
            "the median of the repeats with its quartiles. Where two methods solve the same "
            f"problem, *reached* is the value of its objective that each came to. {about}\n\n"
            "Measured on one machine, so figures differ elsewhere: read the ratios. "
            "`snakemake --cores 1 benchmark` writes this page; [speed.csv](speed.csv) has the "
            "rows.\n",
            contents,
        )
    ]
    for number, (_, here) in enumerate(rows.groupby("case", sort=False), 1):
        if not rows["part"].shift().eq(here["part"].iloc[0])[here.index[0]]:
            body.append(markdown_html(f"## {here['part'].iloc[0]}\n", contents))
        body.append(comparison_html(here, f"case {number}", elsewhere))
    body += [markdown_html("## Growth\n", contents), growth_html(growth)]
    stamp = page_stamp("")
    stamp.pop("Configuration")
    return page_html("".join(body), page="speed", contents=contents, stamp=stamp)


def main() -> int:
    parser = argparse.ArgumentParser(prog="speed", description=__doc__)
    parser.add_argument("--page", type=Path, default=Path("reports/speed.html"))
    parser.add_argument("--table", type=Path, default=Path("reports/speed.csv"))
    parser.add_argument(
        "--guard", action="store_true", help="write nothing; fail where ours became a fifth slower"
    )
    given = parser.parse_args()
    one = {**dict.fromkeys(THREADS, "1"), **dict.fromkeys(KEPT, str(1 << 30))}
    if not one.items() <= os.environ.items():  # both are read when a process starts
        again = [sys.executable, "-m", "speed", *sys.argv[1:]]
        return subprocess.run(again, env={**os.environ, **one}, check=False).returncode
    start, rows = time.perf_counter(), []
    with threadpool_limits(limits=1):
        for part in PARTS:
            for found in part():
                rows += found
                took, last = time.perf_counter() - start, found[-1]
                told = f"{last['method']} takes {last[RATIO]:.3g} times ours"
                print(f"{took:5.0f} s  {last['case']}: {told}", flush=True)
    table, kept = pd.DataFrame(rows), pd.read_csv(RATIOS)
    here = kept["processor"] == platform.machine()
    ratios = table[table["method"] != table.groupby("case")["method"].transform("first")]
    if given.guard:
        problems = slower(kept[here], ratios)
        print(*(problems or ["nothing became slower"]), sep="\n")
        return int(bool(problems))
    ours = ratios.assign(processor=platform.machine())[list(kept.columns)]
    known = pd.concat([kept, ours]).drop_duplicates(["processor", "case", "method"], keep="last")
    write_text(RATIOS, known.to_csv(index=False, float_format="%.4g", lineterminator="\n"))
    about = (
        f"Python {platform.python_version()} on {processor()}, "
        f"{os.cpu_count()} cores; the whole board took {time.perf_counter() - start:.0f} s."
    )
    page = speed_page(table, pd.DataFrame(list(curves())), about, kept[~here])
    write_text(given.page, page)
    write_text(given.table, table.to_csv(index=False, float_format="%.6g", lineterminator="\n"))
    print(given.page)
    return 0


if __name__ == "__main__":
    sys.exit(main())
