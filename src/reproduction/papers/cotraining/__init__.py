"""Blum and Mitchell (1998): co-training, on the course pages.

Jobs: Table 2 with Figure 2 (``table2``), what the paper leaves open (``choices``) and the errors
after every round on more draws (``trajectory``).
"""

from reproduction.results.jobs import Job

_HERE = "reproduction.papers.cotraining"

JOBS: tuple[Job, ...] = (
    Job("cotraining", "webkb_course", "table2", f"{_HERE}.tables:run"),
    Job("cotraining", "webkb_course", "choices", f"{_HERE}.choices:run"),
    Job("cotraining", "webkb_course", "trajectory", f"{_HERE}.trajectory:run"),
)
