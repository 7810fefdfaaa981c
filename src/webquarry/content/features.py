"""What the block classifier looks at: one row of numbers for each text block of a page."""

import re
from collections import Counter
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from webquarry.content.dom import HEADINGS
from webquarry.content.lexicon import COLUMNS, Places, lexicon
from webquarry.content.outline import Outline
from webquarry.content.textsigns import SIGNS, WORDY, signs_of_all
from webquarry.content.treemath import Measures, NodeMath
from webquarry.content.vocabulary import ENDING_HEADING
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
_NEAR = (-3, -2, -1, 1, 2, 3)
_NO_HEADING = [[99], [0], [0], [-1]]


@dataclass(frozen=True)
class Hints:
    """What the head of the page says about its body."""

    title: str = ""
    description: str = ""
    url: str = ""
    og_type: str = ""
    kinds: frozenset[str] = field(default_factory=frozenset[str])  # JSON-LD types, lower case
    body: str = ""  # the longest text the JSON-LD gives for the page


@dataclass(frozen=True, slots=True)
class Plain:
    """What is known of each block without the lexicon."""

    rows: Floats  # a part of `whole`
    told: list[frozenset[str]]  # the words at the beginning of each block
    places: Places
    whole: Floats  # with empty columns for the lexicon


def features_of(outline: Outline, hints: Hints) -> Floats:
    """Return one row for each block."""
    plain = plain_features(outline, hints)
    opinions = lexicon().opinions(plain.told, outline.names, plain.places)
    plain.whole[:, -COLUMNS:] = opinions
    return plain.whole


def plain_features(outline: Outline, hints: Hints) -> Plain:
    """Return the columns that need no lexicon, and what those that do are made of."""
    blocks = Measures.of(outline)
    own, told = _own_rows(outline, hints, blocks)
    kind = kinds_of(outline)
    nodes = NodeMath.of(outline, blocks)
    page = np.array(_page_row(outline, hints, nodes, own), np.float32)
    parts = [
        own,
        _position_rows(outline, own, blocks.tag),
        _shape_rows(own, kind),
        nodes.rows,
        _near_rows(own, nodes, blocks.node),
    ]
    # feature by feature, as the trees ask for them: numbers of all blocks stand together
    lines = sum(map(len, parts))
    whole = np.empty((lines + len(page) + COLUMNS, own.shape[1]), np.float32)
    np.concatenate(parts, out=whole[:lines])
    whole[lines:-COLUMNS] = page[:, None]
    parent = np.fromiter(outline.parent, np.int64, len(outline.parent))
    places = Places(blocks.node, kind, own[0], parent)
    return Plain(whole[:-COLUMNS].T, told, places, whole.T)


def _own_rows(
    outline: Outline, hints: Hints, blocks: Measures
) -> tuple[Floats, list[frozenset[str]]]:
    title = frozenset(_WORDS.findall(hints.title.lower()))
    description = frozenset(_WORDS.findall(hints.description.lower()))
    body = _triples(hints.body[:40_000])
    titled, head = len(title) or 1, title | description
    texts, sizes = outline.texts, outline.sizes
    signs = signs_of_all(texts, sizes)
    opening = [said for _, said in signs]
    told: list[tuple[int, float, float, float]] = []
    for place, apart in enumerate(map(head.isdisjoint, opening)):
        if not apart and sizes[place] < WORDY:
            said = opening[place]
            hinted, count = len(title & said), len(said)
            told.append((place, hinted / titled, hinted / count, len(description & said) / count))
    count, size = len(signs), blocks.size
    rows = np.zeros((3 + SIGNS + 4, count), np.float32)
    rows[0] = size
    rows[1] = blocks.linked / size
    rows[2] = np.fromiter([_TAG_NUMBER.get(tag, 0) for tag in blocks.tag], np.float32, count)
    rows[3:-4] = (
        np.frombuffer(b"".join([packed for packed, _ in signs]), np.float32).reshape(count, -1).T
    )
    if told:
        places, *shares = zip(*told, strict=True)
        rows[-4:-1, places] = shares
    rows[-1] = [_share(text, body) for text in texts] if body else -1.0
    return rows, opening


def _triples(text: str) -> set[int]:
    words = _WORDS.findall(text.lower())
    return {hash(triple) for triple in zip(words, words[1:], words[2:], strict=False)}


def _share(text: str, body: set[int]) -> float:
    triples = _triples(text)
    return len(triples & body) / len(triples) if triples else -0.5


def _position_rows(outline: Outline, own: Floats, tags: list[str]) -> Floats:
    """Return where each block stands in the page, and what the heading above it announces."""
    size, linked = own[0], own[1]
    count = len(size)
    place = np.arange(count)
    prose = size * np.maximum(0, 1 - 2 * linked)
    long = np.flatnonzero((size > 150) & (linked < 0.3))
    before, after = (long[0], long[-1]) if long.size else (0, count - 1)
    total = max(1.0, float(size.sum()))
    texts = outline.texts
    repeats = Counter(texts)
    rows = np.empty((13, count), np.float32)
    rows[0] = place / count
    rows[1] = (np.cumsum(size) - size) / total
    rows[2] = place - tags.index("h1") if "h1" in tags else -999
    rows[3] = place - int(np.argmax(prose))
    rows[4] = place - before
    rows[5] = place - after
    rows[6] = np.minimum(count - place, 60)
    rows[7] = (np.cumsum(prose) - prose) / max(1.0, float(prose.sum()))
    rows[8] = np.fromiter(map(repeats.__getitem__, texts), np.float32, count)
    _write_headings(rows[9:], outline, tags)
    return rows


def _write_headings(rows: Floats, outline: Outline, tags: list[str]) -> None:
    """Write distance to, level, ending nature and links of the nearest heading above each block."""
    rows[:] = _NO_HEADING
    heads = [place for place, tag in enumerate(tags) if tag in HEADINGS]
    if not heads:
        return
    told: list[tuple[float, float, float, float]] = []
    for place in heads:
        block = outline.blocks[place]
        ends = 2 if ENDING_HEADING.match(block.text[:60]) else 1
        told.append((place, int(tags[place][1]), ends, block.linked / block.size))
    below = rows[:, heads[0] :]
    below[:] = np.repeat(np.array(told, np.float32).T, np.diff([*heads, len(tags)]), axis=1)
    below[0] = np.minimum(np.arange(heads[0], len(tags)) - below[0], 99)


def kinds_of(outline: Outline) -> NDArray[np.int64]:
    """Return a number for each block, equal in elements of the same kind."""
    shapes = [outline.shape[node] for node in outline.nodes]
    numbers = {shape: number for number, shape in enumerate(dict.fromkeys(shapes))}
    return np.fromiter(map(numbers.__getitem__, shapes), np.int64, len(shapes))


def _shape_rows(own: Floats, kind: NDArray[np.int64]) -> Floats:
    """Return what blocks in elements of the same kind have in common."""
    size = own[0]
    count = np.bincount(kind)
    total = np.bincount(kind, size)
    rows = np.empty((5, len(kind)), np.float32)
    rows[0] = count[kind]
    rows[1] = (total / count)[kind]
    rows[2] = (np.bincount(kind, size * own[1]) / np.maximum(1, total))[kind]
    rows[3] = total[kind] / max(1.0, float(size.sum()))
    rows[4] = (np.bincount(kind, own[3]) / count)[kind]
    return rows


def _near_rows(own: Floats, nodes: NodeMath, place: NDArray[np.int64]) -> Floats:
    """Return the size, links, tag and ending of the blocks around each block."""
    count = len(place)
    padded = np.zeros((5, count + 6), np.float32)
    padded[:4, 3 : count + 3] = own[:4]
    padded[4, 3 : count + 3] = nodes.depth
    parents = nodes.parent
    same = np.zeros((2, count), np.float32)
    same[0, 1:] = same[1, :-1] = (parents[1:] == parents[:-1]) + (place[1:] == place[:-1])
    return np.concatenate([*(padded[:, 3 + step : 3 + step + count] for step in _NEAR), same])


def _page_row(outline: Outline, hints: Hints, nodes: NodeMath, own: Floats) -> list[float]:
    tags = Counter(outline.tag)
    kind = hints.og_type.lower()
    url = hints.url.lower()
    return [
        own.shape[1],
        int(np.count_nonzero(own[0] > 200)),
        tags["article"],
        tags["main"],
        tags["p"],
        tags["li"],
        tags["h2"] + tags["h3"],
        tags["table"],
        tags["pre"],
        1 if "article" in kind else 2 if "product" in kind else 3 if kind else 0,
        float(own[12].sum()),
        float(own[14].sum()),
        float(own[11].sum()),
        *nodes.page,
        *(pattern.search(url) is not None for pattern in _URL_KINDS),
        *(name in hints.kinds for name in _KINDS),
    ]
