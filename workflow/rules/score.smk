"""Station 4: a verdict for each published cell, a test for each published claim."""


rule score:
    input:
        results=paper_results,
        views=paper_views,
        provenance=paper_provenance,
        paper=paper_files,
        margins=source_file(MARGINS),
    output:
        ledger=f"{RESULTS}/{{paper}}/ledger.csv",
        gaps=f"{RESULTS}/{{paper}}/gaps.csv",
        claims=f"{RESULTS}/{{paper}}/claims.csv",
        claim_parts=f"{RESULTS}/{{paper}}/claim_parts.csv",
        provenance=f"{RESULTS}/{{paper}}/provenance.json",
        scored=f"{RESULTS}/{{paper}}/scored.json",
    log:
        f"{LOGS}/score/{{paper}}.log",
    priority: longest_first("score", "paper")
    threads: 1
    resources:
        mem_mb=measured_memory("score", "paper"),
    params:
        code=with_script("score", score_code),
        settings=job_settings,
        options=paper_options,
        views=VIEWS,
        results=results_folder,
        partial=CONFIG.output.partial,
    message:
        "Scoring {wildcards.paper}"
    script:
        "../scripts/score.py"


# Asks what is there, whatever is stale: no input and no output, so that it
# answers every time.
rule explain:
    log:
        f"{LOGS}/explain.log",
    localrule: True
    threads: 1
    resources:
        mem_mb=500,
    params:
        cell=CONFIG.cell,
        results=results_folder,
    message:
        "Explaining cell '{params.cell}'"
    script:
        "../scripts/explain.py"
