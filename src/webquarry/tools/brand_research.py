"""The `brand_research` tool: how a company's brand looks and speaks."""

from contextlib import nullcontext

from pydantic import Field, model_validator

from webquarry.calls.tool import Call, ToolOptions, tool
from webquarry.models.brand import Brand, Depth
from webquarry.models.model import ArgumentsError, Model
from webquarry.models.search_args import ShortText
from webquarry.models.short_schemas import field_names_schema
from webquarry.observe.progress import ProgressListener


class BrandResearchIn(Model):
    """Arguments of `brand_research`."""

    url: ShortText | None = Field(default=None, description="Domain or URL.")
    company_name: ShortText | None = Field(default=None, description="If url is unknown.")
    depth: Depth = Field(
        default="standard",
        description="homepage; + brand pages; + search.",
    )
    include_design_tokens: bool = Field(default=False, description="Add W3C DTCG tokens.")
    sessionId: str | None = Field(default=None, description="Session id.")

    @model_validator(mode="after")
    def _names_a_company(self) -> "BrandResearchIn":
        if not (self.url or "").strip() and not (self.company_name or "").strip():
            raise ArgumentsError("url or company_name is required", "url", "company_name")
        return self


class BrandResearchOut(Brand):
    """Result of `brand_research`."""


@tool("brand", ToolOptions(timeout=90, output_schema=field_names_schema(BrandResearchOut)))
async def brand_research(args: BrandResearchIn, call: Call) -> BrandResearchOut:
    """Get a brand as JSON: colors, logos, fonts, tone, profiles; only what its owner states.

    Fields under `unchecked` may exist; read the page at `brand_portal_resource` for more.
    """
    # imported here: the tools are also listed without a call
    from webquarry.services.brand.service import BrandQuery

    query = BrandQuery(
        url=(args.url or "").strip(),
        company=" ".join((args.company_name or "").split()),
        depth=args.depth,
        tokens=args.include_design_tokens,
    )
    with ProgressListener(call.report) if call.report else nullcontext():
        brand = await call.services.brands.research(query, call.caller)
    return BrandResearchOut(**dict(brand))
