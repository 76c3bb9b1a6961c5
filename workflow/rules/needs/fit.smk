"""What the fits of a paper need."""

from reproduction.results.custody import job_code
from reproduction.results.jobs import jobs_of, only_read

# Starting a process takes longer than many a fit.
TOGETHER = 3


def batches(paper):
    """Jobs that one process runs in turn: a few of one module on the same data, after the same jobs."""
    alike = {}
    for job in jobs_of(paper):
        own = job.name if job.long else ""
        alike.setdefault((job.dataset, job.module, job.after, own), []).append(job)
    return [
        jobs[start : start + TOGETHER]
        for jobs in alike.values()
        for start in range(0, len(jobs), TOGETHER)
    ]


BATCHES = [batch for paper in PAPERS for batch in batches(paper)]


def fit_rule(jobs):
    """The name of the rule that fits them."""
    return f"fit_{jobs[0].paper}_{jobs[0].dataset}_{jobs[0].name}"


def fit_benchmark(jobs):
    """Where Snakemake notes the seconds that they took."""
    return f"{BENCHMARKS}/fit/{jobs[0].paper}/{jobs[0].place}.tsv"


def job_views(jobs, ending):
    """The view files that jobs read, or the digests of their content."""
    return [
        f"{VIEWS}/{key}{ending}"
        for key in sorted({key for job in jobs for key in job.view_keys})
    ]


def job_files(jobs, ending):
    """Files of one kind that jobs write."""
    return [f"{RESULTS}/{job.paper}/{job.place}{ending}" for job in jobs]


def settings_read_by(jobs):
    """The settings that jobs read: others may change without making their results stale."""

    def ask(wildcards):
        settings = settings_of(jobs[0].paper)
        return {job.name: only_read(job, settings) for job in jobs}

    return ask


def fit_code(jobs):
    """Hash of the source files that the results of jobs depend on."""
    return lambda wildcards: "".join(job_code(job) for job in jobs)
