"""Station 4: a verdict for each published cell, a test for each published claim."""


rule score:
    input:
        results=lambda w: result_files(w.paper),
        views=paper_views,
        raw=lambda w: raw_folders(paper_datasets(w.paper)),
        paper=lambda w: [local(source_file(room(w.paper), name)) for name in WRITTEN],
        margins=local(source_file(MARGINS)),
    output:
        expand(f"{RESULTS}/{{{{paper}}}}/{{name}}", name=BY_SCORING),
    log:
        f"{LOGS}/score/{{paper}}.log",
    benchmark:
        f"{BENCHMARKS}/score/{{paper}}.tsv"
    threads: 1
    resources:
        mem_mb=more_each_time(1000),
    params:
        code=with_script("score", score_code),
        settings=lambda w: settings_of(w.paper),
        seed=CONFIG.seed,
        options=paper_options,
        partial=CONFIG.output.partial,
        results=RESULTS,
    message:
        "Scoring {wildcards.paper}"
    script:
        "../scripts/score.py"
