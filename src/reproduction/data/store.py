"""Downloaded content, kept by digest in a folder that all clones on a machine share.

``~/.cache/manyviews/content/<first two digits>/<digest>`` (wherever the system keeps caches;
``MANYVIEWS_CACHE`` or the configuration name another folder). Content is compared again when it is
read, so a damaged cache costs a download and never a wrong byte.
"""

import contextlib
import json
import os
from pathlib import Path

import platformdirs

from reproduction.data.content import Content, difference, packed, read_content, stored_name
from reproduction.data.origin import Blob, Tree
from reproduction.files import atomic_path, write_json

CACHE_VARIABLE = "MANYVIEWS_CACHE"


def default_cache() -> Path:
    """Return the folder of the cache where the configuration names none."""
    named = os.environ.get(CACHE_VARIABLE)
    return Path(named) if named else Path(platformdirs.user_cache_dir("manyviews"))


class Store:
    """Content by digest, below a folder that is made when something is kept."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

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
