"""Takes a reference in free text apart: authors, title, venue, numbers, publisher, identifiers.

It reads what APA, MLA, Chicago, Harvard, Vancouver, IEEE and Nature write, and what is like them.
"""

import re
from html import unescape
from typing import NamedTuple

from webquarry.content.citations.author_names import PARTICLES
from webquarry.content.citations.bib_entry import WorkKind
from webquarry.content.citations.reference_authors import (
    AuthorList,
    authors_in,
    initialled_authors,
    leading_authors,
)
from webquarry.content.citations.reference_ids import ReferenceIds, take_ids
from webquarry.content.citations.reference_venue import ReferenceVenue, read_venue
from webquarry.content.markdown.parse import without_inline_markup
from webquarry.content.text.word_list import word_set

_LABEL = re.compile(
    r"\s*(?:\\?\[\^?[\w+.-]{1,40}\\?\]:?|\(?\d{1,4}[.)\]]|\d{1,4}(?=\s+[^\W\d_]))\s+"
)
_YEAR = r"(?:1[5-9]|20)\d\d"
# (2016) · (2016, March 3) · (2016a) · (n.d.) · (in press)
_PAREN_YEAR = re.compile(
    rf"\((?:c\.\s?)?({_YEAR}|n\.\s?d\.|in press|forthcoming)[a-z]?(?:[,/][^()]{{0,40}})?\)"
    r"[.,:]?\s?"
)
_PLAIN_YEAR = re.compile(rf"(?<=[.\w)])[.,]?\s({_YEAR}|n\.d)[a-z]?\.\s+(?=\S)")
_QUOTES = {
    "\u201c": "\u201d",
    "\u2018": "\u2019",
    "'": "'",
    '"': '"',
    "\u00ab": "\u00bb",
    "\u201e": "\u201c",
}
# before a title there is punctuation; a quotation mark after a word is one within the title
_OPENING = re.compile("(?:^|(?<=[.,:;)?!]\\s)|(?<=[)(]))[\u201c\u2018\"\u00ab\u201e'](?=\\S)")
_STOP = re.compile(r"[.?!](?:[\u201d\u2019\"])?(?=\s|$)")
_ABBREVIATIONS = word_set("vs v st dr mr mrs no vol eg ie e.g i.e cf al approx ca u.s u.k ph d")
_EDITION = re.compile(
    r"(?:\s\(|,\s)(?:\d{1,2}(?:st|nd|rd|th)\s|rev\.?\s|revised\s)?ed(?:n|ition)?s?\b[^()]{0,40}(?:\)|$)",
    re.I,
)
_SITE_FIRST = re.compile(rf"({_YEAR})[.;]\s+(?=\S)")
_PUBLISHED = re.compile(rf"\s\((?:[^()]{{2,120}}[,:]\s)?{_YEAR}\)")
_VENUE_START = re.compile(
    r"\s(?:[Ii]n:?\s[^\W\d_a-z]|Proceedings\b|Journal\b|Advances\sin\b|Proc\.|J\.\s)"
)
_SUBTITLE = re.compile(r"\s(?![Ii]n:?\s)[^\d.?!]{8,200}(?:\.(?=\s[^\W\d_]|\s\()|(?=\s\(\d))")
_SUBTITLE_START = re.compile(
    r"\s(?:[-\u2013\u2014]|(?:An?|The|Evidence|Results|Insights|Lessons)\s)"
)
_LOWER_WORD = re.compile(r"\b[a-z]{2,}")
_NAME_WORDS = PARTICLES | {"and", "et", "al", "eds", "ed"}
_NICKNAME = re.compile(r"(?<=[^\W\d_a-z][.\s])\s?\([^\W\d_a-z][^\W\d_]+\)")
_SENTENCE = re.compile(r"(?<=[^\W\d_]{4})[.?!]\s")
_MAX_TEXT = 4000
_MIN_TITLE_WORDS = 3


class ReferenceFields(NamedTuple):
    """The parts of a reference; unknown ones are empty."""

    authors: tuple[str, ...] = ()  # as `Family, Given`
    cut: bool = False  # the list of authors ends with et al.
    title: str = ""
    container: str = ""  # journal, proceedings, book or site
    year: str = ""
    volume: str = ""
    issue: str = ""
    pages: str = ""
    publisher: str = ""
    doi: str = ""
    url: str = ""
    arxiv: str = ""
    pmid: str = ""
    isbn: str = ""
    kind: WorkKind = ""


class _Head(NamedTuple):
    """Authors, year and title, and the text after them."""

    authors: AuthorList
    year: str
    title: str
    tail: str
    quoted: bool = False
    site: str = ""  # named before the title


def reference_fields(text: str) -> ReferenceFields:
    """Return the parts of a reference."""
    ids = take_ids(_plain(text))
    head = _read_head(ids)
    venue = read_venue(
        head.tail, ids, year=head.year, authors=head.authors.names, quoted=head.quoted
    )
    return ReferenceFields(
        authors=head.authors.names,
        cut=head.authors.cut,
        title=head.title,
        container=head.site or venue.container,
        year=venue.year,
        volume=venue.volume,
        issue=venue.issue,
        pages=venue.pages,
        publisher=venue.publisher,
        doi=ids.doi,
        url=ids.url,
        arxiv=ids.arxiv,
        pmid=ids.pmid,
        isbn=ids.isbn,
        kind=_kind(ids, venue, quoted=head.quoted),
    )


def _plain(text: str) -> str:
    """Return the reference on one line, without markup and label."""
    line = " ".join(unescape(without_inline_markup(text[:_MAX_TEXT])).split())
    label = _LABEL.match(line)
    return line[label.end() :] if label else line


def _read_head(ids: ReferenceIds) -> _Head:
    text = _NICKNAME.sub("", ids.rest)
    authors = initialled_authors(text)
    quote = _title_quote(text, authors)
    quote_at = quote.start() if quote else len(text)
    if not authors.names and not quote_at:
        authors = AuthorList()
    elif not authors.names and quote is None:
        authors = leading_authors(text)
    for pattern in (_PAREN_YEAR, _PLAIN_YEAR):
        year = pattern.search(text)
        before_quote = year is not None and quote is not None and year.end() == quote_at
        if year and year.start() < quote_at and (before_quote or _comes_first(text, year, authors)):
            known = authors_in(text[: year.start()])
            return _with_title(known, year[1], text[year.end() :], ids)
    if quote and quote_at:
        area = text[:quote_at].rstrip()
        found = authors_in(area, direct=area.endswith(","))
        return _with_title(found, "", text[quote_at:], ids)
    return _with_title(authors, "", text[authors.end :].lstrip(), ids)


def _title_quote(text: str, authors: AuthorList) -> re.Match[str] | None:
    """Return the quotation mark before the title, not one within the title."""
    quote = _OPENING.search(text)
    if quote is None or not authors.names:
        return quote
    between = text[authors.end : quote.start()]
    words = [word for word in _LOWER_WORD.findall(between) if word not in _NAME_WORDS]
    return None if len(words) > 1 or text[quote.start() - 2 : quote.start()] == ": " else quote


def _comes_first(text: str, year: re.Match[str], authors: AuthorList) -> bool:
    """Tell whether a year stands between authors and title, not after the title."""
    before, after = text[: year.start()].strip(" .,"), text[year.end() :]
    if len(re.findall(r"[^\W\d_]{3,}", after)) < 1 or re.match(r"[:;,]", after):
        return False
    if authors.names and len(before) > authors.end + 3:
        return False  # something else than names precedes it
    return bool(authors.names) or not _SENTENCE.search(before)


def _with_title(authors: AuthorList, year: str, text: str, ids: ReferenceIds) -> _Head:
    """Return the head, with the title at the start of the text."""
    text = text.lstrip(" .,:")
    quoted = _quoted(text)
    if quoted is not None:
        end = quoted + 1
        title = text[1:quoted].strip().rstrip(",")
        return _Head(authors, year, _bare(title), text[end:].lstrip(" .,"), quoted=True)
    end = _title_end(text)
    title, tail = text[:end], text[end:].lstrip(" .,")
    site = _SITE_FIRST.match(tail) if ids.has_link and not year else None
    if site:
        return _with_title(authors, site[1], tail[site.end() :], ids)._replace(site=_bare(title))
    if year and not re.search(r"\w", tail) and ids.has_link:
        title = _before_site(title)
        tail = text[len(title) :].lstrip(" .,")
    return _Head(authors, year, _bare(_EDITION.sub("", title)), tail)


def _before_site(title: str) -> str:
    """Return the title of a page without the name of its site: `Title, The Guardian`."""
    before, comma, site = title.rpartition(", ")
    words = site.split()
    capitals = sum(word[0].isupper() for word in words)
    return before if comma and words and 2 * capitals > len(words) <= 8 else title


def _bare(title: str) -> str:
    title = title.strip().rstrip(",;:(").rstrip()
    return title[:-1].rstrip() if title.endswith(".") and not title.endswith("..") else title


def _quoted(text: str) -> int | None:
    """Return where the quotation at the start of a text ends; None where there is none."""
    closing = _QUOTES.get(text[:1])
    if closing is None:
        return None
    ends: list[int] = []
    at = 0
    while (at := text.find(closing, at + 1)) > 0:
        depth = text.count(text[0], 1, at) - text.count(closing, 1, at) if text[0] != closing else 0
        if not text[at + 1 : at + 2].isalnum() and depth <= 0:
            ends.append(at)
    # an apostrophe looks like the end of a quotation: girls\u2019 achievement\u2019,
    before_stop = (end for end in ends if end + 1 == len(text) or text[end + 1] in ",.)(")
    inside_stop = (end for end in ends if text[end - 1] in ",.?!")
    return next(before_stop, None) or next(inside_stop, None) or next(iter(ends), None)


def _title_end(text: str) -> int:
    """Return where the title ends: at a full stop, or before `(Springer, 2004)`."""
    if published := _PUBLISHED.search(text):
        text = text[: published.start() + 2]
    skipped = 0
    for stop in _STOP.finditer(text):
        word = re.split(r"[\s(\[]", text[: stop.start()])[-1].lower().strip(".")
        is_initial = len(word) == 1 and word.isalpha() and stop[0][0] == "."
        may_go_on = word in _ABBREVIATIONS or (is_initial and _goes_on(text[stop.end() :]))
        if not may_go_on or _VENUE_START.match(text, stop.end()):
            end = _subtitle_end(text, stop.end()) if stop[0][0] in "?!" else stop.end()
            return end if re.search(r"\w", text[end:]) else skipped or end
        if re.match(r"\s[^\W\d_a-z]", text[stop.end() :]):
            skipped = stop.end()  # an abbreviation may be the last word of the title
    return skipped or len(text)


def _subtitle_end(text: str, end: int) -> int:
    """Return where the title ends that goes on after a question: `Is it true? A study of …`."""
    subtitle = _SUBTITLE.match(text, end)
    if subtitle is None:
        return end
    is_long = len(_LOWER_WORD.findall(subtitle[0])) > 1 or _SUBTITLE_START.match(subtitle[0])
    return subtitle.end() if is_long else end


def _goes_on(rest: str) -> bool:
    """Tell whether a sentence goes on after an initial: a lower-case word or a name follows."""
    following = rest.lstrip()[:1]
    return following.islower()


def _kind(ids: ReferenceIds, venue: ReferenceVenue, *, quoted: bool) -> WorkKind:
    if ids.kind:
        return ids.kind
    if venue.volume or (venue.issue and venue.container):
        return "article"
    if venue.container:
        is_meeting = re.search(
            r"proceedings|conference|symposium|workshop|advances in", venue.container, re.I
        )
        if is_meeting:
            return "proceedings"
        return (
            "webpage" if ids.url and not venue.pages else ("book" if venue.publisher else "article")
        )
    return "book" if venue.publisher and not quoted else ("webpage" if ids.url else "")
