"""Files on this machine: mirror folders, the user's folder."""

from collections.abc import Callable
from pathlib import Path

from reproduction.data.archives import gunzip_bytes, is_archive, read_members
from reproduction.data.content import Content, Contents, difference, find_member, interesting
from reproduction.data.errors import ChecksumError, FetchError, SourceUnavailableError
from reproduction.data.origin import Blob, Files, Mirror, Tree, User


def from_mirror(source: Mirror, wanted: Files, mirrors: list[Path]) -> Contents:
    """Return what a mirror folder has of the wanted files; the first that has any serves."""
    if not mirrors:
        raise SourceUnavailableError("no mirror folder is configured")
    reasons = []
    for mirror in mirrors:
        folder = mirror / source.folder
        if not folder.is_dir():
            reasons.append(f"{folder} does not exist")
            continue
        found = _from_folder(folder, source, wanted, vouches=True)
        if found:
            return found
        reasons.append(f"{folder} lacks {', '.join(map(source.place, wanted))}")
    raise SourceUnavailableError("; ".join(reasons))


def from_user(source: User, wanted: Files, folder: Path | None) -> Contents:
    """Return what the user's folder of a data set has of the wanted files."""
    if folder is None:
        raise SourceUnavailableError("no user folder is configured")
    found = _from_folder(folder, source, wanted, vouches=True) if folder.is_dir() else {}
    if not found:
        raise SourceUnavailableError(f"{folder} lacks {', '.join(map(source.place, wanted))}")
    return found


def _from_folder(folder: Path, source: Mirror | User, wanted: Files, *, vouches: bool) -> Contents:
    """Look for loose files (plain, gzipped), then in the folder's archives."""
    found: Contents = {}
    if source.archive is None:
        for name, item in wanted.items():
            content = _loose(folder, source.place(name), item)
            if content is not None:
                found[name] = content
    archives = (
        [folder / source.archive]
        if source.archive is not None
        else sorted(path for path in folder.rglob("*") if path.is_file() and is_archive(path))
    )
    differing: list[str] = []
    for path in archives:
        missing = {name: item for name, item in wanted.items() if name not in found}
        if not missing or not path.is_file():
            continue
        places = [source.place(name) for name in missing]
        members = read_members(path, select=lambda m, p=places: interesting(p, m))  # type: ignore[misc]
        for name, item in missing.items():
            content, reason = find_member(item, source.place(name), members)
            if content is not None:
                found[name] = content
            elif reason:
                differing.append(f"{path}: {reason}")
    if differing and vouches and any(name not in found for name in wanted):
        raise ChecksumError(
            f"checksum mismatch: {differing[0]}. The archive is damaged or another version: "
            "replace it, or remove it so that the next source is tried. Nothing was written."
        )
    return found


def _loose(folder: Path, place: str, wanted: Blob | Tree) -> Content | None:
    """Return a loose file or folder; one that has other content is an error."""
    content: Content | None = None
    path = folder / place
    try:
        if isinstance(wanted, Tree):
            if path.is_dir():
                below = (p for p in path.rglob("*") if p.is_file())
                content = {p.relative_to(path).as_posix(): p.read_bytes() for p in below}
        elif path.is_file():
            content = path.read_bytes()
        elif (packed := path.with_name(f"{path.name}.gz")).is_file():
            path, content = packed, gunzip_bytes(packed)
    except PermissionError as error:
        raise FetchError(
            f"{error.filename} cannot be read ({error.strerror}); change its permissions"
        ) from error
    if content is None:
        return None
    reason = difference(wanted, content)
    if reason:
        raise ChecksumError(
            f"checksum mismatch: {path}: {reason}. The file is damaged or another version: replace "
            "it, or remove it so that the next source is tried. Nothing was written."
        )
    return content


def unpinned(folder: Path, names: list[str], check: Callable[[Path], None]) -> dict[str, bytes]:
    """Return files whose content nobody has pinned, from the user's folder."""
    lacking = [name for name in names if not (folder / name).is_file()]
    if lacking:
        raise SourceUnavailableError(f"{folder} lacks {', '.join(lacking)}")
    for name in names:
        check(folder / name)
    return {name: (folder / name).read_bytes() for name in names}
