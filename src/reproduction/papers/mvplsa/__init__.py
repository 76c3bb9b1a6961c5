"""Jobs of the paper mvplsa (Zhuang et al. 2012)."""

from reproduction.results.jobs import Job

_PLACE = "reproduction.papers.mvplsa."


def _job(dataset: str, name: str, entry: str, *variants: str) -> Job:
    views = (dataset, *(f"{dataset}.{variant}" for variant in variants))
    return Job("mvplsa", dataset, name, _PLACE + entry, views=views)


JOBS: tuple[Job, ...] = (
    # the long ones first: two cores finish together
    _job("newsgv4", "text", "text_reading:run", "all_messages"),
    _job("newsgv2", "text", "text_reading:run", "all_messages"),
    _job("newsgv4", "mvplsa", "tables:mvplsa"),
    _job("newsgv4", "dplsa", "tables:dplsa"),
    _job("newsgv4", "dplsa_v1_v2", "tables:dplsa_first_views"),
    _job("newsgv4", "dplsa_v3_v4", "tables:dplsa_last_views"),
    _job("newsgv4", "split_views", "split_views:run"),
    _job("newsgv2", "mvplsa", "tables:mvplsa"),
    _job("newsgv2", "dplsa", "tables:dplsa"),
    _job("newsgv2", "dplsa_views", "tables:dplsa_views"),
    _job("newsgv2", "topics", "topics:run"),
    _job("newsgv2", "choices_text", "choices:text", "all_messages", "drop_huge_everywhere",
         "no_headers", "letters", "counts"),
    _job("newsgv2", "choices", "choices:run"),
    _job("newsgv4", "readings", "readings:four_views", "counts", "all_messages"),
    _job("newsgv2", "readings", "readings:two_views", "counts"),
    _job("newsgv4", "clustering", "clustering:run"),
    _job("newsgv2", "clustering", "clustering:run"),
    _job("newsgv2", "baselines", "baselines:run"),
    _job("newsgv4", "baselines", "baselines:run"),
    _job("cornell", "everything", "web_pages:run"),
    _job("washington", "everything", "web_pages:run"),
    _job("cornell", "text", "text_reading:run"),
    _job("washington", "text", "text_reading:run"),
    _job("cornell", "readings", "readings:web_pages"),
    _job("washington", "readings", "readings:web_pages"),
)  # fmt: skip
