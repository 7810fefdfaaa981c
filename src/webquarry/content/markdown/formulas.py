"""Formulas: the TeX source that a page has beside its rendered mathematics."""

import re
from collections.abc import Callable

from webquarry.content.html.dom import Element, text_of

_STYLE_WRAPPER = re.compile(r"^\{\\(?:display|text)style\s*+(.*)\}$", re.DOTALL)
_RENDERED_CLASS = re.compile(r"(^|\s)(MathJax(_Preview|_Display|_CHTML|_SVG)?)(\s|$)")
_KATEX_CLASS = re.compile(r"(^|\s)katex-html(\s|$)")
_MATH_CLASS = re.compile(r"(^|\s)math(\s|$)")
_DELIMITED = re.compile(r"\\(?:\((.*)\\\)|\[(.*)\\\])", re.DOTALL)
_IMAGE_CLASS = re.compile(r"(^|\s)(mwe-math-fallback-image\S*|latex|tex|math)(\s|$)")


def tex_formula(element: Element) -> str | None:
    """Return TeX between dollars, "" for a second rendering of it, None for other elements."""
    tag = element.tag
    if tag in ("div", "span"):
        classes = element.get("class")
        return _from_classes(element, classes) if classes else None
    reader = _READERS.get(tag)
    return reader(element) if reader else None


def _from_classes(element: Element, classes: str) -> str | None:
    if _KATEX_CLASS.search(classes):
        return "" if element.getprevious() is not None else None  # MathML with the source is before
    if _MATH_CLASS.search(classes):
        return _from_math_element(element)
    return _from_rendering(element) if _RENDERED_CLASS.search(classes) else None


def _from_math(math: Element) -> str:
    return _in_dollars(_tex_source(math), display=math.get("display") == "block")


def _from_image(image: Element) -> str | None:
    classes, alt = image.get("class", ""), image.get("alt")
    if not alt or not _IMAGE_CLASS.search(classes):
        return None
    return _in_dollars(alt, display="display" in classes)


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


def _from_mathjax3(container: Element) -> str:
    """Return the source that MathJax 3 and 4 leave in the page; "" if there is only a drawing."""
    display = container.get("display") == "true"
    source = next((part for part in container.iter() if part.get("data-latex")), None)
    if source is not None:
        return _in_dollars(source.get("data-latex", ""), display=display)
    math = next(container.iter("math"), None)
    return "" if math is None else _in_dollars(_tex_source(math), display=display)


def _from_math_element(element: Element) -> str | None:
    r"""Return TeX between `\(…\)` or `\[…\]`, or the alternative text of an image of a formula."""
    own_text = "".join((element.text or "", *(child.tail or "" for child in element))).strip()
    delimited = _DELIMITED.fullmatch(own_text)
    if delimited:
        formula = _in_dollars(delimited[1] or delimited[2] or "", display=delimited[2] is not None)
        number = text_of(element[0]).rstrip("¶#") if len(element) else ""
        return f"{formula} {number}".rstrip()
    image = next(element.iter("img"), None)
    if own_text or image is None or not image.get("alt"):
        return None
    return _in_dollars(image.get("alt", ""), display=element.tag == "div")


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


_READERS: dict[str, Callable[[Element], str | None]] = {
    "script": _from_script,
    "math": _from_math,
    "img": _from_image,
    "mjx-container": _from_mathjax3,
}
FORMULA_TAGS = frozenset(("div", "span", *_READERS))
