"""What the foot of every page says about the run that made it."""

from manyviews import __version__
from reproduction.closure import package_hash
from reproduction.files import ROOT, read_yaml


def code_stamp() -> str:
    """Return version and hash of the sources; pages do not have it, which would always change."""
    return f"manyviews {__version__}, sources {package_hash()}"


def page_stamp(configuration: str) -> dict[str, str]:
    """Return who made the page, in which version, and the configuration, in that order."""
    cited = read_yaml(ROOT / "CITATION.cff")
    authors = ", ".join(entry["name"] for entry in cited["authors"])
    made = f"{authors}: {cited['title']}, version {__version__} ({cited['date-released']})"
    return {"Reproduction": made, "Configuration": configuration}
