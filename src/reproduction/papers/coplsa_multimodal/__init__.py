"""Cross-modal retrieval with co-regularised PLSA (Wang et al. 2016): Table 1 and Figure 2."""

from reproduction.results.jobs import Job

_HERE = "reproduction.papers.coplsa_multimodal"
PAPER = "coplsa_multimodal"
DATASETS = ("wikipedia_pairs", "tvgraz", "web_news")


def _job(dataset: str, name: str, entry: str, **options: object) -> Job:
    return Job(PAPER, dataset, name, f"{_HERE}.{entry}", **options)  # type: ignore[arg-type]


# The longest first, so that two cores finish together.
JOBS: tuple[Job, ...] = (
    *(
        _job(dataset, name, f"table:{entry}")
        for dataset in DATASETS
        for name, entry in (
            ("skl", "run_skl"),
            ("l1", "run_l1"),
            ("l2", "run_l2"),
            ("link", "run_link"),
        )
    ),
    *(_job(dataset, "scm", "rivals:run") for dataset in DATASETS),
    *(
        _job(
            "wikipedia_pairs",
            name,
            f"extras:{entry}",
            after=tuple(f"wikipedia_pairs/{d}" for d in ("skl", "l2", "l1")),
        )
        for name, entry in (
            ("topics", "run_topics"),
            ("objective", "run_objective"),
            ("figure2", "run_figure"),
            ("released_topics", "run_released_topics"),
        )
    ),
)
