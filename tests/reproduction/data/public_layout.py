"""Answers of public hosts, made from files at hand: the layout each host has."""

import io
import tarfile
import zipfile
from collections.abc import Mapping
from functools import cache

from web_server import Server

from reproduction.data.content import Content, Contents
from reproduction.data.origin import Files, Package, Public, Publisher, Source
from reproduction.data.sources.remote import archive_address, raw_address


def flat(contents: Mapping[str, Content]) -> dict[str, bytes]:
    """Files by path, folders opened."""
    found: dict[str, bytes] = {}
    for name, content in contents.items():
        if isinstance(content, bytes):
            found[name] = content
        else:
            found |= {f"{name}{below}": data for below, data in content.items()}
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


def zipped(members: Mapping[str, bytes], *, year: int = 1999) -> bytes:
    """A zip archive; dates as asked."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        for name in sorted(members):
            info = zipfile.ZipInfo(name, (year, 1, 1, 0, 0, 0))
            info.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(info, members[name])
    return out.getvalue()


def pack(name: str, members: Mapping[str, bytes]) -> bytes:
    return zipped(members) if name.endswith((".zip", ".whl")) else tar_gz(members)


def _put_archive(server: Server, address: str, name: str, members: Mapping[str, bytes]) -> None:
    """Answer with an archive; data sets that share an address find all their files in it.

    It is packed when it is asked for: most data sets have more addresses than anybody asks.
    """
    held = server.archives.setdefault(address, {})
    if members.items() <= held.items():
        return
    held |= members
    server.put(address, cache(lambda: pack(name, held)))


def serve(server: Server, source: Source, files: Files, contents: Contents) -> None:
    """Let the server answer for one source as its public host would."""
    if source.kind in ("mirror", "user", "made") or isinstance(source, Package):
        return
    names = [name for name in (source.gives or files) if name in contents]
    mine = {source.place(name): contents[name] for name in names}
    if not mine:
        return
    if isinstance(source, Public):
        if source.archive is not None:
            members = {f"top/{name}": content for name, content in flat(mine).items()}
            address = raw_address(source, source.archive)
            _put_archive(server, address, source.archive, members)
            return
        if any(isinstance(content, dict) for content in mine.values()):
            top = f"{source.repository.split('/')[1]}-{source.commit}"
            members = {f"{top}/{name}": content for name, content in flat(mine).items()}
            members[f"{top}/README"] = b"hello"
            _put_archive(server, archive_address(source), "commit.tar.gz", members)
            return
        for place, content in mine.items():
            assert isinstance(content, bytes)
            server.put(raw_address(source, place), content)
    elif isinstance(source, Publisher):
        if source.url.endswith("/"):
            for place, content in mine.items():
                if isinstance(content, bytes):
                    server.put(source.url + place, content)
        else:
            name = source.archive or source.url.rsplit("/", 1)[-1]
            members = {f"top/{name}": content for name, content in flat(mine).items()}
            _put_archive(server, source.url, name, members)
