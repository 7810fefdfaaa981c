"""Style variables: the brand's own, where they hold for the whole page."""

from webquarry.content.brand.css_variables import brand_colours, brand_fonts
from webquarry.models.brand import Font, Swatch


def test_only_variables_named_after_the_brand_count() -> None:
    sheet = (
        ":root{--brand:#112233;--color-brand-secondary:#445566;--primary:#ff0000;"
        "--vp-c-brand-1:#ff0000;--brand-text-color:black;--brand-shadow:0 0 1px #ff0000;"
        "--brand-primary:var(--x)}"
    )

    assert brand_colours([sheet]) == [
        Swatch(hex="#112233", name="--brand", brightness=32),
        Swatch(hex="#445566", name="--color-brand-secondary", role="secondary", brightness=83),
        Swatch(hex="#000000", name="--brand-text-color", role="text", brightness=0),
    ]


def test_the_last_definition_for_the_whole_page_wins() -> None:
    sheets = [
        ":root{--brand-primary:#111111}",
        "html{--brand-primary:#222222} .dark{--brand-primary:#333333}"
        "@media (prefers-color-scheme: dark){:root{--brand-primary:#444444}}",
    ]

    assert [swatch.hex for swatch in brand_colours(sheets)] == ["#222222"]


def test_a_family_keeps_its_case_and_a_generic_one_is_none() -> None:
    sheet = ":root{--brand-font-heading:'Space Grotesk', serif;--font-brand-body:sans-serif}"

    assert brand_fonts([sheet]) == {"heading": Font(family="Space Grotesk")}
