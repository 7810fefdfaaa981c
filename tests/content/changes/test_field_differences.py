from typing import Any

import pytest

from webquarry.content.changes.compare import compare_versions
from webquarry.content.changes.field_differences import fields_version
from webquarry.content.changes.noise_patterns import mute
from webquarry.models.changes import (
    Change,
    ChangedNumber,
    DiffPart,
    FieldState,
    FieldsVersion,
    NoiseProfile,
)
from webquarry.models.research import Anchor

_URL = "https://shop.example/mill"


def _changes(before: Any, after: Any, profile: NoiseProfile | None = None) -> tuple[Change, ...]:
    versions = fields_version(_URL, before), fields_version(_URL, after)
    return compare_versions(*versions, profile or NoiseProfile()).changes


def test_a_changed_field_has_the_words_of_the_page() -> None:
    before = fields_version(_URL, {"price": 20.0}, {"/price": "Only 20,00 €"})
    after = fields_version(_URL, {"price": 15.0}, {"/price": "Only 15,00 €"})

    (change,) = compare_versions(before, after).changes

    assert change == Change(
        id=change.id,
        kind="price",
        action="changed",
        where="/price",
        before=Anchor(url=_URL, quote="Only 20,00 €", sha256=""),
        after=Anchor(url=_URL, quote="Only 15,00 €", sha256=""),
        diff=(DiffPart(op="delete", text="20.0"), DiffPart(op="insert", text="15.0")),
        size=1,
        number=ChangedNumber(before=20.0, after=15.0, percent=-25.0),
    )


@pytest.mark.parametrize(
    ("name", "before", "after", "kind"),
    [
        ("price", "20 €", "18 €", "price"),
        ("amount", "20 €", "18 €", "price"),
        ("availability", "InStock", "OutOfStock", "availability"),
        ("status", "in stock", "sold out", "availability"),
        ("views", 12, 15, "number"),
        ("date", "2026-05-01", "2026-05-03", "date"),
        ("page", "https://x.example/a", "https://x.example/b", "link"),
        ("name", "Mill", "Grinder", "field"),
        ("ready", True, False, "field"),
        ("name", None, "Grinder", "field"),
    ],
)
def test_a_changed_field_has_a_kind(name: str, before: Any, after: Any, kind: str) -> None:
    assert [each.kind for each in _changes({name: before}, {name: after})] == [kind]


@pytest.mark.parametrize(
    ("before", "after", "action"),
    [(None, 15, "added"), (15, None, "removed"), (15, 16, "changed")],
)
def test_a_field_can_appear_and_vanish(before: Any, after: Any, action: str) -> None:
    assert [each.action for each in _changes({"a": before}, {"a": after})] == [action]


def test_values_that_mean_the_same_are_equal() -> None:
    before = {"a": 1, "b": "The “mill”", "c": [1, 2], "d": None}

    assert _changes(before, {"a": 1.0, "b": 'The  "mill"', "c": [1, 2], "d": None}) == ()


def test_members_of_a_list_are_recognised_by_their_name() -> None:
    before = {"offers": [{"name": "A", "price": 1}, {"name": "B", "price": 2}]}
    after = {"offers": [{"name": "C", "price": 3}, {"name": "A", "price": 1},
                        {"name": "B", "price": 4}]}  # fmt: skip

    assert [(each.where, each.action) for each in _changes(before, after)] == [
        ("/offers/B/price", "changed"),
        ("/offers/C/name", "added"),
        ("/offers/C/price", "added"),
    ]


def test_no_rule_ignores_a_field_that_was_asked_for_and_muting_does() -> None:
    before, after = {"updated": "3 minutes ago", "views": 5}, {"updated": "now", "views": 6}
    changes = _changes(before, after)

    left = _changes(before, after, mute(NoiseProfile(), changes[0]))

    assert [each.where for each in changes] == ["/updated", "/views"]
    assert [each.where for each in left] == ["/views"]


def test_names_of_fields_are_written_as_json_pointers() -> None:
    version = fields_version(_URL, {"a/b": {"c~d": 1}}, {"/a~1b/c~0d": "One"})

    assert version == FieldsVersion(
        url=_URL, values={"/a~1b/c~0d": FieldState(value=1, quote="One")}
    )
