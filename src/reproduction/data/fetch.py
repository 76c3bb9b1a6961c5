"""Bring the files of a data set into ``data/raw/<key>``, checked, all or nothing.

Sources are tried in the registry's order. One that does not have the files is passed over, with its
reason kept for the error text; one that vouches for the pinned bytes and has others is an error.
Everything is gathered in a hidden folder beside the target and renamed at the end, so a failure
leaves the target as it was.
"""

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from manyviews.validation import check_choice
from reproduction.data.archives import check_archive, is_archive
from reproduction.data.content import records, write_content
from reproduction.data.entry import Dataset
from reproduction.data.errors import FetchError, SourceUnavailableError
from reproduction.data.gather import Gathered, Places, gather
from reproduction.data.origin import Edition
from reproduction.data.provenance import (
    PROVENANCE_FILE,
    file_record,
    make_provenance,
    read_provenance,
)
from reproduction.data.registry import Registry
from reproduction.data.sources.local import unpinned
from reproduction.files import write_json

MODES = ("auto", "real", "surrogate")
#: How often folders that other fetches remove are made again.
_TRIES = 100
#: Ends the first line of an error, which says what to do; the reasons follow it.
TRIED = " Tried, in order:"
DRAWN = "seeded generative model of the published statistics"


def fetch(
    key: str,
    *,
    registry: Registry,
    raw_dir: Path,
    places: Places | None = None,
    mode: str = "auto",
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
    places
        Where to look; default: nowhere but beside a registry file of the user's own.
    mode
        ``auto`` walks the sources and ends in a surrogate; ``real`` refuses surrogates;
        ``surrogate`` takes nothing else.
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
        When a source that vouches for the pinned bytes has others.
    FetchError
        When no source has it, or the data folder cannot be written.
    """
    dataset = registry[key]
    check_choice("data.source", mode, MODES)
    raw_dir = Path(raw_dir)
    with _staging(raw_dir, key) as staging:
        provenance = _serve(dataset, places or Places(), staging, mode, surrogate_scale)
        if _still_a_surrogate(provenance, raw_dir / key):
            return provenance
        write_json(staging / PROVENANCE_FILE, provenance)
        _swap(staging, raw_dir / key)
    return provenance


def _still_a_surrogate(provenance: dict[str, Any], folder: Path) -> bool:
    """Return whether another try ended as the last one did: then nothing becomes stale."""
    if provenance["source"] != "surrogate" or not (folder / PROVENANCE_FILE).is_file():
        return False
    return read_provenance(folder) == provenance


def _serve(
    dataset: Dataset, places: Places, staging: Path, mode: str, scale: float
) -> dict[str, Any]:
    """Fill ``staging`` from the first edition that is whole; return the provenance."""
    if dataset.role == "own":
        return _own(dataset, places, staging)
    tried: list[str] = []
    if mode != "surrogate":
        for edition in _editions(dataset):
            served = _edition(dataset, edition, places, staging, tried)
            if served is not None:
                return served
    if mode == "real":
        tried.append("surrogate: refused, because only real data were asked for")
        raise FetchError(_nothing(dataset, tried))
    # A surrogate in place of data that anyone can get is tried again in the next run.
    fallback = mode == "auto" and dataset.is_public
    return make_provenance(dataset, "surrogate", DRAWN, scale=scale, fallback=fallback)


def _editions(dataset: Dataset) -> list[Edition | None]:
    """Return the editions in the order they are tried; None is the data set's own files."""
    first: list[Edition | None] = [edition for edition in dataset.editions if edition.first]
    own: list[Edition | None] = [None] if dataset.files else []
    return first + own + [edition for edition in dataset.editions if not edition.first]


def _edition(
    dataset: Dataset, edition: Edition | None, places: Places, staging: Path, tried: list[str]
) -> dict[str, Any] | None:
    """Write one edition's files; None, and the reasons in ``tried``, when some are lacking."""
    given = dataset if edition is None else edition
    found = gather(given.files, given.sources, places, dataset.key)
    if edition is not None and edition.unpinned:
        _take_unpinned(dataset, edition, places, found)
    lacking = [name for name in given.files if name not in found.contents]
    if lacking or not found.contents:
        tried += found.tried
        return None
    for name, content in found.contents.items():
        write_content(staging, name, content)
    extras = _add_extras(dataset, places, staging)
    files = records(given.files) + [
        file_record(staging / name, name)
        for name in [*(edition.unpinned if edition is not None else []), *extras]
    ]
    kinds = dict.fromkeys(kind for kind, _ in found.served)
    places_of = dict.fromkeys(where for _, where in found.served)
    return make_provenance(
        dataset,
        " + ".join(kinds),
        "; ".join(places_of),
        files,
        edition=edition,
        extras=len(extras),
    )


def _take_unpinned(dataset: Dataset, edition: Edition, places: Places, found: Gathered) -> None:
    """Take files nobody has pinned from the user's folder; archives are read through once."""

    def whole(path: Path) -> None:
        if is_archive(path):
            check_archive(path)

    if places.user is None:
        found.tried.append(f"user ({edition.name}): no user folder is configured")
        return
    try:
        contents = unpinned(places.user, list(edition.unpinned), whole)
    except SourceUnavailableError as error:
        found.tried.append(f"user ({edition.name}): {error}")
        return
    found.add("user", f"user folder {dataset.key}", dict(contents))


def _nothing(dataset: Dataset, tried: list[str]) -> str:
    listed = "\n".join(f"  - {reason}" for reason in tried)
    return (
        f"data set {dataset.key!r} is not available. Put its files into a mirror folder or the "
        f"user folder (see data/registry/{dataset.key}.yaml for names and checksums), allow the "
        f"network, or allow surrogates.{TRIED}\n{listed}"
    )


def own_file(dataset: Dataset, name: str, user: Path | None) -> Path | None:
    """Return where an own file lies: beside its registry file, or in the user's folder for it."""
    folders = [Path(dataset.folder)] + ([user] if user is not None else [])
    return next((folder / name for folder in folders if (folder / name).is_file()), None)


def _own(dataset: Dataset, places: Places, staging: Path) -> dict[str, Any]:
    """Copy the user's own files; their digests are recorded, since nobody else knows them."""
    files = []
    for name in dict.fromkeys(record.path for record in dataset.own_files):
        found = own_file(dataset, name, places.user)
        if found is None:
            user = "" if places.user is None else f" or in {places.user}"
            raise FetchError(
                f"data set {dataset.key!r}: there is no file {name} in {dataset.folder}{user}; "
                "put it there or correct its path in the registry file"
            )
        _copy(found, staging / name)
        files.append(file_record(staging / name, name))
    return make_provenance(dataset, "own", "the user's own files", files)


def _copy(source: Path, place: Path) -> None:
    place.parent.mkdir(parents=True, exist_ok=True)
    try:
        shutil.copyfile(source, place)
    except PermissionError as error:
        raise FetchError(
            f"{source} cannot be read ({error.strerror}); change its permissions"
        ) from error


def _add_extras(dataset: Dataset, places: Places, staging: Path) -> list[str]:
    """Copy a user's further files (photographs, say) the entry asks for; return their names."""
    if places.user is None:
        return []
    found = {
        path.relative_to(places.user).as_posix()
        for pattern in dataset.user_extras
        for path in places.user.glob(pattern)
        if path.is_file()
    }
    names = sorted(name for name in found if not (staging / name).exists())
    for name in names:
        _copy(places.user / name, staging / name)
    return names


@contextmanager
def _staging(raw_dir: Path, key: str) -> Iterator[Path]:
    """Yield an empty hidden folder beside the target; it is gone afterwards, whatever happens."""
    made: list[Path] = []
    try:
        staging = _empty_folder(raw_dir, key, made)
    except OSError as error:
        _remove_empty(made)
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
            _remove_empty(made)


def _empty_folder(raw_dir: Path, key: str, made: list[Path]) -> Path:
    """Make the staging folder and what lacks above it; what this call made is added to ``made``.

    Other fetches make and remove the same folders at the same time.
    """
    for more in reversed(range(_TRIES)):
        try:
            for folder in reversed([raw_dir, *raw_dir.parents]):
                if _make(folder):
                    made.append(folder)
            return Path(tempfile.mkdtemp(prefix=f".{key}.", dir=raw_dir))
        except (FileNotFoundError, FileExistsError):  # another fetch has just removed a folder
            if not more:
                raise
    raise AssertionError  # the last try returns or raises


def _make(folder: Path) -> bool:
    """Make a folder; return whether it was this call that made it."""
    try:
        folder.mkdir()
    except OSError:
        if not folder.is_dir():  # one that is there, perhaps since just now, is fine
            raise
        return False
    return True


def _remove_empty(made: list[Path]) -> None:
    """Remove the folders this call has made, as far as they are empty."""
    for folder in reversed(made):
        with suppress(OSError):
            folder.rmdir()


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
