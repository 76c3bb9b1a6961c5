"""Write the overview page, the summary and the tables of all papers."""

from multiview.light_jsonschema import import_jsonschema_without_iri
from multiview.reporting.overview import write_overview
from multiview.reporting.stamp import page_stamp
from multiview.workflow_log import logged

with logged(snakemake):
    import_jsonschema_without_iri()
    write_overview(
        snakemake.input.notebook,
        snakemake.output.page,
        results=snakemake.params.results,
        stamp=page_stamp(snakemake.params.config),
        summary=snakemake.output.summary,
        picture=snakemake.output.picture,
        ledger=snakemake.output.ledger,
        claims=snakemake.output.claims,
    )
