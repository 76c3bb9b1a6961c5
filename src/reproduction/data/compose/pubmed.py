"""Which PubMed document is which row of the Planetoid release.

Planetoid numbers the documents and drops their PubMed ids. Three public facts bring them back: the
Planetoid number of every line of the original table; the year of every document by id and by
number; and the order of the original lines, which is the order in which a Java hash map of 16
segments lists its keys, the ids. Documents that fall into the same bucket of that map are told
apart by their year and by whom they cite.
"""

import gzip
import io
import json
from collections import defaultdict
from collections.abc import Hashable, Iterable, Mapping
from functools import reduce
from typing import Any

import numpy as np

from reproduction.data import pickles
from reproduction.data.builders.linqs import directed_links
from reproduction.data.content import Contents

_MASK = 0xFFFFFFFF
#: The one segment of the map whose table had grown; found by fitting, as was the size of the rest.
_LARGE_SEGMENT, _LARGE_TABLE, _TABLE = 9, 4096, 2048
#: One year is missing in the release; its only neighbour's, as the release itself fills it.
_FILLED_YEARS = {"17874530": "2009"}
#: Planetoid's class -> LINQS's label.
_LABELS = {0: 1, 2: 2, 1: 3}


def bucket(key: str) -> tuple[int, int]:
    """Return a sort key that puts ids in the map's order: last segment, last bucket first.

    The hash is ``String.hashCode()``, spread as the ``ConcurrentHashMap`` of Java 6 does.
    """
    value = reduce(lambda found, letter: (31 * found + ord(letter)) & _MASK, key, 0)
    value = (value + (((value << 15) & _MASK) ^ 0xFFFFCD7D)) & _MASK
    value ^= value >> 10
    value = (value + (value << 3)) & _MASK
    value ^= value >> 6
    value = (value + (value << 2) + (value << 14)) & _MASK
    value ^= value >> 16
    segment = value >> 28
    size = _LARGE_TABLE if segment == _LARGE_SEGMENT else _TABLE
    return -segment, -(value & (size - 1))


def refine(
    first: dict[Any, Any],
    first_links: Mapping[Any, Iterable[Any]],
    second: dict[Any, Any],
    second_links: Mapping[Any, Iterable[Any]],
) -> tuple[dict[Any, int], dict[Any, int]]:
    """Refine the colours of two graphs together until no class splits any more.

    A node's new colour is its own and the sorted colours of its neighbours; equal pairs get equal
    numbers in both graphs.
    """

    def step(colours: dict[Any, Any], links: Mapping[Any, Iterable[Any]]) -> dict[Any, Hashable]:
        return {
            node: (colour, tuple(sorted(colours[other] for other in links.get(node, ()))))
            for node, colour in colours.items()
        }

    while True:
        stepped = step(first, first_links), step(second, second_links)
        seen: Any = set(stepped[0].values()) | set(stepped[1].values())
        number = {colour: i for i, colour in enumerate(sorted(seen))}
        fresh = [{node: number[colour] for node, colour in part.items()} for part in stepped]
        if len(set(fresh[0].values())) == len(set(first.values())):
            return fresh[0], fresh[1]
        first, second = fresh


def _both_ways(pairs: Iterable[tuple[Any, Any]]) -> dict[Any, set[Any]]:
    links: dict[Any, set[Any]] = defaultdict(set)
    for a, b in pairs:
        links[a].add(b)
        links[b].add(a)
    return links


def index_of_documents(inputs: Contents) -> Contents:
    """Write the table of PubMed id, Planetoid number and label, in the original lines' order."""
    cites = directed_links(inputs["Pubmed-Diabetes.DIRECTED.cites.tab"].decode("ascii"))
    order, years = (
        json.loads(gzip.decompress(inputs[f"{name}.json.gz"]))
        for name in ("planetoid-index-map", "pubmed-times")
    )
    years |= _FILLED_YEARS
    graph = pickles.loads(inputs["ind.pubmed.graph"])
    rank = {year: i for i, year in enumerate(sorted(set(years.values())))}
    time = np.load(io.BytesIO(inputs["node_time.npy"])).tolist()

    buckets: dict[tuple[int, int], list[str]] = defaultdict(list)
    for document in sorted({document for pair in cites for document in pair}):
        buckets[bucket(document)].append(document)
    by_id: dict[str, Any] = {}
    by_number: dict[int, Any] = {}
    start = 0
    for place, slot in enumerate(sorted(buckets)):
        size = len(buckets[slot])
        by_id |= {document: (place, rank[years[document]]) for document in buckets[slot]}
        by_number |= {number: (place, time[number]) for number in order[start : start + size]}
        start += size
    pairs = ((a, b) for a, near in graph.items() for b in near)
    ids, numbers = refine(by_id, _both_ways(cites), by_number, _both_ways(pairs))
    waiting: dict[int, list[str]] = defaultdict(list)
    for document in sorted(ids):
        waiting[ids[document]].append(document)
    ally, ty = (
        pickles.loads(inputs[f"ind.pubmed.{part}"]).argmax(axis=1) for part in ("ally", "ty")
    )
    classes = np.zeros(len(order), dtype=np.int64)
    classes[: len(ally)] = ally
    classes[[int(i) for i in inputs["ind.pubmed.test.index"].split()]] = ty
    rows = [
        f"{waiting[numbers[number]].pop(0)}\t{number}\t{_LABELS[int(classes[number])]}\n"
        for number in order
    ]
    return {"pmid-planetoid-index.tsv": ("pmid\tplanetoid_index\tlabel\n" + "".join(rows)).encode()}
