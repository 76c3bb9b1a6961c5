"""Where to look for files: mirrors, the user's folder, the cache, the network and its limits."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from reproduction.data.sources.web import Hosts, Web
from reproduction.data.store import Store, default_cache


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
