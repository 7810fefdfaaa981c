"""The first tier: what a homepage declares about its owner."""

import asyncio
from urllib.parse import urljoin

from webquarry.content.brand.brand_findings import BrandFindings, logo_of
from webquarry.content.brand.brand_page import BrandPage
from webquarry.content.brand.color_codes import brightness
from webquarry.content.brand.css_variables import brand_colours, brand_fonts
from webquarry.content.brand.fonts import google_fonts_url
from webquarry.content.brand.icons import (
    Manifest,
    best_icon,
    favicon_of,
    icons_of,
    manifest_of,
    manifest_url,
    theme_colours,
)
from webquarry.content.brand.identity import identity_of, organisation_of
from webquarry.content.brand.palette import by_role
from webquarry.content.brand.social import socials_of
from webquarry.models.brand import Logo, Swatch
from webquarry.services.brand.page_fetch import BrandPageFetch, BrandPageFetcher

_LOGOS = ("logos.primary", "logos.dark", "logos.icon")


async def read_homepage(
    looking: BrandPageFetcher, home: BrandPageFetch, domain: str, *, styles: bool
) -> BrandFindings:
    """Return what the homepage says; its style sheets are fetched only for `styles`."""
    page = home.page
    where = manifest_url(page)
    manifest_text, sheets = await asyncio.gather(
        looking.text(where) if where else _nothing(),
        looking.sheets(page) if styles else _no_sheets(page),
    )
    manifest = manifest_of(manifest_text or "", where or page.url)
    found = BrandFindings("homepage_meta", home.url)
    owner = organisation_of(page)
    identity = identity_of(page, owner)
    if manifest.name:
        identity.setdefault("name", manifest.name)
    found.add("identity", identity)
    _note_colours(found, page, manifest, sheets)
    found.add("logos", {"primary": _declared(owner.logo) if owner and owner.logo else None})
    icon = best_icon([*icons_of(page), *manifest.icons])
    found.add("logos", {"icon": logo_of(icon) if icon else None, "favicon": favicon_of(page)})
    found.add("logos", {"og_image": page.absolute(page.meta("og:image", "og:image:url"))})
    found.add("typography", {**brand_fonts(sheets), "google_fonts_url": google_fonts_url(page)})
    names = (domain.partition(".")[0], identity.get("name", ""))
    found.add("social", dict(socials_of(page, owner.same_as if owner else (), names)))
    await check_images(looking, found)
    await _look_for_favicon(looking, found, page)
    return found


async def check_images(looking: BrandPageFetcher, found: BrandFindings) -> None:
    """Give logos their real size, and drop every image that is not there."""
    logos = [key for key in _LOGOS if key in found.values]
    others = [key for key in ("logos.favicon", "logos.og_image") if key in found.values]
    measured, there = await asyncio.gather(
        asyncio.gather(*(looking.measured(found.values[key]) for key in logos)),
        asyncio.gather(*(looking.is_image(found.values[key]) for key in others)),
    )
    for key, logo in zip(logos, measured, strict=True):
        if logo is None:
            del found.values[key]
        else:
            found.values[key] = logo
    for key, is_there in zip(others, there, strict=True):
        if not is_there:
            del found.values[key]


async def _look_for_favicon(
    looking: BrandPageFetcher, found: BrandFindings, page: BrandPage
) -> None:
    """Note the icon that browsers look for when a page declares none."""
    usual = urljoin(page.url, "/favicon.ico")
    if "logos.favicon" not in found.values and await looking.has_image(usual):
        found.add("logos", {"favicon": usual})


def _note_colours(
    found: BrandFindings, page: BrandPage, manifest: Manifest, sheets: list[str]
) -> None:
    """Note brand variables with the role their name states; a theme color has none but its own."""
    named = brand_colours(sheets)
    palette: dict[str, Swatch] = {}
    for swatch in named:
        palette.setdefault(swatch.hex, swatch)
    declared = [("theme-color", hex_) for hex_ in theme_colours(page)]
    declared += list(manifest.colours.items())
    for name, hex_ in declared:
        own = Swatch(hex=hex_, name=name, brightness=brightness(hex_))
        palette.setdefault(hex_, own)
    found.add("colors", {**by_role(named), "palette": list(palette.values())})


def _declared(logo: dict[str, object]) -> Logo:
    return Logo.model_validate(logo)


async def _nothing() -> None:
    return None


async def _no_sheets(page: BrandPage) -> list[str]:
    return list(page.styles)
