"""Dalvi and Cohen (2015): optimal assignment of label sets in several views, flat and hierarchical.

Jobs: Table 2 per flat data set (``table2``; NELL_mv at two levels of its tree), what the paper
leaves open (``choices``), Table 2 as the text says (``text``), scores after every iteration
(``trajectory``), a declared search for what nothing explains (``search``), Table 2 on data near to
the paper's (``all_classes``, ``stand_in``), Table 4 with its figures per tree (``table4``), a check
of the exact solvers against cvxpy on real E-step problems (``mip_check``) and what needs all of
them: the average ranks of Table 2 and the correlations of Table 3 (``summary``).
"""

from reproduction.results.jobs import Job

PAPER = "multiview_hier"
_ENTRY = "reproduction.papers.multiview_hier"

#: Data sets of Table 2 whose choices are run: those that are real.
OPEN = ("cora", "webkb", "citeseer", "wikipedia_linqs", "pubmed", "leaves")
#: Data sets of the declared search: two that it is about, two that it must not lose.
SEARCHED = ("webkb", "leaves", "cora", "citeseer")
FLAT = (*OPEN, "citeseer2")
#: Real trees that stand in for the paper's own, which was never published.
STAND_INS = ("newsgroups_tree", "amazon_tree", "cora_tree")
#: Real data without a tree that stand in for it in Table 2.
FLAT_STAND_INS = ("nell_entities",)
TREES = ("nell_mv", *STAND_INS)
TABLE2 = (*FLAT, "nell_mv")

_TABLE2 = tuple(Job(PAPER, dataset, "table2", f"{_ENTRY}.table2:run") for dataset in TABLE2)
_CHOICES = tuple(
    Job(
        PAPER, dataset, "choices", f"{_ENTRY}.choices:run",
        views=("leaves", "leaves.by_line") if dataset == "leaves" else None,
    )
    for dataset in OPEN
)  # fmt: skip
_TEXT = tuple(Job(PAPER, dataset, "text", f"{_ENTRY}.text_reading:run") for dataset in OPEN)
_TRAJECTORIES = tuple(
    Job(PAPER, dataset, "trajectory", f"{_ENTRY}.trajectory:run") for dataset in OPEN
)
_SEARCHES = tuple(Job(PAPER, dataset, "search", f"{_ENTRY}.search:run") for dataset in SEARCHED)
_NEAR = (
    Job(
        PAPER, "wikipedia_linqs", "all_classes", f"{_ENTRY}.stand_ins:run_all_classes",
        views=("wikipedia_linqs.all_classes",),
    ),
    *(
        Job(PAPER, dataset, "stand_in", f"{_ENTRY}.stand_ins:run_flat")
        for dataset in FLAT_STAND_INS
    ),
)  # fmt: skip
_TABLE4 = tuple(Job(PAPER, dataset, "table4", f"{_ENTRY}.table4:run") for dataset in TREES)
_ALL = (
    Job(
        PAPER, "all", "mip_check", f"{_ENTRY}.mip_check:run",
        views=(*FLAT, *TREES), mem_mb=4000,
    ),
    Job(
        PAPER, "all", "summary", f"{_ENTRY}.summary:run",
        views=(), after=tuple(job.place for job in _TABLE2),
    ),
)  # fmt: skip

JOBS: tuple[Job, ...] = (
    *_TABLE4, *_TABLE2, *_CHOICES, *_TEXT, *_TRAJECTORIES, *_SEARCHES, *_NEAR, *_ALL,
)  # fmt: skip
