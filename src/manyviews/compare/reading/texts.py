"""Texts as counts of words, and folders of texts."""

from collections.abc import Sequence
from pathlib import Path

import scipy.sparse as sp
from sklearn.feature_extraction.text import CountVectorizer

from manyviews.compare.reading.errors import wrong
from manyviews.compare.reading.opening import listed
from manyviews.compare.reading.parts import Found, Given, Part
from manyviews.compare.reading.tables import read_text

#: Words kept at most, the most frequent first.
MAX_WORDS = 20_000
#: Share of file names two folders must share to be views of the same rows, not classes.
_SHARED = 0.5


def counted(name: str, texts: Sequence[str], source: str, place: str) -> Part:
    """Return how often each word occurs in each text; words of one text alone are left out.

    Counting looks at all rows and at no label, so nothing leaks from test rows but the words
    they use.
    """
    counter = CountVectorizer(min_df=2 if len(texts) >= 20 else 1, max_features=MAX_WORDS)
    try:
        matrix = counter.fit_transform(texts)
    except ValueError:
        raise wrong(
            source, f"{place} has no word that occurs in two texts",
            "give it texts, or leave it out",
        ) from None  # fmt: skip
    words = [str(word) for word in counter.get_feature_names_out()]
    return Part(name, sp.csr_matrix(matrix, dtype=float), words, source, kind="text")


def text_files(folder: Path) -> list[Path]:
    """Return the text files of a folder in order."""
    return [path for path in listed(folder) if path.suffix == ".txt" and path.is_file()]


def is_text_folder(folder: Path) -> bool:
    """Tell whether a folder holds texts, itself or in folders of their own."""
    inside = [path for path in listed(folder) if path.is_dir()]
    return bool(text_files(folder)) or any(text_files(path) for path in inside)


def read_text_folder(folder: Path) -> Found:
    """Read texts: ``<folder>/*.txt``, a folder a class, or a folder a view with equal file names.

    A file's name, without its ending, names the row.
    """
    found = Found()
    groups = {path.name: text_files(path) for path in listed(folder) if path.is_dir()}
    groups = {name: files for name, files in groups.items() if files}
    own = text_files(folder)
    if own:
        found.parts.append(_part(folder.name, own, found.notes))
        return found
    stems = [{path.stem for path in files} for files in groups.values()]
    smallest = min(len(names) for names in stems)
    if len(stems) > 1 and len(set.intersection(*stems)) >= _SHARED * smallest:
        found.notes.append(
            f"folders {', '.join(groups)} of {folder.name} hold files of the same names: each is "
            "a view"
        )
        found.parts.extend(_part(name, files, found.notes) for name, files in groups.items())
        return found
    found.notes.append(f"folders of {folder.name} are taken for classes: {', '.join(groups)}")
    files = [path for group in groups.values() for path in group]
    part = _part(folder.name, files, found.notes)
    part.ids = [f"{path.parent.name}/{path.stem}" for path in files]
    labels = [path.parent.name for path in files]
    found.parts.append(part)
    found.labels.append(Given(labels, folder.name, part.ids))
    return found


def _part(name: str, files: Sequence[Path], notes: list[str]) -> Part:
    texts = [read_text(path, notes) for path in files]
    part = counted(name, texts, name, "the folder")
    part.ids = [path.stem for path in files]
    return part
