"""Bring together the content of a data set's files from all sources that have any of them."""

import importlib
from collections.abc import Sequence
from dataclasses import dataclass, field

from reproduction.data.content import Contents, difference
from reproduction.data.errors import ChecksumError, SourceUnavailableError
from reproduction.data.origin import Files, Made, Mirror, Package, Public, Publisher, Source, User
from reproduction.data.places import Places
from reproduction.data.sources.local import from_mirror, from_user
from reproduction.data.sources.remote import (
    from_heritage,
    from_package,
    from_public,
    from_publisher,
)

OFFLINE = "the network is switched off"


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
    if isinstance(source, Mirror):
        return f"mirror folder {source.folder}"
    if isinstance(source, User):
        return f"user folder {dataset}"
    if isinstance(source, Package):
        return f"package index, {source.file}"
    if isinstance(source, Public):
        return f"github.com/{source.repository} at {source.commit[:10]}"
    if isinstance(source, Publisher):
        return source.url
    return f"made here by {source.by}"


def gather(files: Files, sources: Sequence[Source], places: Places, dataset: str) -> Gathered:
    """Look for every file in the sources, in order, until all are there.

    Raises
    ------
    ChecksumError
        When a source that vouches for the pinned bytes has others.
    """
    result = Gathered()
    local = (Mirror, User)
    # Folders on this machine first; then, before any download, what was downloaded before.
    for source in sorted(sources, key=lambda source: not isinstance(source, local)):
        if not isinstance(source, local):
            _from_store(result, files, places)
        offered = getattr(source, "gives", None) or list(files)
        wanted = [name for name in files if name in offered and name not in result.contents]
        missing = {name: files[name] for name in wanted}
        if not missing:
            continue
        where = where_of(source, dataset)
        try:
            found = _provide(source, missing, places, dataset)
        except SourceUnavailableError as error:
            result.tried.append(f"{source.kind} ({where}): {error}")
            continue
        result.add(source.kind, where, found)
        _keep(source.kind, where, found, files, places)
    missing = {name: item for name, item in files.items() if name not in result.contents}
    if missing and places.web is not None:
        found, reasons = from_heritage(missing, places.web)
        where = "Software Heritage, by git id"
        result.add("heritage", where, found)
        _keep("heritage", where, found, files, places)
        result.tried += [f"heritage: {reason}" for reason in reasons]
    return result


def _provide(source: Source, wanted: Files, places: Places, dataset: str) -> Contents:
    if isinstance(source, Mirror):
        return from_mirror(source, wanted, places.mirrors)
    if isinstance(source, User):
        return from_user(source, wanted, places.user)
    if isinstance(source, Made):
        return _made(source, wanted, places, dataset)
    if places.web is None:
        raise SourceUnavailableError(OFFLINE)
    if isinstance(source, Public):
        return from_public(source, wanted, places.web)
    if isinstance(source, Publisher):
        return from_publisher(source, wanted, places.web)
    return from_package(source, wanted, places.web)


def _made(source: Made, wanted: Files, places: Places, dataset: str) -> Contents:
    """Make files of others; what comes out must be the pinned bytes too."""
    inputs = gather(source.files, source.sources, places, dataset)
    lacking = [name for name in source.files if name not in inputs.contents]
    if lacking:
        reasons = "; ".join(inputs.tried)
        raise SourceUnavailableError(f"lacks {', '.join(lacking)} ({reasons})")
    module, _, function = source.by.partition(":")
    compose = getattr(importlib.import_module(f"reproduction.data.compose.{module}"), function)
    made: Contents = compose(inputs.contents)
    for name, item in wanted.items():
        if reason := difference(item, made[name]):
            raise ChecksumError(
                f"{name} as made by {source.by} is not the pinned file: {reason}. Nothing was "
                "written; please report this with your versions of Python and numpy."
            )
    return {name: made[name] for name in wanted}


def _from_store(result: Gathered, files: Files, places: Places) -> None:
    if places.store is None:
        return
    for name, item in files.items():
        kept = None if name in result.contents else places.store.read(item)
        if kept is not None:
            content, origin = kept
            result.add(origin["kind"], origin["where"], {name: content})


def _keep(kind: str, where: str, found: Contents, files: Files, places: Places) -> None:
    """Keep what came over the network (or was made of that); local files are there anyway."""
    if places.store is None or kind in ("mirror", "user"):
        return
    for name, content in found.items():
        places.store.keep(files[name], content, {"kind": kind, "where": where})
