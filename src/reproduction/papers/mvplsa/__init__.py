"""Jobs of the paper mvplsa (Zhuang et al. 2012)."""

from reproduction.results.further import Further
from reproduction.results.jobs import Job

_PLACE = "reproduction.papers.mvplsa."
#: Methods whose runs cannot go on: co-training's search, and on the news as the text says all
#: but naive Bayes.
_SEARCHED = {"CoTr_*": "its parameters are chosen by the mean over all declared runs"}
_COSTLY = dict.fromkeys(
    ("MVPLSA", "DPLSA*"), "on the news as the text says it is left out for its cost"
)

#: Jobs of printed cells; core seconds of one run at all rates.
_FURTHER = {
    "newsgv4/mvplsa": Further(8.2),
    "newsgv4/dplsa": Further(8.2),
    "newsgv4/dplsa_v1_v2": Further(3.1),
    "newsgv4/dplsa_v3_v4": Further(3.9),
    "newsgv4/split_views": Further(1.8),
    "newsgv4/baselines": Further(0.1, f"{_PLACE}baselines:without_search"),
    "newsgv4/text": Further(0.15, f"{_PLACE}text_reading:naive_bayes", fixed=_COSTLY),
    "newsgv2/mvplsa": Further(2.3),
    "newsgv2/dplsa": Further(2.1),
    "newsgv2/dplsa_views": Further(2.2),
    "newsgv2/baselines": Further(0.05, f"{_PLACE}baselines:without_search", fixed=_SEARCHED),
    "newsgv2/text": Further(0.05, f"{_PLACE}text_reading:naive_bayes", fixed=_SEARCHED | _COSTLY),
    **{
        f"{pages}/{name}": Further(0.3, f"{_PLACE}{module}:without_search", fixed=_SEARCHED)
        for pages in ("cornell", "washington")
        for name, module in {"everything": "tables", "text": "text_reading"}.items()
    },
}


def _job(dataset: str, name: str, entry: str, *variants: str) -> Job:
    views = (dataset, *(f"{dataset}.{variant}" for variant in variants))
    further = _FURTHER.get(f"{dataset}/{name}")
    return Job("mvplsa", dataset, name, _PLACE + entry, views=views, further=further)


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
