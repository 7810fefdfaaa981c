"""Findings of each tier of a brand search, and their merge into one brand."""

from collections import defaultdict
from collections.abc import Iterable, Iterator
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
    """The values that one page of one tier has, by field: `colors.primary`, `logos.icon`."""

    name: TierName
    url: str
    values: dict[str, Any] = field(default_factory=dict[str, Any])
    # of style sheets: used only for what no page states
    from_styles: dict[str, Any] = field(default_factory=dict[str, Any])

    def add(self, group: str, values: dict[str, Any], *, from_styles: bool = False) -> None:
        """Add the values that are not empty; existing fields stay."""
        target = self.from_styles if from_styles else self.values
        for key, value in values.items():
            if value not in (None, "", (), [], {}):
                target.setdefault(f"{group}.{key}", value)

    @property
    def is_guidelines(self) -> bool:
        """Whether the page is about the brand, not the homepage."""
        return self.name != "homepage_meta"


def read_portal(
    name: TierName, page: BrandPage, company: str, sheets: Iterable[str]
) -> BrandFindings:
    """Return the findings of a page about the brand and the company's own style `sheets`."""
    findings = BrandFindings(name, page.url)
    logos = logos_of(page, company)  # before `page.lines` removes hidden elements
    lines = page.lines
    palette = palette_of(page, lines)
    findings.add("colors", {**by_role(palette), "palette": palette})
    if not palette:
        variables = brand_colours(sheets)
        colors = {**by_role(variables), "palette": variables}
        findings.add("colors", colors, from_styles=True)
    findings.add("logos", {use: declared_logo(icon) for use, icon in logos.items()})
    fonts = fonts_of(page, lines)
    findings.add("typography", {**fonts, "scale": scale_of(page, lines)})
    if not fonts:
        findings.add("typography", dict(brand_fonts(sheets)), from_styles=True)
    findings.add("typography", {"google_fonts_url": google_fonts_url(page)})
    if tone := tone_of(page, lines):
        findings.add("tone_of_voice", dict(tone))
    return findings


def declared_logo(icon: Icon) -> Logo:
    """Return an icon as a logo, with its declared size."""
    return Logo(url=icon.url, format=format_of(icon.url), width=icon.width, height=icon.height)


def assemble_brand(tiers: Iterable[BrandFindings], domain: str, *, with_tokens: bool) -> Brand:
    """Return one brand: guidelines come before the homepage, and style sheets last."""
    groups: defaultdict[str, dict[str, Any]] = defaultdict(dict)
    palette: dict[str, Swatch] = {}
    pages = list(tiers)
    used: dict[int, list[str]] = {index: [] for index in range(len(pages))}
    ordered = sorted(enumerate(pages), key=lambda numbered: not numbered[1].is_guidelines)
    for index, page in ordered:
        used[index] += _merge(page.values, groups, palette)
    for index, page in ordered:
        used[index] += _merge(page.from_styles, groups, palette)
    sources = [
        BrandSource(name=page.name, url=page.url, fields=tuple(dict.fromkeys(used[index])))
        for index, page in enumerate(pages)
        if used[index]
    ]
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
        coverage=_coverage(colors, logos, typography, tone),
    )


def _merge(
    values: dict[str, Any], groups: defaultdict[str, dict[str, Any]], palette: dict[str, Swatch]
) -> Iterator[str]:
    """Add the values that earlier pages do not have, and yield their fields."""
    for key, value in values.items():
        group, _, name = key.partition(".")
        target, new = groups[group], {name: value}
        if key == PALETTE:
            target, new = palette, {swatch.hex: swatch for swatch in value}
        if not new.keys() <= target.keys():
            target |= new | target
            yield key


def _coverage(colors: Colors, logos: Logos, typography: Typography, tone: Tone) -> BrandCoverage:
    return BrandCoverage(
        colors=_extent(
            full=bool(colors.primary) and len(colors.palette) > 1, some=bool(colors.palette)
        ),
        logos=_extent(
            full=bool(logos.primary and logos.icon),
            some=any((logos.primary, logos.dark, logos.icon, logos.favicon)),
        ),
        typography=_extent(
            full=bool(typography.heading and typography.body), some=typography != Typography()
        ),
        tone_of_voice="found" if tone != Tone() else "none",
    )


def _extent(*, full: bool, some: bool) -> Extent:
    if full:
        return "full"
    return "partial" if some else "none"
