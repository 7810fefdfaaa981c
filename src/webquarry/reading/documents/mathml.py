"""MathML, as OpenDocument embeds it, as TeX."""

from webquarry.content.html.dom import Element
from webquarry.reading.documents.zip_archive import attribute, local_name, text

_MAX_DEPTH = 60
_PATTERNS = {  # tag and number of its parts
    ("msup", 2): "{}^{{{}}}",
    ("msub", 2): "{}_{{{}}}",
    ("msubsup", 3): "{}_{{{}}}^{{{}}}",
    ("munder", 2): "{}_{{{}}}",
    ("mover", 2): "{}^{{{}}}",
    ("munderover", 3): "{}_{{{}}}^{{{}}}",
    ("mfrac", 2): r"\frac{{{}}}{{{}}}",
    ("mroot", 2): r"\sqrt[{1}]{{{0}}}",
}


def tex_of_mathml(element: Element, depth: int = 0) -> str:
    """Return the TeX annotation of a formula, or TeX made from its structure."""
    name = local_name(element)
    if name == "semantics":
        for part in element:
            if local_name(part) == "annotation" and "tex" in attribute(part, "encoding").lower():
                return text(part)
    if len(element) == 0 or depth > _MAX_DEPTH:
        return text(element)
    children = [part for part in element if not local_name(part).startswith("annotation")]
    parts = [tex_of_mathml(part, depth + 1) for part in children]
    pattern = _PATTERNS.get((name, len(parts)))
    if pattern:
        return pattern.format(*parts)
    content = "".join(parts)
    return rf"\sqrt{{{content}}}" if name == "msqrt" else content
