"""Write the digests of everything the run was made from and of everything it made."""

from reproduction.workflow.workers import share

share(snakemake, __file__)

from pathlib import Path

from reproduction.data.registry import load_registry
from reproduction.rooms import paper_keys
from reproduction.workflow.config import read_config
from reproduction.workflow.log import logged
from reproduction.workflow.manifest import write_manifest

with logged(snakemake):
    write_manifest(
        Path(snakemake.output.manifest),
        read_config(snakemake.config),
        papers=paper_keys(),
        registry=load_registry(),
        raw=Path("data/raw"),
        results=Path(snakemake.params.results),
    )
