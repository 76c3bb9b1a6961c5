import re
import xml.dom.minidom

import pytest

from reproduction.pages.equations import equation_svg

FORMULAS = [
    r"P(z\mid d,w)=\frac{P(w\mid z)P(z\mid d)}{\sum_{z'}P(w\mid z')P(z'\mid d)}",
    r"\hat{y}=\arg\max_{c} \mathbf{w}_c^\top \mathbf{x}",
    r"\begin{aligned} a &= b + c \\ d &= \sqrt{\tfrac{1}{2}}\end{aligned}",
    r"\left\{ x \in \mathbb{R}^d : \lVert x \rVert_2 \le 1 \right\}",
    r"\mathcal{L}(\theta)=\sum_{v=1}^{V}\sum_{d,w} n^{(v)}(d,w)\log\sum_z P",
    r"\tau_t=\min\left(C, \frac{\ell_t}{\|x_t\|^2}\right),\quad \text{if } x \ge 0",
    r"\operatorname{sim}(a,b)\propto \exp(-\lambda D_{\mathrm{KL}}(p\,\|\,q))",
]


@pytest.mark.parametrize("latex", FORMULAS)
@pytest.mark.parametrize("display", [False, True])
def test_a_formula_is_drawn_with_its_source_as_text(latex, display):
    svg = equation_svg(latex, display=display)
    document = xml.dom.minidom.parseString(svg)
    assert document.documentElement.getAttribute("aria-label") == latex
    assert len(document.getElementsByTagName("path")[0].getAttribute("d")) > 100


def test_lines_lie_below_each_other():
    one, two = (equation_svg(text) for text in ("a=b", r"\begin{aligned}a=b\\c=d\end{aligned}"))
    height = [float(re.search(r"height:([\d.]+)em", svg).group(1)) for svg in (one, two)]
    assert height[1] > 1.8 * height[0]


def test_a_subscript_hangs_below_the_baseline():
    drop = [
        float(re.search(r"vertical-align:(-?[\d.]+)em", equation_svg(text)).group(1))
        for text in ("x", "x_{ij}")
    ]
    assert drop[1] < drop[0]


@pytest.mark.parametrize("latex", [r"\frac{a", r"\begin{cases}a\end{cases}", r"\nosuch{a}"])
def test_a_formula_that_cannot_be_set_is_named(latex):
    with pytest.raises(ValueError, match="cannot be set") as caught:
        equation_svg(latex)
    assert repr(latex) in str(caught.value)


def test_an_empty_formula_is_refused():
    with pytest.raises(ValueError, match="empty formula"):
        equation_svg("  ")
