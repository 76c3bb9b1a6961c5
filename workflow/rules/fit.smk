"""Station 3: a few fits of one paper on one data set, all settings and seeds inside."""

for jobs in BATCHES:

    rule:
        name:
            fit_rule(jobs)
        input:
            # equal views that were built again make no fit stale
            views=ancient(job_views(jobs, ".npz")),
            contents=job_views(jobs, ".sha256"),
            results=[
                f"{RESULTS}/{jobs[0].paper}/{place}.csv" for place in jobs[0].after
            ],
        output:
            tables=job_files(jobs, ".csv"),
            details=job_files(jobs, ".json"),
            timings=job_files(jobs, ".timing.csv"),
        log:
            f"{LOGS}/fit/{jobs[0].paper}/{jobs[0].place}.log",
        benchmark:
            fit_benchmark(jobs)
        threads: 1
        resources:
            mem_mb=more_each_time(2000),
        params:
            paper=jobs[0].paper,
            jobs=[job.place for job in jobs],
            settings=settings_read_by(jobs),
            seed=CONFIG.seed,
            rows=source_file("reports", "rows.zip"),
            code=with_script("fit", fit_code(jobs)),
        message:
            f"Fitting {jobs[0].paper} on {jobs[0].dataset}: {', '.join(job.name for job in jobs)}"
        script:
            "../scripts/fit.py"
