"""Which job computes what of the printed tables, under which reading: declared, not coded.

A part names its methods by :data:`reproduction.papers.mvplsa.tables.ROWS`. Long ones are cut into
shares of the runs, so that no job keeps a core busy much longer than two minutes.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from reproduction.results.rows import INFERRED

#: Reading that takes the paper's words, or the field's default where there are none.
TEXT = "text"


@dataclass(frozen=True)
class Part:
    """Methods under a reading, in the first, second, ... of so many shares of the runs."""

    methods: tuple[str, ...]
    reading: str = INFERRED
    share: tuple[int, int] = (1, 1)


def _shares(method: str, count: int) -> dict[str, Part]:
    return {f"{method}_{k}": Part((method,), share=(k, count)) for k in range(1, count + 1)}


_PAGES = {"tables": Part(("naive_bayes", "mvplsa", "dplsa", "dplsa_v1_v2", "cotraining"))}
_PARTS: dict[str, dict[str, Part]] = {
    "newsgv4": {
        **_shares("mvplsa", 3),
        **_shares("dplsa", 3),
        **_shares("dplsa_v1_v2", 2),
        **_shares("dplsa_v3_v4", 2),
        "split_views": Part(("split_views",)),
        "baselines": Part(("naive_bayes",)),
    },
    "newsgv2": {
        "mvplsa": Part(("mvplsa",)),
        "dplsa": Part(("dplsa",)),
        "dplsa_views": Part(("dplsa_v1_v2",)),
        "topics": Part(("topics",)),
        "baselines": Part(("naive_bayes", "cotraining")),
    },
    "cornell": {**_PAGES, "topics": Part(("topics",))},
    "washington": _PAGES,
}

#: Part of every job that has one, by the job's place; the text reading has the same ones.
PARTS: dict[str, Part] = {
    f"{dataset}/{prefix}{name}": replace(part, reading=reading)
    for prefix, reading in (("", INFERRED), ("text_", TEXT))
    for dataset, parts in _PARTS.items()
    for name, part in parts.items()
}
