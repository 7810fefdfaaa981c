from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webquarry.searxng.json_extras import read_extras
from webquarry.searxng.query_values import NO_EXTRAS, DirectAnswer, Infobox, SearchExtras

ANYTHING: Any = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=9), inner),
)


def test_extras_are_read_as_every_version_writes_them() -> None:
    answers = [
        "6.2137 mi",  # searx
        {"answer": "<b>42</b>", "url": "https://wiki.example/42", "engine": "plugin: calculator"},
        {"translations": [{"text": "Eule"}, {"text": "Kauz"}], "url": "javascript:x"},
        {"current": {"location": "Oslo", "summary": "rain", "temperature": "4 °C"}},
        {"template": "answer/of_the_future.html"},
    ]
    infobox: dict[str, Any] = {
        "infobox": "Owl",
        "id": "https://wiki.example/Q1",
        "content": "Owls are <i>birds</i>.",
        "urls": [{"title": "Wiki", "url": "https://wiki.example/Owl"}],
        "attributes": [{"label": "Order", "value": "Strigiformes"}, {"label": "Logo", "image": {}}],
        "engine": "wikidata",
    }

    assert read_extras(answers, [infobox], ["barn owl", ""], ["owls"]) == SearchExtras(
        answers=(
            DirectAnswer(text="6.2137 mi"),
            DirectAnswer(text="42", url="https://wiki.example/42"),
            DirectAnswer(text="Eule; Kauz"),
            DirectAnswer(text="Oslo, rain, 4 °C"),
        ),
        infoboxes=(
            Infobox(
                title="Owl",
                content="Owls are birds.",
                url="https://wiki.example/Owl",
                attributes=(("Order", "Strigiformes"),),
            ),
        ),
        suggestions=("barn owl",),
        corrections=("owls",),
        unreadable=1,
    )


@pytest.mark.parametrize("nothing", [None, [], {}, "text", 7])
def test_anything_but_a_list_is_nothing(nothing: Any) -> None:
    assert read_extras(nothing, nothing, nothing, nothing) == NO_EXTRAS


@given(ANYTHING, ANYTHING, ANYTHING, ANYTHING)
def test_no_value_makes_reading_fail(
    answers: Any, infoboxes: Any, suggestions: Any, corrections: Any
) -> None:
    extras = read_extras([answers], [infoboxes], [suggestions], [corrections])

    assert all(isinstance(text, str) for text in (*extras.suggestions, *extras.corrections))
