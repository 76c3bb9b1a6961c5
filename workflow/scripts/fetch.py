"""Fetch one data set and write its provenance."""

from reproduction.workflow.workers import share

share(snakemake, __file__)

import sys
from pathlib import Path

from reproduction.data.fetch import fetch
from reproduction.data.fetch_all import Outcome, advice
from reproduction.data.registry import load_registry
from reproduction.workflow.config import read_config
from reproduction.workflow.log import logged
from reproduction.workflow.places import place_settings

terminal = sys.stderr
with logged(snakemake):
    data = read_config(snakemake.config).data
    registry = load_registry()
    dataset = snakemake.wildcards.dataset
    tried = []
    provenance = fetch(
        dataset,
        registry=registry,
        raw_dir=Path("data/raw"),
        places=place_settings(data).of(dataset),
        mode=data.source,
        surrogate_scale=data.surrogate_scale,
        tried=tried,
    )
    # a rule's output must be there, and new, even if another try ended as the last one
    Path(snakemake.output.provenance).touch()
    for line in advice([Outcome(registry[dataset], provenance, tried=tried)]):
        print(line, file=terminal)
