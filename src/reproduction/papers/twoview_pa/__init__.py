"""Nguyen, Chang, Hui: Two-view online learning (Tables 1 and 2, Figures 1 to 3, the grid)."""

from reproduction.results.jobs import Job

DATASETS = ("ads", "webkb_course", "product_review", "opinion_spam")
_PACKAGE = "reproduction.papers.twoview_pa"
_ENTRIES = {
    "published": f"{_PACKAGE}.published:run",
    "grid": f"{_PACKAGE}.grid:run",
    "nested": f"{_PACKAGE}.nested:run",
}

JOBS: tuple[Job, ...] = (
    *(
        Job("twoview_pa", dataset, name, entry)
        for dataset in DATASETS
        for name, entry in _ENTRIES.items()
    ),
    Job("twoview_pa", "ads", "more_views", f"{_PACKAGE}.open_problems:run_views"),
    Job("twoview_pa", "digits", "more_classes", f"{_PACKAGE}.open_problems:run_classes"),
)
