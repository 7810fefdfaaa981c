"""Parts of a page that are closed but that a visitor can open: tabs, accordions, slides."""

import re

from webquarry.content.dom import Element, text_of

_PANEL = re.compile(r"accord|collaps|tab-?pane|tab-?content|tab-?panel|toggle|faq|expand", re.I)
_SLIDE = re.compile(r"carousel|slide|slick|swiper|splide|glide", re.I)
_STREAMED = re.compile(r"S:[0-9a-f]+")
_CONTROLS = frozenset(("button", "summary", "a", "label"))
_SIGNS = ("aria-expanded", "aria-controls", "data-toggle", "data-bs-toggle", "data-target")


def can_be_opened(element: Element, reason: str) -> bool:
    """Tell whether something on the page that can be seen opens this element."""
    if reason in ("aria-hidden", "visibility: hidden", "opacity: 0", "zero size"):
        if _is_slide(element) or _follows_control(element):
            return True
    elif reason not in ("display: none", "hidden attribute"):
        return False
    return _has_control(element) or _is_streamed(element)


def _has_control(element: Element) -> bool:
    """Tell whether a labelled control names this element, or it names its control."""
    labels = (element.get("aria-labelledby") or "").split()
    name = element.get("id")
    root = element.getroottree().getroot()
    for label in labels[:2]:
        if _is_control(_by_id(root, label)):
            return True
    if not name or '"' in name:
        return False
    asked = f'//*[@aria-controls="{name}" or @data-target="#{name}" or @data-bs-target="#{name}"]'
    found = root.xpath(asked)
    return any(_is_control(control) for control in found) if isinstance(found, list) else False


def _by_id(root: Element, name: str) -> Element | None:
    if '"' in name:
        return None
    found = root.xpath(f'(//*[@id="{name}"])[1]')
    return found[0] if isinstance(found, list) and found else None


def _is_control(element: Element | None) -> bool:
    if element is None or not text_of(element):
        return False
    near = [element, element.getparent(), *element[:3]]
    return any(part is not None and _acts(part) for part in near)


def _acts(element: Element) -> bool:
    if element.tag in _CONTROLS or element.get("role") in ("tab", "button"):
        return True
    return any(element.get(sign) is not None for sign in _SIGNS)


def _follows_control(element: Element) -> bool:
    """Tell whether a panel by name stands right behind its heading or button."""
    if not _PANEL.search(element.get("class") or "") and element.get("role") != "tabpanel":
        return False
    before = element.getprevious()
    return before is not None and isinstance(before.tag, str) and bool(text_of(before))


def _is_slide(element: Element) -> bool:
    """Tell whether this is one of several slides."""
    parent = element.getparent()
    if parent is None or not _SLIDE.search(element.get("class") or ""):
        return False
    return sum(other.tag == element.tag for other in parent) > 1


def _is_streamed(element: Element) -> bool:
    """Tell whether the page has a place that its script moves this element to."""
    name = element.get("id") or ""
    if not _STREAMED.fullmatch(name):
        return False
    root = element.getroottree().getroot()
    if _by_id(root, f"B{name[1:]}") is not None:
        return True
    return any(f'"{name}"' in (script.text or "") for script in root.iter("script"))
