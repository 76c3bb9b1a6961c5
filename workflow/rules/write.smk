"""Station 5: executed notebooks as pages that need no network, and the overview."""


rule page:
    input:
        notebook=lambda w: local(source_file("notebooks", f"{w.page}.ipynb")),
        results=page_results,
        written=page_written,
        assets=PAGE_ASSETS,
    output:
        page=f"{REPORTS}/{{page}}.html",
    log:
        f"{LOGS}/page/{{page}}.log",
    benchmark:
        f"{BENCHMARKS}/page/{{page}}.tsv"
    threads: 1
    resources:
        mem_mb=more_each_time(2000),
    params:
        code=with_script("page", page_code),
        config=CONFIG.title,
    message:
        "Writing {wildcards.page}.html"
    script:
        "../scripts/page.py"


rule overview:
    input:
        # rows too: findings and the runs of a cell come from them
        rows=[path for paper in PAPERS for path in result_files(paper)],
        scored=expand(f"{RESULTS}/{{paper}}/{{name}}", paper=PAPERS, name=BY_SCORING),
        raw=raw_folders(SHOWN),
        assets=PAGE_ASSETS,
    output:
        page=f"{REPORTS}/index.html",
        explorer=f"{REPORTS}/ledger.html",
        summary=f"{REPORTS}/SUMMARY.md",
        picture=f"{REPORTS}/verdicts.svg",
        ledger=f"{REPORTS}/tables/ledger.csv",
        # gaps between methods; counts beside their base rates and by the field's criteria; error
        # rates of the words
        gaps=f"{REPORTS}/tables/gaps.csv",
        counts=f"{REPORTS}/tables/counts.csv",
        replication=f"{REPORTS}/tables/replication.csv",
        simulated=f"{REPORTS}/tables/simulated.csv",
        # the numbers behind the sentences of the front page
        findings=f"{REPORTS}/tables/findings.csv",
        claims=f"{REPORTS}/tables/claims.csv",
        # the parts that the claims were tested by, written beside them
        claim_parts=f"{REPORTS}/tables/claim_parts.csv",
    log:
        f"{LOGS}/page/overview.log",
    threads: 1
    resources:
        mem_mb=2000,
    params:
        # papers say on the front page what they found
        code=with_script(
            "overview",
            lambda w: pages_hash(["reproduction.pages.overview", *parts("front")]),
        ),
        config=CONFIG.title,
    message:
        "Writing the overview"
    script:
        "../scripts/overview.py"


# Beside the pages, not on them: the same results give the same pages, whatever the clock says.
rule times:
    input:
        timings=[
            path
            for paper in PAPERS
            for path in job_files(jobs_of(paper), ".timing.csv")
        ],
        scored=expand(f"{RESULTS}/{{paper}}/scored.json", paper=PAPERS),
    output:
        folder=directory(f"{REPORTS}/times"),
    log:
        f"{LOGS}/times.log",
    threads: 1
    resources:
        mem_mb=1000,
    params:
        # what was not measured here is left out: nothing is fitted again for its seconds
        benchmarks=benchmarks(),
        code=with_script(
            "times",
            pages_hash(
                [
                    "reproduction.pages.times",
                    "reproduction.workflow.remaining",
                    *parts("times"),
                ]
            ),
        ),
    message:
        "Writing the measured times"
    script:
        "../scripts/times.py"


rule manifest:
    input:
        pages=all_pages(),
        beside=rules.overview.output,
        rows=rules.overview.input.rows,
        scored=expand(f"{RESULTS}/{{paper}}/{{name}}", paper=PAPERS, name=BY_SCORING),
        raw=raw_folders(SHOWN),
        data=[
            f"{RESULTS}/data/{name}" for name in ("statistics.csv", "provenance.json")
        ],
    output:
        manifest=f"{REPORTS}/MANIFEST.json",
        rows=f"{REPORTS}/rows.zip",
    log:
        f"{LOGS}/manifest.log",
    threads: 1
    resources:
        mem_mb=500,
    params:
        code=with_script("manifest", closure_hash("reproduction.workflow.manifest")),
    message:
        "Writing the manifest"
    script:
        "../scripts/manifest.py"


# Asked for by name: what it measures differs from machine to machine, and takes a while.
rule benchmark:
    output:
        page=f"{REPORTS}/speed.html",
        table=f"{REPORTS}/speed.csv",
    log:
        f"{LOGS}/benchmark.log",
    threads: 1
    resources:
        mem_mb=6000,
    params:
        folder=source_file("benchmarks"),
    message:
        "Measuring speed beside the peers, about a quarter of an hour"
    shell:
        "PYTHONPATH={params.folder} python -m speed --page {output.page} --table {output.table}"
        " > {log} 2>&1"


# One target a paper: `snakemake --cores 2 mvplsa` builds its results, verdicts and page.
for paper_key in PAPERS:

    rule:
        name:
            paper_key
        input:
            f"{REPORTS}/{paper_key}.html",
            f"{RESULTS}/{paper_key}/ledger.csv",
            f"{RESULTS}/{paper_key}/claims.csv",
        localrule: True
        message:
            f"{paper_key} is complete; open {REPORTS}/{paper_key}.html"
