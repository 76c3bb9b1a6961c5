"""The door: a plain `snakemake` in this folder runs workflow/Snakefile."""


# A module and not an include: Snakemake resets the default target of an included file.
module reproduction_of_papers:
    snakefile:
        "workflow/Snakefile"


use rule * from reproduction_of_papers
