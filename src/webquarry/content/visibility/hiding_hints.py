"""A quick look at declarations: whether they can hide text at all, and by which properties."""

import re
from collections.abc import Callable
from functools import lru_cache
from typing import NamedTuple

from webquarry.content.visibility.css_values import number, pixels
from webquarry.content.visibility.declared_reasons import hides_by_shape
from webquarry.content.visibility.longhands import longhands_of

# Rules out most declarations before they are parsed. It starts at the colon and looks back at the
# end of the property, because the search for one character is fast.
_END = r"\s*+(?:[;!]|\Z)"
_FAR_VALUE = (
    r"(?:\d{3}|-\.?\d\d|\d\d[\d.]{0,9}r?em|\d(?:in|cm|mm|p[ct]|q|v|ch|ex|e[+-]?\d|[slrdc])|\()"
)
_MAY_HIDE = re.compile(
    rf"""
    :(?:(?<=\s:)
    | (?<=y:)(?:
        (?<=play:)\s*+(?:none|var)
      | (?<=bility:)\s*+(?:hidden|collapse|var)
      | (?<=pacity:)(?!\s*+(?:1|0?\.[1-9]\d*+){_END}))
    | (?<=e:)(?:
        (?<=size:)(?!\s*+(?:(?:[2-9]|\d\d)[\d.]*+(?:px|r?em|pt|v[wh])|(?:[2-9]\d|\d\d\d)[\d.]*+%
                        |[01]?\.[2-9]\d*+r?em|1(?:\.\d*+)?r?em|[a-z-]++){_END})
      | (?<=scale:) | (?<=otate:) | (?<=slate:) | (?<=k-image:)
      | (?<=inline:)(?=[^;]{{0,300}}?{_FAR_VALUE}))
    | (?<=h:)(?:
        (?<=width:)(?!\s*+(?:(?:[2-9]|\d\d)[\d.]*+(?:px|r?em|%|v[wh])|[a-z-]++){_END})
      | (?<=-path:)\s*+[a-z-]++\()
    | (?<=t:)(?:
        (?<=eight:)(?!\s*+(?:(?:[2-9]|\d\d)[\d.]*+(?:px|r?em|%|v[wh])?+|1(?:\.\d++)?+(?:r?em|%)?+
                         |[a-z-]++){_END})
      | (?<=font:)(?!\s*+inherit)
      | (?:(?<=left:)|(?<=right:)|(?<=indent:)|(?<=inset:)|(?<=start:))
        (?=[^;]{{0,300}}?{_FAR_VALUE}))
    | (?<=[mpnkd]:)(?:
        (?<=sform:)\s*+[^;(]{{0,100}}\(
      | (?<=clip:)\s*+[a-z-]++\(
      | (?<=mask:)
      | (?<=zoom:)(?!\s*+1{_END})
      | (?:(?<=margin:)|(?<=top:)|(?<=bottom:)|(?<=block:)|(?<=end:))(?=[^;]{{0,300}}?{_FAR_VALUE}))
    | (?<=r:)(?: (?<=filter:)[^;]{{0,300}}?opacity | (?<=fill-color:) )
    )""",
    re.VERBOSE,
)
_MAX_CACHED = 300  # characters of declarations
_FAR, _FAR_RIGHT = 500, 750  # pixels
_OFFSETS = (
    "left",
    "top",
    "right",
    "bottom",
    "inset",
    "margin",
    "indent",
    "position",
    "transform",
    "translate",
)
# part of a hiding declaration -> properties that can change its effect
RELEVANT_PROPERTIES: dict[str, tuple[str, ...]] = {
    "display": ("display",),
    "visibility": ("visibility",),
    "opacity": ("opacity", "filter", "transform", "transition", "animation", "will-change"),
    "content-visibility": ("content-visibility",),
    "mask": ("mask",),
    "font-size": ("font",),
    "size": (
        "height", "width", "size", "overflow", "flex", "min-", "transition", "font", "display",
    ),
    "position": _OFFSETS,
    "clip": ("clip", "position"),
    "transform": ("transform", "scale", "rotate", "translate", "zoom"),
    "color": ("color", "background", "fill"),
}  # fmt: skip


def hiding_means(body: str) -> "HidingMeans":
    """Return by what the declarations can hide text."""
    return _cached_means(body) if len(body) <= _MAX_CACHED else _means(body)


class HidingMeans(NamedTuple):
    """Keys of `RELEVANT_PROPERTIES`, and properties whose value depends on a variable."""

    certain: frozenset[str]
    variable: tuple[tuple[str, str], ...] = ()


_NO_MEANS = HidingMeans(frozenset())


@lru_cache(maxsize=8192)
def _cached_means(body: str) -> HidingMeans:
    return _means(body)


def _means(body: str) -> HidingMeans:
    if not may_hide(body.lower()):
        return _NO_MEANS
    declared = [(name, value) for name, (value, _) in longhands_of(body).items() if name in _HINTS]
    variable = tuple((name, value) for name, value in declared if "var(" in value)
    certain = (means_of(name, value) for name, value in declared if "var(" not in value)
    return HidingMeans(frozenset(filter(None, certain)), variable)


def may_hide(body: str) -> bool:
    """Tell quickly whether declarations in lower case may hide text, colours aside."""
    return _MAY_HIDE.search(body) is not None or "\\" in body or "/*" in body


def means_of(name: str, value: str) -> str:
    """Return by what the property hides text with this value, "" if it does not."""
    means, hides = _HINTS[name]
    return means if value and hides(value) else ""


def _is_small(value: str) -> bool:
    amount = number(value)
    return amount is not None and amount < 0.05


def _is_far(value: str) -> bool:
    length = pixels(value)
    return length is not None and (length <= -_FAR or length >= _FAR_RIGHT)


def _is_tiny(value: str) -> bool:
    length = pixels(value)
    return length is not None and length <= 1


def _is_tiny_font(value: str) -> bool:
    size = pixels(value, percent=0.16)
    return size is not None and size < 2


def _hides(name: str) -> Callable[[str], bool]:
    return lambda value: hides_by_shape({name: value})


def _is_function(value: str) -> bool:
    return "(" in value


def _is(*words: str) -> Callable[[str], bool]:
    return frozenset(words).__contains__


_HINTS: dict[str, tuple[str, Callable[[str], bool]]] = {
    "display": ("display", _is("none")),
    "visibility": ("visibility", _is("hidden", "collapse")),
    "content-visibility": ("content-visibility", _is("hidden")),
    "opacity": ("opacity", _is_small),
    "filter": ("opacity", lambda value: "opacity(" in value),
    "mask": ("mask", lambda value: "gradient(" in value),
    "mask-image": ("mask", lambda value: "gradient(" in value),
    "font-size": ("font-size", _is_tiny_font),
    "transform": ("transform", _hides("transform")),
    "scale": ("transform", _is_small),
    "rotate": ("transform", lambda value: value.startswith(("x", "y"))),
    "translate": ("transform", _hides("translate")),
    "zoom": ("transform", _is_small),
    "line-height": ("size", lambda value: pixels(value) == 0),
    "clip": ("clip", _is_function),
    "clip-path": ("clip", _hides("clip-path")),
    "text-fill-color": ("color", bool),
    **dict.fromkeys(("height", "width", "max-height", "max-width"), ("size", _is_tiny)),
    **dict.fromkeys(("left", "top", "right", "bottom", "text-indent"), ("position", _is_far)),
    **dict.fromkeys(("margin-left", "margin-top"), ("position", _is_far)),
}
HIDING_PROPERTIES = frozenset(_HINTS) | {
    "color", "background", "background-color", "position", "overflow", "overflow-x", "overflow-y",
}  # fmt: skip
