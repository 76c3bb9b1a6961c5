"""What the verdicts on a paper need."""

from reproduction.results.jobs import view_keys_behind
from reproduction.verdicts.chain import BY_SCORING, WRITTEN


def result_files(paper):
    """Every result of a paper: rows, and the details beside them."""
    return job_files(jobs_of(paper), ".csv") + job_files(jobs_of(paper), ".json")


def paper_datasets(paper):
    """Every data set some job of a paper reads."""
    return sorted({dataset_of(key) for job in jobs_of(paper) for key in job.view_keys})


def paper_views(wildcards):
    """Every view file behind a paper's results."""
    keys = {key for job in jobs_of(wildcards.paper) for key in view_keys_behind(job)}
    return [f"{VIEWS}/{key}.npz" for key in sorted(keys)]


def paper_options(wildcards):
    """What the configuration asks of the builders behind a paper's results."""
    options = CONFIG.data.options
    return {
        key: options[key] for key in paper_datasets(wildcards.paper) if key in options
    }


def score_code(wildcards):
    """Hash of the code that gives a paper's verdicts."""
    paper = wildcards.paper
    parts = [module_name(paper, "claims"), module_name(paper, "paper")]
    return closure_hash(["reproduction.verdicts.chain", *parts])
