"""All public addresses of a data set, for readers: which there are, how many are independent."""

from collections.abc import Iterable

from reproduction.data.entry import Dataset
from reproduction.data.gather import where_of
from reproduction.data.origin import Blob, Edition, Made, Mirror, Public, User

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


def independent_addresses(dataset: Dataset) -> int:
    """Return how many independent public addresses the scarcest file has.

    Several addresses of one repository count once; Software Heritage does not count, since nobody
    has seen that it holds these files.
    """
    known = [(where.partition(" (")[0], names) for where, names in addresses(dataset)]
    counts = []
    for name in dataset.files:
        having = {where for where, names in known if name in names and where != HERITAGE}
        counts.append(len(having))
    return min(counts, default=0)


def address_table(datasets: Iterable[Dataset]) -> str:
    """Return a Markdown table: per data set its size, its addresses and how many there are."""
    lines = [
        "| data set | MB | independent addresses | where |",
        "|---|---:|---:|---|",
    ]
    for dataset in datasets:
        if not dataset.files:
            continue
        size = sum(item.bytes or 0 for item in dataset.files.values()) / 1e6
        count = independent_addresses(dataset)
        places = [where for where, _ in addresses(dataset) if where != HERITAGE]
        places += [
            f"{where} (edition {edition.name})"
            for edition in dataset.editions
            for where, _ in addresses(edition)
            if where != HERITAGE
        ]
        shown = "; ".join(dict.fromkeys(places))
        alone = "" if count > 1 else " (and Software Heritage, by git id)" if count == 1 else ""
        lines.append(f"| `{dataset.key}` | {size:.1f} | {count}{alone} | {shown} |")
    return "\n".join(lines) + "\n"
