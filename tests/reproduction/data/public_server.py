"""All public hosts on this machine, for ``make public``: a server that answers from a mirror.

Inputs of files that are made here are in no mirror; a folder may have them under their git ids (a
folder of files as ``<tree id>.tar``).
"""

from collections.abc import Iterable
from functools import cache
from pathlib import Path

from toys import tar_gz, zipped
from web_server import Server

from reproduction.data.archives import read_members
from reproduction.data.content import Content, Contents, difference
from reproduction.data.origin import Blob, Files, Made, Public, Publisher, Source
from reproduction.data.sources import archive_address, raw_address
from reproduction.files import ROOT

MIRRORS = [ROOT / "data" / "mirror", ROOT.parent / "shared" / "data"]
UPSTREAM = "MANYVIEWS_UPSTREAM"


def upstream(files: Files, folder: Path | None) -> Contents:
    """Files that are in no mirror, from a folder that has them under their git ids."""
    found: Contents = {}
    for name, item in files.items() if folder else ():
        is_file = isinstance(item, Blob)
        path = Path(folder or "", str(item.git) if is_file else f"{item.tree}.tar")
        if path.is_file():
            content: Content = path.read_bytes() if is_file else read_members(path)
            found |= {} if difference(item, content) else {name: content}
    return found


def serve(server: Server, source: Source, files: Files, contents: Contents) -> None:
    """Let the server answer for one source as its public host would.

    An archive is packed when it is asked for: most data sets have more addresses than anybody asks.
    Data sets that share an address find all their files in it.
    """
    if not isinstance(source, Public | Publisher):
        return
    mine = {source.place(n): contents[n] for n in source.gives or files if n in contents}
    if isinstance(source, Publisher):
        base, archive = source.url, "" if source.url.endswith("/") else source.url
    else:
        base, archive = raw_address(source, ""), ""
        if source.archive is not None:
            archive = raw_address(source, source.archive)
        elif any(isinstance(content, dict) for content in mine.values()):
            archive = archive_address(source)
    for place, content in mine.items():
        if isinstance(content, bytes) and not archive:
            server.put(base + place, content)
        elif archive:
            below = {"": content} if isinstance(content, bytes) else content
            held = server.archives.setdefault(archive, {})
            held |= {f"top/{place}{path}": data for path, data in below.items()}
            pack = zipped if (source.archive or archive).endswith(".zip") else tar_gz
            server.put(archive, cache(lambda pack=pack, held=held: pack(held)))


def answer_for(
    server: Server, sources: Iterable[Source], files: Files, contents: Contents, more: Path | None
) -> None:
    """Let the server answer for sources as their public hosts would."""
    for source in sources:
        serve(server, source, files, contents)
        if isinstance(source, Made):
            known = {**contents, **upstream(source.files, more)}
            answer_for(server, source.sources, source.files, known, more)
