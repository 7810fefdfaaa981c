"""What each tier of a search for a brand found, and all of it as one brand."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from webquarry.content.brand.brand_page import BrandPage
from webquarry.content.brand.css_variables import brand_colours, brand_fonts
from webquarry.content.brand.design_tokens import tokens_of
from webquarry.content.brand.fonts import fonts_of, google_fonts_url, scale_of
from webquarry.content.brand.icons import Icon, format_of
from webquarry.content.brand.logos import logos_of
from webquarry.content.brand.palette import by_role, palette_of
from webquarry.content.brand.voice import tone_of
from webquarry.models.brand import (
    Brand,
    BrandCoverage,
    BrandSource,
    Colors,
    Extent,
    Identity,
    Logo,
    Logos,
    Social,
    Swatch,
    TierName,
    Tone,
    Typography,
)

PALETTE = "colors.palette"


@dataclass
class BrandFindings:
    """What one page of one tier says, by field: `colors.primary`, `logos.icon`."""

    name: TierName
    url: str
    values: dict[str, Any] = field(default_factory=dict[str, Any])

    def add(self, group: str, values: dict[str, Any]) -> None:
        """Note values that are there, under names that are still free."""
        for key, value in values.items():
            if value not in (None, "", (), [], {}):
                self.values.setdefault(f"{group}.{key}", value)


def read_portal(
    name: TierName, page: BrandPage, company: str, sheets: Iterable[str]
) -> BrandFindings:
    """Return what a page about the brand says; `sheets` are style sheets of the company's own."""
    found = BrandFindings(name, page.url)
    logos = logos_of(page, company)  # before what cannot be seen is removed
    lines = page.lines
    palette = palette_of(page, lines) or brand_colours(sheets)
    found.add("colors", {**by_role(palette), "palette": palette})
    found.add("logos", {use: logo_of(icon) for use, icon in logos.items()})
    fonts = fonts_of(page, lines) or brand_fonts(sheets)
    found.add("typography", {**fonts, "scale": scale_of(page, lines)})
    found.add("typography", {"google_fonts_url": google_fonts_url(page)})
    if tone := tone_of(page, lines):
        found.add("tone_of_voice", dict(tone))
    return found


def logo_of(icon: Icon) -> Logo:
    """Return an icon as it is declared."""
    return Logo(url=icon.url, format=format_of(icon.url), width=icon.width, height=icon.height)


def assembled(tiers: Iterable[BrandFindings], domain: str, *, with_tokens: bool) -> Brand:
    """Return one brand: of every field, what the first tier that has it says."""
    groups: defaultdict[str, dict[str, Any]] = defaultdict(dict)
    palette: dict[str, Swatch] = {}
    sources: list[BrandSource] = []
    for tier in tiers:
        told: list[str] = []
        for key, value in tier.values.items():
            group, _, name = key.partition(".")
            if key == PALETTE:
                fresh = [swatch for swatch in value if swatch.hex not in palette]
                palette |= {swatch.hex: swatch for swatch in fresh}
                is_new = bool(fresh)
            else:
                is_new = name not in groups[group]
                groups[group].setdefault(name, value)
            told += [key] if is_new else []
        if told:
            sources.append(BrandSource(name=tier.name, url=tier.url, fields=tuple(told)))
    colors = Colors(**groups["colors"], palette=tuple(palette.values()))
    typography, logos = Typography(**groups["typography"]), Logos(**groups["logos"])
    tone = Tone(**groups["tone_of_voice"])
    return Brand(
        identity=Identity(**{**groups["identity"], "domain": domain}),
        colors=colors,
        logos=logos,
        typography=typography,
        tone_of_voice=tone,
        social=Social(**groups["social"]),
        sources=tuple(sources),
        design_tokens=tokens_of(colors, typography) if with_tokens else None,
        coverage=BrandCoverage(
            colors=_extent(whole=bool(colors.primary) and len(palette) > 1, some=bool(palette)),
            logos=_logo_extent(logos),
            typography=_extent(
                whole=bool(typography.heading and typography.body),
                some=typography != Typography(),
            ),
            tone_of_voice="found" if tone != Tone() else "none",
        ),
    )


def _extent(*, whole: bool, some: bool) -> Extent:
    if whole:
        return "full"
    return "partial" if some else "none"


def _logo_extent(logos: Logos) -> Extent:
    some = bool(logos.primary or logos.dark or logos.icon or logos.favicon)
    return _extent(whole=bool(logos.primary and logos.icon), some=some)
