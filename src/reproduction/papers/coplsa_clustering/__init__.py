"""Jiang et al. 2012: co-regularised PLSA for multi-view clustering (Table 1, Figure 2)."""

from reproduction.results.jobs import Job

DATASETS = ("reuters", "corel5k", "nus_wide", "digits")
_PAPER = "coplsa_clustering"
_PACKAGE = "reproduction.papers.coplsa_clustering"
#: Small data sets: one job for everything that belongs together.
_SMALL = {
    "plsa": "single:run_plsa",
    "rivals": "rivals:run_rivals",
    "coplsa": "coplsa:run_all",
    "fig2": "sensitivity:run_lambda",
    "scale": "sensitivity:run_scale",
    "missing": "extras:run_missing",
    "iterations": "sensitivity:run_iterations",
}
#: Thousands of images: the same, split so that two cores share the work evenly.
_LARGE = {
    "plsa": "single:run_plsa",
    "rivals": "rivals:run_rivals",
    "coplsa2": "coplsa:run_two",
    "coplsa3": "coplsa:run_three",
    "placebo": "coplsa:run_placebo",
    "fig2": "sensitivity:run_lambda",
    "scale": "sensitivity:run_scale",
}
_COREL = {
    "fig2_unit": "sensitivity:run_lambda_unit",
    "sift": "extras:run_sift",
    "cost": "extras:run_cost",
    "iterations": "sensitivity:run_iterations",
}
_PLANS = {
    "corel5k": {**_LARGE, **_COREL},
    "nus_wide": _LARGE,
    "reuters": {**_SMALL, "silent": "sensitivity:run_silent"},
    "digits": _SMALL,
}

JOBS: tuple[Job, ...] = (
    *(Job(_PAPER, dataset, "kmeans", f"{_PACKAGE}.single:run_kmeans") for dataset in _PLANS),
    *(
        # every other job reads which view k-means found best
        Job(_PAPER, dataset, name, f"{_PACKAGE}.{entry}", after=(f"{dataset}/kmeans",))
        for dataset, plan in _PLANS.items()
        for name, entry in plan.items()
    ),
)
