"""What axe finds on a page: faults of accessibility that are serious."""

from axe_playwright_python.sync_playwright import Axe

SERIOUS = ("serious", "critical")
ASKED = {"resultTypes": ["violations"]}
#: Keep two of the rows, marks and cards that are alike but for their text: axe takes minutes
#: for the thousands of a page, and finds the same in each. What a drawing with a name is made of is
#: not told to readers, unless it has a role or takes the focus.
THIN_OUT = """() => {
    const seen = new Map();
    const form = part => [part.tagName, part.className.baseVal ?? part.className,
        part.getAttribute('role'), part.getAttribute('style'), ...[...part.children].map(form)];
    for (const part of document.querySelectorAll('tbody tr, .cells > *, .claim, li, svg use')) {
        const mark = JSON.stringify([part.parentElement.className, form(part)]);
        seen.set(mark, (seen.get(mark) ?? 0) + 1);
        if (seen.get(mark) > 2) part.remove();
    }
    const told = '[role], [tabindex], [aria-label], [aria-labelledby], [aria-hidden]';
    for (const part of document.querySelectorAll('svg[role=img][aria-label] > :not(title)')) {
        if (!part.matches(told) && !part.querySelector(told)) part.remove();
    }
}"""
CONTRAST = "color-contrast"
#: Rules whose answer hangs on the colours or on the width of the window; others are asked once.
ON_THE_LOOK = ("scrollable-region-focusable", "target-size", "link-in-text-block", "meta-viewport")


def faults(page, only=()):
    """Serious faults by all rules, or by the contrast and those that are named."""
    if not page.evaluate("typeof axe === 'object'"):
        page.evaluate(Axe().axe_script)
    rules = {"runOnly": [CONTRAST, *only]} if only else {}
    look = "async options => (await axe.run(document, options)).violations"
    return [
        f"{fault['id']}: {fault['help']} ({node['target'][0]})"
        for fault in page.evaluate(look, ASKED | rules)
        if fault["impact"] in SERIOUS
        for node in fault["nodes"][:3]
    ]
