"""A brand as its owner describes it; what is not stated is None."""

from typing import Any, Literal

from pydantic import Field

from webquarry.models.model import Model
from webquarry.models.zero_results import TRUST

Depth = Literal["quick", "standard", "full"]
Extent = Literal["full", "partial", "none"]
TierName = Literal["homepage_meta", "brand_page", "web_search"]


class Identity(Model):
    """Name, domain and facts of the company."""

    name: str | None = None
    domain: str | None = None
    tagline: str | None = None
    description: str | None = None
    industry: str | None = None
    founded: str | None = None
    location: str | None = None


class Swatch(Model):
    """One color of the palette."""

    hex: str
    name: str | None = None
    role: str | None = Field(default=None, description="Only if the source states it")
    brightness: int = Field(description="0 black to 255 white")


class Colors(Model):
    """Colors by role, and all of them."""

    primary: str | None = None
    secondary: str | None = None
    accent: str | None = None
    background: str | None = None
    text: str | None = None
    surface: str | None = None
    text_secondary: str | None = None
    palette: tuple[Swatch, ...] = ()


class Logo(Model):
    """One image of the logo."""

    url: str
    format: str | None = None
    width: int | None = None
    height: int | None = None


class Logos(Model):
    """The logo in its versions."""

    primary: Logo | None = None
    dark: Logo | None = Field(default=None, description="For dark grounds")
    icon: Logo | None = None
    favicon: str | None = None
    og_image: str | None = None


class Font(Model):
    """One typeface."""

    family: str
    weights: tuple[int, ...] = ()
    origin: str | None = None
    origin_id: str | None = None


class Typography(Model):
    """Typefaces by use."""

    heading: Font | None = None
    body: Font | None = None
    mono: Font | None = None
    google_fonts_url: str | None = None
    scale: dict[str, str] | None = None


class Tone(Model):
    """Tone of voice, in the words of the brand."""

    summary: str | None = None
    attributes: tuple[str, ...] = ()
    dos_and_donts: dict[Literal["dos", "donts"], tuple[str, ...]] | None = None


class Social(Model):
    """URLs of social media profiles."""

    twitter: str | None = None
    linkedin: str | None = None
    github: str | None = None
    youtube: str | None = None
    facebook: str | None = None
    instagram: str | None = None


class BrandSource(Model):
    """The source of some fields."""

    name: TierName
    url: str
    fields: tuple[str, ...]


class BrandCoverage(Model):
    """Which parts were found."""

    colors: Extent
    logos: Extent
    typography: Extent
    tone_of_voice: Literal["found", "none"]


class Brand(Model):
    """Everything found about a brand."""

    identity: Identity
    colors: Colors
    logos: Logos
    typography: Typography
    tone_of_voice: Tone
    social: Social
    sources: tuple[BrandSource, ...] = ()
    guidelines_url: str | None = None
    brand_portal_resource: str | None = None
    suggestion: str | None = None
    design_tokens: dict[str, Any] | None = None
    coverage: BrandCoverage
    unchecked: tuple[str, ...] | None = Field(
        default=None, description="What could not be looked at, so may exist all the same"
    )
    requests: int | None = None  # sent to research it
    cache_age: int = 0
    trust: str = TRUST
