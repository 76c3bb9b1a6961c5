"""Station 4: a verdict for each published cell, a test for each published claim."""

from reproduction.results.jobs import jobs_of


def result_tables(paper):
    """Every result table of a paper, those of further runs included."""
    jobs = jobs_of(paper)
    names = [
        *(job.place for job in jobs),
        *(job.place + FURTHER for job in jobs if has_further(job)),
    ]
    return [f"{RESULTS}/{paper}/{name}.csv" for name in names]


def paper_results(wildcards):
    """Every result table of the paper in the wildcards."""
    return result_tables(wildcards.paper)


def paper_datasets(paper):
    """Every data set some job of a paper reads."""
    return sorted({dataset_of(key) for job in jobs_of(paper) for key in job.view_keys})


def paper_views(wildcards):
    """Every view file behind a paper's results."""
    keys = {key for job in jobs_of(wildcards.paper) for key in view_keys_behind(job)}
    return [f"{VIEWS}/{key}.npz" for key in sorted(keys)]


def paper_options(wildcards):
    """What the configuration asks of the builders behind a paper's results."""
    options = CONFIG.data.options
    return {
        key: options[key] for key in paper_datasets(wildcards.paper) if key in options
    }


def paper_provenance(wildcards):
    """The provenance of every data set a paper's jobs read."""
    return provenance_files(paper_datasets(wildcards.paper))


def score_code(wildcards):
    """Hash of the code that gives a paper's verdicts."""
    parts = [module_name(wildcards.paper, part) for part in ("claims", "columns")]
    return closure_hash(["reproduction.verdicts.score", *parts])


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
        limits=CONFIG.further.model_dump(),
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
