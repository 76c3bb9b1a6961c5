"""Where to look for files, as settings: mirrors, the user's folder, the network and its limits."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from reproduction.data.gather import Places
from reproduction.data.sources.web import Web
from reproduction.data.store import Store, default_cache


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
    #: Hosts that could not be reached, for all data sets of this run.
    dead: set[str] = field(default_factory=set, compare=False)

    def of(self, key: str, progress: Callable[[int], object] | None = None) -> Places:
        """Return where the files of one data set are looked for."""
        cache = Path(self.cache) if self.cache is not None else default_cache()
        web = Web(
            cache / "parts",
            addresses=self.addresses,
            limit=round(self.limit_mb * 1e6),
            time_limit=self.time_limit,
            progress=progress,
            dead=self.dead,
        )
        return Places(
            mirrors=[Path(folder) for folder in self.mirrors],
            user=Path(self.user) / key if self.user is not None else None,
            web=web if self.network else None,
            store=Store(cache),
        )
