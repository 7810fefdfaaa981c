"""CSS colours as style sheets write them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webquarry.content.visibility.css_colors import parse_colour

BLACK = (0, 0, 0)


@pytest.mark.parametrize(
    ("value", "colour"),
    [
        ("rgba(0,0,0,.)", None),  # not a colour
        ("rgba(0,0,0,.5)", BLACK),
        ("rgba(0,0,0,0)", None),
        ("rgba(0,0,0,.0)", None),
        ("rgba(0,0,0,0.00)", None),
    ],
)
def test_only_an_alpha_of_zero_makes_a_colour_transparent(
    value: str, colour: tuple[int, int, int] | None
) -> None:
    assert parse_colour(value) == colour


@given(st.text(alphabet="rgba(0123456789.,%/ )#", max_size=40))
def test_any_value_is_a_colour_or_none(value: str) -> None:
    colour = parse_colour(value)
    assert colour is None or all(0 <= part <= 255 for part in colour)
