"""Jobs of the paper mvplsa (Zhuang et al. 2012)."""

from reproduction.papers.mvplsa.parts import PARTS
from reproduction.results.jobs import Job

_PLACE = "reproduction.papers.mvplsa."


def _job(dataset: str, name: str, entry: str, *variants: str) -> Job:
    views = (dataset, *(f"{dataset}.{variant}" for variant in variants))
    return Job("mvplsa", dataset, name, _PLACE + entry, views=views)


JOBS: tuple[Job, ...] = (
    # the long ones first: two cores finish together
    *(_job(*place.split("/"), "tables:run") for place in PARTS),
    _job("newsgv4", "clustering", "clustering:run"),
    _job("newsgv2", "clustering", "clustering:run"),
    _job("newsgv2", "choices_text", "choices:text", "all_messages", "over_20kb", "headers",
         "counts"),
    _job("newsgv2", "choices", "choices:run"),
    _job("newsgv4", "readings", "readings:four_views", "counts"),
    _job("newsgv2", "readings", "readings:two_views", "counts"),
    *(
        _job(pages, name, f"{name}:run")
        for pages in ("cornell", "washington")
        for name in ("clustering", "choices", "readings")
    ),
)  # fmt: skip
