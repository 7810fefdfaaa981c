"""The `check_document` tool: checks every reference and every claim of a document."""

from typing import Annotated, Self

from pydantic import Field, model_validator

from webquarry.calls.paging import DEFAULT_TOKENS, Budgeted, Paged
from webquarry.calls.tool import Call, ToolAnnotations, ToolOptions, tool
from webquarry.calls.tool_schema import names_schema
from webquarry.content.manuscript.manuscript_model import ManuscriptSource
from webquarry.models.document_check import CheckOptions, CheckProgress, DocumentCheck
from webquarry.models.model import ArgumentsError
from webquarry.models.short_schemas import FullSchemaOnly, ShortSchema
from webquarry.services.checking.check_store import CheckJob

_WAIT_SECONDS = 100.0  # below the timeout of the tool
_MAX_TEXT = 5_000_000
_SOURCES = ("url", "path", "data", "text", "id")
_Text = Annotated[str, Field(min_length=1, max_length=4000), ShortSchema(type="string")]


class CheckDocumentIn(Budgeted):
    """Arguments of `check_document`."""

    url: _Text | None = Field(default=None, description="URL of the document,")
    path: _Text | None = Field(default=None, description="or a file,")
    data: Annotated[str | None, FullSchemaOnly()] = Field(default=None, description="or base64,")
    text: Annotated[str, Field(max_length=_MAX_TEXT), ShortSchema(type="string")] | None = Field(
        default=None, description="or its text,"
    )
    id: _Text | None = Field(default=None, description="or a checkId.")
    name: Annotated[_Text | None, FullSchemaOnly()] = Field(
        default=None, description="File name of data or text."
    )
    all_sentences: Annotated[bool, FullSchemaOnly()] = Field(
        default=False, description="Also sentences without citation."
    )
    max_sources: Annotated[int, FullSchemaOnly()] = Field(
        default=150, ge=0, le=500, description="Sources to read."
    )
    cancel: Annotated[bool, FullSchemaOnly()] = Field(default=False, description="Cancel id.")
    resume: Annotated[bool, FullSchemaOnly()] = Field(
        default=False, description="Go on with id, cancelled or out of time."
    )
    deadline: Annotated[int, FullSchemaOnly()] = Field(
        default=900, ge=1, le=7200, description="Seconds after which the check ends."
    )
    max_model_tokens: Annotated[int, FullSchemaOnly()] = Field(
        default=200_000, ge=0, description="Tokens of a configured language model; 0: none."
    )
    wait: Annotated[bool, FullSchemaOnly()] = Field(
        default=True, description="Wait up to 100 s for the result."
    )

    @model_validator(mode="after")
    def _check(self) -> Self:
        given = [name for name in _SOURCES if getattr(self, name)]
        if len(given) != 1:
            what = "give one of url, path, data, text and id"
            hint = "" if given else "; an empty one does not count"
            raise ArgumentsError(f"{what}{hint}", *(given or _SOURCES))
        for name in ("cancel", "resume"):
            if getattr(self, name) and not self.id:
                raise ArgumentsError(f"{name} needs the id of a check", name)
        if self.cancel and self.resume:
            raise ArgumentsError("give cancel or resume, not both", "cancel", "resume")
        return self


class CheckDocumentOut(DocumentCheck, Paged):
    """Result of `check_document`."""


@tool(
    "trust",
    ToolOptions(
        title="Check a document",
        annotations=ToolAnnotations(read_only=False),
        timeout=_WAIT_SECONDS + 15,
        cuttable=("references", "claims", "findings"),
        default_tokens=DEFAULT_TOKENS,
        output_schema=names_schema("status", "findings", "claims", "references", "nextCursor"),
    ),
)
async def check_document(args: CheckDocumentIn, call: Call) -> CheckDocumentOut:
    """Check a finished text: every reference exists and every cited claim is in its source.

    Finds invented, retracted and misquoted sources, and wrong numbers.
    """
    checks = call.services.document_checks
    job = await _job(args, call)

    async def report(done: CheckProgress) -> None:
        message = (
            f"{done.references} of {done.referencesTotal} references, "
            f"{done.claims} of {done.claimsTotal} claims"
        )
        total = done.referencesTotal + done.claimsTotal
        await call.progress(done.references + done.claims, total, message)

    if args.wait:
        job = await checks.wait(job, call.caller, _WAIT_SECONDS, report)
    result = await checks.result(job)
    return CheckDocumentOut.model_construct(**dict(result))


async def _job(args: CheckDocumentIn, call: Call) -> CheckJob:
    checks = call.services.document_checks
    if args.id:
        do = checks.cancel if args.cancel else checks.go_on if args.resume else checks.get
        return await do(args.id, call.caller)
    options = CheckOptions(
        max_sources=args.max_sources,
        deadline=float(args.deadline),
        all_sentences=args.all_sentences,
        max_model_tokens=args.max_model_tokens,
    )
    return await checks.start(await _source(args, call), options, call.caller)


async def _source(args: CheckDocumentIn, call: Call) -> ManuscriptSource:
    inputs = call.services.document_inputs
    if args.url:
        return await inputs.from_url(args.url)
    if args.path:
        return inputs.from_path(args.path)
    if args.data:
        return inputs.from_base64(args.data, args.name or "document")
    return ManuscriptSource(args.text or "", args.name or "document.md")
