"""Fetch one data set and write its provenance."""

from pathlib import Path

from reproduction.data.fetch import fetch
from reproduction.data.registry import load_registry
from reproduction.workflow.log import logged
from reproduction.workflow.places import mirror_folders

with logged(snakemake):
    wanted = snakemake.params.data
    fetch(
        snakemake.wildcards.dataset,
        registry=load_registry(check=False),
        raw_dir=Path("data/raw"),
        mirrors=mirror_folders(wanted["mirrors"]),
        user_dir=Path(wanted["user"]),
        mode=wanted["source"],
        allow_network=wanted["network"],
        surrogate_scale=wanted["surrogate_scale"],
    )
