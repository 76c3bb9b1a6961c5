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
#: Mark what holds no text of its own, texts in drawings, whose ground axe cannot tell (colours
#: are tested by themselves), and texts that have the colours, size and weight of two others: their
#: contrast is the same.
MARK_ALIKE = """() => {
    const seen = new Map();
    const ground = part => {
        const style = getComputedStyle(part);
        const clear = style.backgroundColor === 'rgba(0, 0, 0, 0)';
        const bare = clear && style.backgroundImage === 'none';
        if (bare && part.parentElement) return ground(part.parentElement);
        return [style.backgroundColor, style.backgroundImage, style.opacity];
    };
    const speaks = part => [...part.childNodes].some(
        node => node.nodeType === Node.TEXT_NODE && node.data.trim());
    for (const part of document.querySelectorAll('body *')) {
        const judged = speaks(part) && !part.closest('svg');
        part.toggleAttribute('data-alike', !judged);
        if (!judged) continue;
        const style = getComputedStyle(part);
        const mark = JSON.stringify([part.tagName, style.color, style.fontSize, style.fontWeight,
            style.opacity, style.textShadow, ground(part)]);
        seen.set(mark, (seen.get(mark) ?? 0) + 1);
        if (seen.get(mark) > 2) part.setAttribute('data-alike', '');
    }
}"""
CONTRAST = "color-contrast"
#: One look by all rules, contrast only where texts are not marked: building its picture of a page
#: takes axe as long as most of the rules.
LOOK = """async options => {
    axe.configure({rules: [{id: 'color-contrast', selector: '*:not([data-alike])'}]});
    return (await axe.run(document, options)).violations;
}"""
#: Rules whose answer hangs on the colours or on the width of the window; others are asked once.
ON_THE_LOOK = ("scrollable-region-focusable", "target-size", "link-in-text-block", "meta-viewport")


def faults(page, only=()):
    """Serious faults by all rules, or by the contrast and those that are named."""
    if not page.evaluate("typeof axe === 'object'"):
        page.evaluate(Axe().axe_script)
    page.evaluate(MARK_ALIKE)
    rules = {"runOnly": [CONTRAST, *only]} if only else {}
    found = page.evaluate(LOOK, ASKED | rules)
    return [
        f"{fault['id']}: {fault['help']} ({node['target'][0]})"
        for fault in found
        if fault["impact"] in SERIOUS
        for node in fault["nodes"][:3]
    ]
