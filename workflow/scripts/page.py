"""Execute a notebook and write it as a page."""

from multiview.light_jsonschema import import_jsonschema_without_iri
from multiview.reporting.page import write_page
from multiview.reporting.stamp import page_stamp
from multiview.workflow_log import logged

with logged(snakemake):
    import_jsonschema_without_iri()
    write_page(
        snakemake.input.notebook,
        snakemake.output.page,
        results=snakemake.params.results,
        stamp=page_stamp(snakemake.params.config),
        provenance=snakemake.input.provenance,
    )
