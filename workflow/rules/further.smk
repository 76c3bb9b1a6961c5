"""Between fit and score: further runs of jobs with a figure near an edge (decision 20)."""

from reproduction.results.custody import further_code
from reproduction.results.further import FURTHER
from reproduction.results.jobs import (
    further_job,
    goes_on,
    run_limits,
    view_keys_behind,
)


def code_of_further(wildcards):
    """Hash of the source files that a job's further runs depend on."""
    return further_code(job_of(wildcards))


def has_further(job):
    """Whether further runs may follow a job's first ones."""
    settings = CONFIG.settings(job.paper).model_dump()
    return goes_on(job, settings, CONFIG.further.limits)


def job_provenance(wildcards):
    """Where the data of a job came from."""
    keys = view_keys_behind(job_of(wildcards))
    return provenance_files(sorted({dataset_of(key) for key in keys}))


def further_settings(wildcards):
    """The settings that further runs of a job read."""
    return only_read(further_job(job_of(wildcards)), job_settings(wildcards))


def further_limits(wildcards):
    """The first runs of a job, and its runs at most."""
    limits = CONFIG.further.limits
    return list(run_limits(job_of(wildcards), job_settings(wildcards), limits))


rule further:
    input:
        first=f"{RESULTS}/{{paper}}/{{dataset}}/{{name}}.csv",
        results=job_results,
        views=job_views,
        provenance=job_provenance,
        paper=paper_files,
        margins=source_file(MARGINS),
    output:
        table=f"{RESULTS}/{{paper}}/{{dataset}}/{{name}}{FURTHER}.csv",
        details=f"{RESULTS}/{{paper}}/{{dataset}}/{{name}}{FURTHER}.json",
        timing=f"{RESULTS}/{{paper}}/{{dataset}}/{{name}}{FURTHER}.timing.csv",
    log:
        f"{LOGS}/further/{{paper}}/{{dataset}}/{{name}}.log",
    priority: longest_first("further", "paper", "dataset", "name")
    retries: 1
    threads: 1
    resources:
        mem_mb=job_memory,
        attempt=this_attempt,
    params:
        settings=further_settings,
        code=with_script("further", code_of_further),
        runs=further_limits,
        views=VIEWS,
        results=results_folder,
    message:
        "Further runs, if needed, of {wildcards.paper}: {wildcards.name} on {wildcards.dataset}"
    script:
        "../scripts/further.py"
