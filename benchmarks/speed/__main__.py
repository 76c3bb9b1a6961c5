"""Measure everything and write the board: ``PYTHONPATH=benchmarks python -m speed``."""

import argparse
import os
import platform
import subprocess
import sys
import time
from pathlib import Path

import pandas as pd
from threadpoolctl import threadpool_limits

from reproduction.files import write_text
from speed.measure import RATIO, UNUSABLE

THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS")
#: Freed memory stays with the process: else the time of methods with large temporary arrays, as of
#: NMF, depends on what was freed before them.
KEPT = ("MALLOC_TRIM_THRESHOLD_", "MALLOC_MMAP_THRESHOLD_")
FOLDER = Path(__file__).resolve().parents[1]
#: Ratios that were measured, by processor: what :func:`slower` compares with.
RATIOS = FOLDER / "ratios.csv"
#: A method of ours fails when a peer's time in units of ours fell below this share of the kept one.
LIMIT = 1 / 1.2


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="speed", description=__doc__.splitlines()[0])
    parser.add_argument("--page", type=Path, default=Path("reports/speed.html"))
    parser.add_argument("--table", type=Path, default=Path("reports/speed.csv"))
    parser.add_argument("--only", nargs="+", metavar="PART", help="such as topics or online")
    parser.add_argument("--quick", action="store_true", help="tiny sizes: does it run?")
    parser.add_argument(
        "--guard", action="store_true", help="write nothing; fail where ours became a fifth slower"
    )
    return parser.parse_args()


def slower(kept: pd.DataFrame, found: pd.DataFrame) -> list[str]:
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


def main() -> int:
    given = _arguments()
    one = {**dict.fromkeys(THREADS, "1"), **dict.fromkeys(KEPT, str(1 << 30))}
    if not one.items() <= os.environ.items():  # both are read when a process starts
        return subprocess.run([sys.executable, "-m", "speed", *sys.argv[1:]],
                              env={**os.environ, **one}).returncode  # fmt: skip
    from speed.cases import PARTS
    from speed.growth import curves
    from speed.page import speed_page

    start = time.perf_counter()
    rows: list[dict[str, object]] = []
    with threadpool_limits(limits=1):
        for part in given.only or PARTS:
            try:
                for comparison in PARTS[part](given.quick):
                    rows += comparison.rows()
                    took, last = time.perf_counter() - start, rows[-1]
                    told = f"{last['method']} takes {last[RATIO]:.3g} times ours"
                    print(f"{took:5.0f} s  {comparison.case}: {told}", flush=True)
            except Exception as error:  # a quarter of an hour is not lost for one peer
                UNUSABLE[f"rest of {part}"] = f"not measured: {error}".split("\n")[0][:200]
                print(f"{part}: {UNUSABLE[f'rest of {part}']}", flush=True)
    table = pd.DataFrame(rows)
    kept = pd.read_csv(RATIOS)
    here = kept["processor"] == platform.machine()
    ratios = table[table["method"] != table.groupby("case")["method"].transform("first")]
    if given.guard:
        problems = slower(kept[here], ratios)
        print(*(problems or ["nothing became slower"]), sep="\n")
        return 1 if problems or not rows else 0
    if not given.quick:
        ours = ratios.assign(processor=platform.machine())[list(kept.columns)]
        known = pd.concat([kept, ours]).drop_duplicates(
            ["processor", "case", "method"], keep="last"
        )
        write_text(RATIOS, known.to_csv(index=False, float_format="%.4g", lineterminator="\n"))
    about = (
        f"Python {platform.python_version()} on {platform.machine()}, "
        f"{os.cpu_count()} cores; the whole board took {time.perf_counter() - start:.0f} s."
    )
    growth = pd.DataFrame(list(curves(given.quick)))
    page = speed_page(table, growth, UNUSABLE, about, kept[~here])
    write_text(given.page, page)
    write_text(given.table, table.to_csv(index=False, float_format="%.6g", lineterminator="\n"))
    print(given.page)
    return 0


if __name__ == "__main__":
    sys.exit(main())
