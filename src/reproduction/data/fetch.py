"""Bring the files of a data set into ``data/raw/<key>``, checked, all or nothing.

Sources are tried in the registry's order. One that does not have the files is passed over, with its
reason kept. What was gathered is written to a hidden folder beside the target and renamed at the
end, so a failure leaves the target as it was.
"""

import shutil
import tempfile
from pathlib import Path
from typing import Any

from reproduction.data.content import Contents, packed, records, stored_name
from reproduction.data.entry import Dataset
from reproduction.data.errors import FetchError
from reproduction.data.origin import Edition
from reproduction.data.places import Places
from reproduction.data.provenance import (
    PROVENANCE_FILE,
    file_record,
    make_provenance,
    read_provenance,
)
from reproduction.data.registry import Registry
from reproduction.data.sources import gather
from reproduction.files import write_json

DRAWN = "seeded generative model of the published statistics"
#: Provenance, and what a data set consists of: content, or a user's file that is copied.
_Served = tuple[dict[str, Any], Contents]


def fetch(
    key: str,
    *,
    registry: Registry,
    raw_dir: Path,
    places: Places | None = None,
    mode: str = "auto",
    surrogate_scale: float = 1.0,
    tried: list[str] | None = None,
) -> dict[str, Any]:
    """Bring a data set's files to ``<raw_dir>/<key>``; return the provenance.

    ``auto`` walks the sources and ends in a surrogate, ``real`` refuses surrogates, ``surrogate``
    takes nothing else. ``tried`` takes a line for each source that could not serve.
    """
    dataset, target = registry[key], Path(raw_dir) / key
    reasons = [] if tried is None else tried
    provenance, contents = _serve(dataset, places or Places(), mode, surrogate_scale, reasons)
    surrogate = provenance["source"] == "surrogate" and (target / PROVENANCE_FILE).is_file()
    if not surrogate or read_provenance(target) != provenance:  # else nothing becomes stale
        _write(target, contents, provenance)
    return provenance


def _serve(dataset: Dataset, places: Places, mode: str, scale: float, tried: list[str]) -> _Served:
    """Return the provenance and the content of the first edition that is whole."""
    if dataset.role == "own":
        return _own(dataset, places)
    if mode != "surrogate":
        own: list[Edition | None] = [None] if dataset.files else []
        for edition in [*own, *dataset.editions]:
            if served := _edition(dataset, edition, places, tried):
                return served
    if mode == "real":
        listed = "\n".join(f"  - {reason}" for reason in tried)
        raise FetchError(
            f"data set {dataset.key!r} is not available. Put its files into a mirror folder or the "
            f"user folder (see data/registry/{dataset.key}.yaml for names and checksums), allow "
            f"the network, or allow surrogates. Tried, in order:\n{listed or '  - nothing'}"
        )
    # A surrogate in place of data that anyone can get is tried again in the next run.
    fallback = mode == "auto" and dataset.is_public
    return make_provenance(dataset, "surrogate", DRAWN, scale=scale, fallback=fallback), {}


def _edition(
    dataset: Dataset, edition: Edition | None, places: Places, tried: list[str]
) -> _Served | None:
    """Gather one edition's files; None, and the reasons in ``tried``, when some are lacking."""
    given, user = dataset if edition is None else edition, places.of_user(dataset.key)
    found = gather(given.files, given.sources, places, dataset.key)
    contents = found.contents
    unpinned = edition.unpinned if edition is not None else []
    # only their user has files nobody has pinned
    there = {name: user / name for name in unpinned if user and (user / name).is_file()}
    found.add("user", f"user folder {dataset.key}", there)
    lacking = [name for name in [*given.files, *unpinned] if name not in contents]
    if lacking or not contents:
        tried += found.tried
        if unpinned:
            tried.append(f"user: {user or 'no folder'} lacks {', '.join(lacking)}")
        return None
    extras = {  # a user's further files (photographs, say) that the entry asks for
        path.relative_to(user).as_posix(): path
        for pattern in dataset.user_extras
        if user
        for path in user.glob(pattern)
        if path.is_file() and path.relative_to(user).as_posix() not in contents
    }
    contents |= extras
    files = records(given.files)
    files += [file_record(contents[name], name) for name in [*unpinned, *extras]]
    kinds, where = (dict.fromkeys(part) for part in zip(*found.served, strict=True))
    facts: dict[str, Any] = {"edition": edition, "extras": len(extras)}
    return make_provenance(dataset, " + ".join(kinds), "; ".join(where), files, **facts), contents


def own_file(dataset: Dataset, name: str, user: Path | None) -> Path | None:
    """Return where an own file lies: beside its registry file, or in the user's folder for it."""
    folders = [Path(dataset.folder)] + ([user] if user is not None else [])
    return next((folder / name for folder in folders if (folder / name).is_file()), None)


def _own(dataset: Dataset, places: Places) -> _Served:
    """Take the user's own files; their digests are recorded, since nobody else knows them."""
    found, folder = Contents(), places.of_user(dataset.key)
    for name in dict.fromkeys(record.path for record in dataset.own_files):
        path = own_file(dataset, name, folder)
        if path is None:
            user = "" if folder is None else f" or in {folder}"
            raise FetchError(
                f"data set {dataset.key!r}: there is no file {name} in {dataset.folder}{user}; "
                "put it there or correct its path in the registry file"
            )
        found[name] = path
    files = [file_record(path, name) for name, path in found.items()]
    return make_provenance(dataset, "own", "the user's own files", files), found


def _write(target: Path, contents: Contents, provenance: dict[str, Any]) -> None:
    """Put the files in place of what is there; on failure that stays."""
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix=f".{target.name}-", dir=target.parent) as folder:
            staging = Path(folder) / target.name
            staging.mkdir()
            for name, content in contents.items():
                place = staging / stored_name(name)
                place.parent.mkdir(parents=True, exist_ok=True)
                if isinstance(content, Path):
                    shutil.copyfile(content, place)
                else:
                    place.write_bytes(packed(name, content))
            write_json(staging / PROVENANCE_FILE, provenance)
            if target.exists():
                shutil.rmtree(target)
            staging.rename(target)
    except OSError as error:
        raise FetchError(
            f"the data folder {target.parent} cannot be written ({error.strerror or error}); make "
            "room or give write permission."
        ) from error
