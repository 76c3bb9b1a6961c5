"""Where to look for files: mirrors, the user's folder, the cache, the network and its limits."""

import contextlib
import json
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import platformdirs

from reproduction.data.content import Content, difference, packed, read_content, stored_name
from reproduction.data.origin import Blob, Tree
from reproduction.data.web import Hosts, Web
from reproduction.files import atomic_path, write_json

CACHE_VARIABLE = "MANYVIEWS_CACHE"


@dataclass(frozen=True)
class Store:
    """Downloaded content, kept by digest in a folder that all clones on a machine share.

    Content is compared again when it is read, so a damaged cache costs a download and never a
    wrong byte.
    """

    folder: Path

    def _place(self, wanted: Blob | Tree) -> tuple[Path, str]:
        name = wanted.sha256 if isinstance(wanted, Blob) else f"{wanted.listing}/"
        return self.folder / "content" / name[:2], name

    def read(self, wanted: Blob | Tree) -> tuple[Content, dict[str, str]] | None:
        """Return content and where it once came from; None when it is not kept, or damaged."""
        folder, name = self._place(wanted)
        content = read_content(folder, name)
        if content is None or difference(wanted, content):
            return None
        try:
            origin = json.loads((folder / f"{name.rstrip('/')}.json").read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return None
        return content, origin

    def keep(self, wanted: Blob | Tree, content: Content, origin: dict[str, str]) -> None:
        """Keep content that was compared; a cache that cannot be written is no error."""
        folder, name = self._place(wanted)
        with contextlib.suppress(OSError):
            with atomic_path(folder / stored_name(name)) as temporary:
                temporary.write_bytes(packed(name, content))
            write_json(folder / f"{name.rstrip('/')}.json", origin)


@dataclass
class Places:
    """Where the files of one data set may be looked for."""

    #: Folders that may hold the registry's mirror folders; the first that has them serves.
    mirrors: Sequence[Path] = ()
    #: The user's folder of this data set.
    user: Path | None = None
    #: How downloads are made; None keeps to this machine.
    web: Web | None = None
    #: Cache of downloaded content.
    store: Store | None = None


@dataclass(frozen=True)
class PlaceSettings:
    """Where all data sets are looked for, as the configuration says."""

    mirrors: Sequence[str | Path] = ()
    #: Folder with ``<key>/`` subfolders of files a user supplies.
    user: str | Path | None = None
    #: Whether public addresses may be asked.
    network: bool = True
    #: Folder for downloads that clones share; None: where the system keeps caches.
    cache: str | Path | None = None
    #: Beginning of a public address -> what is asked in its place.
    addresses: Mapping[str, str] = field(default_factory=dict)
    #: Megabytes of the largest download, seconds for one address.
    limit_mb: float = 500.0
    time_limit: float = 900.0
    #: What is known about hosts, for all data sets of this run.
    hosts: Hosts = field(default_factory=Hosts, compare=False)

    def of(self, key: str, progress: Callable[[int], object] = lambda size: None) -> Places:
        """Return where the files of one data set are looked for."""
        web = Web(
            addresses=self.addresses,
            limit=round(self.limit_mb * 1e6),
            time_limit=self.time_limit,
            progress=progress,
            hosts=self.hosts,
        )
        named = self.cache or os.environ.get(CACHE_VARIABLE)
        return Places(
            mirrors=[Path(folder) for folder in self.mirrors],
            user=Path(self.user) / key if self.user is not None else None,
            web=web if self.network else None,
            store=Store(Path(named or platformdirs.user_cache_dir("manyviews"))),
        )
