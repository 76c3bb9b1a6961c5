"""What fetching a data set needs."""

from reproduction.data.fetch import own_file
from reproduction.data.provenance import is_surrogate
from reproduction.data.registry import fetch_hash
from reproduction.workflow.config import mirror_folders


def own_files(wildcards):
    """The user's own files behind a data set; those that are missing are named when fetching."""
    dataset = REGISTRY[wildcards.dataset]
    found = (
        own_file(dataset, record.path, Path(CONFIG.data.user) / dataset.key)
        for record in dataset.own_files
    )
    return [
        local(path)
        for path in sorted({str(path) for path in found if path is not None})
    ]


def mirrors_with(dataset):
    """The mirror folders of this machine that seem to have a data set."""
    folders = {
        source.folder for source in REGISTRY[dataset].sources if source.kind == "mirror"
    }
    return [
        str(mirror / folder)
        for mirror in mirror_folders(CONFIG.data.mirrors)
        for folder in sorted(folders)
        if (mirror / folder).is_dir()
    ]


def fetch_mode(wildcards):
    """Whether the setting asks for other files than may lie there: synthetic ones, or real ones."""
    source = CONFIG.data.source
    if source == "real" and is_surrogate(RAW / wildcards.dataset):
        return "real, in place of a surrogate"
    if (
        source == "auto"
        and wildcards.dataset in LOST
        and mirrors_with(wildcards.dataset)
    ):
        # once for every set of folders that may have it now; the network is tried by `make`
        return f"try again: {' '.join(mirrors_with(wildcards.dataset))}"
    return "surrogate" if source == "surrogate" else "first source that has it"
