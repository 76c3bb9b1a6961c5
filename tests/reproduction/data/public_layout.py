"""Answers of public hosts, made from files at hand: the layout each host has."""

import io
import tarfile
import zipfile
from collections.abc import Mapping
from functools import cache

from web_server import Server

from reproduction.data.content import Content, Contents
from reproduction.data.origin import Files, Public, Publisher, Source
from reproduction.data.sources import archive_address, raw_address


def flat(top: str, contents: Mapping[str, Content]) -> dict[str, bytes]:
    """Files by path below a folder, folders opened."""
    found: dict[str, bytes] = {}
    for name, content in contents.items():
        below = {"": content} if isinstance(content, bytes) else content
        found |= {f"{top}/{name}{path}": data for path, data in below.items()}
    return found


def tar_gz(members: Mapping[str, bytes], *, date: int = 0, backwards: bool = False) -> bytes:
    """An archive; order and dates as asked."""
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w:gz", compresslevel=1) as archive:
        for name in sorted(members, reverse=backwards):
            info = tarfile.TarInfo(name)
            info.size, info.mtime = len(members[name]), date
            archive.addfile(info, io.BytesIO(members[name]))
    return out.getvalue()


def zipped(members: Mapping[str, bytes]) -> bytes:
    """A zip archive."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        for name in sorted(members):
            archive.writestr(name, members[name])
    return out.getvalue()


def _put_archive(server: Server, address: str, name: str, members: Mapping[str, bytes]) -> None:
    """Answer with an archive; data sets that share an address find all their files in it.

    It is packed when it is asked for: most data sets have more addresses than anybody asks.
    """
    held = server.archives.setdefault(address, {})
    held |= members
    pack = zipped if name.endswith((".zip", ".whl")) else tar_gz
    server.put(address, cache(lambda: pack(held)))


def serve(server: Server, source: Source, files: Files, contents: Contents) -> None:
    """Let the server answer for one source as its public host would."""
    if not isinstance(source, Public | Publisher):
        return
    names = [name for name in (source.gives or files) if name in contents]
    mine = {source.place(name): contents[name] for name in names}
    if not mine:
        return
    if isinstance(source, Public) and source.archive is not None:
        address = raw_address(source, source.archive)
        _put_archive(server, address, source.archive, flat("top", mine))
    elif isinstance(source, Public):
        if any(isinstance(content, dict) for content in mine.values()):
            top = f"{source.repository.split('/')[1]}-{source.commit}"
            _put_archive(server, archive_address(source), "commit.tar.gz", flat(top, mine))
            return
        for place, content in mine.items():
            server.put(raw_address(source, place), content)
    elif source.url.endswith("/"):
        for place, content in mine.items():
            if isinstance(content, bytes):
                server.put(source.url + place, content)
    else:
        name = source.archive or source.url.rsplit("/", 1)[-1]
        _put_archive(server, source.url, name, flat("top", mine))
