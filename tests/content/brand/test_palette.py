"""Colors of guidelines: every name and role is the page's own."""

import pytest

from webquarry.content.brand.brand_page import BrandPage
from webquarry.content.brand.palette import by_role, palette_of, role_in

Found = list[tuple[str, str | None, str | None]]


def palette(body: str, title: str = "") -> Found:
    page = BrandPage(f"<title>{title}</title><body>{body}", "https://kite.test/brand")
    return [(swatch.hex, swatch.name, swatch.role) for swatch in palette_of(page, page.lines)]


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("<h2>Colors</h2><p>Ocean #00AAFF</p>", [("#00aaff", "Ocean", None)]),
        ("<h2>Colors</h2><p>#0AF</p>", [("#00aaff", None, None)]),
        ("<h2>Primary color</h2><p>#00AAFF</p>", [("#00aaff", None, "primary")]),
        (
            "<h2>Colors</h2><h3>Ocean</h3><p>#00AAFF</p><h3>Sand</h3><p>#FFEEDD</p>",
            [("#00aaff", "Ocean", None), ("#ffeedd", "Sand", None)],
        ),
        (
            "<h2>Colors</h2><p>Ocean</p><p>#00AAFF</p><p>Sand</p><p>#FFEEDD</p>",
            [("#00aaff", "Ocean", None), ("#ffeedd", "Sand", None)],
        ),
        (
            "<h2>Colors</h2><p>Primary: #00AAFF, Accent: #FFEEDD</p>",
            [("#00aaff", "Primary", "primary"), ("#ffeedd", "Accent", "accent")],
        ),
        (
            "<h2>Colors</h2><h4>Ocean</h4><ul><li>HEX: #00AAFF</li><li>RGB: 0, 170, 255</li>"
            "<li>CMYK: 100, 33, 0, 0</li><li>Pantone 2995 C</li></ul>",
            [("#00aaff", "Ocean", None)],
        ),
        (
            "<h2>Palette</h2><div><div><span>Ocean</span> <code>#00AAFF</code></div>"
            "<div><span>Sand</span> <code>#FFEEDD</code></div></div>",
            [("#00aaff", "Ocean", None), ("#ffeedd", "Sand", None)],
        ),
        (
            "<h2>Colors</h2><table><tr><th>Ocean</th><th>Sand</th></tr>"
            "<tr><td>#00AAFF</td><td>#FFEEDD</td></tr></table>",
            [("#00aaff", None, None), ("#ffeedd", None, None)],
        ),
        (
            "<h3>Primary colors <a href=#p>#</a></h3><ul><li>Big Blue: <code>#1D4EF5</code></li>"
            "</ul><h3>Inks <a href=#i>#</a></h3>"
            "<p>Our color inks: Sun #FFA600 and Void #16161D</p>",
            [("#1d4ef5", "Big Blue", "primary"), ("#16161d", "Void", None)],
        ),
        ("<h2>Colores</h2><p>Primario: #00AAFF</p>", [("#00aaff", "Primario", "primary")]),
        ("<h2>Couleurs</h2><p>Secondaire : #00AAFF</p>", [("#00aaff", "Secondaire", "secondary")]),
    ],
)
def test_a_color_has_the_name_and_role_that_the_page_gives_it(body: str, expected: Found) -> None:
    assert palette(body) == expected


@pytest.mark.parametrize(
    "body",
    [
        "<h2>News</h2><p>Follow #facade, see ticket #123456</p>",
        "<h2>Colors</h2><h3>Don't</h3><p>Pink #FF00FF</p>",
        "<h2>Colors</h2><p>Never use #FF00FF</p>",
        "<h2>Former colors</h2><p>Pink #FF00FF</p>",
        "<h2>Colors</h2><p>The contrast ratio of #FFFFFF on #000000 is 21</p>",
        "<h2>Colors</h2><pre>a { color: #FF00FF }</pre>",
        "<h2>Colors</h2><p hidden>Pink #FF00FF</p>",
        "<h2>Colors</h2><p>Pantone 2995 C</p>",
        "<h2>Colors</h2><p>RGB 300 0 0</p>",
        "<h2>Colors</h2><footer><p>Pink #FF00FF</p></footer>",
        '<h2>Colors</h2><div style="background:#FF00FF"></div>',
    ],
)
def test_what_is_no_color_of_the_brand_is_left_out(body: str) -> None:
    assert palette(body) == []


def test_a_sentence_below_a_heading_takes_no_role_from_it() -> None:
    body = "<h2>Primary colors</h2><p>Ocean #00AAFF</p><p>Use #FFFFFF text when you print on it</p>"

    assert palette(body) == [("#00aaff", "Ocean", "primary"), ("#ffffff", None, None)]


def test_the_title_of_the_card_before_is_no_heading_of_the_next() -> None:
    body = (
        "<h2>Color palette</h2><div><div><div>#1B5FA3</div><h4>Accent</h4><p>RGB: 27, 95, 163</p>"
        "</div><div><div>#1F2937</div><h4>Coal</h4><p>RGB: 31, 41, 55</p></div></div>"
    )

    assert palette(body) == [("#1b5fa3", "Accent", "accent"), ("#1f2937", "Coal", None)]


def test_the_usage_of_a_color_is_not_its_role_unless_the_label_is_only_the_role() -> None:
    def card(hex_: str, name: str, usage: str) -> str:
        return f"<div><div>{name}</div><div>{hex_}</div><div>{usage}</div></div>"

    body = "<h2>Colors</h2><div>" + "".join((
        card("#0B1F3A", "Navy", "Hero, footer, authority text"),
        card("#F5A623", "Yellow", "Primary CTA"),
        card("#F3F4F6", "Pale", "Section backgrounds"),
        card("#FFFFFF", "White", "Background"),
        card("#1E2532", "Coal", "Text color"),
    ))  # fmt: skip

    assert [(name, role) for _, name, role in palette(body)] == [
        ("Navy", None), ("Yellow", None), ("Pale", None), ("White", "background"),
        ("Coal", "text"),
    ]  # fmt: skip


def test_markup_can_say_that_something_is_a_color() -> None:
    body = (
        '<h2>M\u00e0u</h2><div class="color-card"><div>Navy</div><div>#0A0E1A</div></div>'
        '<p class="text-color">Ticket #123456</p>'
    )

    assert palette(body) == [("#0a0e1a", "Navy", None)]


def test_a_heading_about_something_else_gives_no_role() -> None:
    body = "<h1>Brand</h1><h2>Background</h2><p>Our color Ocean: #00AAFF</p>"

    assert [role for _, _, role in palette(body)] == [None]


@pytest.mark.parametrize(
    ("label", "role"),
    [
        ("Primary", "primary"),
        ("Primary blue", "primary"),
        ("Text secondary", "text_secondary"),
        ("Primary text", "text"),
        ("Text on primary", None),
        ("Primary button", None),
        ("Secondary background", None),
        ("Ocean", None),
    ],
)
def test_a_role_is_stated_or_there_is_none(label: str, role: str | None) -> None:
    assert role_in(label) == role


def test_a_role_that_two_colors_have_belongs_to_neither() -> None:
    page = BrandPage(
        "<h2>Primary colors</h2><p>Sea #00AAFF</p><p>Sky #00BBFF</p>", "https://k.test"
    )
    found = palette_of(page, page.lines)

    assert [swatch.role for swatch in found] == ["primary", "primary"]
    assert by_role(found) == {}
