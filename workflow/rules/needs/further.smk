"""What further runs of a fit need."""

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
    return goes_on(job, settings_of(job.paper), CONFIG.further.limits)


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
