"""Cross-modal retrieval with co-regularised PLSA (Wang et al. 2016): Table 1 and Figure 2."""

from reproduction.results.jobs import Job

PAPER = "coplsa_multimodal"

#: The paper's own pairs, the surrogate of its other data set, and the real stand-in for that.
DATASETS = ("wikipedia_pairs", "tvgraz", "web_news")


def _job(dataset: str, name: str, entry: str, after: tuple[str, ...] = ()) -> Job:
    return Job(PAPER, dataset, name, f"reproduction.papers.{PAPER}.{entry}", after=after)


_CHOSEN = tuple(f"wikipedia_pairs/{divergence}" for divergence in ("skl", "l2", "l1"))

# The longest first, so that two cores finish together.
JOBS: tuple[Job, ...] = (
    *(
        _job(dataset, name, f"tables:run_{name}")
        for dataset in DATASETS
        for name in ("skl", "l1", "l2", "link")
    ),
    *(_job(dataset, "scm", "baselines:run") for dataset in DATASETS),
    _job("wikipedia_pairs", "choices", "choices:run", _CHOSEN),
    *(
        _job("wikipedia_pairs", f"trajectory_{name}", f"trajectory:run_{name}")
        for name in ("skl", "l1", "l2", "link")
    ),
    _job("wikipedia_pairs", "search", "search:run"),
    _job("wikipedia_pairs", "objective", "objective:run", _CHOSEN),
    _job("wikipedia_pairs", "figure2", "compositions:run", _CHOSEN),
)
