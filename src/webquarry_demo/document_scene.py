"""The scene that checks a whole report, written by an assistant, before it is sent."""

from importlib.resources import files

from webquarry.cli.output import plural
from webquarry_demo.sample_pages import with_port
from webquarry_demo.scene import Json, Scene, SceneContext, SceneLine, SceneResult, require

_EXPECTED = {
    "contradicted": 1,
    "reference_not_found": 2,
    "retracted": 1,
    "dead_link": 1,
}
_REPORT = "check.html"


async def document(context: SceneContext) -> SceneResult:
    """Check every claim and every reference of a draft."""
    draft = files("webquarry_demo").joinpath("draft.md").read_text("utf-8")
    text = with_port(draft, context.port)
    found = await context.call("check_document", text=text, name="draft.md")
    findings: list[Json] = found["findings"]
    kinds = [each["kind"] for each in findings]
    counted = {kind: kinds.count(kind) for kind in _EXPECTED}
    require(counted == _EXPECTED, f"check_document found {counted} instead of {_EXPECTED}")
    supported = found["summary"]["supported"]
    lines = (
        *(SceneLine(_told(each).replace(f":{context.port}/", "/"), "bad") for each in findings),
        SceneLine(f"{plural(supported, 'claim')} found in the cited source", "good"),
        SceneLine(f"{_REPORT}: all claims with their sources, sortable"),
    )
    await _write_report(context, found["checkId"])
    data = {"checkId": found["checkId"], "findings": counted, "supported": supported}
    return SceneResult(lines, data)


def _told(finding: Json) -> str:
    kind, place = finding["kind"].replace("_", " "), f"line {finding['place']['line']}"
    about = finding["message"] if finding["kind"] == "contradicted" else _short(finding["text"])
    return f"{kind.capitalize()} ({place}): {about}"


def _short(entry: str) -> str:
    """Return authors and title of an entry, or all of a URL."""
    return entry.partition(". Journal")[0]


async def _write_report(context: SceneContext, check_id: str) -> None:
    app = context.library.app
    checks = app.services.document_checks
    job = await checks.get(check_id, app.owner)
    report = await checks.file(job, "html", app.services.parsers)
    (context.folder / _REPORT).write_bytes(report.content)


DOCUMENT_SCENE = Scene(
    "document",
    "Check a report before it is sent",
    ("check_document",),
    "A draft by an assistant: every reference is looked up, every cited claim compared with its "
    "source.",
    document,
)
