"""Where things lie when the workflow runs in a folder other than the repository.

What people wrote (notebooks, styles, papers, registry) is read from the repository; what the
workflow writes goes to the working directory.
"""

from collections.abc import Iterable
from pathlib import Path

from reproduction.data.places import PlaceSettings
from reproduction.files import ROOT, shown_path
from reproduction.workflow.config import DEFAULT_CONFIG, Data


def config_file() -> str:
    """Return the working directory's ``config/config.yaml``, or the project's where it has none."""
    own = Path("config", "config.yaml")
    return str(own if own.is_file() else DEFAULT_CONFIG)


def source_file(*parts: str | Path) -> str:
    """Return the path of a file of the repository as a rule lists it.

    Relative to the working directory where that holds the repository: a rule whose input is called
    by another name after the repository was moved would run again.
    """
    return shown_path(ROOT.joinpath(*parts))


def source_files(folder: str | Path) -> list[str]:
    """Return all files of a folder of the repository as a rule lists them."""
    return sorted(source_file(path) for path in (ROOT / folder).iterdir() if path.is_file())


def mirror_folders(names: Iterable[str]) -> list[Path]:
    """Return the folders behind configured names: in the working directory, then the repository."""
    found = (place / name for name in names for place in (Path(), ROOT))
    return list({folder.resolve(): folder for folder in found}.values())


def place_settings(data: Data) -> PlaceSettings:
    """Return where the files of data sets are looked for, as configured."""
    names = ("user", "network", "cache", "addresses", "limit_mb", "time_limit")
    return PlaceSettings(
        mirror_folders(data.mirrors), **{name: getattr(data, name) for name in names}
    )
