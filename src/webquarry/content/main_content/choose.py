"""Chooses the blocks of a page that are its main content."""

import re
from collections import defaultdict

import numpy as np
from numpy.typing import NDArray

from webquarry.content.html.head_hints import HeadHints
from webquarry.content.main_content.blocks import PageBlocks
from webquarry.content.main_content.decision_trees import FULL_MODEL, LAYOUT_MODEL, stored_trees
from webquarry.content.main_content.features import block_features
from webquarry.content.main_content.gap_filling import fill_gaps, keep_headings, keep_title
from webquarry.content.main_content.layout_features import layout_features
from webquarry.content.main_content.repeated_blocks import smooth_by_path
from webquarry.content.main_content.vocabulary import GROUP_NAMES, ROLES

Floats = NDArray[np.float32]

_MIN_THRESHOLD, _MAX_THRESHOLD = 0.2, 0.65  # bounds of the probability that keeps a block
_DOUBTFUL_F1, _SURE_F1 = 0.77, 0.91  # expected F1 of a page
_CLEAR_F1 = 0.96  # from this expected F1 on, the layout features are enough
_UNCERTAIN_SIZE, _UNCERTAIN = 100, 0.3  # unless a block this long has a probability of .3 to .7
_SMOOTHED_F1 = 0.9  # below this expected F1, blocks of one path are judged together
_SURE_FACTOR = 0.2  # raises the threshold on pages we are sure of, whose boundaries are clear
_MIN_BESIDE_COMMENTS = 400  # characters: with this much other content, comments are left out
_DISCUSSION_TYPES = frozenset(
    ("qapage", "discussionforumposting", "question", "socialmediaposting")
)
_DISCUSSION_URL = re.compile(r"forum|thread|/t/|/questions?/|viewtopic|showtopic|community|discuss")
_INDIVISIBLE = frozenset(("pre", "table"))
_MIN_REPEATED = 80  # characters: longer texts are shown once
_COMMENT = 1 << GROUP_NAMES.index("comment")
_TINY_PAGE = 800  # characters: of a smaller page only navigation, footer and the like are dropped
_FRAME_TAGS = frozenset(("nav", "footer", "aside", "button", "menu"))
_FRAME_ROLES = ROLES["navigation"] | ROLES["contentinfo"] | ROLES["complementary"] | ROLES["search"]
_MIN_CONTENT, _MIN_PAGE = 250, 500  # characters: less content on a larger page is too little
_PER_BLOCK = 5  # characters added to each part of a table, so that short cells count too


def choose_blocks(page: PageBlocks, hints: HeadHints) -> list[bool]:
    """Return for every block of the page whether it is main content."""
    if is_tiny(page):
        return [not _is_in_frame(page, node) for node in page.nodes]
    layout = layout_features(page, hints)
    probability = stored_trees(LAYOUT_MODEL).predict(layout.matrix.T)
    if not is_clear(probability, layout.positions.size):
        probability = stored_trees(FULL_MODEL).predict(block_features(page, hints, layout))
    return choose_by_probability(page, probability, hints)


def is_clear(probability: Floats, size: Floats) -> bool:
    """Tell whether these probabilities leave so little doubt that the words need not be read."""
    between = (probability > _UNCERTAIN) & (probability < 1 - _UNCERTAIN)
    uncertain = (size >= _UNCERTAIN_SIZE) & between
    return best_threshold(probability, size)[1] >= _CLEAR_F1 and not uncertain.any()


def is_tiny(page: PageBlocks) -> bool:
    """Tell whether the page is too small for the classifier, which was trained on real pages."""
    return sum(page.sizes) < _TINY_PAGE


def choose_by_probability(page: PageBlocks, probability: Floats, hints: HeadHints) -> list[bool]:
    """Keep the blocks that together have the best expected F1."""
    size = np.fromiter(page.sizes, np.float32, len(page.sizes))
    threshold, expected_f1 = best_threshold(probability, size)
    if expected_f1 < _SMOOTHED_F1:
        probability = smooth_by_path(page, probability, size)
        threshold, expected_f1 = best_threshold(probability, size)
    sure = min(1.0, max(0.0, (expected_f1 - _DOUBTFUL_F1) / (_SURE_F1 - _DOUBTFUL_F1)))
    threshold *= 1 + _SURE_FACTOR * sure
    mask = probability >= min(_MAX_THRESHOLD, max(_MIN_THRESHOLD, threshold))
    if size[mask].sum() < _MIN_CONTENT and size.sum() > _MIN_PAGE:
        mask |= probability >= 0.5 * float(probability.max())
    if not _is_discussion(hints):
        mask = _without_comments(page, size, mask)
    keep: list[bool] = mask.tolist()
    _decide_indivisible(page, keep)
    fill_gaps(page, keep)
    keep_headings(page, keep)
    keep_title(page, keep, hints.title)
    _drop_repeated(page, keep)
    return keep


def best_threshold(probability: Floats, size: Floats) -> tuple[float, float]:
    """Return the threshold with the highest expected F1, and that F1."""
    order = np.argsort(-probability, kind="stable")
    correct = np.cumsum((probability * size)[order])
    kept = np.cumsum(size[order])
    f1 = 2 * correct / np.maximum(1e-9, kept + correct[-1])
    best = int(np.argmax(f1))
    return float(probability[order[best]]), float(f1[best])


def _is_discussion(hints: HeadHints) -> bool:
    """Tell whether the page's content is what its visitors write."""
    if _DISCUSSION_URL.search(hints.url.lower()):
        return True
    return not _DISCUSSION_TYPES.isdisjoint(hints.json_ld_types)


def _without_comments(page: PageBlocks, size: Floats, mask: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Leave out comments under an article; without other content they stay."""
    in_comment = [groups & _COMMENT > 0 for groups in page.groups]  # per element
    if True not in in_comment:
        return mask
    parent = page.parent
    for node in range(in_comment.index(True) + 1, len(in_comment)):
        if in_comment[parent[node]]:
            in_comment[node] = True
    by_block = [in_comment[node] for node in page.nodes]
    outside = mask & ~np.fromiter(by_block, np.bool_, len(by_block))
    return outside if size[outside].sum() >= _MIN_BESIDE_COMMENTS else mask


def _decide_indivisible(page: PageBlocks, keep: list[bool]) -> None:
    """Keep or drop each code block and innermost data table entirely, by majority."""
    if not page.indivisible:
        return
    parts: dict[int, list[int]] = defaultdict(list)
    container, sizes = _indivisible_containers(page), page.sizes
    for index, node in enumerate(page.nodes):
        if container[node] >= 0:
            parts[container[node]].append(index)
    for indices in parts.values():
        kept = sum([sizes[index] + _PER_BLOCK for index in indices if keep[index]])
        majority = 2 * kept >= sum([sizes[index] + _PER_BLOCK for index in indices])
        for index in indices:
            keep[index] = majority


def _indivisible_containers(page: PageBlocks) -> list[int]:
    """Return the innermost table or code block around each node, -1 for none or a layout table."""
    tags, parent, indivisible = page.tags, page.parent, page.indivisible
    container = [-1] * len(tags)
    for node in range(min(indivisible), len(tags)):
        if tags[node] not in _INDIVISIBLE:
            container[node] = container[parent[node]]
        elif node in indivisible:
            container[node] = node
    return container


def _is_in_frame(page: PageBlocks, node: int) -> bool:
    """Tell whether the node is part of the navigation, a side bar or the footer."""
    while node >= 0:
        if page.tags[node] in _FRAME_TAGS or page.roles[node] & _FRAME_ROLES:
            return True
        node = page.parent[node]
    return False


def _drop_repeated(page: PageBlocks, keep: list[bool]) -> None:
    """Keep a long text only the first time it appears."""
    seen: set[str] = set()
    for index, size in enumerate(page.sizes):
        if size < _MIN_REPEATED or not keep[index]:
            continue
        text = page.texts[index]
        keep[index] = text not in seen
        seen.add(text)
