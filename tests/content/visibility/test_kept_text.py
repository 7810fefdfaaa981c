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


@pytest.mark.parametrize(
    "part",
    [
        "<h3 class=card-title aria-hidden=true>MARKER named a leader by those who study owls</h3>",
        "<ul><li aria-hidden=true>Owls hunt mice in the fields, MARKER included.</li></ul>",
        "<p><span class=sr-only>five euros</span><span aria-hidden=true>MARKER</span></p>",
        "<p><span aria-hidden=true>MARKER</span> <!-- in words --><i class=sr-only>five</i></p>",
    ],
)
def test_visible_text_that_screen_readers_skip_stays(part: str) -> None:
    assert "MARKER" in _markdown("", part)


@pytest.mark.parametrize(
    "part",
    [
        "<div class=modal aria-hidden=true><p>MARKER Subscribe to our letters.</p></div>",
        "<li class=slick-cloned aria-hidden=true>MARKER Owls hunt mice in the fields.</li>",
        "<p>It is <span class=katex-html aria-hidden=true>MARKER = softmax of owls</span></p>",
    ],
)
def test_closed_parts_and_copies_that_screen_readers_skip_are_removed(part: str) -> None:
    assert "MARKER" not in _markdown("", part)


_FADED = "<style>.blade{opacity:0}</style>"
_SCRIPT = "<script src='/blades.js'></script>"
_BLADES = "<div class=blade><h2>Owls</h2></div><div class=blade><p>Mice hide.</p></div>"
_BLADE = "<div class=blade><p>MARKER</p></div>"


def test_several_faded_parts_of_a_page_with_a_script_stay() -> None:
    assert "MARKER" in _markdown(_FADED + _SCRIPT, _BLADES + _BLADE)


@pytest.mark.parametrize(
    ("head", "parts"),
    [
        (_FADED + _SCRIPT, _BLADE),
        (_FADED, _BLADES + _BLADE),
        (_FADED + _SCRIPT + "<style>.blade{position:absolute}</style>", _BLADES + _BLADE),
    ],
)
def test_faded_parts_are_removed_if_they_are_few_without_script_or_above_others(
    head: str, parts: str
) -> None:
    assert "MARKER" not in _markdown(head, parts)


@pytest.mark.parametrize("style", ["visibility:hidden", "opacity:0"])
def test_a_hidden_part_in_the_place_of_a_shown_one_of_its_kind_stays(style: str) -> None:
    shown = "<div class='quote on-1'><p>First</p></div>"
    hidden = f"<div class='quote off-2' style='position:absolute;{style}'><p>MARKER</p></div>"

    assert "MARKER" in _markdown("", f"<section>{shown}{hidden}</section>")


@pytest.mark.parametrize(
    "part",
    [
        "<div class='quote' style='visibility:hidden'><p>MARKER</p></div>",
        "<div class='note' style='position:absolute;visibility:hidden'><p>MARKER</p></div>",
        "<p class='quote' style='position:absolute;visibility:hidden'>MARKER</p>",
        "<div class='quote' style='position:absolute;visibility:hidden;left:-9999px;opacity:0;"
        "display:none'><p>MARKER</p></div>",
    ],
)
def test_a_hidden_part_of_another_kind_or_place_is_removed(part: str) -> None:
    assert "MARKER" not in _markdown("", f"<section><div class=quote>First</div>{part}</section>")


def test_slides_in_a_list_without_display_until_a_script_runs_stay() -> None:
    item = "<li><div class=slide-content style='display:none'><p>{}</p></div></li>"
    slides = f"<ul class=slides>{item.format('First')}{item.format('MARKER')}</ul>"

    assert "MARKER" in _markdown("", slides)


def test_a_slide_show_that_waits_for_its_script_stays() -> None:
    slides = "<rs-slide><p>MARKER</p></rs-slide>"
    show = f"<div id=rev_slider_1_wrapper style='visibility:hidden'><div>{slides}</div></div>"

    assert "MARKER" in _markdown("", show)


def test_a_slider_without_slides_is_removed() -> None:
    show = "<div id=slider style='visibility:hidden'><p>MARKER</p></div>"

    assert "MARKER" not in _markdown("", show)


def test_a_page_inside_a_hidden_menu_because_of_unclosed_tags_stays() -> None:
    style = "<style>.sub{position:absolute;height:1px;width:1px;overflow:hidden}</style>"
    menu = "<ul><li><div class=sub><div><p>Tickets</p></li><li><a href=/a>News</a></li></ul>"
    page = _page(style, f"<main>{_SENTENCES}</main>", f"{_MENU}<nav>{menu}</nav>")

    assert "Owls hunt" in page


def test_a_part_named_as_one_that_appears_stays() -> None:
    assert "MARKER" in _markdown("", "<div class=js-reveal style='opacity:0'><p>MARKER</p></div>")


@pytest.mark.parametrize(("segments", "stays"), [(3, True), (2, False)])
def test_streamed_segments_stay_also_if_the_scripts_that_move_them_are_elsewhere(
    segments: int,
    stays: bool,  # noqa: FBT001
) -> None:
    parts = "".join(f"<div hidden id=S:{n}><p>MARKER {n}</p></div>" for n in range(segments))

    assert ("MARKER" in _markdown("", parts)) is stays
