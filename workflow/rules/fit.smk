"""Station 3: one job = one (paper, data set, group of methods), all settings and seeds inside."""


rule fit:
    input:
        views=job_views,
        results=job_results,
    output:
        table=f"{RESULTS}/{{paper}}/{{dataset}}/{{name}}.csv",
        details=f"{RESULTS}/{{paper}}/{{dataset}}/{{name}}.json",
        timing=f"{RESULTS}/{{paper}}/{{dataset}}/{{name}}.timing.csv",
    log:
        f"{LOGS}/fit/{{paper}}/{{dataset}}/{{name}}.log",
    priority: longest_first("fit", "paper", "dataset", "name")
    retries: 1
    threads: 1
    resources:
        mem_mb=job_memory,
        attempt=this_attempt,
    params:
        settings=settings_of_job,
        code=with_script("fit", fit_code),
        views=VIEWS,
        results=results_folder,
    message:
        "Fitting {wildcards.paper}: {wildcards.name} on {wildcards.dataset}"
    script:
        "../scripts/fit.py"
