"""How Sphinx builds the documentation; `make docs` and `make site` call it."""

import re

from docutils.nodes import SkipNode
from latex2mathml.converter import convert

from manyviews import __version__

project = "manyviews"
author = "The manyviews contributors"
copyright = author
version = release = __version__

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
source_suffix = {".md": "markdown"}
exclude_patterns = ["extra"]
html_extra_path = ["extra"]
html_theme = "furo"
html_title = "manyviews"
html_favicon = "docs/icon.svg"
html_show_sphinx = False
html_copy_source = False
html_use_index = html_domain_indices = False
html_math_renderer = "mathml"

myst_enable_extensions = ["dollarmath"]
myst_heading_anchors = 3
napoleon_google_docstring = False
napoleon_use_ivar = True  # attributes that are properties too are described once
autodoc_typehints = "none"  # numpydoc says it in words
autodoc_use_type_comments = False  # there are none to look for
autodoc_member_order = "bysource"
suppress_warnings = [
    "misc.highlighting_failure",  # blocks whose language is no programming language
    "ref.python",  # a word of a type, such as "shape", that several classes have as attribute
]


def _formula(display):
    """Write formulas as MathML, which browsers show without a script from elsewhere."""

    def visit(translator, node):
        translator.body.append(convert(node.astext(), display="block" if display else "inline"))
        raise SkipNode

    return visit


def _is_from_sklearn(app, what, name, member, skip, options):
    """Leave out the methods that scikit-learn gives every estimator for metadata routing."""
    return True if re.fullmatch(r"set_\w+_request", name) else None


def setup(app):
    """Add the renderer of formulas, leave out what is not the library's own."""
    app.add_html_math_renderer("mathml", (_formula(False), None), (_formula(True), None))
    app.connect("autodoc-skip-member", _is_from_sklearn)
