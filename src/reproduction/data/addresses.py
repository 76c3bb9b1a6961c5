"""All public addresses of a data set, for readers: which there are, how many are independent."""

from urllib.parse import urlsplit

from reproduction.data.entry import Dataset
from reproduction.data.gather import where_of
from reproduction.data.origin import (
    Blob,
    Edition,
    Made,
    Mirror,
    Package,
    Public,
    Publisher,
    User,
)

HERITAGE = "Software Heritage, by git id"


def addresses(part: Dataset | Edition) -> list[tuple[str, list[str]]]:
    """Return every public address of a data set or edition, with the files it gives."""
    found: list[tuple[str, list[str]]] = []
    for source in part.sources:
        if isinstance(source, Mirror | User):
            continue
        if isinstance(source, Made):
            inputs = [where_of(inner, "") for inner in source.sources]
            found.append((f"made of {', '.join(dict.fromkeys(inputs))}", list(source.gives)))
            continue
        where = where_of(source, "")
        if isinstance(source, Public) and source.archive:
            where += f" ({source.archive})"
        found.append((where, list(source.gives) or list(part.files)))
    blobs = [name for name, item in part.files.items() if isinstance(item, Blob) and item.git]
    if blobs:
        found.append((HERITAGE, blobs))
    return found


def independent_addresses(part: Dataset | Edition | Made) -> int:
    """Return how many independent public addresses the scarcest file has.

    Several addresses of one repository or of one publisher's host count once. A file that is made
    here counts the addresses of its scarcest input. Software Heritage does not count, since nobody
    has seen that it holds these files.
    """
    return min((_count(part, name) for name in part.files), default=0)


def _count(part: Dataset | Edition | Made, name: str) -> int:
    places = set()
    made = 0
    for source in part.sources:
        if isinstance(source, Mirror | User) or name not in (source.gives or part.files):
            continue
        if isinstance(source, Made):
            made += independent_addresses(source)
        else:
            places.add(_place(source))
    return len(places) + made


def _place(source: Package | Public | Publisher) -> str:
    """Return who gives the files of a source."""
    if isinstance(source, Public):
        return source.repository
    return urlsplit(source.url).netloc if isinstance(source, Publisher) else "package index"
