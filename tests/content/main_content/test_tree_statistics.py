"""Features of the element tree agree with those found by walking up from each element."""

import numpy as np
from numpy.typing import NDArray

from tests.content.main_content.test_decision_trees import PAGES
from webquarry.content.html.dom import body_of, parse_html
from webquarry.content.main_content.blocks import PageBlocks, split_into_blocks
from webquarry.content.main_content.feature_table import ANCESTOR_TAGS, COLUMN, FEATURES
from webquarry.content.main_content.tree_statistics import (
    MAX_DISTANCE,
    BlockMeasures,
    write_tree_features,
)
from webquarry.content.main_content.vocabulary import GROUP_NAMES


def _path_to_root(page: PageBlocks, node: int) -> list[int]:
    path: list[int] = []
    while node >= 0:
        path.append(node)
        node = page.parent[node]
    return path


def _page(name: str) -> PageBlocks:
    root = parse_html(PAGES[name])
    assert root is not None
    return split_into_blocks(body_of(root))


def _features(page: PageBlocks) -> NDArray[np.float32]:
    matrix = np.zeros((len(FEATURES), len(page.blocks)), np.float32)
    write_tree_features(matrix, page, BlockMeasures.of(page))
    return matrix


def _steps(page: PageBlocks, node: int, targets: set[int]) -> int:
    path = enumerate(_path_to_root(page, node))
    return min(next((steps for steps, above in path if above in targets), 99), MAX_DISTANCE)


def test_distances_are_steps_to_the_nearest_element_of_a_kind() -> None:
    for name in PAGES:
        page = _page(name)
        targets = {
            f"steps_to_{kind}": {n for n, tag in enumerate(page.tags) if tag == kind}
            for kind in ANCESTOR_TAGS
        }
        for bit, group in enumerate(GROUP_NAMES):
            nodes = {n for n, bits in enumerate(page.groups) if bits >> bit & 1}
            targets[f"steps_to_{group}_names"] = nodes

        matrix = _features(page)

        found = {feature: matrix[COLUMN[feature]].tolist() for feature in targets}
        assert found == {
            feature: [_steps(page, block.node, nodes) for block in page.blocks]
            for feature, nodes in targets.items()
        }


def test_the_path_to_the_title_ends_at_the_first_common_ancestor() -> None:
    page = _page("article")
    title = next(n for n, tag in enumerate(page.tags) if tag == "h1")
    path = set(_path_to_root(page, title))

    row = _features(page)[COLUMN["steps_to_h1_path"]]

    assert row.tolist() == [_steps(page, block.node, path) for block in page.blocks]


def test_an_element_holds_the_text_of_its_descendants() -> None:
    page = _page("products")
    total = sum(page.sizes)
    held = dict.fromkeys(range(len(page.parent)), 0)
    for block in page.blocks:
        for node in _path_to_root(page, block.node):
            held[node] += block.size

    matrix = _features(page)

    # of the element, its parent and so on
    shares = matrix[[COLUMN[f"ancestor{level}_text_share"] for level in range(6)]]
    for index, block in enumerate(page.blocks):
        path = _path_to_root(page, block.node)
        path += [0] * (6 - len(path))
        expected = np.array([held[node] / total for node in path[:6]], np.float32)
        assert shares[:, index].tolist() == expected.tolist()
