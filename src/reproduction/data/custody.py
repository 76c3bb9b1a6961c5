"""Is what lies in a raw folder still what was fetched?"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from reproduction.data.content import difference, read_content
from reproduction.data.errors import FetchError
from reproduction.data.origin import Blob, Tree


def changed_files(provenance: Mapping[str, Any], folder: Path) -> list[str]:
    """Return the files that are missing or have other content than the provenance says."""
    changed = []
    for record in provenance.get("files", ()):
        facts = {name: value for name, value in record.items() if name != "path"}
        wanted = Tree(**facts) if "listing" in facts else Blob(**facts)
        content = read_content(folder, record["path"])
        if content is None or difference(wanted, content):
            changed.append(record["path"])
    return changed


def check_raw(provenance: Mapping[str, Any], folder: Path) -> None:
    """Refuse raw files that changed after they were fetched.

    Raises
    ------
    FetchError
        Naming the file and the mend.
    """
    changed = changed_files(provenance, folder)
    if changed:
        raise FetchError(
            f"{folder / changed[0]} is not the file that was fetched (its content changed, or it "
            f"is gone); remove {folder} and run again"
        )
