"""The `format_bibliography` tool: sources as a list of references."""

from datetime import UTC, datetime
from typing import Annotated, Self

from pydantic import Field, WithJsonSchema, model_validator

from webquarry.calls.tool import Call, Options, ToolAnnotations, tool
from webquarry.calls.tool_schema import names_schema
from webquarry.content.citations.export import Reference, split_authors
from webquarry.content.citations.identifiers import clean_doi
from webquarry.models.model import Model
from webquarry.models.records import RecordsIn
from webquarry.models.zero_results import TRUST
from webquarry.services.bibliography import bibliography, check_style
from webquarry.services.sessions.report import references


class CitedSource(Model):
    """One source to list."""

    url: str = ""
    title: str = ""
    author: str = ""
    site: str = ""
    date: str = ""
    doi: str = ""


_LISTED = WithJsonSchema(
    {
        "type": "array",
        "items": {"type": "object", "description": "url, title?, author?, site?, date?, doi?"},
    }
)


class FormatBibliographyIn(RecordsIn):
    """Arguments of `format_bibliography`."""

    style: str = Field(
        default="apa", description="apa, mla, bibtex, ris, csl-json, or a CSL style: ieee, chicago…"
    )
    sessionId: str | None = Field(default=None, description="Take the sources of this session,")
    sources: Annotated[tuple[CitedSource, ...], _LISTED] | None = Field(
        default=None, max_length=1000, description="or these."
    )

    @model_validator(mode="after")
    def _check(self) -> Self:
        if not (self.sessionId or self.sources):
            raise ValueError("give sessionId or a non-empty sources list")
        return self


class FormatBibliographyOut(Model):
    """Result of `format_bibliography`."""

    style: str
    entryCount: int
    bibliography: str
    sessionId: str | None = None
    skipped: tuple[str, ...] | None = None
    skippedNote: str | None = None
    trust: str = TRUST


@tool(
    "trust",
    Options(
        hints=ToolAnnotations(open_world=False),
        output_schema=names_schema("bibliography", "entryCount"),
        reads_session=True,
    ),
)
async def format_bibliography(args: FormatBibliographyIn, call: Call) -> FormatBibliographyOut:
    """Format sources as a bibliography, for readers or for reference managers."""
    style = check_style(args.style)
    if args.sessionId:
        notebook = await call.services.sessions.find(call.caller, args.sessionId)
        listed = [each.reference for each in references(notebook)]
    else:
        listed = [_reference(source) for source in args.sources or ()]
    text, count = bibliography(listed, style, datetime.now(UTC).date())
    skipped = tuple(_name(each, at) for at, each in enumerate(listed, 1) if not each.url)
    return FormatBibliographyOut(
        style=style,
        entryCount=count,
        bibliography=text,
        sessionId=args.sessionId,
        skipped=skipped or None,
        skippedNote="Sources without a url cannot be listed; add it." if skipped else None,
    )


def _name(reference: Reference, position: int) -> str:
    return reference.title or reference.doi or f"source {position}"


def _reference(source: CitedSource) -> Reference:
    return Reference(
        url=source.url.strip(),
        title=source.title,
        authors=split_authors(source.author),
        site=source.site,
        published=source.date,
        doi=clean_doi(source.doi) or "",
    )
