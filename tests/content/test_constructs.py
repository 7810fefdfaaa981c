"""No text inside an article gets lost, however its markup is written."""

import pytest

from webquarry.content.html.dom import MAX_ELEMENTS
from webquarry.content.html.read_html import read_html

_PROSE = "".join(
    f"<p>Kestrel {number} hovers above the meadow until a vole leaves its tunnel, and then it drops"
    " onto it without a sound.</p>"
    for number in range(6)
)


def _markdown(part: str, after: str = "") -> str:
    page = (
        "<html><head><title>Kestrels</title></head><body><nav><a href=/>Home</a></nav>"
        f"<article><h1>Kestrels</h1>{_PROSE}{part}{_PROSE}</article></body>{after}</html>"
    )
    return read_html(page, url="https://birds.example/kestrels").markdown


@pytest.mark.parametrize(
    ("part", "markdown"),
    [
        ("<table><td>Wing</td><td>25 cm</td></table>", "Wing\n\n25 cm"),
        ("<table><p>Sizes follow.</p><tr><th>a</th><td>b</td></tr></table>", "Sizes follow."),
        ("<table>Sizes of birds<tr><th>Bird</th><th>Wing</th></tr>"
         "<tr><td>Kestrel</td><td>25 cm</td></tr></table>",
         "| Bird | Wing |\n| --- | --- |\n| Kestrel | 25 cm |"),
        ("<ul>Food:<li>Voles</li>and also<li>Beetles</li></ul>",
         "Food:\n\n- Voles\n\nand also\n\n- Beetles"),
        ("<p>The type of<wbr>(T value) is checked before the call.</p>",
         "The type of(T value) is checked before the call."),
        ("<p>A film <embed src=/film.swf> shows how it hovers above the meadow.</p>",
         "A film shows how it hovers above the meadow."),
        ("<dl><dt>hover(<em>height</em>)</dt><dd>Stay in one place.</dd></dl>",
         "hover(*height*)\n: Stay in one place."),
        ("<p>The height is <span class='math notranslate'>\\(h_1 = 2^n\\)</span> in metres.</p>",
         "The height is $h_1 = 2^n$ in metres."),
        ("<div class='math'><span class='eqno'>(1)<a class='headerlink' href='#e'>¶</a></span>"
         "\\[h_i = \\sum_j g_{ij}\\]</div>", "$$h_i = \\sum_j g_{ij}$$ (1)"),
        ("<div class='math'><p><img src='/m.png' alt='h = 2'></p></div>", "$$h = 2$$"),
        ("<p>The bird <ruby>隼<rt>hayabusa</rt></ruby> is a falcon.</p>",
         "The bird 隼(hayabusa) is a falcon."),
        ("<ul><li>Call it:<pre>hover(2)\n  wait()</pre></li></ul>",
         "- Call it:\n\n  ```\n  hover(2)\n    wait()\n  ```"),
        ("<h2>Voice<a class='headerlink' href='#voice'>¶</a></h2>"
         "<p>It calls all day while it hovers above the meadow.</p>",
         "## Voice\n\nIt calls all day while it hovers above the meadow."),
        (f"{'<div>' * 3_000}<p>It nests on ledges of old towers and in quarries.</p>",
         "It nests on ledges of old towers and in quarries."),
    ],
)  # fmt: skip
def test_text_in_odd_markup_is_kept(part: str, markdown: str) -> None:
    assert f"\n\n{markdown}\n" in _markdown(part) + "\n"


def test_a_long_table_is_read_to_its_end() -> None:
    row = "<tr><td>a</td><td>b</td><td>c</td><td>d</td></tr>"

    markdown = _markdown(f"<table>{row * 20_000}<tr><td>last</td><td>row</td></tr></table>")

    assert markdown.count("| a | b | c | d |") == 20_000
    assert "| last | row |  |  |" in markdown


def test_a_page_with_too_many_elements_says_that_it_is_cut_off() -> None:
    page = read_html(f"<body>{'<p>word</p>' * (MAX_ELEMENTS + 1)}</body>", url="https://a.example/")

    assert page.truncated
    assert page.notes == ("The page is very large: only its first 150,000 elements were read.",)


def test_a_manual_keeps_its_first_heading() -> None:
    terms = "".join(
        f"<dl class='function'><dt>birds.call{number}(<em>times</em>)</dt><dd><p>Call that many"
        " times, and wait a second after each call until there is an answer.</p></dd></dl>"
        for number in range(8)
    )
    page = (
        "<html><head><title>birds — Calls of birds</title></head><body><div class='sidebar'>"
        "<a href='/'>Index</a></div><div class='body'><section><h1>birds — Calls of birds</h1>"
        f"{terms}"
        "</section></div><div class='footer'>Built last week</div></body></html>"
    )

    markdown = read_html(page, url="https://birds.example/library/birds.html").markdown

    assert markdown.startswith("# birds — Calls of birds\n\nbirds.call0(*times*)\n: Call that many")
