"""Which job waits for which, by the places of their logs, from the rooms and the registry."""

from collections.abc import Iterable

from reproduction.data.registry import Registry
from reproduction.results.jobs import jobs_of


def needs(papers: Iterable[str], registry: Registry) -> dict[str, list[str]]:
    """Return the jobs that every job of a run waits for; what writes the last pages is left out.

    Parameters
    ----------
    papers
        Keys of the papers that are run.
    registry
        Data sets.
    """
    waits: dict[str, list[str]] = {}
    for dataset in sorted(registry):
        keys = sorted(registry[dataset].view_keys)
        waits |= {f"views/{key}": [f"fetch/{dataset}"] for key in keys}
        if registry[dataset].role != "extra":
            waits[f"statistics/{dataset}"] = [f"views/{key}" for key in keys]
    for paper in papers:
        fits = {f"fit/{paper}/{job.place}": job for job in jobs_of(paper)}
        for place, job in fits.items():
            before = [f"fit/{paper}/{other}" for other in job.after]
            waits[place] = [*(f"views/{key}" for key in job.view_keys), *before]
        waits[f"score/{paper}"] = list(fits)
        waits[f"page/{paper}"] = [f"score/{paper}"]
    return waits
