"""my_paper: say here what the paper is and which jobs there are."""

from reproduction.results.jobs import Job

_HERE = "reproduction.papers.my_paper"

JOBS: tuple[Job, ...] = (
    Job("my_paper", "my_dataset", "table1", f"{_HERE}.tables:run"),
    Job("my_paper", "my_dataset", "choices", f"{_HERE}.choices:run"),
)
