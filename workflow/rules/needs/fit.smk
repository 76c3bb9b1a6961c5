"""What the fits of a paper need."""

from reproduction.results.custody import job_code
from reproduction.results.jobs import find_job
from reproduction.results.reads import only_read


def job_of(wildcards):
    """The job behind a result file."""
    return find_job(wildcards.paper, wildcards.dataset, wildcards.name)


def job_views(wildcards):
    """The view files a job reads."""
    return [f"{VIEWS}/{key}.npz" for key in job_of(wildcards).view_keys]


def job_results(wildcards):
    """The results of other jobs that a job reads."""
    return [
        f"{RESULTS}/{wildcards.paper}/{name}.csv" for name in job_of(wildcards).after
    ]


def fit_code(wildcards):
    """Hash of the source files a job's result depends on."""
    return job_code(job_of(wildcards))


def job_settings(wildcards):
    """The paper's section of the configuration."""
    return settings_of(wildcards.paper)


def settings_of_job(wildcards):
    """The settings a job reads: others may change without making its result stale."""
    return only_read(job_of(wildcards), job_settings(wildcards))


def job_memory(wildcards, attempt):
    """Memory a job asks for, in MB; twice as much when it is tried again."""
    job = job_of(wildcards)
    return memory(f"fit/{job.paper}/{job.place}", job.mem_mb) * attempt
