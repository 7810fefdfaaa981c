"""MathML, as OpenDocument embeds it, as TeX."""

from webquarry.content.html.dom import Element
from webquarry.reading.documents.zip_archive import attribute, local, text

_DEEPEST = 60
_PATTERNS = {  # the tag and how many parts it has
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
    """Return the TeX that the formula carries, or what its structure says."""
    name = local(element)
    if name == "semantics":
        for note in element:
            if local(note) == "annotation" and "tex" in attribute(note, "encoding").lower():
                return text(note)
    if len(element) == 0 or depth > _DEEPEST:
        return text(element)
    kept = [part for part in element if not local(part).startswith("annotation")]
    parts = [tex_of_mathml(part, depth + 1) for part in kept]
    pattern = _PATTERNS.get((name, len(parts)))
    if pattern:
        return pattern.format(*parts)
    inside = "".join(parts)
    return rf"\sqrt{{{inside}}}" if name == "msqrt" else inside
