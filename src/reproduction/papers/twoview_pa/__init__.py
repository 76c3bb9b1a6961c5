"""Nguyen, Chang, Hui: Two-view online learning (Tables 1 and 2, Figures 1 to 3)."""

from reproduction.results.jobs import Job

DATASETS = ("ads", "webkb_course", "product_review", "opinion_spam")


_ENTRY = "reproduction.papers.twoview_pa"


def _job(dataset: str, name: str, entry: str) -> Job:
    return Job("twoview_pa", dataset, name, f"{_ENTRY}.{entry}")


_EVERYWHERE = {
    "choices_combined": "choices.combined:run",
    "choices_tuned": "choices.tuned:run",
    "choices": "choices.one:run",
    "tables": "tables:run",
    "differences": "differences:run",
    "identical_views": "extras:identical_views",
}

JOBS: tuple[Job, ...] = (
    *(_job(dataset, name, entry) for dataset in DATASETS for name, entry in _EVERYWHERE.items()),
    *(_job(dataset, "search", "search:run") for dataset in ("ads", "webkb_course")),
    _job("ads", "more_views", "extras:more_views"),
    _job("digits", "more_classes", "extras:more_classes"),
)
