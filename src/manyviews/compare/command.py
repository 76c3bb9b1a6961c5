"""The command line: ``manyviews compare|audit|recommend <data.yaml, folder or file>``."""

import argparse
import os
import re
import sys
from collections.abc import Sequence
from functools import partial
from importlib.util import find_spec
from pathlib import Path

from manyviews.compare.reading.guard import DataError
from manyviews.compare.reading.own import OwnData, read_own


def parser() -> argparse.ArgumentParser:
    """Return the parser of the command line."""
    top = argparse.ArgumentParser(prog="manyviews", description="Multi-view learning.")
    commands = top.add_subparsers(dest="command", required=True)
    one = commands.add_parser("compare", help="compare all methods on your data and write a report")
    one.add_argument("--out", type=Path, help="folder of the report (default: compare-<name>)")
    one.add_argument("--jobs", type=int, default=0, help="cores (default: all)")
    one.add_argument("--rounds", type=int, help="rounds of five splits at most (default: 4, from "
                     "1,000 rows on 2)")  # fmt: skip
    one.add_argument("--methods", help="names of methods, separated by commas (default: all)")
    two = commands.add_parser("recommend", help="say which methods to try, from other comparisons")
    three = commands.add_parser("audit", help="look for faults in your data: wrong joins, views "
                                "that repeat each other, duplicates, leaked classes")  # fmt: skip
    three.add_argument("--split", help="column or array that says on which side a row is")
    for command, run in ((one, _compare), (two, _recommend), (three, _audit)):
        command.add_argument("data", help="a data.yaml, a folder, or one table")
        command.set_defaults(run=run)
    return top


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; return its exit status."""
    given = vars(parser().parse_args(arguments))
    if find_spec("yaml") is None:
        print("this needs pyyaml: pip install 'manyviews[compare]'", file=sys.stderr)
        return 2
    command, run = given.pop("command"), given.pop("run")
    try:
        return int(run(**given))
    except DataError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2 if command == "audit" else 1  # an audit has 1 for faults
    except KeyboardInterrupt:
        print("stopped", file=sys.stderr)
        return 130


def _compare(
    data: str, out: Path | None, jobs: int, rounds: int | None, methods: str | None
) -> int:
    """Compare on ``jobs`` cores (0: all), write the report, print how it goes."""
    from manyviews.compare.report.write import write_report
    from manyviews.compare.run import compare

    if rounds is not None and rounds < 1:
        raise DataError("--rounds must be 1 or more")
    only = None if methods is None else [key.strip() for key in methods.split(",")]
    own = _read(data)
    told = len(own.notes)
    out = out or Path("compare-" + re.sub(r"[^\w.-]", "-", own.name))
    cores, say = jobs or os.cpu_count() or 1, partial(print, flush=True)
    advice = write_report(compare(own, rounds=rounds, jobs=cores, only=only, say=say), out)
    for note in own.notes[told:]:
        print(f"note: {note}")
    print(f"{advice.sentence}\nreport: {out / 'report.html'}")
    return 0


def _read(path: str) -> OwnData:
    """Read own data and print what was guessed."""
    data = read_own(path)
    for note in data.notes:
        print(f"note: {note}")
    return data


def _recommend(data: str) -> int:
    from manyviews.compare.diagnose import diagnostics
    from manyviews.compare.recommend import SHIPPED, read_experience, recommend
    from manyviews.compare.task import recognise

    known, own = read_experience(SHIPPED), _read(data)
    task = recognise(own).kind
    print(recommend(known, task, diagnostics(own)).sentence(task))
    return 0


def _audit(data: str, split: str | None) -> int:
    """Print the findings; return 1 if one of them is a fault."""
    from manyviews.compare.audit import PERMUTATIONS, SEED, audit_file

    own, found = audit_file(data, split)
    faults = sum(one.fault for one in found)
    for line in (*(f"read: {note}" for note in own.notes), *found):
        print(line)
    size = f"{len(own):,} rows, {own.views.n_views} views"
    tests = f"{PERMUTATIONS} permutations a test, seed {SEED}"
    print(f"{own.name}: {faults or 'no'} fault{'s' * (faults != 1)} ({size}; {tests})")
    return int(faults > 0)
