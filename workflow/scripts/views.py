"""Build one view file from fetched files."""

from pathlib import Path

from reproduction.data.build import build_views
from reproduction.data.custody import checked_provenance
from reproduction.data.format import content_digest
from reproduction.data.registry import load_registry
from reproduction.data.surrogate_runs import refuse_new_fallback
from reproduction.files import write_text
from reproduction.workflow.scripts import logged

with logged(snakemake):
    dataset, variant = load_registry().resolve(snakemake.wildcards.view_key)
    raw = Path(snakemake.input.raw[0])
    refuse_new_fallback(dataset.key, raw, snakemake.params.fallbacks)
    data = build_views(
        dataset.key,
        raw_dir=raw,
        registry_entry=dataset,
        variant=variant,
        provenance=checked_provenance(raw, dataset),
        options=snakemake.params.options,
        threads=snakemake.threads,
    )
    data.save(snakemake.output.views)
    write_text(snakemake.output.content, content_digest(snakemake.output.views) + "\n")
