"""The door: a plain `snakemake` in this folder runs workflow/Snakefile."""


# A module and not an include: Snakemake resets the default target of an included file.
module reproduction_of_papers:
    snakefile:
        "workflow/Snakefile"


use rule * from reproduction_of_papers


# Snakemake takes what precedes and follows a run from the outermost file alone.
onsuccess:
    reproduction_of_papers.onsuccess(log=log)


onerror:
    reproduction_of_papers.onerror(log=log)
