"""Office formulas (OMML) as TeX."""

from collections.abc import Callable

from webquarry.content.html.dom import Element
from webquarry.reading.documents.zip_archive import all_text, attribute, child, local_name

_SYMBOLS = {
    "∑": r"\sum", "∏": r"\prod", "∫": r"\int", "∬": r"\iint", "∮": r"\oint", "∞": r"\infty",
    "≤": r"\le", "≥": r"\ge", "≠": r"\ne", "≈": r"\approx", "\u00d7": r"\times", "·": r"\cdot",
    "±": r"\pm", "→": r"\to", "∈": r"\in", "∂": r"\partial", "∇": r"\nabla",
    "\u22c3": r"\bigcup", "\u03b1": r"\alpha", "β": r"\beta", "\u03b3": r"\gamma",
    "δ": r"\delta", "ε": r"\epsilon", "θ": r"\theta", "λ": r"\lambda", "μ": r"\mu", "π": r"\pi",
    "\u03c1": r"\rho", "\u03c3": r"\sigma", "τ": r"\tau", "φ": r"\phi", "ω": r"\omega",
    "Δ": r"\Delta", "Σ": r"\Sigma", "Ω": r"\Omega", "\u2212": "-",
    "%": r"\%", "#": r"\#", "&": r"\&", "{": r"\{", "}": r"\}",
}  # fmt: skip
_ACCENTS = {"\u0302": r"\hat", "\u0303": r"\tilde", "\u0305": r"\bar", "\u20d7": r"\vec",
            "\u0307": r"\dot"}  # fmt: skip
_MAX_DEPTH = 60


def tex_of(element: Element, depth: int = 0) -> str:
    """Return the formula as TeX; nesting that is too deep becomes plain symbols."""
    if depth > _MAX_DEPTH:
        return _symbols(all_text(element))
    parts: list[str] = []
    for part in element:
        writer = _WRITERS.get(local_name(part))
        if writer:
            parts.append(writer(part, depth + 1))
        elif local_name(part) == "t":
            parts.append(_symbols(part.text or ""))
        elif not local_name(part).endswith("Pr"):
            parts.append(tex_of(part, depth + 1))
    return _join(parts)


def _join(parts: list[str]) -> str:
    """Join the parts; a space separates a command from a letter after it."""
    text = ""
    for part in parts:
        last = text.rpartition("\\")[2] if "\\" in text else ""
        gap = " " if last.isalpha() and part[:1].isalpha() else ""
        text += gap + part
    return text


def _symbols(text: str) -> str:
    return _join([_SYMBOLS.get(char, char) for char in text])


def _arg(element: Element, name: str, depth: int) -> str:
    part = child(element, name)
    return "" if part is None else tex_of(part, depth)


def _fraction(element: Element, depth: int) -> str:
    return rf"\frac{{{_arg(element, 'num', depth)}}}{{{_arg(element, 'den', depth)}}}"


def _superscript(element: Element, depth: int) -> str:
    return f"{_arg(element, 'e', depth)}^{{{_arg(element, 'sup', depth)}}}"


def _subscript(element: Element, depth: int) -> str:
    return f"{_arg(element, 'e', depth)}_{{{_arg(element, 'sub', depth)}}}"


def _subscript_and_superscript(element: Element, depth: int) -> str:
    return f"{_subscript(element, depth)}^{{{_arg(element, 'sup', depth)}}}"


def _root(element: Element, depth: int) -> str:
    degree = _arg(element, "deg", depth)
    return rf"\sqrt{f'[{degree}]' if degree else ''}{{{_arg(element, 'e', depth)}}}"


def _n_ary(element: Element, depth: int) -> str:
    symbol = _property(element, "naryPr", "chr") or "∫"
    low, high = _arg(element, "sub", depth), _arg(element, "sup", depth)
    limits = (f"_{{{low}}}" if low else "") + (f"^{{{high}}}" if high else "")
    return f"{_symbols(symbol)}{limits} {_arg(element, 'e', depth)}"


def _brackets(element: Element, depth: int) -> str:
    begin = _property(element, "dPr", "begChr", "(")
    end = _property(element, "dPr", "endChr", ")")
    parts = [tex_of(part, depth) for part in element if local_name(part) == "e"]
    left, right = (_symbols(bracket) or "." for bracket in (begin, end))
    return rf"\left{left}{','.join(parts)}\right{right}"


def _function(element: Element, depth: int) -> str:
    name = _arg(element, "fName", depth)
    command = rf"\{name}" if name.isalpha() and name.isascii() else name
    return f"{command} {_arg(element, 'e', depth)}"


def _accent(element: Element, depth: int) -> str:
    mark = _ACCENTS.get(_property(element, "accPr", "chr"), r"\hat")
    return f"{mark}{{{_arg(element, 'e', depth)}}}"


def _matrix(element: Element, depth: int) -> str:
    rows = [
        " & ".join(tex_of(cell, depth) for cell in row if local_name(cell) == "e")
        for row in element
        if local_name(row) == "mr"
    ]
    return r"\begin{matrix}" + r" \\ ".join(rows) + r"\end{matrix}"


def _property(element: Element, holder: str, name: str, default: str = "") -> str:
    part = child(element, holder, name)
    return default if part is None else attribute(part, "val")


_WRITERS: dict[str, Callable[[Element, int], str]] = {
    "f": _fraction,
    "sSup": _superscript,
    "sSub": _subscript,
    "sSubSup": _subscript_and_superscript,
    "rad": _root,
    "nary": _n_ary,
    "d": _brackets,
    "func": _function,
    "acc": _accent,
    "m": _matrix,
}
