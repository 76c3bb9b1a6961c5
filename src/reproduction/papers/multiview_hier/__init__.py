"""Dalvi and Cohen (2015): optimal assignment of label sets in several views, flat and hierarchical.

Jobs: Table 2 per flat data set (``table2``; NELL_mv at two levels of its tree), what the paper
leaves open (``readings``), Table 4 with its figures per tree (``table4``), a check of the exact
solvers against cvxpy on real E-step problems (``mip_check``) and what needs all of them: the
average ranks of Table 2 and the correlations of Table 3 (``summary``).
"""

from reproduction.results.jobs import Job

PAPER = "multiview_hier"
_ENTRY = "reproduction.papers.multiview_hier"

FLAT = ("cora", "webkb", "citeseer", "wikipedia_linqs", "pubmed", "leaves", "citeseer2")
OPEN = ("cora", "webkb", "citeseer", "wikipedia_linqs", "pubmed", "leaves")
TREES = ("nell_mv", "newsgroups_tree", "amazon_tree")

_TABLE2 = tuple(
    Job(PAPER, dataset, "table2", f"{_ENTRY}.flat:run") for dataset in (*FLAT, "nell_mv")
)
_READINGS = tuple(
    Job(
        PAPER, dataset, "readings", f"{_ENTRY}.readings:run",
        views=("leaves", "leaves.by_line") if dataset == "leaves" else None,
    )
    for dataset in OPEN
)  # fmt: skip
_TABLE4 = tuple(Job(PAPER, dataset, "table4", f"{_ENTRY}.trees:run") for dataset in TREES)
_ALL = (
    Job(
        PAPER, "all", "mip_check", f"{_ENTRY}.mip_check:run",
        views=(*FLAT, *TREES), mem_mb=4000,
    ),
    Job(
        PAPER, "all", "summary", f"{_ENTRY}.summary:run",
        views=(), after=tuple(f"{job.dataset}/{job.name}" for job in _TABLE2),
    ),
)  # fmt: skip

JOBS: tuple[Job, ...] = (*_TABLE4, *_TABLE2, *_READINGS, *_ALL)
