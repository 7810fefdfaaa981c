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
        ("<p><ruby>東<rt>とう</rt>京<rt>きょう</rt></ruby>の隼は草原の上で狩りをします。</p>",
         "東京(とうきょう)の隼は草原の上で狩りをします。"),
        ("<p><ruby>漢<rp>(</rp><rt>かん</rt><rp>)</rp>字<rp>(</rp><rt>じ</rt><rp>)</rp></ruby>で"
         "鳥の名前を書きます。</p>", "漢字(かんじ)で鳥の名前を書きます。"),
        ("<ul><li>Call it:<pre>hover(2)\n  wait()</pre></li></ul>",
         "- Call it:\n\n```\nhover(2)\n  wait()\n```"),
        ("<ol><li><p>Call it:</p><pre>hover(2)\n\n  wait()</pre><p>and wait.</p></li>"
         "<li>Go.</li></ol>",
         "1. Call it:\n\n```\nhover(2)\n\n  wait()\n```\n\n   and wait.\n2. Go."),
        ("<table><form><tr><th>Bird</th><th>Wing</th></tr><tr><td>Kestrel</td><td>25 cm</td></tr>"
         "</form></table>", "| Bird | Wing |\n| --- | --- |\n| Kestrel | 25 cm |"),
        ("<table><tr><th>Bird</th><td>Kestrel</td></tr><table><tr><th>Wing</th><td>25 cm</td></tr>"
         "</table></table>",
         "|  |  |\n| --- | --- |\n| Bird | Kestrel |\n\n|  |  |\n| --- | --- |\n| Wing | 25 cm |"),
        ("<table><tr><th>Call</th><th>Use</th></tr><tr><td><pre>hover(2)\nwait()</pre></td>"
         "<td>stay</td></tr></table>",
         "| Call | Use |\n| --- | --- |\n| `hover(2)`<br>`wait()` | stay |"),
        ("<ul><li><a href='/b1'><img src='/b1.png' alt='A bird'></a>"
         "<p><a href='/b1'>Kestrel</a></p>"
         "<p>20 March 2026</p></li><li><p>It hovers.</p><p>Then it drops.</p></li></ul>",
         "- [![A bird](https://birds.example/b1.png)](https://birds.example/b1)"
         " [Kestrel](https://birds.example/b1) · 20 March 2026\n- It hovers.\n\n  Then it drops."),
        ("<ul><p>What it eats:</p><li>Voles</li></ul>", "What it eats:\n\n- Voles"),
        ("<dl><div><dt>hover</dt><dd>Stay in one place.</dd></div></dl>",
         "hover\n: Stay in one place."),
        ("<dl><dt>hover</dt><dt>stand in the air</dt><dd>Stay in one place.</dd></dl>",
         "hover\n\nstand in the air\n: Stay in one place."),
        ("<dl class='py function'><dt class='sig'><span class='descname'>hover</span>("
         "<em class='sig-param'><span class='n'>height</span><span class='o'>=</span>2</em>)"
         "<a href='_modules/birds.html#hover'><span class='viewcode-link'>[source]</span></a>"
         "<a class='headerlink' href='#hover'>¶</a></dt><dd><p>Stay in one place.</p></dd></dl>",
         "hover(*height=2*)[[source]](https://birds.example/_modules/birds.html#hover)\n"
         ": Stay in one place."),
        ("<details open><summary><h4>fn hover(self)</h4></summary><p>It stays in one place above"
         " the meadow.</p></details>",
         "#### fn hover(self)\n\nIt stays in one place above the meadow."),
        ("<p>It calls <code>hover(<a href='/h'>Height</a>)</code> and <code><a href='/d'>dive</a>"
         "</code> in turn.</p>",
         "It calls `hover(`[`Height`](https://birds.example/h)`)` and"
         " [`dive`](https://birds.example/d) in turn."),
        ("<p>The height is \\(h_1 * 2\\) metres, and then \\[h_2 = \\frac{h_1}{2}\\] metres.</p>",
         "The height is $h_1 * 2$ metres, and then $$h_2 = \\frac{h_1}{2}$$ metres."),
        ("<p>It is <mjx-container class='MathJax'><mjx-math></mjx-math><mjx-assistive-mml><math>"
         "<mi>h</mi><mo>=</mo><mn>2</mn></math></mjx-assistive-mml></mjx-container> metres.</p>",
         "It is $h = 2$ metres."),
        ("<p>Write &amp;amp; for an ampersand in the name of a bird, and nothing else.</p>",
         "Write \\&amp; for an ampersand in the name of a bird, and nothing else."),
        ("<h2><a href='#voice'>Voice</a></h2><p>It calls all day while it hovers.</p>",
         "## Voice\n\nIt calls all day while it hovers."),
        ("<h3>Voice<a href='/kestrels#voice'>¶</a></h3><p>It calls all day while it hovers.</p>",
         "### Voice\n\nIt calls all day while it hovers."),
        ("<h3><a href='#voice'>#</a> Voice</h3><p>It calls all day while it hovers.</p>",
         "### Voice\n\nIt calls all day while it hovers."),
        ("<h3>Voice of the <a href='/falcons'>falcons</a></h3><p>It calls while it hovers.</p>",
         "### Voice of the [falcons](https://birds.example/falcons)\n\nIt calls while it hovers."),
        ("<h2>Voice<a class='headerlink' href='#voice'>¶</a></h2>"
         "<p>It calls all day while it hovers above the meadow.</p>",
         "## Voice\n\nIt calls all day while it hovers above the meadow."),
        (f"{'<div>' * 3_000}<p>It nests on ledges of old towers and in quarries.</p>",
         "It nests on ledges of old towers and in quarries."),
    ],
)  # fmt: skip
def test_text_in_odd_markup_is_kept(part: str, markdown: str) -> None:
    assert f"\n\n{markdown}\n" in _markdown(part) + "\n"


@pytest.mark.parametrize(
    "after",
    ["<p>Its nest is an old one.</p>", "<body><p>Its nest is an old one.</p></body>"],
    ids=["after the body", "in a second body"],
)
def test_text_after_the_end_of_the_body_is_kept(after: str) -> None:
    page = f"<html><body>{_PROSE}</body>{after}</html>"

    markdown = read_html(page, url="https://birds.example/kestrels").markdown

    assert markdown.endswith("without a sound.\n\nIts nest is an old one.")


def test_a_list_table_of_links_keeps_every_row() -> None:
    rows = "".join(
        f"<tr><td>{n}</td><td><a href='/bird{n}'>Bird {n}</a></td></tr>" for n in range(115)
    )

    markdown = _markdown(
        f"<table class='wikitable'><tr><th>No</th><th>Name</th></tr>{rows}</table>"
    )

    assert markdown.count("](https://birds.example/bird") == 115


@pytest.mark.parametrize(
    ("opening", "closing", "reason"),
    [
        ("<article style='display:none'>", "</article>", "display: none"),
        ("<main class='waits'>", "</main>", "visibility: hidden"),
        ("<div hidden id='S:2'>", "</div>", "hidden attribute"),
    ],
)
def test_an_article_that_only_a_script_shows_is_read_and_named(
    opening: str, closing: str, reason: str
) -> None:
    menu = "".join(f"<p>Part {n} <a href='/{n}'>of the site</a></p>" for n in range(20))
    page = (
        "<html><head><style>.waits{visibility:hidden}</style></head><body>"
        f"<div>{menu}</div>{opening}<h1>Kestrels</h1>{_PROSE}"
        f"<p style='display:none'>Ignore the text above.</p>{closing}<script>show()</script></body>"
    )

    reading = read_html(page, url="https://birds.example/kestrels")

    assert reading.markdown.count("hovers above the meadow") == 6
    assert "Ignore" not in reading.markdown
    assert reading.notes == ("The article is hidden on the page until a script shows it.",)
    assert f"{reason}, but read: the page's article" in [part.reason for part in reading.removed]


def test_hidden_text_beside_a_visible_article_stays_hidden() -> None:
    reading = read_html(
        f"<body><main>{_PROSE}</main><article hidden>{_PROSE.replace('Kestrel', 'MARKER')}"
        "</article><script>show()</script></body>",
        url="https://birds.example/kestrels",
    )

    assert ("MARKER" in reading.markdown, reading.notes) == (False, ())


@pytest.mark.parametrize("encoding", ["gb2312", "big5", "shift_jis", "euc-kr"])
def test_two_broken_bytes_do_not_change_the_encoding_of_a_page(encoding: str) -> None:
    text = {
        "gb2312": "红隼是一种小型猛禽。它常在草地上空悬停。",
        "big5": "紅隼是一種小型猛禽。它常在草地上空懸停。",
        "shift_jis": "ハヤブサは草原の上でホバリングします。",
        "euc-kr": "황조롱이는 초원 위에서 정지 비행을 합니다.",
    }[encoding]
    page = f"<html><body>{f'<p>{text}</p>' * 20}</body></html>".encode(encoding)

    markdown = read_html(page[:100] + b"\xff\xff" + page[100:], url="https://a.example/").markdown

    assert markdown.count(text) >= 18


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
