"""Where to look for files: mirrors, the user's folder, the cache, the network and its limits."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from reproduction.data.sources.web import Hosts, Web
from reproduction.data.store import Store, default_cache


@dataclass
class Places:
    """Where the files of one data set may be looked for.

    Attributes
    ----------
    mirrors
        Folders that may hold the registry's mirror folders.
    user
        The user's folder of this data set, or None.
    web
        How downloads are made; None keeps to this machine.
    store
        Cache of downloaded content, or None.
    """

    mirrors: Sequence[Path] = ()
    user: Path | None = None
    web: Web | None = None
    store: Store | None = None


@dataclass(frozen=True)
class PlaceSettings:
    """Settings of all data sets.

    Attributes
    ----------
    mirrors
        Folders that may hold the registry's mirror folders; the first that has them serves.
    user
        Folder with ``<key>/`` subfolders of files a user supplies, or None.
    network
        Whether public addresses may be asked.
    cache
        Folder for downloads that clones share; None: where the system keeps caches.
    addresses
        Beginning of a public address -> what is asked in its place.
    limit_mb
        Largest download in megabytes.
    time_limit
        Seconds for one address.
    """

    mirrors: Sequence[str | Path] = ()
    user: str | Path | None = None
    network: bool = True
    cache: str | Path | None = None
    addresses: Mapping[str, str] = field(default_factory=dict)
    limit_mb: float = 500.0
    time_limit: float = 900.0
    #: What is known about hosts, for all data sets of this run.
    hosts: Hosts = field(default_factory=Hosts, compare=False)

    def of(self, key: str, progress: Callable[[int], object] | None = None) -> Places:
        """Return where the files of one data set are looked for."""
        web = Web(
            addresses=self.addresses,
            limit=round(self.limit_mb * 1e6),
            time_limit=self.time_limit,
            progress=progress,
            hosts=self.hosts,
        )
        return Places(
            mirrors=[Path(folder) for folder in self.mirrors],
            user=Path(self.user) / key if self.user is not None else None,
            web=web if self.network else None,
            store=Store(Path(self.cache) if self.cache is not None else default_cache()),
        )
