"""Five papers on multi-view learning, rebuilt: published figures and data in, verdicts out.

Stations, one file each in workflow/rules: fetch -> views -> fit -> score -> write.
"""

from snakemake.utils import min_version

min_version("9.19")


configfile: "config/config.yaml"


report: "workflow/report/workflow.rst"


include: "workflow/rules/common.smk"
include: "workflow/rules/fetch.smk"
include: "workflow/rules/views.smk"
include: "workflow/rules/fit.smk"
include: "workflow/rules/score.smk"
include: "workflow/rules/write.smk"


# rule all stands here and not in an included file: Snakemake resets the default target of those
rule all:
    default_target: True
    input:
        all_pages(),
    localrule: True
    message:
        "Everything is up to date; open {REPORTS}/index.html"
