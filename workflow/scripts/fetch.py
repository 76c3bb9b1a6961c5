"""Fetch one data set and write its provenance."""

from pathlib import Path

from reproduction.data.fetch import fetch
from reproduction.data.registry import load_registry
from reproduction.workflow.log import logged

with logged(snakemake):
    places = snakemake.config["data"]
    fetch(
        snakemake.wildcards.dataset,
        registry=load_registry(),
        raw_dir=Path("data/raw"),
        mirrors=[Path(folder) for folder in places["mirrors"]],
        user_dir=Path(places["user"]),
        mode=places["source"],
        allow_network=places["network"],
        surrogate_scale=snakemake.params.surrogate_scale,
    )
