"""Finds the article of a page that is hidden until a script has run."""

import re
from collections.abc import Iterator

from webquarry.content.html.dom import Element, body_of, tag_of, text_of
from webquarry.content.visibility.element_index import HIDDEN_MARK, ElementIndex

_REASONS = frozenset(("display: none", "hidden attribute", "visibility: hidden", "opacity: 0"))
_STREAMED = re.compile(r"S:[0-9a-f]+")  # id of a part that React moves to its place
_ARTICLE_TAGS = frozenset(("article", "main"))
_OTHER_TAGS = ("dialog", "form", "nav", "aside", "footer")
_CLOSED = re.compile(r"modal|dialog|pop-?up|overlay|cookie|consent|menu|drawer", re.IGNORECASE)
_FRAME_TAGS = frozenset(("nav", "header", "footer", "aside", "script", "style", "noscript", "a"))
_MIN_PROSE = 400  # characters in paragraphs of the article
_MAX_VISIBLE = 0.3  # of it: unlinked text that the page shows outside of its frame


def hidden_article(
    root: Element, index: ElementIndex, hidden: dict[Element, str]
) -> Element | None:
    """Return the hidden element that is the article of a page that shows little else."""
    if not index.by_tag["script"]:
        return None
    candidates = [element for element, reason in hidden.items() if _may_be(element, reason)]
    if not candidates:
        return None
    article = max(candidates, key=_prose)
    prose = _prose(article)
    if prose < _MIN_PROSE:
        return None
    visible = 0
    for part in _visible_texts(body_of(root), hidden):
        visible += len(part.strip())
        if visible > _MAX_VISIBLE * prose:
            return None
    return article


def _may_be(element: Element, reason: str) -> bool:
    """Tell whether the element is named as the content of a page, or holds such an element."""
    if reason not in _REASONS or element.get(HIDDEN_MARK) is not None:
        return False
    if element.tag in _OTHER_TAGS or any(a.tag in _OTHER_TAGS for a in element.iterancestors()):
        return False
    if _CLOSED.search(f"{element.get('class', '')} {element.get('id', '')}"):
        return False
    if _STREAMED.fullmatch(element.get("id", "")):
        return True
    parts = (element, *element.iterancestors(*_ARTICLE_TAGS), *element.iter(*_ARTICLE_TAGS))
    return any(map(_is_article, parts))


def _is_article(element: Element) -> bool:
    return element.tag in _ARTICLE_TAGS or element.get("role") in ("main", "article")


def _prose(element: Element) -> int:
    return sum(len(text_of(paragraph)) for paragraph in element.iter("p"))


def _visible_texts(element: Element, hidden: dict[Element, str]) -> Iterator[str]:
    """Yield the texts that the page shows outside of links and its frame."""
    pending = [element]
    while pending:
        outer = pending.pop()
        yield outer.text or ""
        for child in outer:
            yield child.tail or ""
            if tag_of(child) and child.tag not in _FRAME_TAGS and child not in hidden:
                pending.append(child)
