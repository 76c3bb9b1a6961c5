"""All public addresses of a data set, for readers: which there are, how many are independent."""

from urllib.parse import urlsplit

from reproduction.data.entry import Dataset
from reproduction.data.origin import Blob, Edition, Made, Mirror, Package, Public, Publisher, User
from reproduction.data.sources import where_of

HERITAGE = "Software Heritage, by git id"


def addresses(part: Dataset | Edition) -> list[tuple[str, list[str]]]:
    """Return every public address of a data set or edition, with the files it gives."""
    found: list[tuple[str, list[str]]] = []
    for source in part.sources:
        if isinstance(source, Mirror | User):
            continue
        where = where_of(source, "")
        if isinstance(source, Made):
            inputs = (where_of(inner, "") for inner in source.sources)
            where = f"made of {', '.join(dict.fromkeys(inputs))}"
        elif isinstance(source, Public) and source.archive:
            where += f" ({source.archive})"
        found.append((where, list(source.gives or part.files)))
    blobs = [name for name, item in part.files.items() if isinstance(item, Blob) and item.git]
    return [*found, (HERITAGE, blobs)] if blobs else found


def independent_addresses(part: Dataset | Edition | Made) -> int:
    """Return how many independent public addresses the scarcest file has.

    Several addresses of one repository or of one publisher's host count once. A file that is made
    here counts the addresses of its scarcest input. Software Heritage does not count, since nobody
    has seen that it holds these files.
    """
    return min((_count(part, name) for name in part.files), default=0)


def _count(part: Dataset | Edition | Made, name: str) -> int:
    owners: set[str] = set()
    made = 0
    for source in part.sources:
        if name not in (source.gives or part.files):
            continue
        if isinstance(source, Made):
            made += independent_addresses(source)
        elif isinstance(source, Public):
            owners.add(source.repository)
        elif isinstance(source, Publisher):
            owners.add(urlsplit(source.url).netloc)
        elif isinstance(source, Package):
            owners.add("package index")
    return len(owners) + made
