"""Formulas: the TeX that a page carries beside its rendered mathematics."""

import re

from webquarry.content.html.dom import Element, text_of

_STYLE = re.compile(r"^\{\\(?:display|text)style\s*(.*?)\s*\}$", re.DOTALL)
_RENDERED = re.compile(r"(^|\s)(MathJax(_Preview|_Display|_CHTML|_SVG)?|katex-html)(\s|$)")
_IMAGE = re.compile(r"(^|\s)(mwe-math-fallback-image\S*|latex|tex|math)(\s|$)")
FORMULA_TAGS = frozenset(("script", "math", "img", "span", "div", "mjx-container"))


def formula_in(element: Element) -> str | None:
    """Return the element as TeX between dollars, "" for a second rendering, None if no formula."""
    tag = element.tag
    if tag not in FORMULA_TAGS:
        return None
    if tag == "script":
        return _from_script(element)
    if tag == "math":
        return _dollars(_tex_of(element), display=element.get("display") == "block")
    names = element.get("class")
    if not names:
        return None
    if tag == "img" and _IMAGE.search(names):
        alt = element.get("alt") or ""
        return _dollars(alt, display="display" in names) if alt else None
    return _from_rendering(element) if _RENDERED.search(names) else None


def is_formula_script(element: Element) -> bool:
    """Tell whether a script element holds TeX for MathJax."""
    return (element.get("type") or "").lower().startswith("math/tex")


def _from_script(element: Element) -> str | None:
    if not is_formula_script(element) or not element.text:
        return None
    return _dollars(element.text, display="mode=display" in (element.get("type") or ""))


def _from_rendering(element: Element) -> str | None:
    """Return "" when the rendering stands beside its source, else None to render its inside."""
    if element.find(".//math") is not None:
        return None
    after = element.getnext()
    return "" if after is not None and after.tag in ("script", "span") else None


def _tex_of(math: Element) -> str:
    for note in math.iter("annotation"):
        if "tex" in (note.get("encoding") or "").lower() and note.text:
            return note.text
    declared = math.get("alttext")
    if declared:
        return declared
    return " ".join(text_of(part) for part in math if part.tag != "annotation")


def _dollars(tex: str, *, display: bool) -> str:
    flat = " ".join(tex.split())
    styled = _STYLE.match(flat)
    core = styled[1] if styled else flat
    if not core:
        return ""
    return f"$${core}$$" if display else f"${core}$"
