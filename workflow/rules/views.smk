"""Station 2: one view file per data set (and variant), whatever the source."""


rule views:
    input:
        raw=lambda w: raw_folders([dataset_of(w.view_key)]),
    output:
        views=f"{VIEWS}/{{view_key}}.npz",
        # small, so that Snakemake compares what it says and not its time
        content=f"{VIEWS}/{{view_key}}.sha256",
    log:
        f"{LOGS}/views/{{view_key}}.log",
    benchmark:
        f"{BENCHMARKS}/views/{{view_key}}.tsv"
    threads: view_threads
    resources:
        mem_mb=more_each_time(3000),
    params:
        code=with_script(
            "views", lambda w: views_code(REGISTRY[dataset_of(w.view_key)])
        ),
        options=view_options,
        # whether a surrogate in place of real data may be built: it touches no real results then
        fallbacks=SYNTHETIC or VIEWS != KEPT.views,
    message:
        "Building the views of {wildcards.view_key}"
    script:
        "../scripts/views.py"


rule statistics:
    input:
        views=[
            f"{VIEWS}/{key}.npz"
            for dataset in SHOWN
            for key in sorted(REGISTRY[dataset].view_keys)
        ],
        raw=raw_folders(SHOWN),
    output:
        table=f"{RESULTS}/data/statistics.csv",
        provenance=f"{RESULTS}/data/provenance.json",
    log:
        f"{LOGS}/statistics.log",
    benchmark:
        f"{BENCHMARKS}/statistics.tsv"
    threads: 1
    resources:
        mem_mb=more_each_time(2000),
    params:
        code=with_script("statistics", closure_hash("reproduction.data.statistics")),
    message:
        "Measuring the views of all data sets"
    script:
        "../scripts/statistics.py"


rule data:
    input:
        expand(f"{VIEWS}/{{view_key}}.npz", view_key=VIEW_KEYS),
        f"{REPORTS}/data.html",
    localrule: True
    message:
        f"All views are built; open {REPORTS}/data.html"
