"""What a job is, what it yields and how it is run: jobs, rows, the runner."""
