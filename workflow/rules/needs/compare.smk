"""What the comparisons with the methods of today need."""

from reproduction.compare.plan import PlanError, has_real_data, plan

try:
    # a surrogate is no data of a paper, so it is compared with nothing; the page names it
    REAL = [key for key in DATASETS if has_real_data(REGISTRY[key], RAW)]
    COMPARISONS = {entry.name: entry for entry in plan(REAL)}
except PlanError as error:
    raise WorkflowError(str(error))


def comparison_entry(wildcards):
    """What is compared then and now on one data set."""
    return COMPARISONS[wildcards.comparison].asked()


def rerun_tables():
    """Results on data that print is silent about, which stand beside today's methods."""
    return [
        f"{RESULTS}/{entry.paper}/{entry.dataset}/{job}.csv"
        for entry in COMPARISONS.values()
        for job in entry.jobs
    ]


def comparison_views(wildcards):
    """The view file behind a comparison."""
    return f"{VIEWS}/{COMPARISONS[wildcards.comparison].view_key}.npz"
