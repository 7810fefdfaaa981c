"""The `brand_research` tool: how a company's brand looks and speaks."""

from pydantic import Field, model_validator

from webquarry.calls.tool import Call, Options, tool
from webquarry.errors import InternalError
from webquarry.models.brand import Brand, Depth
from webquarry.models.brief import names_of
from webquarry.models.model import Model
from webquarry.models.search_args import Short
from webquarry.observe.progress import listening
from webquarry.services.brand.service import BrandQuery


class BrandResearchIn(Model):
    """Arguments of `brand_research`."""

    url: Short | None = Field(default=None, description="Domain or URL.")
    company_name: Short | None = Field(default=None, description="If url is unknown.")
    depth: Depth = Field(
        default="standard",
        description="homepage; + brand pages; + search.",
    )
    include_design_tokens: bool = Field(default=False, description="Add W3C DTCG tokens.")
    sessionId: str | None = Field(default=None, description="Research session.")

    @model_validator(mode="after")
    def _names_a_company(self) -> "BrandResearchIn":
        if not (self.url or "").strip() and not (self.company_name or "").strip():
            raise ValueError("url or company_name is required")
        return self


class BrandResearchOut(Brand):
    """Result of `brand_research`."""


@tool("brand", Options(timeout=90, output_schema=names_of(BrandResearchOut)))
async def brand_research(args: BrandResearchIn, call: Call) -> BrandResearchOut:
    """Get a brand as JSON: colors, logos, fonts, tone, profiles; only what its owner states.

    unchecked may exist. Read brand_portal_resource for more.
    """
    asked = BrandQuery(
        url=(args.url or "").strip(),
        company=" ".join((args.company_name or "").split()),
        depth=args.depth,
        tokens=args.include_design_tokens,
    )
    brands = call.services.brands
    if brands is None:
        raise InternalError("Brand research was not built.")
    with listening(call.progress):
        brand = await brands.research(asked, call.caller)
    return BrandResearchOut(**dict(brand))
