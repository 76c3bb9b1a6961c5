"""Fetch one data set and write its provenance."""

from pathlib import Path

from reproduction.data.fetch import fetch
from reproduction.data.registry import load_registry
from reproduction.workflow.log import logged

with logged(snakemake):
    wanted = snakemake.params.data
    fetch(
        snakemake.wildcards.dataset,
        registry=load_registry(check=False),
        raw_dir=Path("data/raw"),
        mirrors=[Path(folder) for folder in wanted["mirrors"]],
        user_dir=Path(wanted["user"]),
        mode=wanted["source"],
        allow_network=wanted["network"],
        surrogate_scale=wanted["surrogate_scale"],
    )
