"""`webquarry watch`: monitors and what they found."""

from dataclasses import replace
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from webquarry.cli.options import AsJson, listing, typer_app
from webquarry.cli.output import Json, Note
from webquarry.cli.terminal import show
from webquarry.cli.tool_calls import run_in_library, without_empty
from webquarry.cli.watch_views import changes_view, created_view, list_view, run_view
from webquarry.errors import BadInputError

if TYPE_CHECKING:
    from webquarry.library import LibrarySession
    from webquarry.services.watching.service import MonitorService

_EXAMPLES = (
    "webquarry watch add https://example.com/pricing --every 6h",
    "webquarry watch add https://example.com/kettle --fields price --when 'price < 20'",
    "webquarry watch add 'solar cell efficiency record' --kind search",
    "webquarry watch run",
)
_SEND_SECONDS = 20.0
_CHANGES = "monitor_changes"
app = typer_app("Watch pages, sites, searches or references for changes.")
MonitorId = Annotated[str, typer.Argument(metavar="ID", help="Monitor id, or the start of it.")]
KindName = Literal["page", "feed", "site", "search", "references"]
Strings = list[str] | None
Target = Annotated[str, typer.Argument(help="A URL, a query, or references (- for stdin).")]
KindOption = Annotated[KindName, typer.Option("--kind", help="What the target is.")]
Every = Annotated[str, typer.Option(help="Interval like 30m, 6h or 1d, or a cron expression.")]
Selector = Annotated[str | None, typer.Option(help="CSS selector of the part to watch.")]
Words = Annotated[
    Strings, typer.Option("--word", help="Watch passages with this word; repeatable.")
]
Fields = Annotated[str | None, typer.Option(help="Watch these fields: price, availability.")]
When = Annotated[Strings, typer.Option(help="Report only if, like 'price < 20' or 'drops 5 %'.")]
Notify = Annotated[
    Strings, typer.Option(help="Webhook URL, or Apprise URL of mail or chat; repeatable.")
]
Digest = Annotated[
    str | None, typer.Option(help="Collect changes and notify at this interval or cron time.")
]
Timezone = Annotated[str, typer.Option(help="Time zone of cron and quiet hours.")]
Quiet = Annotated[str | None, typer.Option(help="No checks in these hours: 22:00-07:00.")]
Name = Annotated[str | None, typer.Option(help="Title in lists and notifications.")]
Pages = Annotated[int, typer.Option(min=1, help="Pages of a site.")]
Capture = Annotated[
    bool, typer.Option("--capture", help="Keep requests and responses for evidence bundles.")
]


def load(_: str) -> typer.Typer:
    """Return the commands about monitors."""
    return app


# each parameter is an option of the command
@app.command(epilog=listing("Examples", _EXAMPLES))
def add(  # noqa: PLR0913
    target: Target,
    *,
    kind: KindOption = "page",
    every: Every = "1d",
    selector: Selector = None,
    words: Words = None,
    fields: Fields = None,
    when: When = None,
    notify: Notify = None,
    digest: Digest = None,
    timezone: Timezone = "UTC",
    quiet: Quiet = None,
    name: Name = None,
    pages: Pages = 100,
    capture: Capture = False,
    as_json: AsJson = False,
) -> None:
    """Create a monitor and check it for the first time."""
    arguments = without_empty(
        {
            "target": _stdin_or(target),
            "kind": kind,
            "schedule": every,
            "selector": selector,
            "words": tuple(words or ()),
            "fields": fields,
            "when": tuple(when or ()),
            "notify": tuple(notify or ()),
            "digest": digest,
            "timezone": timezone,
            "quiet": quiet,
            "name": name,
            "maxPages": pages,
            "capture": capture,
        }
    )

    body = run_in_library(lambda library: _created(library, arguments))
    show(created_view(body), body, "json" if as_json else "text")


@app.command("list")
def list_monitors(*, as_json: AsJson = False) -> None:
    """List your monitors."""
    body = run_in_library(_listed)
    show(list_view(body), body, "json" if as_json else "text")


@app.command()
def changes(
    monitor_id: MonitorId,
    *,
    number: Annotated[
        int, typer.Option("--number", "-n", min=1, max=100, help="How many to show.")
    ] = 10,
    as_json: AsJson = False,
) -> None:
    """Show what a monitor found, the newest first."""
    _show_changes(monitor_id, {"limit": number}, as_json=as_json)


@app.command()
def run(
    monitor_id: Annotated[
        str, typer.Argument(metavar="[ID]", help="Only this monitor, whether or not it is due.")
    ] = "",
    *,
    as_json: AsJson = False,
) -> None:
    """Check all monitors that are due, or one, and send the notifications.

    A running server does this by itself; without one, call it from cron.
    """

    async def work(library: "LibrarySession") -> Json:
        watching, caller = _without_scheduler(library), library.app.owner
        before = {each["monitorId"]: each["runs"] for each in (await _listed(library))["monitors"]}
        if monitor_id:
            found = await _find(library, monitor_id)
            await watching.run(found, caller)
            await watching.engine.deliveries.finish(found, _SEND_SECONDS)
        else:
            await watching.run_due(_SEND_SECONDS)
        rows = (await _listed(library))["monitors"]
        return {"monitors": [row for row in rows if row["runs"] != before.get(row["monitorId"])]}

    body = run_in_library(work)
    show(run_view(body), body, "json" if as_json else "text")


@app.command()
def pause(monitor_id: MonitorId, *, as_json: AsJson = False) -> None:
    """Pause a monitor."""
    _show_changes(monitor_id, {"do": "pause"}, as_json=as_json)


@app.command()
def resume(monitor_id: MonitorId, *, as_json: AsJson = False) -> None:
    """Go on with a paused monitor."""
    _show_changes(monitor_id, {"do": "resume"}, as_json=as_json)


@app.command()
def mute(
    monitor_id: MonitorId,
    change_id: Annotated[str, typer.Argument(metavar="CHANGE", help="Id of the change.")],
    *,
    undo: Annotated[
        bool, typer.Option("--undo", help="CHANGE is a rule: report again what it ignores.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Ignore changes in the place of this one from now on."""
    action = {"do": "unmute" if undo else "mute", "what": change_id}
    _show_changes(monitor_id, action, as_json=as_json)


@app.command()
def rm(monitor_id: MonitorId, *, as_json: AsJson = False) -> None:
    """Delete a monitor with its history."""

    async def work(library: "LibrarySession") -> Json:
        found = await _find(library, monitor_id)
        return dict(await library.call("monitor_delete", id=found))

    body = run_in_library(work)
    show([Note(f"Deleted {body['monitorId']}.")], body, "json" if as_json else "text")


async def _created(library: "LibrarySession", arguments: Json) -> Json:
    """Create a monitor and check it for the first time."""
    from webquarry.services.watching.monitor_views import monitor_details
    from webquarry.tools.monitor_create import MonitorCreateIn, definition_of

    watching, caller = _without_scheduler(library), library.app.owner
    definition = definition_of(MonitorCreateIn.model_validate(arguments))
    monitor = await watching.create(definition, caller)
    monitor = await watching.run(monitor.id, caller)
    details = monitor_details(monitor, watching.feed_token(monitor.id))
    return details.model_dump(mode="json", exclude_none=True)


def _show_changes(monitor_id: str, arguments: dict[str, Any], *, as_json: bool) -> None:
    async def work(library: "LibrarySession") -> Json:
        found = await _find(library, monitor_id)
        return dict(await library.call(_CHANGES, id=found, **arguments))

    body = run_in_library(work)
    show(changes_view(body), body, "json" if as_json else "text")


def _without_scheduler(library: "LibrarySession") -> "MonitorService":
    """Return the monitors without the scheduler of a server: this program ends soon."""
    return replace(library.app.services.watching, embedded=False)


async def _listed(library: "LibrarySession") -> Json:
    rows: list[Json] = []
    while True:
        body = await library.call("monitor_list", offset=len(rows), limit=100)
        rows += body["monitors"]
        if body.get("nextOffset") is None:
            return {"monitors": rows}


async def _find(library: "LibrarySession", start: str) -> str:
    """Return the id of the monitor whose id starts like this."""
    ids = [row["monitorId"] for row in (await _listed(library))["monitors"]]
    found = [each for each in ids if each.startswith(start)]
    if len(found) == 1 or start in found:
        return start if start in found else found[0]
    if not found:
        raise BadInputError(f"No monitor starts with {start!r}. See `webquarry watch list`.")
    raise BadInputError(f"{len(found)} monitors start with {start!r}: {', '.join(found)}.")


def _stdin_or(target: str) -> str:
    if target != "-":
        return target
    return typer.get_text_stream("stdin").read()
