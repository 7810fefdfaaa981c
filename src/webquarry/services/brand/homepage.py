"""The first tier of a brand search: identity, colors, logos and fonts of the homepage."""

import asyncio
from functools import partial
from urllib.parse import urljoin

from webquarry.content.brand.brand_findings import BrandFindings, declared_logo
from webquarry.content.brand.brand_page import BrandPage
from webquarry.content.brand.color_codes import brightness
from webquarry.content.brand.css_variables import brand_colours, brand_fonts
from webquarry.content.brand.fonts import google_fonts_url
from webquarry.content.brand.icons import Manifest, best_icon, icons_of, manifest_of, theme_colours
from webquarry.content.brand.identity import Organisation, identity_of, organisation_of
from webquarry.content.brand.palette import by_role
from webquarry.content.brand.social import social_profiles
from webquarry.models.brand import Logo, Swatch
from webquarry.parsing.limited import parse_limited
from webquarry.services.brand.page_fetch import BrandPageFetch, BrandPageFetcher

_CPU_SECONDS = 0.5
_LOGO_FIELDS = ("logos.primary", "logos.dark", "logos.icon")


async def read_homepage(
    fetcher: BrandPageFetcher, home: BrandPageFetch, domain: str, *, styles: bool
) -> BrandFindings:
    """Return the findings of the homepage; its style sheets are fetched only for `styles`."""
    page = home.page
    manifest, sheets = await asyncio.gather(
        _manifest(fetcher, page), fetcher.stylesheets(page, linked=styles)
    )
    work = partial(_findings, home, domain, manifest, sheets)
    findings = parse_limited(work, f"The page {home.url}", seconds=_CPU_SECONDS)
    await check_images(fetcher, findings)
    await _add_default_favicon(fetcher, findings, page)
    return findings


def _findings(
    home: BrandPageFetch, domain: str, manifest: Manifest, sheets: list[str]
) -> BrandFindings:
    page = home.page
    findings = BrandFindings("homepage_meta", home.url)
    owner = organisation_of(page)
    identity = identity_of(page, owner)
    if manifest.name:
        identity.setdefault("name", manifest.name)
    findings.add("identity", identity)
    _add_colors(findings, page, manifest, sheets)
    findings.add("logos", _logos(page, owner, manifest))
    findings.add("typography", dict(brand_fonts(sheets)), from_styles=True)
    findings.add("typography", {"google_fonts_url": google_fonts_url(page)})
    names = (domain.partition(".")[0], identity.get("name", ""))
    findings.add("social", dict(social_profiles(page, owner.same_as if owner else (), names)))
    return findings


def _logos(page: BrandPage, owner: Organisation | None, manifest: Manifest) -> dict[str, object]:
    icon = best_icon([*icons_of(page), *manifest.icons])
    return {
        "primary": Logo.model_validate(owner.logo) if owner and owner.logo else None,
        "icon": declared_logo(icon) if icon else None,
        "favicon": page.link_url("icon"),
        "og_image": page.absolute_url(page.meta("og:image", "og:image:url")),
    }


async def check_images(fetcher: BrandPageFetcher, findings: BrandFindings) -> None:
    """Add the real sizes of logos, and remove images that do not exist."""
    values = findings.values
    logos = [key for key in _LOGO_FIELDS if key in values]
    others = [key for key in ("logos.favicon", "logos.og_image") if key in values]
    measured, are_images = await asyncio.gather(
        asyncio.gather(*(fetcher.measure_logo(values[key]) for key in logos)),
        asyncio.gather(*(fetcher.is_image(values[key]) for key in others)),
    )
    values |= dict(zip(logos, measured, strict=True))
    for key, exists in zip((*logos, *others), (*measured, *are_images), strict=True):
        if not exists:
            del values[key]


async def _add_default_favicon(
    fetcher: BrandPageFetcher, findings: BrandFindings, page: BrandPage
) -> None:
    """Add /favicon.ico, which browsers request when a page declares no icon."""
    url = urljoin(page.url, "/favicon.ico")
    if "logos.favicon" not in findings.values and await fetcher.has_image(url):
        findings.add("logos", {"favicon": url})


def _add_colors(
    findings: BrandFindings, page: BrandPage, manifest: Manifest, sheets: list[str]
) -> None:
    """Add CSS variables of the brand with their roles, and theme colors without a role."""
    variables = brand_colours(sheets)
    declared = [("theme-color", hex_) for hex_ in theme_colours(page)]
    declared += list(manifest.colours.items())
    themes = [Swatch(hex=hex_, name=name, brightness=brightness(hex_)) for name, hex_ in declared]
    palette: dict[str, Swatch] = {}
    for swatch in (*variables, *themes):
        palette.setdefault(swatch.hex, swatch)
    colors = {**by_role(variables), "palette": list(palette.values())}
    findings.add("colors", colors, from_styles=True)


async def _manifest(fetcher: BrandPageFetcher, page: BrandPage) -> Manifest:
    url = page.link_url("manifest")
    return manifest_of(await fetcher.text_file(url) or "", url) if url else Manifest()
