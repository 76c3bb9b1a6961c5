"""Blum and Mitchell (1998): co-training, on the course pages.

Jobs: Table 2 with Figure 2 (``table2``) and what the paper leaves open (``choices``).
"""

from reproduction.results.jobs import Job

_HERE = "reproduction.papers.cotraining"

JOBS: tuple[Job, ...] = (
    Job("cotraining", "webkb_course", "table2", f"{_HERE}.tables:run"),
    Job("cotraining", "webkb_course", "choices", f"{_HERE}.choices:run"),
)
