"""Lists of authors with full names: two people are not one, and one is not two."""

import pytest

from webquarry.content.citations.reference_authors import leading_authors


@pytest.mark.parametrize(
    ("names", "read"),
    [
        ("Ann Stone, Carl Slate, Eve Marl.", ("Stone, Ann", "Slate, Carl", "Marl, Eve")),
        ("Ann Stone, Carl B. Slate, and Eve Marl.", ("Stone, Ann", "Slate, Carl B.", "Marl, Eve")),
        ("Ann Stone and Carl Slate.", ("Stone, Ann", "Slate, Carl")),
        ("Ann Stone, Carl Slate, Eve Marl, et al.", ("Stone, Ann", "Slate, Carl", "Marl, Eve")),
        ("Stone, Ann, Carl Slate, and Eve Marl.", ("Stone, Ann", "Slate, Carl", "Marl, Eve")),
        ("Stone, Ann B., and Carl Slate.", ("Stone, Ann B.", "Slate, Carl")),
        ("Slate Marl, Ann Eve.", ("Slate Marl, Ann Eve",)),
        ("Slate Marl, Ann, and Carl Stone.", ("Slate Marl, Ann", "Stone, Carl")),
        ("van Slate, Ann Eve, and Carl Stone.", ("van Slate, Ann Eve", "Stone, Carl")),
    ],
)
def test_full_names_are_told_apart(names: str, read: tuple[str, ...]) -> None:
    found = leading_authors(f"{names} \u201cOwls of the barn.\u201d Owl, 2020.")

    assert found.names == read
