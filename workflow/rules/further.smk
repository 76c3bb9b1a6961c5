"""Between fit and score: further runs of jobs with a figure near an edge (decision 20)."""


rule further:
    input:
        first=f"{RESULTS}/{{paper}}/{{dataset}}/{{name}}.csv",
        results=job_results,
        views=job_views,
        provenance=job_provenance,
        paper=paper_files,
        margins=source_file(MARGINS),
    output:
        table=f"{RESULTS}/{{paper}}/{{dataset}}/{{name}}{FURTHER}.csv",
        details=f"{RESULTS}/{{paper}}/{{dataset}}/{{name}}{FURTHER}.json",
        timing=f"{RESULTS}/{{paper}}/{{dataset}}/{{name}}{FURTHER}.timing.csv",
    log:
        f"{LOGS}/further/{{paper}}/{{dataset}}/{{name}}.log",
    priority: longest_first("further", "paper", "dataset", "name")
    retries: 1
    threads: 1
    resources:
        mem_mb=job_memory,
        attempt=this_attempt,
    params:
        settings=further_settings,
        code=with_script("further", code_of_further),
        runs=further_limits,
        views=VIEWS,
        results=results_folder,
    message:
        "Further runs, if needed, of {wildcards.paper}: {wildcards.name} on {wildcards.dataset}"
    script:
        "../scripts/further.py"
