"""The command line: ``manyviews compare <data.yaml, folder or file>``."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path

#: Packages of the extra ``compare`` beyond the library's own.
_NEEDED = {"yaml": "pyyaml", "matplotlib": "matplotlib"}


def parser() -> argparse.ArgumentParser:
    """Return the parser of the command line."""
    top = argparse.ArgumentParser(prog="manyviews", description="Multi-view learning.")
    commands = top.add_subparsers(dest="command", required=True)
    one = commands.add_parser("compare", help="compare all methods on your data and write a report")
    one.add_argument("data", help="a data.yaml, a folder, or one table")
    one.add_argument("--out", type=Path, help="folder of the report (default: compare-<name>)")
    one.add_argument("--jobs", type=int, default=0, help="cores (default: all)")
    one.add_argument(
        "--rounds",
        type=int,
        default=None,
        help="rounds of five splits at most (default: 4, from 1,000 rows on 2)",
    )
    one.add_argument("--minutes", type=float, help="stop after so many minutes; run again to go on")
    one.add_argument("--methods", help="names of methods, separated by commas (default: all)")
    one.add_argument(
        "--plugins", type=Path, action="append", default=[], help="folder of your own methods"
    )
    two = commands.add_parser(
        "recommend", help="say which methods to try, from comparisons on other data"
    )
    two.add_argument("data", help="a data.yaml, a folder, or one table")
    two.add_argument(
        "--experience", type=Path, required=True,
        help="comparisons that were made: tables/then_and_now.csv of the reports",
    )  # fmt: skip
    return top


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; return its exit status."""
    given = parser().parse_args(arguments)
    missing = [name for module, name in _NEEDED.items() if find_spec(module) is None]
    if missing:
        print(
            f"manyviews compare needs {', '.join(missing)}: pip install 'manyviews[compare]'",
            file=sys.stderr,
        )
        return 2
    from manyviews.compare.reading.errors import DataError

    try:
        return _compare(given) if given.command == "compare" else _recommend(given)
    except DataError as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print(
            "stopped; what is fitted is kept: the same command goes on from there", file=sys.stderr
        )
        return 130


def _compare(given: argparse.Namespace) -> int:
    from manyviews.compare.reading.errors import DataError
    from manyviews.compare.reading.own import read_own
    from manyviews.compare.report.write import write_report
    from manyviews.compare.run import Options, compare

    if given.rounds is not None and given.rounds < 1:
        raise DataError("--rounds must be 1 or more")
    for folder in given.plugins:
        if not folder.is_dir():
            raise DataError(f"--plugins {folder}: there is no such folder")
    data = read_own(given.data)
    for note in data.notes:
        print(f"note: {note}")
    name = "".join(c if c.isalnum() or c in "-_." else "-" for c in data.name)
    out = given.out or Path(f"compare-{name}")
    options = Options(
        rounds=given.rounds,
        jobs=given.jobs or os.cpu_count() or 1,
        minutes=given.minutes,
        only=None if given.methods is None else [m.strip() for m in given.methods.split(",")],
        folders=given.plugins,
    )
    told = len(data.notes)
    found = compare(data, out / "work", options, lambda line: print(line, flush=True))
    advice = write_report(found, out)
    for note in data.notes[told:]:
        print(f"note: {note}")
    print(f"{advice.sentence}\nreport: {out / 'report.html'}")
    return 0


def _recommend(given: argparse.Namespace) -> int:
    from manyviews.compare.diagnose import diagnostics
    from manyviews.compare.reading.own import read_own
    from manyviews.compare.recommend import read_experience, recommend
    from manyviews.compare.task import recognise

    experience = read_experience(given.experience)
    data = read_own(given.data)
    for note in data.notes:
        print(f"note: {note}")
    task = recognise(data).kind
    found = recommend(experience, task, diagnostics(data))
    print(found.sentence(task))
    return 0
