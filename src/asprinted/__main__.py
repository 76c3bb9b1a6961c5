"""``asprinted published.csv [runs.csv]``: verdicts on a reproduction from the command line."""

import argparse
from collections.abc import Sequence
from pathlib import Path

from asprinted import judge, to_html, to_json


def main(arguments: Sequence[str] | None = None) -> int:
    """Judge two tables; print the verdicts, and write a page or JSON where asked."""
    parser = argparse.ArgumentParser(prog="asprinted", description=main.__doc__)
    parser.add_argument("published", type=Path, help="CSV of published values")
    parser.add_argument("ours", type=Path, nargs="?", help="CSV of runs, or of means")
    parser.add_argument("--claims", type=Path, help='lines like: better("A", "B")  # the sentence')
    parser.add_argument("--margin", action="append", default=[], metavar="METRIC=NUMBER")
    parser.add_argument("--html", type=Path)
    parser.add_argument("--json", type=Path)
    given = parser.parse_args(arguments)
    claims = {}
    try:
        for line in given.claims.read_text(encoding="utf-8").splitlines() if given.claims else ():
            test, _, sentence = line.partition("  # ")
            if test.strip():
                claims[sentence.strip() or test.strip()] = test
        pairs = (text.rpartition("=") for text in given.margin)
        margins = {metric: float(number) for metric, _, number in pairs}
        found = judge(
            given.published, given.ours, claims, margins=margins, name=given.published.stem
        )
    except (OSError, ValueError) as error:
        parser.error(str(error))
    for path, text in ((given.html, to_html), (given.json, to_json)):
        if path:
            path.write_text(text(found), encoding="utf-8")
    print(found)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
