"""Files on this machine: mirror folders, the user's folder."""

from collections.abc import Sequence
from pathlib import Path

from reproduction.data.archives import gunzip, is_archive, read_members
from reproduction.data.content import Content, Contents, difference, find_member, interesting
from reproduction.data.errors import ChecksumError, SourceUnavailableError
from reproduction.data.origin import Blob, Files, Mirror, Tree, User


def from_mirror(source: Mirror, wanted: Files, mirrors: Sequence[Path]) -> Contents:
    """Return what a mirror folder has of the wanted files; the first that has any serves."""
    reasons = [] if mirrors else ["no mirror folder is configured"]
    for mirror in mirrors:
        folder = mirror / source.folder
        if not folder.is_dir():
            reasons.append(f"{folder} does not exist")
            continue
        found = _from_folder(folder, source, wanted)
        if found:
            return found
        reasons.append(f"{folder} lacks {', '.join(map(source.place, wanted))}")
    raise SourceUnavailableError("; ".join(reasons))


def from_user(source: User, wanted: Files, folder: Path | None) -> Contents:
    """Return what the user's folder of a data set has of the wanted files."""
    if folder is None:
        raise SourceUnavailableError("no user folder is configured")
    found = _from_folder(folder, source, wanted) if folder.is_dir() else {}
    if not found:
        raise SourceUnavailableError(f"{folder} lacks {', '.join(map(source.place, wanted))}")
    return found


def _from_folder(folder: Path, source: Mirror | User, wanted: Files) -> Contents:
    """Look for loose files (plain, gzipped), then in the folder's archives."""
    found: Contents = {}
    archives = [] if source.archive is None else [folder / source.archive]
    if source.archive is None:
        for name, item in wanted.items():
            content = _loose(folder / source.place(name), item)
            if content is not None:
                found[name] = content
        archives = sorted(p for p in folder.rglob("*") if is_archive(p))
    differing: list[str] = []
    for path in filter(Path.is_file, archives):
        places = {name: source.place(name) for name in wanted if name not in found}
        if not places:
            break
        members = read_members(path, lambda m, p=places: interesting(p.values(), m))  # type: ignore[misc]
        for name, place in places.items():
            content, reason = find_member(wanted[name], place, members)
            if content is not None:
                found[name] = content
            elif reason:
                differing.append(f"{path}: {reason}")
    if differing and len(found) < len(wanted):
        raise _mismatch(differing[0])
    return found


def _mismatch(what: str) -> ChecksumError:
    return ChecksumError(
        f"checksum mismatch: {what}. It is damaged or another version: replace it, or remove it so "
        "that the next source is tried. Nothing was written."
    )


def _loose(path: Path, wanted: Blob | Tree) -> Content | None:
    """Return a loose file or folder; one that has other content is an error."""
    content: Content
    zipped = path.with_name(f"{path.name}.gz")
    if isinstance(wanted, Tree) and path.is_dir():
        below = (p for p in path.rglob("*") if p.is_file())
        content = {p.relative_to(path).as_posix(): p.read_bytes() for p in below}
    elif isinstance(wanted, Blob) and path.is_file():
        content = path.read_bytes()
    elif isinstance(wanted, Blob) and zipped.is_file():
        path, content = zipped, gunzip(zipped.read_bytes(), zipped.name)
    else:
        return None
    reason = difference(wanted, content)
    if reason:
        raise _mismatch(f"{path}: {reason}")
    return content
