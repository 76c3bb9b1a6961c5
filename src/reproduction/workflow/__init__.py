"""What Snakemake needs of us: configuration, import closures, logs, packaging."""
