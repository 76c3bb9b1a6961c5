"""Is this the file the registry names? Contents compared by digest, and kept in one form.

Whatever source serves, ``data/raw/<key>/`` holds the same bytes: a file under its own name, a
folder of many files as one uncompressed zip archive (their names may not exist on every system).
"""

import hashlib
import io
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from reproduction.data.origin import Blob, Files, Tree

#: The bytes of a file, or of every file below a folder by its path there.
Content = bytes | dict[str, bytes]
#: Names of the registry -> content.
Contents = dict[str, Any]


def sha256(content: bytes) -> str:
    """Return the sha256 of some bytes."""
    return hashlib.sha256(content).hexdigest()


def listing(members: Mapping[str, bytes]) -> str:
    """Return the sha256 of ``<sha256>  <path>`` lines, paths in byte order."""
    names = sorted(members, key=lambda name: name.encode("utf-8", "surrogateescape"))
    text = "".join(f"{sha256(members[name])}  {name}\n" for name in names)
    return sha256(text.encode("utf-8", "surrogateescape"))


def difference(wanted: Blob | Tree, content: Content) -> str:
    """Return how some content differs from what is wanted; empty when it is the same."""
    if isinstance(wanted, Blob) and isinstance(content, bytes):
        if (found := sha256(content)) == wanted.sha256:
            return ""
        size = f" ({wanted.bytes} bytes)" if wanted.bytes else ""
        return f"expected sha256 {wanted.sha256}{size}, found {found} ({len(content)} bytes)"
    if isinstance(wanted, Tree) and isinstance(content, dict):
        if len(content) != wanted.files:
            return f"expected {wanted.files} files, found {len(content)}"
        if (found := listing(content)) == wanted.listing:
            return ""
        return f"expected listing {wanted.listing}, found {found}"
    return "expected a folder" if isinstance(wanted, Tree) else "expected a file"


def find_member(wanted: Blob | Tree, place: str, members: Mapping[str, bytes]) -> tuple[Any, str]:
    """Return the wanted member of an archive, or None and how those of its name differ."""
    candidates: dict[str, Any] = {}
    for name, content in members.items():
        if isinstance(wanted, Tree):
            above, found, below = f"/{name}".partition(f"/{place}")
            if found:
                candidates.setdefault(above, {})[below] = content
        elif f"/{name}".endswith(f"/{place}"):
            candidates[name] = content
    reasons = []
    for name, content in candidates.items():
        reason = difference(wanted, content)
        if not reason:
            return content, ""
        reasons.append(f"{name.lstrip('/') or place}: {reason}")
    return None, "; ".join(reasons)


def stored_name(name: str) -> str:
    """Return the name below ``data/raw/<key>/`` of a file or folder of the registry."""
    return f"{name.rstrip('/')}.zip" if name.endswith("/") else name


def packed(name: str, content: Content) -> bytes:
    """Return one file or folder of the registry as it is stored: same content, same bytes."""
    if isinstance(content, bytes):
        return content
    stored = io.BytesIO()
    with zipfile.ZipFile(stored, "w") as archive:
        for member in sorted(content):
            info = zipfile.ZipInfo(f"{name}{member}", date_time=(1980, 1, 1, 0, 0, 0))
            info.create_system = 3  # Unix, whatever this is: the bytes must not depend on it
            info.external_attr = 0o644 << 16
            archive.writestr(info, content[member])
    return stored.getvalue()


def read_content(folder: Path, name: str) -> Content | None:
    """Return what was stored as :func:`packed` says; None when it is not there or not readable."""
    place = folder / stored_name(name)
    if not place.is_file():
        return None
    if not name.endswith("/"):
        return place.read_bytes()
    try:
        with zipfile.ZipFile(place) as archive:
            return {n.removeprefix(name): archive.read(n) for n in archive.namelist()}
    except Exception:  # damaged archives raise almost anything
        return None


def records(files: Files) -> list[dict[str, Any]]:
    """Return what a provenance says about pinned files, by name."""
    return [
        {"path": name, **wanted.model_dump(exclude_none=True, exclude={"git", "tree"})}
        for name, wanted in sorted(files.items())
    ]
