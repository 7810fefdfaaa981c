"""Formulas: the TeX source that a page has beside its rendered mathematics."""

import re

from webquarry.content.html.dom import Element, text_of

_STYLE_WRAPPER = re.compile(r"^\{\\(?:display|text)style\s*+(.*)\}$", re.DOTALL)
_RENDERED_CLASS = re.compile(r"(^|\s)(MathJax(_Preview|_Display|_CHTML|_SVG)?|katex-html)(\s|$)")
_IMAGE_CLASS = re.compile(r"(^|\s)(mwe-math-fallback-image\S*|latex|tex|math)(\s|$)")
FORMULA_TAGS = frozenset(("script", "math", "img", "span", "div", "mjx-container"))


def tex_formula(element: Element) -> str | None:
    """Return TeX between dollars, "" for a second rendering of it, None for other elements."""
    tag = element.tag
    if tag not in FORMULA_TAGS:
        return None
    if tag == "script":
        return _from_script(element)
    if tag == "math":
        return _in_dollars(_tex_source(element), display=element.get("display") == "block")
    classes = element.get("class")
    if not classes:
        return None
    if tag == "img" and _IMAGE_CLASS.search(classes):
        alt = element.get("alt", "")
        return _in_dollars(alt, display="display" in classes) if alt else None
    return _from_rendering(element) if _RENDERED_CLASS.search(classes) else None


def is_formula_script(element: Element) -> bool:
    """Tell whether a script element holds TeX for MathJax."""
    return element.get("type", "").lower().startswith("math/tex")


def _from_script(element: Element) -> str | None:
    if not is_formula_script(element) or not element.text:
        return None
    return _in_dollars(element.text, display="mode=display" in element.get("type", ""))


def _from_rendering(element: Element) -> str | None:
    """Return "" if the source of the formula follows, else None: its content is written."""
    if element.find(".//math") is not None:
        return None
    following = element.getnext()
    return "" if following is not None and following.tag in ("script", "span") else None


def _tex_source(math: Element) -> str:
    for annotation in math.iter("annotation"):
        if "tex" in annotation.get("encoding", "").lower() and annotation.text:
            return annotation.text
    alternative = math.get("alttext")
    if alternative:
        return alternative
    return " ".join(text_of(part) for part in math if part.tag != "annotation")


def _in_dollars(tex: str, *, display: bool) -> str:
    flat = " ".join(tex.split())
    wrapped = _STYLE_WRAPPER.match(flat)
    core = wrapped[1].rstrip() if wrapped else flat
    if not core:
        return ""
    return f"$${core}$$" if display else f"${core}$"
