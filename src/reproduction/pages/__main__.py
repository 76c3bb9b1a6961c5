"""Keep README in step with the committed report: ``python -m reproduction.pages readme``."""

import argparse
import sys
from pathlib import Path

from reproduction.pages.overview import update_readme
from reproduction.results.rows import read_table


def main(arguments: list[str] | None = None) -> int:
    """Parse the command line and update README's block of headline numbers."""
    parser = argparse.ArgumentParser(prog="python -m reproduction.pages", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    readme = commands.add_parser("readme", help="write the headline numbers into README")
    readme.add_argument("--readme", type=Path, default=Path("README.md"))
    readme.add_argument("--tables", type=Path, default=Path("reports/tables"))
    given = parser.parse_args(arguments)
    try:
        tables = [given.tables / name for name in ("ledger.csv", "claims.csv")]
        for path in tables:
            if not path.is_file():
                raise ValueError(f"{path} is not there; run the workflow first")
        changed = update_readme(given.readme, *map(read_table, tables))
    except ValueError as error:
        print(f"{error}", file=sys.stderr)
        return 2
    print(f"{given.readme} {'updated' if changed else 'was up to date'}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
