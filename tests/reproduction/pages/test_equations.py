import json
import re
from xml.etree import ElementTree

import pytest

from reproduction.files import ROOT
from reproduction.pages.equations import equation


@pytest.mark.parametrize(
    "latex",
    [
        r"\hat{y}=\arg\max_{c} \mathbf{w}_c^\top \mathbf{x}",
        r"\tau_t=\min\left(C, \frac{\ell_t}{\|x_t\|^2}\right),\quad \text{if } x \ge 0",
    ],
)
@pytest.mark.parametrize("display", [False, True])
def test_a_formula_is_set_with_its_source_as_text(latex, display):
    root = ElementTree.fromstring(equation(latex, display=display))
    assert root.get("aria-label") == latex
    assert root.get("display") == ("block" if display else "inline")
    assert "\\" not in "".join(root.itertext())


@pytest.mark.parametrize(
    "latex", [r"\frac{a", r"\begin{aligned}a&=b\end{aligned}", r"\nosuch{a}", "a_", r"\left( a"]
)
def test_a_formula_that_cannot_be_set_is_named(latex):
    with pytest.raises(ValueError, match="cannot be set") as caught:
        equation(latex)
    assert repr(latex) in str(caught.value)


@pytest.mark.parametrize("notebook", sorted((ROOT / "notebooks").glob("*.ipynb")), ids=str)
def test_every_formula_of_the_notebooks_can_be_set(notebook):
    for cell in json.loads(notebook.read_text(encoding="utf-8"))["cells"]:
        if cell["cell_type"] == "markdown":
            for found in re.finditer(r"\$\$(.+?)\$\$|\$([^$]+?)\$", "".join(cell["source"]), re.S):
                assert equation(found[1] or found[2])
