"""Ask about results: ``python -m reproduction.verdicts explain mvplsa/3/Cornell/r=0.01/...``."""

import argparse
import sys
from pathlib import Path

from reproduction.verdicts.explain import explain


def main(arguments: list[str] | None = None) -> int:
    """Parse the command line and answer; errors become one message and exit code 2."""
    parser = argparse.ArgumentParser(prog="python -m reproduction.verdicts", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    ask = commands.add_parser("explain", help="everything about one published cell")
    ask.add_argument("cell", nargs="+", help="id of the cell, or parts of it that name one cell")
    ask.add_argument("--results", type=Path, default=Path("results"))
    given = parser.parse_args(arguments)
    try:
        print(explain(" ".join(given.cell), given.results))
    except ValueError as error:
        print(f"{error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
