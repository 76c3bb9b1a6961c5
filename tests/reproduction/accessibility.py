"""What axe finds on a page: faults of accessibility that are serious."""

from axe_playwright_python.sync_playwright import Axe

SERIOUS = ("serious", "critical")
ASKED = {"resultTypes": ["violations"]}
#: Keep two of the rows, marks and cards that are alike but for their text: axe takes minutes
#: for the thousands of a page, and finds the same in each. What a drawing with a name is made of is
#: not told to readers, unless it has a role or takes the focus; its letters :func:`faint_letters`
#: looks at.
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
#: Mark what holds no text of its own, texts in drawings, whose ground axe cannot tell (it never
#: judges them; :func:`faint_letters` does), and texts that have the colours, size and weight of two
#: others: their contrast is the same.
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


#: Contrast of every text in a drawing with what lies behind its middle: the page, and the areas
#: that are drawn before it and hold that point.
LETTERS = """() => {
    const parse = text => {
        const found = text.match(/^rgba?\\(([^)]+)\\)/);
        if (!found) return null;
        const [r, g, b, a = 1] = found[1].split(/[\\s,/]+/).map(Number);
        return [r, g, b, a];
    };
    const over = (top, under) => [
        ...[0, 1, 2].map(i => top[3] * top[i] + (1 - top[3]) * under[i]), 1];
    const light = colour => [0.2126, 0.7152, 0.0722].reduce((sum, weight, i) => {
        const value = colour[i] / 255;
        return sum + weight * (value <= 0.03928 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4);
    }, 0);
    const ratio = (one, two) => {
        const [dark, bright] = [light(one), light(two)].sort((a, b) => a - b);
        return (bright + 0.05) / (dark + 0.05);
    };
    const ground = part => {
        const under = part.parentElement ? ground(part.parentElement) : [255, 255, 255, 1];
        const colour = parse(getComputedStyle(part).backgroundColor);
        return colour ? over(colour, under) : under;
    };
    const filled = part => {
        const style = getComputedStyle(part);
        const fill = parse(style.fill);
        if (!fill) return null;
        fill[3] *= Number(style.fillOpacity);
        for (let at = part; at.tagName !== 'svg'; at = at.parentElement) {
            fill[3] *= Number(getComputedStyle(at).opacity);
        }
        return fill;
    };
    const found = [];
    for (const drawing of document.querySelectorAll('svg')) {
        if (!drawing.checkVisibility()) continue;
        const page = ground(drawing.parentElement);
        const areas = [...drawing.querySelectorAll('path, rect, circle, ellipse, polygon')]
            .filter(part => !part.closest('defs, clipPath'))
            .map(part => ({part, fill: filled(part), box: part.getBoundingClientRect()}))
            .filter(({fill}) => fill?.[3] > 0);
        for (const text of drawing.querySelectorAll('text, tspan')) {
            const own = [...text.childNodes].filter(node => node.nodeType === Node.TEXT_NODE);
            const ink = filled(text);
            if (!ink || !own.some(node => node.data.trim())) continue;
            const {left, right, top, bottom} = text.getBoundingClientRect();
            const [x, y] = [(left + right) / 2, (top + bottom) / 2];
            let back = page;
            for (const {part, fill, box} of areas) {
                if (x < box.left || x > box.right || y < box.top || y > box.bottom) continue;
                const place = part.compareDocumentPosition(text);
                if (!(place & Node.DOCUMENT_POSITION_FOLLOWING)) continue;
                const at = new DOMPoint(x, y).matrixTransform(part.getScreenCTM().inverse());
                if (part.isPointInFill(at)) back = over(fill, back);
            }
            found.push([ratio(over(ink, back), back), text.textContent.trim()]);
        }
    }
    return found;
}"""
#: Least contrast of letters, for small ones (WCAG 2, success criterion 1.4.3).
LEAST = 4.5


def faint_letters(page):
    """Texts in drawings whose contrast is too small, and how many texts there are."""
    found = page.evaluate(LETTERS)
    return [f"{text}: {ratio:.2f}" for ratio, text in found if ratio < LEAST], len(found)
