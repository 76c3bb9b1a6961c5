"""Station 1: bring the files of a data set and check every sha256."""


rule fetch:
    input:
        own=own_files,
    output:
        folder=directory(f"{RAW}/{{dataset}}"),
    log:
        f"{LOGS}/fetch/{{dataset}}.log",
    threads: 1
    resources:
        mem_mb=500,
    params:
        # where to look is no parameter: another mirror with the same bytes changes nothing
        source=fetch_mode,
        surrogate_scale=CONFIG.data.surrogate_scale,
        code=with_script(
            "fetch",
            lambda w: fetch_hash(REGISTRY[w.dataset])
            + closure_hash("reproduction.data.fetch"),
        ),
    message:
        "Fetching {wildcards.dataset}"
    script:
        "../scripts/fetch.py"
