"""JSON with comments is edited in place."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webquarry.cli.jsonc import JsoncError, parse_jsonc, set_member

KEYS = st.text(max_size=5)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=3),
    max_leaves=8,
)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("{}", '{\n  "a": {\n    "b": 1\n  }\n}'),
        ('{\n  "x": 1\n}\n', '{\n  "x": 1,\n  "a": {\n    "b": 1\n  }\n}\n'),
        ('{\n  "x": 1, // why\n}', '{\n  "x": 1, // why\n  "a": {\n    "b": 1\n  }\n}'),
        ('{\n  "x": 1 // why\n}', '{\n  "x": 1, // why\n  "a": {\n    "b": 1\n  }\n}'),
        ('{\n  "x": 1,\n}', '{\n  "x": 1,\n  "a": {\n    "b": 1\n  },\n}'),
        ('// top\n{\n\t"a": {\n\t\t"c": [1, 2] /* all */\n\t}\n}',
         '// top\n{\n\t"a": {\n\t\t"c": [1, 2],\n\t\t"b": 1 /* all */\n\t}\n}'),
        ('{\n  "a": {"b": {"old": true}, "c": 2}\n}', '{\n  "a": {"b": 1, "c": 2}\n}'),
    ],
)  # fmt: skip
def test_a_member_is_added_or_replaced_and_the_rest_stays(before: str, after: str) -> None:
    assert set_member(before, ("a", "b"), 1) == after


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "expected a value in line 1"),
        ('{"a": 1} x', "unexpected text in line 1"),
        ('{\n"a" 1}', "expected a colon in line 2"),
        ('{"a": 1 "b": 2}', "expected a comma in line 1"),
        ('{"a": yes}', "expected a value in line 1"),
        ('{"a": "open', "expected a value in line 1"),
        ("[" * 200, "too many levels in line 1"),
        ("{/* open", "expected a key in line 1"),
    ],
)
def test_what_is_not_json_is_refused(text: str, message: str) -> None:
    with pytest.raises(JsoncError, match=f"^{message}$"):
        parse_jsonc(text)


@given(st.dictionaries(KEYS, VALUES, max_size=4), KEYS, VALUES, st.sampled_from([None, 1, "\t"]))
def test_every_json_object_keeps_its_other_members(
    whole: dict[str, Any], key: str, value: Any, indent: int | str | None
) -> None:
    text = json.dumps(whole, indent=indent)

    assert parse_jsonc(text).value == whole
    assert json.loads(set_member(text, (key,), value)) == whole | {key: value}
