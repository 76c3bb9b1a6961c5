"""Station 4: a verdict for each published cell, a test for each published claim."""


rule score:
    input:
        results=paper_results,
        views=paper_views,
        raw=paper_raw,
        paper=paper_files,
        margins=local(source_file(MARGINS)),
    output:
        ledger=f"{RESULTS}/{{paper}}/ledger.csv",
        gaps=f"{RESULTS}/{{paper}}/gaps.csv",
        claims=f"{RESULTS}/{{paper}}/claims.csv",
        claim_parts=f"{RESULTS}/{{paper}}/claim_parts.csv",
        provenance=f"{RESULTS}/{{paper}}/provenance.json",
        scored=f"{RESULTS}/{{paper}}/scored.json",
    log:
        f"{LOGS}/score/{{paper}}.log",
    benchmark:
        f"{BENCHMARKS}/score/{{paper}}.tsv"
    threads: 1
    resources:
        mem_mb=more_each_time(1000),
    params:
        code=with_script("score", score_code),
        settings=paper_settings,
        seed=CONFIG.seed,
        options=paper_options,
        partial=CONFIG.output.partial,
        results=RESULTS,
    message:
        "Scoring {wildcards.paper}"
    script:
        "../scripts/score.py"
