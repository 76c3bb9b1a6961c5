"""A portable mirror: the files of data sets with their checksums, for machines without network."""

from collections.abc import Iterable
from pathlib import Path

from reproduction.data.content import sha256, stored_name
from reproduction.data.custody import check_raw
from reproduction.data.entry import Dataset
from reproduction.data.origin import Mirror
from reproduction.data.provenance import PROVENANCE_FILE, read_provenance
from reproduction.files import atomic_path, write_text

#: Checksums in the form ``sha256sum --check`` reads.
CHECKSUMS = "SHA256SUMS"


def write_mirror(datasets: Iterable[Dataset], raw_dir: Path, target: Path) -> list[str]:
    """Copy fetched files into a mirror; return the data sets that are in it.

    Files lie where a mirror source of the registry looks for them: loose ones under their name,
    folders as one archive. Data sets that share files share them here too. A raw folder that no
    longer holds what was fetched is refused.
    """
    written: dict[str, str] = {}
    kept = []
    for dataset in datasets:
        folder = raw_dir / dataset.key
        if not dataset.files or not (folder / PROVENANCE_FILE).is_file():
            continue
        known = read_provenance(folder)
        if known["source"] == "surrogate" or known["edition"]:
            continue
        check_raw(known, folder)
        mirrors = [source for source in dataset.sources if isinstance(source, Mirror)]
        for name in dataset.files:
            place = next((m.folder for m in mirrors if name in (m.gives or [name])), dataset.key)
            path = f"{place}/{stored_name(name)}"
            if path not in written:
                stored = (folder / stored_name(name)).read_bytes()
                with atomic_path(target / path) as temporary:
                    temporary.write_bytes(stored)
                written[path] = sha256(stored)
        kept.append(dataset.key)
    lines = [f"{digest}  {path}\n" for path, digest in sorted(written.items())]
    write_text(target / CHECKSUMS, "".join(lines))
    return kept
