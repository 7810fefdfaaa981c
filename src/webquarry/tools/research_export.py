"""The `research_export` tool: a session as a document to share."""

import tempfile
from typing import Annotated, Any, Literal

from pydantic import Field, WithJsonSchema

from webquarry.calls.paging import Cursor
from webquarry.calls.tool import Call, LinkedDocument, ToolAnnotations, ToolOptions, tool
from webquarry.calls.tool_schema import Json, names_schema
from webquarry.content.citations.export import bibtex, csl_json, ris, with_keys
from webquarry.content.text.token_count import compact_json
from webquarry.errors import BadInputError
from webquarry.models.model import Filled, Model
from webquarry.models.zero_results import TRUST
from webquarry.services.sessions.html_report import report_html
from webquarry.services.sessions.report import (
    SessionExport,
    report_data,
    report_markdown,
    session_references,
)
from webquarry.services.sessions.search_log import search_log

Attachment = Literal["bibtex", "ris", "csl-json", "prisma-s"]
_MAX_BUNDLE = 32 * 2**20
_WRITERS = {"markdown": report_markdown, "json": report_data, "html": report_html}
_ATTACH_SCHEMA = WithJsonSchema(
    {"type": "array", "items": {"type": "string", "enum": list(Attachment.__args__)}}
)


class ResearchExportIn(Model):
    """Arguments of `research_export`."""

    sessionId: str = Field(description="The session.")
    format: Literal["markdown", "json", "html", "wacz"] = Field(
        default="markdown", description="Form."
    )
    verify_links: bool = Field(
        default=False, description="Check sources; find archived copies of dead ones."
    )
    attach: Annotated[list[Attachment], _ATTACH_SCHEMA] | None = Field(
        default=None, description="References, search log."
    )
    cursor: Cursor = None


class AttachedFile(Model):
    """A file beside the report."""

    name: str
    mimeType: str
    text: str


class ResearchExportOut(Model):
    """Result of `research_export`."""

    sessionId: str
    format: str
    researchGoal: str
    stepCount: int
    sourceCount: int
    startedAt: str
    exportedAt: str
    tenantId: str
    document: str | dict[str, Any]
    attachments: Filled[list[AttachedFile]] = None
    trust: str


_MIMES = {"markdown": "text/markdown", "html": "text/html"}


def _document(body: Json) -> LinkedDocument | None:
    mime = _MIMES.get(body["format"])
    return LinkedDocument(body["document"], mime) if mime else None


def _text(body: Json) -> str:
    """Return the counts, the report and the attached files."""
    files: list[Json] = body.get("attachments") or []
    attached = f" Attached: {', '.join(each['name'] for each in files)}." if files else ""
    opening = (
        f'Report on "{body["researchGoal"]}": {body["stepCount"]} steps, {body["sourceCount"]} '
        f"sources.{attached}"
    )
    document = body["document"]
    report = document if isinstance(document, str) else compact_json(document)
    return "\n\n".join((opening, report, *(f"{each['name']}:\n\n{each['text']}" for each in files)))


@tool(
    "research",
    ToolOptions(
        annotations=ToolAnnotations(open_world=False),
        heavy=True,
        text=_text,
        document=_document,
        output_schema=names_schema("document", "attachments"),
        reads_session=True,
    ),
)
async def research_export(args: ResearchExportIn, call: Call) -> ResearchExportOut:
    """Export a session as a report, with references and a PRISMA-S search log if wanted."""
    sessions = call.services.sessions
    state = await sessions.get(call.caller, args.sessionId)
    links = {}
    if args.verify_links:
        links = await call.services.links.check(source.url for source in state.sources)
    export = SessionExport(state, call.caller.tenant, sessions.timestamp(), links)
    bundle = args.format == "wacz"
    return ResearchExportOut(
        sessionId=state.id,
        format=args.format,
        researchGoal=state.goal,
        stepCount=len(state.steps),
        sourceCount=state.source_count,
        startedAt=state.started_at,
        exportedAt=export.exported_at,
        tenantId=call.caller.tenant,
        document=await _bundle(state.id, call) if bundle else _WRITERS[args.format](export),
        attachments=[_attached(kind, export) for kind in dict.fromkeys(args.attach or ())],
        trust=TRUST,
    )


async def _bundle(session_id: str, call: Call) -> Json:
    """Store the evidence of a session as an artifact; return where it is and what it carries."""
    bundles = call.services.bundles
    plan = await bundles.plan("session", session_id, call.caller)
    with tempfile.TemporaryFile() as file:
        await bundles.write(plan, file)
        if file.tell() > _MAX_BUNDLE:
            raise BadInputError(
                "format: the bundle is too large for a link; get it with `webquarry bundle "
                f"session {session_id} -o evidence.wacz` or GET /v1/session/{session_id}/bundle"
            )
        file.seek(0)
        artifact = await call.services.artifacts.put(
            file.read(), mime="application/wacz", tenant=call.caller.tenant, owner=call.caller.user
        )
    summary = plan.summary.model_dump(mode="json")
    return summary | {"uri": artifact.uri, "bytes": artifact.bytes}


def _attached(kind: Attachment, export: SessionExport) -> AttachedFile:
    state = export.state
    if kind == "prisma-s":
        return AttachedFile(name="search-log.md", mimeType="text/markdown", text=search_log(state))
    write, name, mime = {
        "bibtex": (bibtex, "references.bib", "application/x-bibtex"),
        "ris": (ris, "references.ris", "application/x-research-info-systems"),
        "csl-json": (csl_json, "references.json", "application/vnd.citationstyles.csl+json"),
    }[kind]
    return AttachedFile(name=name, mimeType=mime, text=write(with_keys(session_references(state))))
