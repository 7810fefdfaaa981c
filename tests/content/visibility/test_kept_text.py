"""Text of real pages that looks hidden in the page's own styles, and is not."""

import pytest

from webquarry.content.html.read_html import to_markdown

_BODY = "<p>An ordinary paragraph with enough words to be the main text of this small page.</p>"
_EXTERNAL = '<link rel="stylesheet" href="/site.css">'


def _markdown(head: str, body: str) -> str:
    return to_markdown(
        f"<html><head>{head}</head><body><article>{_BODY}{body}</article></body></html>"
    )


def test_a_tab_without_roles_stays_beside_the_open_one() -> None:
    style = "<style>.infotab{display:none}.infotab.on{display:block}</style>"
    tabs = "<p class='infotab on'>First</p><p class='infotab'>MARKER</p>"

    assert "MARKER" in _markdown(style, tabs)


def test_a_single_element_named_like_a_tab_is_removed() -> None:
    style = "<style>.infotab{display:none}</style>"

    assert "MARKER" not in _markdown(style, "<div><div class='infotab'><p>MARKER</p></div></div>")


@pytest.mark.parametrize(
    ("head", "count"),
    [(_EXTERNAL, 1), ("", 0), (f"{_EXTERNAL}<style>:root{{--shown:hidden}}</style>", 0)],
)
def test_the_fallback_of_a_variable_counts_only_if_no_other_sheet_can_set_it(
    head: str, count: int
) -> None:
    hidden = "<div style='visibility:var(--shown, hidden)'><p>MARKER</p></div>"

    assert _markdown(head, hidden).count("MARKER") == count


def test_white_text_over_the_picture_of_a_deeply_nested_card_stays() -> None:
    headline = "<div><div><div><h3><span style='color:#fff'>MARKER</span></h3></div></div></div>"
    card = f"<div><div><img src='a.jpg' alt=''></div>{headline}</div>"

    assert "MARKER" in _markdown("", card)


_SENTENCES = "<p>Owls hunt mice at night in the fields around the old barn by the river.</p>" * 9
_MENU = f"<nav id=menu><p>{'Barns and fields ' * 60}</p></nav>"


@pytest.mark.parametrize(
    "style",
    [
        "width:100vw;position:relative;left:50%;right:50%;margin-left:-50vw;margin-right:-50vw",
        "width:100vw;position:relative;left:50%;margin-left:-50vw",
        "position:absolute;left:50%;width:1200px;margin-left:-600px",
        "margin-left:calc(50% - 50vw)",
    ],
)
def test_a_part_as_wide_as_the_window_stays(style: str) -> None:
    assert "MARKER" in _markdown("", f"<div style='{style}'><p>MARKER</p></div>")


@pytest.mark.parametrize("style", ["left:50%;margin-left:-3000px", "left:-50%;margin-left:-50vw"])
def test_a_part_moved_out_of_the_window_is_removed(style: str) -> None:
    hidden = f"<div style='position:relative;{style}'><p>MARKER</p></div>"

    assert "MARKER" not in _markdown("", hidden)


def _page(head: str, main: str, menu: str = "") -> str:
    return to_markdown(f"<html><head>{head}</head><body>{menu}{main}</body></html>")


def test_the_share_of_a_page_is_that_of_the_text_not_hidden_otherwise() -> None:
    style = "<style>main{visibility:hidden}#menu{display:none}</style>"

    assert "Owls hunt" in _page(style, f"<main>{_SENTENCES}</main>", _MENU)


@pytest.mark.parametrize(("head", "stays"), [(_EXTERNAL, True), ("", False)])
def test_a_page_that_another_style_sheet_shows_stays(head: str, stays: bool) -> None:  # noqa: FBT001
    style = "<style>.body{display:none}</style>"
    page = _page(f"{head}{style}", f"<p>Intro.</p><div class=body>{_SENTENCES}</div>")

    assert ("Owls hunt" in page) is stays


def test_a_page_hidden_by_its_own_style_attribute_is_removed() -> None:
    page = _page(_EXTERNAL, f"<p>Intro.</p><div style='display:none'>{_SENTENCES}</div>")

    assert "Owls hunt" not in page


def test_an_accordion_opened_by_a_focusable_heading_stays() -> None:
    style = "<style>.accordion_item-text{display:none}</style>"
    item = (
        "<div class=accordion_item><div class=accordion_item-toggle tabindex=0><h3>Why?</h3></div>"
        "<div class=accordion_item-text><p>MARKER</p></div></div>"
    )

    assert "MARKER" in _markdown(style, item)


def test_a_part_after_a_control_that_says_it_expands_something_stays() -> None:
    control = "<div><a href=# aria-expanded=false>Methods</a></div>"

    assert "MARKER" in _markdown("", f"{control}<div hidden><p>MARKER</p></div>")


def test_a_part_named_like_a_panel_after_plain_text_is_removed() -> None:
    part = "<p>Why?</p><div class=accordion_item-text style='display:none'><p>MARKER</p></div>"

    assert "MARKER" not in _markdown("", part)


def test_slides_that_wait_for_their_turn_stay_beside_shown_ones() -> None:
    style = "<style>.later{display:none}</style>"
    slides = (
        "<div><div class=gamma-slide><p>First</p></div></div>"
        "<div><div class='gamma-slide later'><p>MARKER</p></div></div>"
    )

    assert "MARKER" in _markdown(style, slides)


def test_a_single_slide_is_removed() -> None:
    style = "<style>.later{display:none}</style>"

    assert "MARKER" not in _markdown(style, "<div><p class='gamma-slide later'>MARKER</p></div>")


def test_the_text_of_a_link_that_screen_readers_skip_stays() -> None:
    link = "<p><a href=/b aria-hidden=true tabindex=-1>MARKER Owls hunt mice in the fields.</a></p>"

    assert "MARKER" in _markdown("", link)


def test_the_sign_of_a_heading_link_is_removed() -> None:
    heading = "<h2>Owls <a href=#owls aria-hidden=true>MARKER</a></h2><p>They hunt.</p>"

    assert "MARKER" not in _markdown("", heading)
