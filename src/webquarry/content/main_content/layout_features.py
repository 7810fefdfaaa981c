"""Layout features: what position, size, links, elements and neighbours say about each block."""

from collections import Counter
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from webquarry.content.html.dom import HEADINGS
from webquarry.content.html.head_hints import HeadHints
from webquarry.content.main_content.blocks import PageBlocks
from webquarry.content.main_content.feature_table import (
    COLUMN,
    FEATURES,
    JSON_LD_TYPES,
    NEIGHBOUR_STEPS,
    URL_PATTERNS,
    columns,
)
from webquarry.content.main_content.lexicon import BlockPositions
from webquarry.content.main_content.text_features import sentence_endings
from webquarry.content.main_content.tree_statistics import (
    BlockElements,
    BlockMeasures,
    write_tree_features,
)
from webquarry.content.main_content.vocabulary import ENDING_HEADING
from webquarry.content.text.word_list import words

Floats = NDArray[np.float32]
Doubles = NDArray[np.float64]

_TAGS = words(
    "p h1 h2 h3 h4 h5 h6 li td th dt dd pre blockquote figcaption button label summary "
    "div section article header footer caption address body noscript a"
)
_TAG_NUMBER = {tag: number for number, tag in enumerate(_TAGS, 1)}
_MAX_STEP = max(NEIGHBOUR_STEPS.values())
_HEADING_FEATURES = slice(COLUMN["heading_distance"], COLUMN["heading_link_share"] + 1)
_NO_HEADING = [[99], [0], [0], [-1]]


@dataclass(frozen=True, slots=True)
class LayoutFeatures:
    """A feature matrix in which only `LAYOUT_COLUMNS` are filled, before any word is read.

    It has one row per feature, because the trees compare one feature of all blocks at a time.
    """

    matrix: Floats
    positions: BlockPositions


def layout_features(page: PageBlocks, hints: HeadHints) -> LayoutFeatures:
    """Return the matrix of a page with `LAYOUT_COLUMNS` filled."""
    blocks = BlockMeasures.of(page)
    count, size = len(blocks.size), blocks.size
    matrix = np.empty((len(FEATURES), count), np.float32)
    matrix[COLUMN["size"]] = size
    matrix[COLUMN["link_share"]] = blocks.linked / size
    tags = [_TAG_NUMBER.get(tag, 0) for tag in blocks.tags]
    matrix[COLUMN["tag"]] = np.fromiter(tags, np.float32, count)
    matrix[COLUMN["ends_sentence"]] = sentence_endings(page.texts)
    path_id = path_ids(page)
    _write_positions(matrix, page, blocks.tags)
    _write_path_features(matrix, path_id)
    elements = write_tree_features(matrix, page, blocks)
    _write_neighbours(matrix, elements, blocks.node)
    _write_page_features(matrix, page, hints, size)
    parent = np.fromiter(page.parent, np.int64, len(page.parent))
    positions = BlockPositions(blocks.node, path_id, matrix[COLUMN["size"]], parent)
    return LayoutFeatures(matrix, positions)


def _write_positions(matrix: Floats, page: PageBlocks, tags: list[str]) -> None:
    """Write the group "position": where each block is, and the heading above it."""
    size, linked = matrix[COLUMN["size"]], matrix[COLUMN["link_share"]]
    count = len(size)
    index = np.arange(count)
    unlinked = size * np.maximum(0, 1 - 2 * linked)
    long = np.flatnonzero((size > 150) & (linked < 0.3))
    first_long, last_long = (long[0], long[-1]) if long.size else (0, count - 1)
    total = max(1.0, float(size.sum()))
    repeats = Counter(page.texts)
    matrix[COLUMN["relative_index"]] = index / count
    matrix[COLUMN["relative_offset"]] = (np.cumsum(size) - size) / total
    matrix[COLUMN["after_h1"]] = index - tags.index("h1") if "h1" in tags else -999
    matrix[COLUMN["after_longest"]] = index - int(np.argmax(unlinked))
    matrix[COLUMN["after_first_long"]] = index - first_long
    matrix[COLUMN["after_last_long"]] = index - last_long
    matrix[COLUMN["to_end"]] = np.minimum(count - index, 60)
    before = np.cumsum(unlinked) - unlinked
    matrix[COLUMN["unlinked_before"]] = before / max(1.0, float(unlinked.sum()))
    times = map(repeats.__getitem__, page.texts)
    matrix[COLUMN["repeats"]] = np.fromiter(times, np.float32, count)
    _write_headings(matrix[_HEADING_FEATURES], page, tags)


def _write_headings(rows: Floats, page: PageBlocks, tags: list[str]) -> None:
    """Write distance, level, ending nature and link share of the last heading above each block."""
    rows[:] = _NO_HEADING
    indices = [index for index, tag in enumerate(tags) if tag in HEADINGS]
    if not indices:
        return
    headings: list[tuple[float, float, float, float]] = []
    for index in indices:
        block = page.blocks[index]
        ends = 2 if ENDING_HEADING.match(block.text[:60]) else 1
        headings.append((index, int(tags[index][1]), ends, block.linked / block.size))
    first, count = indices[0], len(tags)
    below = rows[:, first:]
    lengths = np.diff([*indices, count])
    below[:] = np.repeat(np.array(headings, np.float32).T, lengths, axis=1)
    below[0] = np.minimum(np.arange(first, count) - below[0], 99)


def path_ids(page: PageBlocks) -> NDArray[np.int64]:
    """Return a number for each block, equal for blocks in elements of the same path."""
    hashes = [page.path_hashes[node] for node in page.nodes]
    numbers = {path: number for number, path in enumerate(dict.fromkeys(hashes))}
    return np.fromiter(map(numbers.__getitem__, hashes), np.int64, len(hashes))


def _write_path_features(matrix: Floats, path_id: NDArray[np.int64]) -> None:
    """Write the group "path": what blocks of the same path have in common."""
    size, linked = matrix[COLUMN["size"]], matrix[COLUMN["link_share"]]
    count = np.bincount(path_id)
    total = np.bincount(path_id, size)
    linked_total = np.bincount(path_id, size * linked)
    sentences = np.bincount(path_id, matrix[COLUMN["ends_sentence"]])
    matrix[COLUMN["path_blocks"]] = count[path_id]
    matrix[COLUMN["path_mean_size"]] = (total / count)[path_id]
    matrix[COLUMN["path_link_share"]] = (linked_total / np.maximum(1, total))[path_id]
    matrix[COLUMN["path_text_share"]] = total[path_id] / max(1.0, float(size.sum()))
    matrix[COLUMN["path_sentence_share"]] = (sentences / count)[path_id]


def _write_neighbours(matrix: Floats, elements: BlockElements, node: NDArray[np.int64]) -> None:
    """Write size, links, tag, ending and depth of the blocks around each block."""
    count = len(node)
    inner = slice(_MAX_STEP, _MAX_STEP + count)
    padded = np.zeros((5, count + 2 * _MAX_STEP), np.float32)
    padded[:4, inner] = matrix[COLUMN["size"] : COLUMN["ends_sentence"] + 1]
    padded[4, inner] = elements.depth
    for step, shift in NEIGHBOUR_STEPS.items():
        start, first = COLUMN[f"{step}_size"], _MAX_STEP + shift
        matrix[start : start + 5] = padded[:, first : first + count]
    parents = elements.parent
    same = (parents[1:] == parents[:-1]) | (node[1:] == node[:-1])
    matrix[columns("neighbour_parent")] = 0
    matrix[COLUMN["prev1_same_parent"], 1:] = same
    matrix[COLUMN["next1_same_parent"], :-1] = same


def _write_page_features(matrix: Floats, page: PageBlocks, hints: HeadHints, size: Doubles) -> None:
    """Write what is equal for all blocks: counts of elements, URL and declared types."""
    tags = Counter(page.tags)
    values = {
        "page_blocks": len(size),
        "page_long_blocks": int(np.count_nonzero(size > 200)),
        "page_articles": tags["article"],
        "page_mains": tags["main"],
        "page_paragraphs": tags["p"],
        "page_list_items": tags["li"],
        "page_subheadings": tags["h2"] + tags["h3"],
        "page_tables": tags["table"],
        "page_code_blocks": tags["pre"],
        "page_og_type": _og_type_number(hints.og_type.lower()),
    }
    for name, value in values.items():
        matrix[COLUMN[name]] = value
    url, declared = hints.url.lower(), hints.json_ld_types
    matches = [pattern.search(url) is not None for pattern in URL_PATTERNS.values()]
    matrix[columns("url")] = np.array(matches, np.float32)[:, None]
    types = [name in declared for name in JSON_LD_TYPES]
    matrix[columns("json_ld")] = np.array(types, np.float32)[:, None]


def _og_type_number(og_type: str) -> int:
    if "article" in og_type:
        return 1
    if "product" in og_type:
        return 2
    return 3 if og_type else 0
