"""Jiang et al. 2012: co-regularised PLSA for multi-view clustering (Table 1, Figure 2)."""

from reproduction.results.jobs import Job

_PAPER = "coplsa_clustering"
_BOTH = {
    "plsa": "baselines:run_plsa",
    "baselines": "baselines:run_multiview",
    "choice_scale": "choices:run_scale",
}
#: Small data sets: one job for everything that belongs together.
_SMALL = {
    **_BOTH,
    "coplsa": "tables:run_all",
    "choice_iterations": "choices:run_iterations",
    "fig2": "tables:run_figure_2",
    "missing": "extras:run_missing",
}
#: Thousands of images: the same, split so that two cores share the work evenly.
_LARGE = {
    **_BOTH,
    "coplsa2": "tables:run_two",
    "coplsa3": "tables:run_three",
    "placebo": "tables:run_placebo",
}
_PLANS = {
    "reuters": {**_SMALL, "choices": "choices:run_penalty", "search": "search:run_spectral"},
    "corel5k": {
        **_LARGE,
        "fig2": "tables:run_figure_2_raw",
        "fig2_unit": "tables:run_figure_2_unit",
        "choice_iterations": "choices:run_iterations",
        "choice_sift": "choices:run_sift",
        "trajectory": "trajectory:run",
        "search": "search:run_photographs",
        "cost": "extras:run_cost",
    },
    "nus_wide": {**_LARGE, "fig2": "tables:run_figure_2"},
    "digits": _SMALL,
}


def _job(dataset: str, name: str, entry: str, *after: str) -> Job:
    return Job(_PAPER, dataset, name, f"{__name__}.{entry}", after=after)


JOBS: tuple[Job, ...] = (
    *(_job(dataset, "kmeans", "baselines:run_kmeans") for dataset in _PLANS),
    *(
        # every other job reads which view k-means found best
        _job(dataset, name, entry, f"{dataset}/kmeans")
        for dataset, plan in _PLANS.items()
        for name, entry in plan.items()
    ),
)
