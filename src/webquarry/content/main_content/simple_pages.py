"""Pages that need no classifier: one article of plain prose, with nothing beside it but a frame."""

from operator import attrgetter
from typing import cast

from lxml import etree

from webquarry.content.html.dom import HEADINGS, Element, value_finder
from webquarry.content.main_content.vocabulary import (
    BOILERPLATE,
    ENDING_HEADING,
    GROUP_NAMES,
    name_groups,
)
from webquarry.content.text.word_list import words

_PROSE_TAGS = frozenset(
    words(
        "p h1 h2 h3 h4 h5 h6 ul ol li dl dt dd table thead tbody tfoot tr td th caption colgroup "
        "col pre code blockquote figure figcaption picture source img a em strong b i u s small "
        "mark sub sup span br wbr hr time abbr cite q kbd samp var del ins div section article "
        "main body math semantics annotation mrow mi mo mn msup msub mfrac ruby rt rp rb"
    )
)
_FRAME_TAGS = frozenset(
    words("nav aside footer header script style link noscript template svg iframe")
)
_PROSE_GROUPS = frozenset(("content", "caption", "title", "lead", "code"))
_OTHER_GROUPS = sum(1 << bit for bit, name in enumerate(GROUP_NAMES) if name not in _PROSE_GROUPS)
_MIN_SIZE = 800  # characters: smaller pages have rules of their own
_MAX_LINKED = 0.25
_MAX_BESIDE = 0.05  # of the article's length, outside of it and of the frame
_SHORT_TEXT = 80  # characters
_find_names = value_finder("descendant-or-self::*/@class | descendant-or-self::*/@id")
_text_length = etree.XPath("string-length(normalize-space())")
_raw_length = etree.XPath("string-length()")
_LINK_PARENTS = frozenset(("p", "li", "div"))
_tag = attrgetter("tag")


def single_article(root: Element) -> Element | None:
    """Return the element that certainly is the main content; None if blocks must be judged."""
    article = _only(root, "article")
    article = _only(root, "main") if article is None else article
    # the cheapest and most frequent reasons come first
    if article is None or not _holds_all_h1(root, article):
        return None
    if not _is_plain(article):
        return None
    size = _size(article)
    if size < _MIN_SIZE or not _is_alone(article, size * _MAX_BESIDE):
        return None
    if _is_link_list(article, size) or _has_foreign_parts(article):
        return None
    return article


def _only(root: Element, tag: str) -> Element | None:
    """Return the element with this tag if the page has exactly one."""
    elements = list(root.iter(tag))
    return elements[0] if len(elements) == 1 else None


def _size(element: Element) -> int:
    return int(cast("float", _text_length(element)))


def _holds_all_h1(root: Element, article: Element) -> bool:
    return sum(1 for _ in root.iter("h1")) == sum(1 for _ in article.iter("h1"))


def _is_alone(article: Element, max_beside: float) -> bool:
    """Tell whether there is hardly any text outside of the article and the frame of the page."""
    beside, inner, outer = 0, article, article.getparent()
    while outer is not None and outer.tag != "html":
        beside += len((outer.text or "").strip())
        for child in outer:
            beside += len((child.tail or "").strip())
            if child is not inner and child.tag not in _FRAME_TAGS:
                beside += _size(child)
        if beside > max_beside:
            return False
        inner, outer = outer, outer.getparent()
    return True


def _is_plain(article: Element) -> bool:
    """Tell whether tags, classes and ids of the article hint at nothing but prose."""
    if not _PROSE_TAGS.issuperset(map(_tag, article.iter())):
        return False
    return not name_groups(" ".join(set(_find_names(article)))) & _OTHER_GROUPS


def _is_link_list(article: Element, size: int) -> bool:
    # one XPath for the texts of all links takes time quadratic in their number
    linked = sum(cast("float", _raw_length(link)) for link in article.iter("a"))
    return linked > _MAX_LINKED * size or sum(map(_is_only_content, article.iter("a"))) > 1


def _is_only_content(link: Element) -> bool:
    """Tell whether a paragraph or item is nothing but this link, like those to other articles."""
    parent = link.getparent()
    if parent is None or parent.tag not in _LINK_PARENTS or len(parent) != 1:
        return False
    return not (parent.text or "").strip() and not (link.tail or "").strip()


def _has_foreign_parts(article: Element) -> bool:
    """Tell whether a heading like "Related" or a short boilerplate text is in the article."""
    headings = article.iter(*HEADINGS)
    if any(ENDING_HEADING.match((heading.text or "")[:60]) for heading in headings):
        return True
    return any(map(_is_boilerplate, article.iter("p", "div")))


def _is_boilerplate(element: Element) -> bool:
    """Tell whether an element without children is a short text with a boilerplate word."""
    text = element.text or ""
    if len(text) >= _SHORT_TEXT or len(element):
        return False
    return not BOILERPLATE.isdisjoint(text.lower().split())
