"""All public hosts on this machine: a server that answers at their addresses from a mirror.

Inputs of files that are made here are in no mirror; a folder may have them under their git ids (a
folder of files as ``<tree id>.tar``).
"""

import tarfile
from collections.abc import Iterable, Sequence
from pathlib import Path

from public_layout import serve
from web_server import Server

from reproduction.data.content import Content, Contents, difference
from reproduction.data.entry import Dataset
from reproduction.data.origin import Blob, Files, Made, Mirror, Source
from reproduction.data.places import Places
from reproduction.data.sources import gather
from reproduction.files import ROOT

MIRRORS = [ROOT / "data" / "mirror", ROOT.parent / "shared" / "data"]
UPSTREAM = "MANYVIEWS_UPSTREAM"


def upstream(files: Files, folder: Path | None) -> Contents:
    """Files that are in no mirror, from a folder that has them under their git ids."""
    found: Contents = {}
    for name, item in files.items() if folder else ():
        content = _under_id(Path(folder or ""), item)
        if content is not None and not difference(item, content):
            found[name] = content
    return found


def _under_id(folder: Path, item) -> Content | None:
    if isinstance(item, Blob):
        path = folder / str(item.git)
        return path.read_bytes() if path.is_file() else None
    path = folder / f"{item.tree}.tar"
    if not path.is_file():
        return None
    with tarfile.open(path) as archive:
        members = [member for member in archive if member.isfile()]
        return {m.name: archive.extractfile(m).read() for m in members}  # type: ignore[union-attr]


def mirrored(dataset: Dataset, mirrors: Sequence[Path] = MIRRORS) -> Contents:
    """What the mirrors of this machine have of a data set's files."""
    local = [source for source in dataset.sources if isinstance(source, Mirror)]
    return gather(dataset.files, local, Places(mirrors), dataset.key).contents


def answer_for(
    server: Server, sources: Iterable[Source], files: Files, contents: Contents, more: Path | None
) -> None:
    """Let the server answer for sources as their public hosts would."""
    for source in sources:
        serve(server, source, files, contents)
        if isinstance(source, Made):
            known = {**contents, **upstream(source.files, more)}
            answer_for(server, source.sources, source.files, known, more)
