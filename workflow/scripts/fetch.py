"""Fetch one data set and write its provenance."""

from pathlib import Path

from reproduction.data.fetch import fetch
from reproduction.data.registry import load_registry
from reproduction.workflow.config import read_config
from reproduction.workflow.log import logged
from reproduction.workflow.places import mirror_folders

with logged(snakemake):
    data = read_config(snakemake.config).data
    fetch(
        snakemake.wildcards.dataset,
        registry=load_registry(),
        raw_dir=Path("data/raw"),
        mirrors=mirror_folders(data.mirrors),
        user_dir=Path(data.user),
        mode=data.source,
        allow_network=data.network,
        surrogate_scale=data.surrogate_scale,
    )
