"""Tags and notes: what is added, what stays, and that nothing is written twice."""

from typing import Any

from webquarry.providers.capabilities_library import LibraryItem
from webquarry.services.zotero.marks import NOTE_TAG, ItemFinding, plan_marks

RETRACTED = ItemFinding(("retracted",), "The work was retracted (fraud & <error>).")
NOTE = "<p>Webquarry, 2026-11-18: The work was retracted (fraud &amp; &lt;error&gt;).</p>"
MINE = {"tag": "mine", "type": 1}
OURS = {"tag": "webquarry:retracted"}


def item(**fields: Any) -> LibraryItem:
    return LibraryItem.model_validate({"key": "A", "itemType": "book"} | fields)


def note(text: str) -> LibraryItem:
    return item(key="N", itemType="note", parentItem="A", note=text, tags=[{"tag": NOTE_TAG}])


def test_a_retracted_item_gets_a_tag_and_a_note_beside_the_users_tags() -> None:
    assert plan_marks([item(tags=[MINE])], [], {"A": RETRACTED}, "2026-11-18") == [
        {"key": "A", "tags": [MINE, OURS]},
        {"itemType": "note", "parentItem": "A", "note": NOTE, "tags": [{"tag": NOTE_TAG}]},
    ]


def test_on_another_day_and_in_the_markup_of_the_editor_it_is_the_same_note() -> None:
    edited = f'<div data-schema-version="9">{NOTE.replace("11-18", "01-02")}\n</div>'

    assert plan_marks([item(tags=[OURS])], [note(edited)], {"A": RETRACTED}, "2026-11-18") == []


def test_another_reason_is_added_to_the_note_without_losing_text() -> None:
    changes = plan_marks(
        [item(tags=[OURS])], [note("<p>my words</p>")], {"A": RETRACTED}, "2026-11-18"
    )

    assert changes == [{"key": "N", "note": f"<p>my words</p>{NOTE}"}]


def test_a_problem_that_is_gone_loses_our_tag_only() -> None:
    changes = plan_marks(
        [item(tags=[MINE, OURS])], [note(NOTE)], {"A": ItemFinding()}, "2026-11-19"
    )

    assert changes == [
        {"key": "A", "tags": [MINE]},
        {"key": "N", "note": f"{NOTE}<p>Webquarry, 2026-11-19: no problem found any more.</p>"},
    ]


def test_what_could_not_be_checked_changes_nothing() -> None:
    unchecked = ItemFinding(("unchecked",), "Crossref did not respond.")

    assert plan_marks([item(tags=[OURS])], [note(NOTE)], {"A": unchecked}, "2026-11-19") == []


def test_an_item_that_was_not_audited_is_left_alone() -> None:
    assert plan_marks([item(tags=[OURS])], [], {}, "2026-11-18") == []
