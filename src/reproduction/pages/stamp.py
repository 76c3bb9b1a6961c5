"""What the foot of every page says about the run that made it."""

from manyviews import __version__
from reproduction.closure import package_hash
from reproduction.files import ROOT, read_yaml

CITATION = ROOT / "CITATION.cff"


def code_stamp() -> str:
    """Return version and hash of the sources; one for a run, so it stands in the manifest alone.

    A page is rewritten when what it shows changes, not when other sources do: a hash on every
    page would differ from page to page.
    """
    return f"manyviews {__version__}, sources {package_hash()}"


def page_stamp(configuration: str) -> dict[str, str]:
    """Return who made the page, in which version, and the configuration, in that order."""
    cited = read_yaml(CITATION) if CITATION.is_file() else {}
    authors = ", ".join(str(entry.get("name", "")) for entry in cited.get("authors", ()))
    released = f" ({cited['date-released']})" if "date-released" in cited else ""
    named = f"{authors}: {cited['title']}" if authors and "title" in cited else "manyviews"
    return {
        "Reproduction": f"{named}, version {__version__}{released}",
        "Configuration": configuration,
    }
