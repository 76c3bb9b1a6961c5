"""What the foot of every page says about the run that made it."""

from manyviews import __version__
from reproduction.closure import package_hash


def page_stamp(configuration: str) -> dict[str, str]:
    """Return version of the code and name of the configuration, in the order they are shown."""
    return {
        "Code": f"manyviews {__version__}, sources {package_hash()}",
        "Configuration": configuration,
    }
