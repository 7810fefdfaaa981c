"""What the block classifier looks at: one row of numbers for each text block of a page."""

import re
from collections import Counter
from dataclasses import dataclass, field
from string import ascii_uppercase, digits

import numpy as np
from numpy.typing import NDArray

from webquarry.content.outline import Outline
from webquarry.content.treemath import NodeMath
from webquarry.content.vocabulary import (
    BOILERPLATE,
    BOILERPLATE_SIGNS,
    BYLINE,
    DATE,
    ENDING_HEADING,
    MONEY,
)
from webquarry.content.wordlist import words

Floats = NDArray[np.float32]

_TAGS = words(
    "p h1 h2 h3 h4 h5 h6 li td th dt dd pre blockquote figcaption button label summary "
    "div section article header footer caption address body noscript a"
)
_TAG_NUMBER = {tag: number for number, tag in enumerate(_TAGS, 1)}
_KINDS = words(
    "article newsarticle blogposting product itemlist collectionpage qapage "
    "discussionforumposting faqpage techarticle offer review organization service "
    "localbusiness recipe howto event"
)
_URL_KINDS = tuple(
    re.compile(pattern)
    for pattern in (
        r"/(products?|item|dp|p|shop)[/-]",
        r"/(collections?|categor(y|ies)|c|cat|browse|shop)(/|$)",
        r"forum|thread|/t/|/questions?/|viewtopic|showthread|community|discuss|comments",
        r"docs?[./]|documentation|/api|manual|reference|wiki|guide|tutorial|readthedocs|developer",
        r"/(services?|solutions?|pricing|features?|about)",
        r"/(blog|news|article|post|20\d\d)",
        r"list|tag|topics|search|archive|trending|directory",
        r"^https?://[^/]+/?$",
    )
)
_WORDS = re.compile(r"\w+")
_UPPER = re.compile("[A-Z\u00c0-\u00de\u0410-\u042f]")
_DIGIT = re.compile("[0-9]")
_KIND_TABLE = bytes.maketrans(
    (ascii_uppercase + digits).encode(), b"A" * len(ascii_uppercase) + b"0" * len(digits)
)
_ENDS = frozenset('.!?。\uff01\uff1f…"”»')
_NEAR = (-3, -2, -1, 1, 2, 3)
_WORD_TABLE = bytes(
    ord(chr(code).lower()) if code < 128 and (chr(code).isalnum() or chr(code) == "_") else 32
    for code in range(256)
)
_BYLINES = frozenset(words("by von par por di door written posted author"))
_SHORT, _MOST_KNOWN = 60, 20_000
_NO_WORDS: frozenset[str] = frozenset()
_known: dict[str, tuple[tuple[float, ...], frozenset[str]]] = {}


@dataclass(frozen=True)
class Hints:
    """What the head of the page says about its body."""

    title: str = ""
    description: str = ""
    url: str = ""
    og_type: str = ""
    kinds: frozenset[str] = field(default_factory=frozenset[str])  # JSON-LD types, lower case
    body: str = ""  # the longest text the JSON-LD gives for the page


def features_of(outline: Outline, hints: Hints) -> Floats:
    """Return one row for each block."""
    own = _own_rows(outline, hints)
    nodes = NodeMath.of(outline)
    place = np.array([block.node for block in outline.blocks], np.int64)
    parts = [
        own,
        _position_rows(outline, own),
        _shape_rows(outline, own, place),
        nodes.rows[place],
        _near_rows(own, nodes, place),
        np.tile(_page_row(outline, hints, nodes, own), (len(place), 1)),
    ]
    return np.concatenate(parts, axis=1, dtype=np.float32)


def _own_rows(outline: Outline, hints: Hints) -> Floats:
    title = frozenset(_WORDS.findall(hints.title.lower()))
    description = frozenset(_WORDS.findall(hints.description.lower()))
    body = _triples(hints.body[:40_000])
    titled, tags, known = len(title) or 1, outline.tag, _known
    rows: list[float] = []
    for block in outline.blocks:
        text, size = block.text, block.size
        found = known.get(text)
        if found is None:
            found = _words_of(text, size)
            if len(text) <= _SHORT and len(known) < _MOST_KNOWN:  # labels repeat from page to page
                known[text] = found
        signs, said = found
        count = len(said) or 1
        hinted = len(title & said) if said else 0
        rows += (
            size,
            block.linked / size,
            _TAG_NUMBER.get(tags[block.node], 0),
            *signs,
            hinted / titled,
            hinted / count,
            len(description & said) / count if said else 0.0,
            _share(text, body) if body else -1.0,
        )
    return np.array(rows, np.float32).reshape(len(outline.blocks), -1)


def _words_of(text: str, size: int) -> tuple[tuple[float, ...], frozenset[str]]:
    """Return what a block's text alone tells, and the words of a short one."""
    start = text[:160]
    low = start.lower()
    short, first, last = size < 600, text[0], text[-1]
    if text.isascii():
        raw = start.encode()  # tables of bytes are several times as fast as the patterns
        kinds = raw.translate(_KIND_TABLE)
        capitals, figures, money = kinds.count(b"A"), kinds.count(b"0"), b"$" in kinds
        commas, stops, asks, signs = text.count(","), text.count("."), text.count("?"), 0
        told = raw.translate(_WORD_TABLE).decode().split() if short else []
        byline = bool(told) and told[0] in _BYLINES and BYLINE.match(low) is not None
    else:
        capitals, figures, money = _signs_in(start)
        commas = text.count(",") + text.count("\uff0c") + text.count("、")
        stops = text.count(".") + text.count("。")
        asks = text.count("?") + text.count("\uff1f")
        signs = len(BOILERPLATE_SIGNS.findall(low))
        told = _WORDS.findall(low) if size < 250 else []
        byline = short and BYLINE.match(low) is not None
    said = frozenset(told) if size < 250 else _NO_WORDS
    return (
        last in _ENDS,
        size / (text.count(" ") + 1 + (size - len(text)) // 3),
        capitals / len(start),
        figures / len(start),
        commas,
        stops,
        asks,
        last in ":\uff1a",
        len(BOILERPLATE & said) + signs,
        short and figures > 0 and DATE.search(low) is not None,
        byline,
        short and money,
        "|" in text,
        first.isupper(),
        first.isalpha(),
    ), said


def _signs_in(start: str) -> tuple[int, int, bool]:
    """Return how many capitals and digits the text has, and whether it has a sign of money."""
    capitals, figures = len(_UPPER.findall(start)), len(_DIGIT.findall(start))
    return capitals, figures, MONEY.search(start) is not None


def _triples(text: str) -> set[int]:
    words = _WORDS.findall(text.lower())
    return {hash(triple) for triple in zip(words, words[1:], words[2:], strict=False)}


def _share(text: str, body: set[int]) -> float:
    triples = _triples(text)
    return len(triples & body) / len(triples) if triples else -0.5


def _position_rows(outline: Outline, own: Floats) -> Floats:
    """Return where each block stands in the page, and what the heading above it announces."""
    size, linked = own[:, 0], own[:, 1]
    count = len(size)
    place = np.arange(count)
    prose = size * np.maximum(0, 1 - 2 * linked)
    biggest = int(np.argmax(prose))
    tags = [outline.tag[block.node] for block in outline.blocks]
    first = next((i for i, tag in enumerate(tags) if tag == "h1"), -1)
    long = np.flatnonzero((size > 150) & (linked < 0.3))
    before, after = (long[0], long[-1]) if long.size else (0, count - 1)
    total = max(1.0, float(size.sum()))
    repeats = Counter(block.text for block in outline.blocks)
    columns = [
        place / count,
        (np.cumsum(size) - size) / total,
        place - first if first >= 0 else np.full(count, -999),
        place - biggest,
        place - before,
        place - after,
        np.minimum(count - place, 60),
        (np.cumsum(prose) - prose) / max(1.0, float(prose.sum())),
        [repeats[block.text] for block in outline.blocks],
        *_heading_columns(outline, tags),
    ]
    return np.array(columns, np.float32).T


def _heading_columns(outline: Outline, tags: list[str]) -> list[list[float]]:
    """Return distance to, level and ending nature of the nearest heading above each block."""
    rows: list[tuple[float, float, float, float]] = []
    since, depth, ends, link = 99, 0, 0, -1.0
    for block, tag in zip(outline.blocks, tags, strict=True):
        since = min(since + 1, 99)
        if tag[0] == "h" and tag[1:].isdigit():
            since, depth = 0, int(tag[1:])
            ends = 2 if ENDING_HEADING.match(block.text[:60]) else 1
            link = block.linked / block.size
        rows.append((since, depth, ends, link))
    return [list(column) for column in zip(*rows, strict=True)]


def _shape_rows(outline: Outline, own: Floats, place: NDArray[np.int64]) -> Floats:
    """Return what blocks in elements of the same kind have in common."""
    shapes = np.array([outline.shape[node] for node in place], np.int64)
    _, kind = np.unique(shapes, return_inverse=True)
    size, linked = own[:, 0], own[:, 0] * own[:, 1]
    count = np.bincount(kind)
    total = np.bincount(kind, size)
    links = np.bincount(kind, linked)
    ended = np.bincount(kind, own[:, 3])
    columns = [
        count[kind],
        (total / count)[kind],
        (links / np.maximum(1, total))[kind],
        total[kind] / max(1.0, float(size.sum())),
        (ended / count)[kind],
    ]
    return np.array(columns, np.float32).T


def _near_rows(own: Floats, nodes: NodeMath, place: NDArray[np.int64]) -> Floats:
    """Return the size, links, tag and ending of the blocks around each block."""
    count = len(place)
    seen = np.concatenate([own[:, :4], nodes.depth[place][:, None]], axis=1)
    padded = np.zeros((count + 6, seen.shape[1]), np.float32)
    padded[3 : count + 3] = seen
    columns = [padded[3 + step : 3 + step + count] for step in _NEAR]
    parents = nodes.parent[place]
    same = np.zeros((count, 2), np.float32)
    same[1:, 0] = (parents[1:] == parents[:-1]) + (place[1:] == place[:-1])
    same[:-1, 1] = (parents[1:] == parents[:-1]) + (place[1:] == place[:-1])
    return np.concatenate([*columns, same], axis=1)


def _page_row(outline: Outline, hints: Hints, nodes: NodeMath, own: Floats) -> list[float]:
    tags = Counter(outline.tag)
    kind = hints.og_type.lower()
    url = hints.url.lower()
    sizes = [block.size for block in outline.blocks]
    return [
        len(sizes),
        sum(size > 200 for size in sizes),
        tags["article"],
        tags["main"],
        tags["p"],
        tags["li"],
        tags["h2"] + tags["h3"],
        tags["table"],
        tags["pre"],
        1 if "article" in kind else 2 if "product" in kind else 3 if kind else 0,
        float(own[:, 12].sum()),
        float(own[:, 14].sum()),
        float(own[:, 11].sum()),
        *nodes.page,
        *(pattern.search(url) is not None for pattern in _URL_KINDS),
        *(name in hints.kinds for name in _KINDS),
    ]
