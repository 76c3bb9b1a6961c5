"""Members of archives, read into memory and never unpacked on disk.

What comes out is compared by digest before anybody uses it, and written under the registry's names.
An archive itself may be anything that an address sends: damage and bombs are refused here; links
and devices are no members.
"""

import gzip
import io
import tarfile
import zipfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path, PurePosixPath

from reproduction.data.errors import ReadError

#: Bytes that are taken out of one archive or ``.gz``: the largest data set takes 70 MB.
MOST_BYTES = 1 << 30
_ENDINGS = (".zip", ".whl", ".tar", ".tgz", ".tar.gz", ".tar.bz2", ".tar.xz")


def is_archive(path: str | Path) -> bool:
    """Return whether the name is that of an archive with members (``.gz``, ``.npz`` are not)."""
    return Path(path).name.lower().endswith(_ENDINGS)


def read_members(
    path: str | Path,
    select: Callable[[str], bool] = lambda name: True,
    *,
    content: bytes | None = None,
) -> dict[str, bytes]:
    """Return files that ``select`` wants, by inner path; ``content`` are the archive's bytes."""
    found, total = {}, 0
    with _named(Path(path).name):
        stored = Path(path).read_bytes() if content is None else content
        for name, size, read in _members(stored):
            place = str(PurePosixPath(name))
            if select(place):
                total += size
                if total > MOST_BYTES:
                    raise ValueError(f"over {MOST_BYTES} bytes")
                found[place] = read()
    return found


def gunzip(content: bytes, name: str) -> bytes:
    """Return the content of a ``.gz`` file."""
    with _named(name), gzip.open(io.BytesIO(content)) as stream:
        found = stream.read(MOST_BYTES + 1)
        if len(found) > MOST_BYTES:
            raise ValueError(f"over {MOST_BYTES} bytes")
    return found


def _members(stored: bytes) -> Iterator[tuple[str, int, Callable[[], bytes]]]:
    """Yield name, size and reader of each file of a zip or tar archive."""
    if stored.startswith(b"PK"):
        with zipfile.ZipFile(io.BytesIO(stored)) as zipped:
            for info in zipped.infolist():
                if not info.is_dir():
                    # zipfile stops at the declared size, so a lying header stays in the limit
                    yield info.filename, info.file_size, partial(zipped.read, info)
    else:
        with tarfile.open(fileobj=io.BytesIO(stored)) as tar:
            for member in filter(tarfile.TarInfo.isreg, tar):
                yield member.name, member.size, lambda m=member: tar.extractfile(m).read()  # type: ignore[misc, union-attr]


@contextmanager
def _named(name: str) -> Iterator[None]:
    """Turn the many errors of damaged and hostile archives into one that names the file."""
    try:
        yield
    except (FileNotFoundError, PermissionError):
        raise
    except Exception as error:  # damaged archives raise almost anything
        reason = str(error).partition(":\n")[0]
        raise ReadError(f"{name} is damaged or refused ({reason}); fetch it again") from error
