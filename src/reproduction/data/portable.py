"""A portable mirror: the files of data sets with their checksums, for machines without network."""

from collections.abc import Iterable
from pathlib import Path

from reproduction.data.content import Content, difference, read_content, sha256, stored_name
from reproduction.data.entry import Dataset
from reproduction.data.errors import FetchError
from reproduction.data.origin import Mirror
from reproduction.data.provenance import PROVENANCE_FILE, read_provenance
from reproduction.files import atomic_path, write_text

#: Checksums in the form ``sha256sum --check`` reads.
CHECKSUMS = "SHA256SUMS"


def mirror_folder(dataset: Dataset, name: str) -> str | None:
    """Return the mirror folder a file of a data set belongs to, None if it has none."""
    for source in dataset.sources:
        if isinstance(source, Mirror) and (not source.gives or name in source.gives):
            return source.folder
    return None


def write_mirror(datasets: Iterable[Dataset], raw_dir: Path, target: Path) -> list[str]:
    """Copy fetched files into a mirror; return the data sets that are in it.

    Files lie where a mirror source of the registry looks for them: loose ones under their name,
    folders as one archive. Data sets that share files share them here too.

    Raises
    ------
    FetchError
        When a raw folder no longer holds what was fetched.
    """
    written: dict[str, str] = {}
    kept = []
    for dataset in datasets:
        folder = raw_dir / dataset.key
        if not dataset.files or not (folder / PROVENANCE_FILE).is_file():
            continue
        known = read_provenance(folder)
        if known["source"] == "surrogate" or known.get("edition"):
            continue
        for name, wanted in dataset.files.items():
            place = mirror_folder(dataset, name)
            content: Content | None = read_content(folder, name)
            if content is None or difference(wanted, content):
                raise FetchError(
                    f"{folder / stored_name(name)} is not the file that was fetched; remove "
                    f"{folder} and fetch {dataset.key} again"
                )
            path = f"{place or dataset.key}/{stored_name(name)}"
            if path in written:
                continue
            stored = (folder / stored_name(name)).read_bytes()
            with atomic_path(target / path) as temporary:
                temporary.write_bytes(stored)
            written[path] = sha256(stored)
        kept.append(dataset.key)
    lines = [f"{digest}  {path}\n" for path, digest in sorted(written.items())]
    write_text(target / CHECKSUMS, "".join(lines))
    return kept
