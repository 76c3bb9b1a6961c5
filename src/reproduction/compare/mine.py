"""The target ``compare``: the library's engine on the user's data, into the results folder."""

from collections.abc import Callable
from pathlib import Path

from manyviews.compare.reading.errors import DataError
from manyviews.compare.reading.own import read_own
from manyviews.compare.report.write import write_report
from manyviews.compare.run import Options, compare


def compare_mine(
    path: str, folder: str, cores: int, say: Callable[[str], None], rounds: int | None = None
) -> Path:
    """Compare all methods on own data and return the report's place."""
    if not path:
        raise DataError(
            "no data are named; run `snakemake --cores 2 compare --config mydata=path/to/data.yaml`"
        )
    data = read_own(path)
    for note in data.notes:
        say(f"note: {note}")
    name = "".join(c if c.isalnum() or c in "-_." else "-" for c in data.name)
    out = Path(folder) / name
    found = compare(data, out / "work", Options(rounds=rounds, jobs=cores), say)
    advice = write_report(found, out)
    say(f"{advice.sentence}\nreport: {out / 'report.html'}")
    return out / "report.html"
