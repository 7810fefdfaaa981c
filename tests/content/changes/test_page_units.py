"""Units of a page: footnotes are the same however they are written."""

import pytest

from tests.content.changes.pages import page
from webquarry.content.changes.compare import compare_versions
from webquarry.content.changes.page_units import UnitReader, fold_text
from webquarry.models.changes import VersionComparison

_TEXT = "It is made of steel {}. The handle is of wood {}, and it lasts.\n\n{}"
_STEEL, _WOOD = "Steel of the first sort.", "Wood of the walnut tree."
_URL = "https://shop.example/mill#id"
_NOTES = (
    f"[^1]: {_STEEL}\n\n[^2]: {_WOOD}",
    f"[^1]: [1]\n\n    {_STEEL}\n\n[^2]: [[2]({_URL}2)]\n\n    {_WOOD}",
    f"[^1]: [1] ([1]({_URL}1),[2]({_URL}3))\n\n    {_STEEL}\n\n[^2]: [2]\n\n    {_WOOD}",
    f"[1]({_URL}1)\n: {_STEEL}\n\n[2]({_URL}2)\n: {_WOOD}",
    f"1([1]({_URL}1),[2]({_URL}3))\n: {_STEEL}\n\n[2]({_URL}2)\n: {_WOOD}",
    f"\\[1\\] {_STEEL}\n\n\\[2\\] {_WOOD}",
)


@pytest.mark.parametrize("notes", _NOTES)
@pytest.mark.parametrize("references", [("[^1]", "[^2]"), ("\\[1\\]", "\\[2\\]"), ("1", "2")])
def test_footnotes_in_another_notation_are_no_change(
    notes: str, references: tuple[str, str]
) -> None:
    before = page(_TEXT.format("[^1]", "[^2]", _NOTES[0]))

    assert compare_versions(before, page(_TEXT.format(*references, notes))) == VersionComparison()
    assert compare_versions(page(_TEXT.format(*references, notes)), before) == VersionComparison()


def test_a_footnote_whose_text_changes_is_told_without_its_number() -> None:
    before, after = (_TEXT.format("[^1]", "[^2]", notes) for notes in _NOTES[:2])

    (change,) = compare_versions(page(before), page(after.replace("walnut", "cherry"))).changes

    assert change.before is not None
    assert change.after is not None
    assert (change.before.quote, change.after.quote) == (_WOOD, _WOOD.replace("walnut", "cherry"))


def test_a_reference_to_another_footnote_is_a_change() -> None:
    before, after = (_TEXT.format("[^1]", other, _NOTES[0]) for other in ("[^1]", "[^2]"))

    assert len(compare_versions(page(before), page(after)).changes) == 1


def test_a_number_before_a_colon_is_no_footnote() -> None:
    assert [unit.text for unit in UnitReader().units("16 : 9 is the format.")] == [
        "16 : 9 is the format."
    ]


def test_named_footnotes_are_folded_and_other_brackets_stay() -> None:
    assert (
        fold_text("One[^note] two[12] three[sic] four[2024]")
        == "Onenote two12 three[sic] four[2024]"
    )
