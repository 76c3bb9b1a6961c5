"""What building and measuring views needs."""

from reproduction.data.build import views_code


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
