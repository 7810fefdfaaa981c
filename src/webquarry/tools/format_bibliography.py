"""The `format_bibliography` tool: sources formatted as references."""

from datetime import UTC, datetime
from functools import partial
from typing import Annotated, Self

from pydantic import Field, model_validator

from webquarry.calls.paging import Cursor
from webquarry.calls.tool import Call, ToolAnnotations, ToolOptions, tool
from webquarry.calls.tool_schema import typed_schema
from webquarry.content.citations.author_names import split_authors
from webquarry.content.citations.doi_reader import doi_of
from webquarry.content.citations.export import Reference
from webquarry.errors import BadInputError
from webquarry.models.model import ArgumentsError, Filled, Model
from webquarry.models.records import RecordsIn
from webquarry.models.short_schemas import objects_schema
from webquarry.models.tool_results import CitedSource
from webquarry.models.zero_results import TRUST
from webquarry.parsing.limited import parse_limited
from webquarry.services.bibliography import check_style, formatted_bibliography
from webquarry.services.sessions.report import session_references

_SOURCES_SCHEMA = objects_schema("url", "title", "author", "site", "date", "doi")


class FormatBibliographyIn(RecordsIn):
    """Arguments of `format_bibliography`."""

    style: str = Field(
        default="apa", description="apa, mla, bibtex, ris, csl-json, or a CSL style: ieee, chicago…"
    )
    sessionId: str | None = Field(default=None, description="Take the sources of this session,")
    sources: Annotated[tuple[CitedSource, ...], _SOURCES_SCHEMA] | None = Field(
        default=None, max_length=1000, description="or these."
    )
    cursor: Cursor = None

    @model_validator(mode="after")
    def _check(self) -> Self:
        if not (self.sessionId or self.sources):
            raise ArgumentsError(
                "give sessionId or a non-empty sources list", "sessionId", "sources"
            )
        return self


class FormatBibliographyOut(Model):
    """Result of `format_bibliography`."""

    style: str
    entryCount: int
    bibliography: str
    sessionId: str | None = None
    skipped: Filled[tuple[str, ...]] = None
    skippedNote: str | None = None
    trust: str = TRUST


@tool(
    "trust",
    ToolOptions(
        annotations=ToolAnnotations(open_world=False),
        output_schema=typed_schema(bibliography="string", entryCount="integer", skipped="array"),
        reads_session=True,
    ),
)
async def format_bibliography(args: FormatBibliographyIn, call: Call) -> FormatBibliographyOut:
    """Format sources as a bibliography, for readers or for reference managers."""
    style = check_style(args.style)
    if args.sessionId:
        state = await call.services.sessions.get(call.caller, args.sessionId)
        cited = session_references(state)
    else:
        work = partial(list[Reference], map(_reference, args.sources or ()))
        cited = parse_limited(work, "sources:", error=BadInputError)
    today = datetime.now(UTC).date()
    text, count = await formatted_bibliography(call.services.parsers, cited, style, today)
    skipped = tuple(
        each.title or each.doi or f"source {position}"
        for position, each in enumerate(cited, 1)
        if not each.url
    )
    return FormatBibliographyOut(
        style=style,
        entryCount=count,
        bibliography=text,
        sessionId=args.sessionId,
        skipped=skipped,
        skippedNote="Sources without a url cannot be listed; add it." if skipped else None,
    )


def _reference(source: CitedSource) -> Reference:
    return Reference(
        url=source.url.strip(),
        title=source.title,
        authors=split_authors(source.author),
        site=source.site,
        published=source.date,
        doi=doi_of(source.doi) or "",
    )
