"""A run without the data never touches what a run with it wrote.

A surrogate in place of data that exist (because no source answered) is a *fallback*. Results that
rest on one go to a folder of their own, and are said aloud.
"""

from collections.abc import Iterable
from pathlib import Path

from reproduction.data.errors import FetchError
from reproduction.data.provenance import PROVENANCE_FILE, read_provenance

#: Where results on fallbacks go, in place of the folders of real results.
FOLDER = "build/surrogate"


def fallbacks(keys: Iterable[str], raw_dir: Path) -> list[str]:
    """Return the data sets that are surrogates because no source had their files."""
    there = (key for key in keys if (raw_dir / key / PROVENANCE_FILE).is_file())
    return [key for key in there if read_provenance(raw_dir / key).get("fallback")]


def apart(folder: str, kept: str, synthetic: bool) -> str:
    """Return where results go: ``kept``, the folder of real ones, is no place for surrogates."""
    return f"{FOLDER}/{folder}" if synthetic and folder == kept else folder


def refuse_new_fallback(key: str, folder: Path, known: bool) -> None:
    """Stop before a surrogate that this run did not know reaches the folders of real results."""
    if not known and read_provenance(folder).get("fallback"):
        raise FetchError(
            f"no source has {key}, so it is a surrogate now. Nothing that rests on real data was "
            f"touched. Run the same command again: results on surrogates then go to {FOLDER}/. Or "
            f"get the files first: `python -m reproduction data {key} --source real` says what is "
            "lacking."
        )
