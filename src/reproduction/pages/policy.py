"""A content security policy for a page: it runs its own script and asks for nothing else."""

import base64
import hashlib
import re

#: The policy stands right behind this line, before anything it rules on.
_PLACE = '<meta charset="utf-8">\n'
#: Blocks of data (``type="application/json"``) are never run, so the policy need not allow them.
_INLINE = re.compile(r"<(script|style)\b(?![^>]*application/json)[^>]*>(.*?)</\1>", re.DOTALL)


def _hashes(text: str, tag: str) -> str:
    """Return the hashes of all elements of a kind, each once, in the order of the page."""
    digests = (
        hashlib.sha256(match[2].encode()).digest()
        for match in _INLINE.finditer(text)
        if match[1] == tag
    )
    words = dict.fromkeys(f"'sha256-{base64.b64encode(digest).decode()}'" for digest in digests)
    return " ".join(words) or "'none'"


def with_policy(text: str) -> str:
    """Return a page with a policy that allows exactly the scripts and styles it carries.

    Figures have styles in attributes, which no hash covers, so those are allowed; they can load
    nothing, since only embedded pictures are.
    """
    policy = "; ".join(
        [
            "default-src 'none'",
            f"script-src {_hashes(text, 'script')}",
            f"style-src-elem {_hashes(text, 'style')}",
            "style-src-attr 'unsafe-inline'",
            "img-src data:",
            "base-uri 'none'",
            "form-action 'none'",
        ]
    )
    before, place, after = text.partition(_PLACE)
    if not place:
        raise ValueError(f"a page without {_PLACE.strip()} has no place for its security policy")
    meta = f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
    return before + place + meta + after
