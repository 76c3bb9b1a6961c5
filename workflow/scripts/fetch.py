"""Fetch one data set and write its provenance."""

from pathlib import Path

from reproduction.data.fetch import fetch
from reproduction.data.registry import load_registry
from reproduction.workflow.config import read_config
from reproduction.workflow.log import logged
from reproduction.workflow.places import place_settings

with logged(snakemake):
    data = read_config(snakemake.config).data
    dataset = snakemake.wildcards.dataset
    fetch(
        dataset,
        registry=load_registry(),
        raw_dir=Path("data/raw"),
        places=place_settings(data).of(dataset),
        mode=data.source,
        surrogate_scale=data.surrogate_scale,
    )
