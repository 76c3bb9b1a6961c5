"""Station 2: one view file per data set (and variant), whatever the source."""

from reproduction.data.build import views_code as code_of_views


def views_code(wildcards):
    """Hash of what the registry says about the views and of the code that builds them."""
    return code_of_views(REGISTRY[dataset_of(wildcards.view_key)])


def view_options(wildcards):
    """What the configuration asks of a builder, on top of the registry's options."""
    return CONFIG.data.options.get(dataset_of(wildcards.view_key), {})


def fallbacks_are_known(wildcards):
    """Whether a surrogate in place of real data may be built: it touches no real results then."""
    return SYNTHETIC or VIEWS != KEPT.views


def dataset_views(wildcards):
    """All view files of a data set, its variants included."""
    return [
        f"{VIEWS}/{key}.npz" for key in sorted(REGISTRY[wildcards.dataset].view_keys)
    ]


def raw_provenance(wildcards):
    """The provenance file of the data set behind a view file."""
    return provenance_files([dataset_of(wildcards.view_key)])


rule views:
    input:
        provenance=raw_provenance,
    output:
        views=f"{VIEWS}/{{view_key}}.npz",
    log:
        f"{LOGS}/views/{{view_key}}.log",
    priority: longest_first("views", "view_key")
    threads: 1
    resources:
        mem_mb=measured_memory("views", "view_key"),
    params:
        code=with_script("views", views_code),
        options=view_options,
        fallbacks=fallbacks_are_known,
    message:
        "Building the views of {wildcards.view_key}"
    script:
        "../scripts/views.py"


rule statistics:
    input:
        views=dataset_views,
    output:
        table=f"{RESULTS}/data/statistics/{{dataset}}.csv",
    log:
        f"{LOGS}/statistics/{{dataset}}.log",
    priority: longest_first("statistics", "dataset")
    threads: 1
    resources:
        mem_mb=measured_memory("statistics", "dataset"),
    params:
        code=with_script("statistics", closure_hash("reproduction.data.statistics")),
    message:
        "Measuring the views of {wildcards.dataset}"
    script:
        "../scripts/statistics.py"


rule gather_statistics:
    input:
        tables=expand(f"{RESULTS}/data/statistics/{{dataset}}.csv", dataset=SHOWN),
        provenance=provenance_files(SHOWN),
    output:
        table=f"{RESULTS}/data/statistics.csv",
        provenance=f"{RESULTS}/data/provenance.json",
    log:
        f"{LOGS}/statistics.log",
    threads: 1
    resources:
        mem_mb=500,
    message:
        "Gathering the statistics and origins of all data sets"
    script:
        "../scripts/gather_statistics.py"


rule data:
    input:
        expand(f"{VIEWS}/{{view_key}}.npz", view_key=VIEW_KEYS),
        f"{REPORTS}/data.html",
    localrule: True
    message:
        f"All views are built; open {REPORTS}/data.html"
