"""What building and measuring views needs."""

from reproduction.data.build import views_code as code_of_views


def views_code(wildcards):
    """Hash of what the registry says about the views and of the code that builds them."""
    return code_of_views(REGISTRY[dataset_of(wildcards.view_key)])


def view_options(wildcards):
    """What the configuration asks of a builder, on top of the registry's options."""
    return CONFIG.data.options.get(dataset_of(wildcards.view_key), {})


def view_threads(wildcards):
    """How many cores the builder of a data set can use; a shortened one is not worth waiting for them."""
    return (
        1
        if view_options(wildcards)
        else REGISTRY[dataset_of(wildcards.view_key)].threads
    )


def fallbacks_are_known(wildcards):
    """Whether a surrogate in place of real data may be built: it touches no real results then."""
    return SYNTHETIC or VIEWS != KEPT.views


def shown_views():
    """All view files of the data sets on the data page, variants included."""
    return [
        f"{VIEWS}/{key}.npz"
        for dataset in SHOWN
        for key in sorted(REGISTRY[dataset].view_keys)
    ]


def raw_folder(wildcards):
    """The folder of the fetched data set behind a view file."""
    return raw_folders([dataset_of(wildcards.view_key)])
