"""Fetch one data set and write its provenance."""

import sys
from pathlib import Path

from reproduction.data.fetch import fetch
from reproduction.data.fetch_all import Outcome, advice
from reproduction.data.registry import load_registry
from reproduction.workflow.config import place_settings, read_config
from reproduction.workflow.scripts import logged

terminal = sys.stderr
with logged(snakemake):
    data = read_config(snakemake.config).data
    registry = load_registry()
    dataset = snakemake.wildcards.dataset
    tried = []
    provenance = fetch(
        dataset,
        registry=registry,
        raw_dir=Path(snakemake.output.folder).parent,
        places=place_settings(data),
        mode=data.source,
        surrogate_scale=data.surrogate_scale,
        tried=tried,
    )
    for line in advice([Outcome(registry[dataset], provenance, tried=tried)]):
        print(line, file=terminal)
