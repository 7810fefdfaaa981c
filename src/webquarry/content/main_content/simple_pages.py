"""Pages that take no judgement: one story of plain prose, and around it nothing but its frame."""

from typing import cast

from lxml import etree

from webquarry.content.html.dom import Element, value_finder
from webquarry.content.main_content.vocabulary import (
    BOILERPLATE,
    ENDING_HEADING,
    GROUP_NAMES,
    groups_of,
)
from webquarry.content.text.word_list import words

_PLAIN = frozenset(
    words(
        "p h1 h2 h3 h4 h5 h6 ul ol li dl dt dd table thead tbody tfoot tr td th caption colgroup "
        "col pre code blockquote figure figcaption picture source img a em strong b i u s small "
        "mark sub sup span br wbr hr time abbr cite q kbd samp var del ins div section article "
        "main body math semantics annotation mrow mi mo mn msup msub mfrac"
    )
)
_FRAME = frozenset(words("nav aside footer header script style link noscript template svg iframe"))
_HARMLESS = frozenset(("content", "caption", "title", "lead", "code"))
_SUSPECT = sum(1 << place for place, name in enumerate(GROUP_NAMES) if name not in _HARMLESS)
_LEAST = 800  # characters: shorter pages are judged by rules of their own
_MOST_LINKED = 0.25
_MOST_BESIDE = 0.05  # of the story's length, outside of it and of the frame
_NAMES = value_finder("descendant-or-self::*/@class | descendant-or-self::*/@id")
_LINKED = value_finder("descendant::a//text()")
_SHORT = 80  # characters
_BLOCKS = ("p", "div")
_length = etree.XPath("string-length(normalize-space())")
_LEADING = frozenset(("p", "li", "div"))
_TOP = ("h1", "h2", "h3", "h4", "h5", "h6")

Parts = dict[str, list[Element]]


def easy_story(root: Element) -> Element | None:
    """Return the element that surely is the main content, whole; None where it takes judgement."""
    story = _only(root, "article")
    story = _only(root, "main") if story is None else story
    # what is cheap to see and most often in the way comes first
    if story is None or not _holds_titles(root, story):
        return None
    parts = _by_tag(story)
    if not _is_plain(story, parts):
        return None
    size = _size(story)
    if size < _LEAST or not _is_alone(story, size * _MOST_BESIDE):
        return None
    return story if _is_prose(story, size, parts) else None


def _only(root: Element, tag: str) -> Element | None:
    """Return the element of this name if the page has exactly one."""
    found = list(root.iter(tag))
    return found[0] if len(found) == 1 else None


def _size(element: Element) -> int:
    return int(cast("float", _length(element)))


def _holds_titles(root: Element, story: Element) -> bool:
    """Tell whether every main heading of the page is in the story."""
    return sum(1 for _ in root.iter("h1")) == sum(1 for _ in story.iter("h1"))


def _is_alone(story: Element, most: float) -> bool:
    """Tell whether next to nothing stands beside the story but the frame of the page."""
    beside, inner, around = 0, story, story.getparent()
    while around is not None and around.tag != "html":
        beside += len((around.text or "").strip())
        for part in around:
            beside += len((part.tail or "").strip())
            if part is not inner and part.tag not in _FRAME:
                beside += _size(part)
        if beside > most:
            return False
        inner, around = around, around.getparent()
    return True


def _by_tag(story: Element) -> Parts:
    """Return the elements of the story by their name."""
    parts: Parts = {}
    for part in story.iter():
        parts.setdefault(part.tag, []).append(part)
    return parts


def _is_plain(story: Element, parts: Parts) -> bool:
    """Tell whether no element and no name in the story hints at anything but prose."""
    if not _PLAIN.issuperset(parts):
        return False
    return not groups_of(" ".join(set(_NAMES(story)))) & _SUSPECT


def _is_prose(story: Element, size: int, parts: Parts) -> bool:
    """Tell whether the story is neither a list of links nor ends in something else."""
    links = parts.get("a", [])
    if links and (sum(map(len, _LINKED(story))) > _MOST_LINKED * size or _leads_away(links)):
        return False
    headings = [part for tag in _TOP if tag in parts for part in parts[tag]]
    if any(ENDING_HEADING.match((heading.text or "")[:60]) for heading in headings):
        return False
    # comments are gone by now: the text of an element without parts is all that it holds
    single = (part.text or "" for tag in _BLOCKS for part in parts.get(tag, ()) if not len(part))
    short = {word for text in single if len(text) < _SHORT for word in text.lower().split()}
    return BOILERPLATE.isdisjoint(short)


def _leads_away(links: list[Element]) -> bool:
    """Tell whether paragraphs or items are nothing but a link, as those to other stories are."""
    alone = 0
    for link in links:
        around = link.getparent()
        if around is not None and around.tag in _LEADING and len(around) == 1:
            alone += not (around.text or "").strip() and not (link.tail or "").strip()
    return alone > 1
