"""Where to look for files: mirrors, the user's folder, the cache of downloads, the network."""

import contextlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import platformdirs

from reproduction.data.content import Content, difference, packed, read_content, stored_name
from reproduction.data.origin import Blob, Tree
from reproduction.data.web import Web
from reproduction.files import atomic_path, write_json


@dataclass(frozen=True)
class Places:
    """Where the files of data sets are looked for.

    Downloaded content is kept by digest in a folder that all clones on a machine share. It is
    compared again when it is read: a damaged cache costs a download and never a wrong byte.
    """

    #: Folders that may hold the registry's mirror folders; the first that has them serves.
    mirrors: Sequence[str | Path] = ()
    #: Folder with ``<key>/`` subfolders of files a user supplies.
    user: str | Path | None = None
    #: How downloads are made; None keeps to this machine.
    web: Web | None = None
    #: Folder of the cache; None: where the system keeps caches.
    cache: str | Path | None = None

    def of_user(self, key: str) -> Path | None:
        """Return the user's folder of a data set."""
        return Path(self.user, key) if self.user else None

    def _kept(self, wanted: Blob | Tree) -> tuple[Path, str]:
        name = wanted.sha256 if isinstance(wanted, Blob) else f"{wanted.listing}/"
        folder = self.cache or platformdirs.user_cache_dir("manyviews")
        return Path(folder) / "content" / name[:2], name

    def read(self, wanted: Blob | Tree) -> tuple[Content, tuple[str, str]] | None:
        """Return content and where it once came from; None when it is not kept, or damaged."""
        folder, name = self._kept(wanted)
        content = read_content(folder, name)
        if content is None or difference(wanted, content):
            return None
        try:
            origin = json.loads((folder / f"{name.rstrip('/')}.json").read_text(encoding="utf-8"))
            return content, (origin["kind"], origin["where"])
        except (OSError, ValueError, KeyError, TypeError):
            return None

    def keep(self, wanted: Blob | Tree, content: Content, kind: str, where: str) -> None:
        """Keep content that was compared; a cache that cannot be written is no error."""
        folder, name = self._kept(wanted)
        with contextlib.suppress(OSError):
            with atomic_path(folder / stored_name(name)) as temporary:
                temporary.write_bytes(packed(name, content))
            write_json(folder / f"{name.rstrip('/')}.json", {"kind": kind, "where": where})
