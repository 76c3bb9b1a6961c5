"""Beside the stations: the papers' data then and now."""


rule now:
    input:
        views=lambda w: f"{VIEWS}/{COMPARISONS[w.comparison].view_key}.npz",
    output:
        record=f"{RESULTS}/now/{{comparison}}.json",
    log:
        f"{LOGS}/now/{{comparison}}.log",
    wildcard_constraints:
        comparison=r"[a-z0-9_.]+",
    threads: 1
    resources:
        mem_mb=4000,
    params:
        entry=lambda w: COMPARISONS[w.comparison].asked(),
        code=with_script("now", closure_hash("reproduction.compare.run")),
    message:
        "Today's methods on {wildcards.comparison}"
    script:
        "../scripts/now.py"


rule then_and_now:
    input:
        records=expand(f"{RESULTS}/now/{{name}}.json", name=sorted(COMPARISONS)),
        ledgers=expand(
            f"{RESULTS}/{{paper}}/ledger.csv",
            paper=sorted(
                {e.paper for e in COMPARISONS.values()} - {""}, key=PAPERS.index
            ),
        ),
        # on data that print is silent about, our results stand beside today's methods
        reruns=[
            f"{RESULTS}/{entry.paper}/{entry.dataset}/{job}.csv"
            for entry in COMPARISONS.values()
            for job in entry.jobs
        ],
        opening=local(source_file("src/reproduction/compare", "then_and_now.md")),
        assets=PAGE_ASSETS,
    output:
        page=f"{REPORTS}/then_and_now.html",
        table=f"{REPORTS}/tables/then_and_now.csv",
    log:
        f"{LOGS}/page/then_and_now.log",
    threads: 1
    resources:
        mem_mb=2000,
    params:
        code=with_script("then_and_now", closure_hash("reproduction.compare.page")),
        config=CONFIG.title,
        entries=[entry.model_dump(mode="json") for entry in COMPARISONS.values()],
        never=[key for key in DATASETS if key not in REAL],
    message:
        f"Writing {REPORTS}/then_and_now.html"
    script:
        "../scripts/then_and_now.py"
