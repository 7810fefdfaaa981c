"""Numbers over the tree agree with those found by walking from each element up."""

import numpy as np

from tests.content.main_content.test_decision_trees import PAGES
from webquarry.content.html.dom import body_of, parse_html
from webquarry.content.main_content.blocks import PageBlocks, outline_of
from webquarry.content.main_content.tree_statistics import ANCESTORS, Measures, NodeMath
from webquarry.content.main_content.vocabulary import GROUPS

_FAR = 30


def _way_up(outline: PageBlocks, node: int) -> list[int]:
    way: list[int] = []
    while node >= 0:
        way.append(node)
        node = outline.parent[node]
    return way


def _outline(name: str) -> PageBlocks:
    root = parse_html(PAGES[name])
    assert root is not None
    return outline_of(body_of(root))


def _steps(outline: PageBlocks, node: int, wanted: set[int]) -> int:
    found = (steps for steps, above in enumerate(_way_up(outline, node)) if above in wanted)
    return min(next(found, _FAR), _FAR)


def test_distances_are_steps_to_the_nearest_element_of_a_kind() -> None:
    for name in PAGES:
        outline = _outline(name)
        kinds = [{n for n, tag in enumerate(outline.tag) if tag == kind} for kind in ANCESTORS]
        kinds += [
            {n for n, bits in enumerate(outline.groups) if bits >> place & 1}
            for place in range(len(GROUPS))
        ]

        rows = NodeMath.of(outline, Measures.of(outline)).rows

        wanted = [[_steps(outline, b.node, kind) for b in outline.blocks] for kind in kinds]
        assert rows[: len(kinds)].tolist() == wanted


def test_the_way_to_the_title_ends_where_the_two_ways_meet() -> None:
    outline = _outline("article")
    title = next(n for n, tag in enumerate(outline.tag) if tag == "h1")
    goal = set(_way_up(outline, title))

    rows = NodeMath.of(outline, Measures.of(outline)).rows

    first = len(ANCESTORS) + len(GROUPS) + 6
    assert rows[first].tolist() == [_steps(outline, b.node, goal) for b in outline.blocks]


def test_an_element_holds_the_text_of_everything_in_it() -> None:
    outline = _outline("products")
    total = sum(block.size for block in outline.blocks)
    held = dict.fromkeys(range(len(outline.parent)), 0)
    for block in outline.blocks:
        for node in _way_up(outline, block.node):
            held[node] += block.size

    rows = NodeMath.of(outline, Measures.of(outline)).rows

    shares = rows[-36:].reshape(6, 6, -1)[:, 0]  # of the element, its parent and so on
    for place, block in enumerate(outline.blocks):
        way = _way_up(outline, block.node)
        way += [0] * (6 - len(way))
        wanted = np.array([held[node] / total for node in way[:6]], np.float32)
        assert shares[:, place].tolist() == wanted.tolist()
