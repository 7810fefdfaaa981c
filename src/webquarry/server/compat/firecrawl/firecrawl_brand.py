"""The format branding."""

from typing import Any

from starlette.requests import Request

from webquarry.server.compat.vendor_context import VendorContext

Json = dict[str, Any]
_DARK = 128  # brightness below which a background is dark


async def branding(context: VendorContext, request: Request, url: str) -> Json:
    """Return the brand of the site of a page in Firecrawl's form; only what is stated."""
    brand = await context.call(request, "brand_research", {"url": url, "depth": "quick"})
    colors, logos = brand["colors"], brand["logos"]
    found: Json = {
        "brandName": brand["identity"].get("name"),
        "colorScheme": _scheme(colors),
        "logo": _url(logos.get("primary")),
        "colors": _colors(colors),
        "fonts": _fonts(brand["typography"]),
        "typography": _typography(brand["typography"]),
        "images": _images(logos),
        "personality": _personality(brand["tone_of_voice"]),
    }
    return {name: value for name, value in found.items() if value}


def _scheme(colors: Json) -> str | None:
    background = (colors.get("background") or "").lstrip("#")
    if len(background) != 6:
        return None
    red, green, blue = (int(background[at : at + 2], 16) for at in (0, 2, 4))
    return "dark" if (red * 299 + green * 587 + blue * 114) / 1000 < _DARK else "light"


def _colors(colors: Json) -> dict[str, str]:
    names = {
        "primary": "primary",
        "secondary": "secondary",
        "accent": "accent",
        "background": "background",
        "text": "textPrimary",
        "text_secondary": "textSecondary",
    }
    return {theirs: colors[ours] for ours, theirs in names.items() if colors.get(ours)}


def _fonts(typography: Json) -> list[Json]:
    roles = ((role, typography.get(role)) for role in ("heading", "body", "mono"))
    return [{"family": font["family"], "role": role} for role, font in roles if font]


def _typography(typography: Json) -> Json:
    families = {
        name: typography[role]["family"]
        for role, name in (("body", "primary"), ("heading", "heading"), ("mono", "code"))
        if typography.get(role)
    }
    return {"fontFamilies": families} if families else {}


def _images(logos: Json) -> dict[str, str]:
    found = {
        "logo": _url(logos.get("primary")),
        "favicon": logos.get("favicon"),
        "ogImage": logos.get("og_image"),
    }
    return {name: url for name, url in found.items() if url}


def _url(logo: Json | None) -> str | None:
    return logo["url"] if logo else None


def _personality(tone: Json) -> Json:
    values = {"tone": tone.get("summary"), "traits": list(tone.get("attributes") or ())}
    return {name: value for name, value in values.items() if value}
