"""Import ``jsonschema`` without the two seconds that its rarest check takes.

``nbformat`` checks notebooks with ``jsonschema``; where ``rfc3987_syntax`` is installed, as
Jupyter's requirements have it, that imports it to check the format ``iri``, and it compiles 39
grammars on import. No notebook uses that format, so our processes leave it out: those that write
pages, and each ``snakemake`` call, which imports ``nbformat`` as soon as it plans a script.
"""

import sys
from importlib import import_module

IRI_CHECKER = "rfc3987_syntax"


def import_jsonschema_without_iri() -> None:
    """Import ``jsonschema`` as if ``rfc3987_syntax`` were not installed.

    For processes of the workflow alone: whoever shares the process gets a ``jsonschema`` that
    takes every text for an IRI.
    """
    if "jsonschema" in sys.modules or IRI_CHECKER in sys.modules:
        return
    sys.modules[IRI_CHECKER] = None  # type: ignore[assignment]  # Python's word for "not there"
    try:
        import_module("jsonschema")
    finally:
        del sys.modules[IRI_CHECKER]
