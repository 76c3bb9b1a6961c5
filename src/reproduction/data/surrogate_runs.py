"""A run without the data never touches what a run with it wrote.

A surrogate in place of data that exist (because no source answered) is a *fallback*. Results that
rest on one go to a folder of their own, and are said aloud.
"""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from reproduction.data.errors import FetchError
from reproduction.data.provenance import PROVENANCE_FILE, is_surrogate, read_provenance

#: Where results on fallbacks go, in place of the folders of real results.
FOLDER = "build/surrogate"


def fetched(keys: Iterable[str], raw_dir: Path) -> list[str]:
    """Return the data sets that have a provenance."""
    return [key for key in keys if (raw_dir / key / PROVENANCE_FILE).is_file()]


def fallbacks(keys: Iterable[str], raw_dir: Path) -> list[str]:
    """Return the data sets that are surrogates because no source had their files."""
    there = fetched(keys, raw_dir)
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


def told(keys_of: Mapping[str, Sequence[str]], raw_dir: Path) -> list[str]:
    """Say in one line per paper what its data (paper -> keys) were, worst first."""
    lines = []
    for paper, keys in keys_of.items():
        there, lost = fetched(keys, raw_dir), fallbacks(keys, raw_dir)
        drawn = [key for key in there if is_surrogate(raw_dir / key) and key not in lost]
        text = f"{paper}: {len(there) - len(lost) - len(drawn)} of {len(there)} data sets are real"
        text += f"; synthetic, since never published: {', '.join(drawn)}" if drawn else ""
        text += f"; SURROGATES, since no source answered: {', '.join(lost)}" if lost else ""
        lines.append((-len(lost), text))
    return [text for _, text in sorted(lines)]
