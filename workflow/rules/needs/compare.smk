"""What the comparisons with the methods of today need."""

from reproduction.compare.plan import PlanError, has_real_data, plan

try:
    # a surrogate is no data of a paper, so it is compared with nothing; the page names it
    REAL = [key for key in DATASETS if has_real_data(REGISTRY[key], RAW)]
    COMPARISONS = {entry.name: entry for entry in plan(REAL)}
except PlanError as error:
    raise WorkflowError(str(error))
