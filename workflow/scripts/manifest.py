"""Write the digests of everything the run was made from and of everything it made."""

from pathlib import Path

from reproduction.data.registry import load_registry
from reproduction.rooms import paper_keys
from reproduction.workflow.config import read_config
from reproduction.workflow.manifest import write_manifest
from reproduction.workflow.scripts import above, logged

with logged(snakemake):
    write_manifest(
        Path(snakemake.output.manifest),
        read_config(snakemake.config),
        papers=paper_keys(),
        registry=load_registry(),
        raw=above(snakemake.input.raw, 1),
        results=above(snakemake.input.scored, 2),
    )
