"""Station 1: bring the files of a data set and check every sha256."""


rule fetch:
    output:
        provenance="data/raw/{dataset}/PROVENANCE.json",
    log:
        f"{LOGS}/fetch/{{dataset}}.log",
    benchmark:
        f"{LOGS}/fetch/{{dataset}}.benchmark.tsv"
    priority: 200  # seconds each, and everything waits for them
    retries: 0
    threads: 1
    resources:
        mem_mb=500,
    params:
        data=CONFIG.data.model_dump(),
        code=fetch_code,
    message:
        "Fetching {wildcards.dataset}"
    script:
        "../scripts/fetch.py"
