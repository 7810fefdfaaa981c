"""Which blocks of a page are its main content."""

import re
from collections import defaultdict
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from webquarry.content.html.head_hints import HeadHints
from webquarry.content.main_content.blocks import PageBlocks
from webquarry.content.main_content.decision_trees import block_forest, glance_forest
from webquarry.content.main_content.features import features_of
from webquarry.content.main_content.gap_filling import fill_gaps, keep_headings, keep_title
from webquarry.content.main_content.layout_features import form_of
from webquarry.content.main_content.repeated_blocks import judged_alike
from webquarry.content.main_content.vocabulary import GROUP_NAMES, ROLES

Floats = NDArray[np.float32]

_LOWEST, _HIGHEST = 0.2, 0.65  # bounds of the probability from which a block is kept
_DOUBTFUL, _SURE = 0.77, 0.91  # expected F1 of a page
_CLEAR = 0.96  # from this expected F1 on, a glance at the form of the page is enough
_TEXT, _OPEN = 100, 0.3  # unless a text of this size is neither clearly in nor clearly out
_UNCLEAR = 0.9  # below this expected F1, blocks of one kind are judged together
_STRICTER = 0.2  # raises the limit on pages we are sure of, whose boundaries are clear
_OUTSIDE = 400  # characters: with so much content besides, comments are left out
_DISCUSSIONS = frozenset(("qapage", "discussionforumposting", "question", "socialmediaposting"))
_WHOLE = frozenset(("pre", "table"))  # kept or dropped as one piece
_REPEATED = 80  # longer texts are shown once
_COMMENT = 1 << GROUP_NAMES.index("comment")
_FORUM_URL = re.compile(r"forum|thread|/t/|/questions?/|viewtopic|showtopic|community|discuss")
_TINY = 800  # characters: on so small a page only what frames it is left out
_FRAMES = frozenset(("nav", "footer", "aside", "button", "menu"))
_FRAME_ROLES = ROLES["navigation"] | ROLES["contentinfo"] | ROLES["complementary"] | ROLES["search"]
_LITTLE, _ENOUGH = 250, 500


class BlockChoice(NamedTuple):
    """Whether each block is kept, and the F1 that this choice is expected to have."""

    keep: list[bool]
    confidence: float


def choose(outline: PageBlocks, hints: HeadHints) -> BlockChoice:
    """Decide for every block of the page."""
    if is_tiny(outline):
        return BlockChoice([not _is_frame(outline, block.node) for block in outline.blocks], 0.5)
    form = form_of(outline, hints)
    chance = glance_forest().predict(form.lines.T)
    if not is_clear(chance, form.places.size):
        chance = block_forest().predict(features_of(outline, hints, form))
    return choice_from(outline, chance, hints)


def is_clear(chance: Floats, size: Floats) -> bool:
    """Tell whether these chances leave so little doubt that nobody has to read the words."""
    open_to_doubt = (size >= _TEXT) & (chance > _OPEN) & (chance < 1 - _OPEN)
    return best_limit(chance, size)[1] >= _CLEAR and not open_to_doubt.any()


def is_tiny(outline: PageBlocks) -> bool:
    """Tell whether the page is too small for the classifier, which learned from real ones."""
    return sum(outline.sizes) < _TINY


def is_discussion(hints: HeadHints) -> bool:
    """Tell whether the page declares that what its visitors write is its content."""
    return bool(_FORUM_URL.search(hints.url.lower())) or not _DISCUSSIONS.isdisjoint(hints.kinds)


def choice_from(outline: PageBlocks, chance: Floats, hints: HeadHints) -> BlockChoice:
    """Keep the blocks that together are expected to give the best F1."""
    size = np.fromiter(outline.sizes, np.float32, len(outline.sizes))
    limit, expected = best_limit(chance, size)
    if expected < _UNCLEAR:
        chance = judged_alike(outline, chance, size)
        limit, expected = best_limit(chance, size)
    sure = min(1.0, max(0.0, (expected - _DOUBTFUL) / (_SURE - _DOUBTFUL)))
    keep = chance >= min(_HIGHEST, max(_LOWEST, limit * (1 + _STRICTER * sure)))
    if size[keep].sum() < _LITTLE and size.sum() > _ENOUGH:
        keep |= chance >= 0.5 * float(chance.max())
    if not is_discussion(hints):
        keep = _without_comments(outline, size, keep)
    decided = keep_headings(outline, fill_gaps(outline, _as_pieces(outline, keep.tolist())))
    return BlockChoice(_once(outline, keep_title(outline, decided, hints.title)), expected)


def best_limit(chance: Floats, size: Floats) -> tuple[float, float]:
    """Return the probability to cut at for the highest expected F1, and that F1."""
    order = np.argsort(-chance, kind="stable")
    right = np.cumsum((chance * size)[order])
    taken = np.cumsum(size[order])
    scores = 2 * right / np.maximum(1e-9, taken + right[-1])
    best = int(np.argmax(scores))
    return float(chance[order[best]]), float(scores[best])


def _without_comments(
    outline: PageBlocks, size: Floats, keep: NDArray[np.bool_]
) -> NDArray[np.bool_]:
    """Leave out comments under an article; where they are all there is, they stay."""
    inside = [groups & _COMMENT > 0 for groups in outline.groups]  # per element
    if True not in inside:
        return keep
    parent = outline.parent
    for node in range(inside.index(True) + 1, len(inside)):
        if inside[parent[node]]:
            inside[node] = True
    among = [inside[node] for node in outline.nodes]
    comments = np.fromiter(among, np.bool_, len(among))
    outside = keep & ~comments
    return outside if size[outside].sum() >= _OUTSIDE else keep


def _as_pieces(outline: PageBlocks, decided: list[bool]) -> list[bool]:
    """Decide for code blocks and inner tables as a whole, so that none gets holes."""
    if not outline.whole:
        return decided
    pieces: dict[int, list[int]] = defaultdict(list)
    inside, sizes = _pieces_of(outline), outline.sizes
    for place, node in enumerate(outline.nodes):
        piece = inside[node]
        if piece >= 0:
            pieces[piece].append(place)
    for places in pieces.values():
        kept = sum([sizes[place] + 5 for place in places if decided[place]])
        whole = 2 * kept >= sum([sizes[place] + 5 for place in places])
        for place in places:
            decided[place] = whole
    return decided


def _is_frame(outline: PageBlocks, node: int) -> bool:
    """Tell whether the node is part of the navigation or the foot of the page."""
    while node >= 0:
        if outline.tag[node] in _FRAMES or outline.roles[node] & _FRAME_ROLES:
            return True
        node = outline.parent[node]
    return False


def _pieces_of(outline: PageBlocks) -> list[int]:
    """Return the innermost table or code block around each node, -1 for none or a layout table."""
    tags, parent, whole = outline.tag, outline.parent, outline.whole
    inside = [-1] * len(tags)
    for node in range(min(whole), len(tags)):
        if tags[node] not in _WHOLE:
            inside[node] = inside[parent[node]]
        elif node in whole:
            inside[node] = node
    return inside


def _once(outline: PageBlocks, keep: list[bool]) -> list[bool]:
    """Keep a long text only the first time it appears."""
    seen: set[str] = set()
    for place, size in enumerate(outline.sizes):
        if size < _REPEATED or not keep[place]:
            continue
        text = outline.texts[place]
        keep[place] = text not in seen
        seen.add(text)
    return keep
