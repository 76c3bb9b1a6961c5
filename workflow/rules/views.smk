"""Station 2: one view file per data set (and variant), whatever the source."""


rule views:
    input:
        provenance=raw_provenance,
    output:
        views=f"{VIEWS}/{{view_key}}.npz",
    log:
        f"{LOGS}/views/{{view_key}}.log",
    priority: longest_first("views", "view_key")
    threads: view_threads
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
