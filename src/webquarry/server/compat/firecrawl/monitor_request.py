"""The bodies of Firecrawl's monitor calls, as arguments of `monitor_create`."""

from typing import Annotated, Any, Literal, cast

from pydantic import Field

from webquarry.errors import BadInputError
from webquarry.models.model import Model
from webquarry.models.webhook import WebhookTarget
from webquarry.server.compat.firecrawl.firecrawl_errors import parsed, refuse
from webquarry.server.compat.firecrawl.firecrawl_options import FirecrawlPageOptions, target_url
from webquarry.server.compat.firecrawl.schedule_text import schedule_of

Json = dict[str, Any]
_JUDGE = "no model judges changes here; this server ignores noise by rules, see docs/watch.md"
_REFUSED = {"goal": _JUDGE, "judgeEnabled": _JUDGE}
_ONE = "a monitor here watches one {}; create a monitor for each"
_SEARCH_REFUSED = {
    "searchWindow": "results are reported when they are new to the monitor; leave it out",
    "includeDomains": "write site:example.org into the query instead",
    "excludeDomains": "write -site:example.org into the query instead",
}
_PAGE_REFUSED = ("headers", "mobile", "actions", "excludeTags")
_FORMATS = frozenset({"markdown", "json", "changeTracking"})
WEBHOOK_WARNING = (
    "webhook: it receives the notifications of this server, when there is a change and when the "
    "target becomes unreachable; Firecrawl's events are not sent"
)


class _Schedule(Model):
    cron: str | None = None
    text: str | None = None
    timezone: str = "UTC"

    def every(self) -> str:
        """Return the cron expression or the interval."""
        if (self.cron is None) == (self.text is None):
            raise BadInputError("schedule: give either cron or text")
        return self.cron.strip() if self.cron is not None else schedule_of(self.text or "")


class _Hook(Model):
    url: str
    headers: dict[str, str] | None = None
    metadata: Json | None = None
    events: tuple[Literal["monitor.page", "monitor.check.completed"], ...] | None = None


class _Email(Model):
    enabled: bool = False
    recipients: tuple[str, ...] = ()
    includeDiffs: bool = False


class _Notification(Model):
    email: _Email | None = None


class _CrawlOptions(Model):
    limit: Annotated[int, Field(ge=1)] | None = None


class _Target(Model):
    id: str | None = None
    type: Literal["scrape", "crawl", "search"]
    urls: tuple[str, ...] = ()
    url: str | None = None
    queries: tuple[str, ...] = ()
    scrapeOptions: FirecrawlPageOptions | None = None
    crawlOptions: _CrawlOptions | None = None
    searchWindow: str | None = None
    includeDomains: tuple[str, ...] | None = None
    excludeDomains: tuple[str, ...] | None = None
    maxResults: int | None = None


class MonitorBody(Model):
    """The body of a change; that of a new monitor has a name, a schedule and targets."""

    name: Annotated[str, Field(min_length=1, max_length=200)] | None = None
    status: Literal["active", "paused"] | None = None
    schedule: _Schedule | None = None
    webhook: _Hook | None = None
    notification: _Notification | None = None
    targets: tuple[Json, ...] | None = None
    retentionDays: int | None = None
    goal: str | None = None
    judgeEnabled: bool | None = None
    origin: str | None = None
    integration: str | None = None

    def check(self) -> None:
        """Raise for what would change who is notified, and cannot be honoured."""
        refuse(_REFUSED, {"goal": self.goal, "judgeEnabled": self.judgeEnabled})
        email = self.notification.email if self.notification else None
        if email and email.enabled:
            raise BadInputError(
                "notification.email: Firecrawl's clients cannot name the mail server that would "
                "send it; use a webhook, or create the monitor with monitor_create"
            )

    def plan(self) -> Json:
        """Return the arguments of the name, the schedule and the receivers that are given."""
        found: Json = {"name": self.name} if self.name else {}
        if self.schedule:
            found |= {"schedule": self.schedule.every(), "timezone": self.schedule.timezone}
        if self.webhook:
            hook = self.webhook.model_dump(exclude_none=True, exclude={"events"})
            parsed(WebhookTarget, hook)
            found["webhooks"] = [hook]
        return found

    def warnings(self, kept_days: int) -> list[str]:
        """Say what is not honoured."""
        found = [WEBHOOK_WARNING] if self.webhook else []
        if self.retentionDays not in {None, kept_days}:
            found.append(
                f"retentionDays: changes are kept for {kept_days} days (MONITOR_RETENTION)"
            )
        return found


def parse_body(body: Json) -> MonitorBody:
    """Return the body of a call; `BadInputError` for what cannot be honoured."""
    options: MonitorBody = parsed(MonitorBody, body)
    options.check()
    return options


def target_arguments(targets: tuple[Json, ...] | None) -> tuple[Json, list[str]]:
    """Return the arguments of the one target, and what of it is not honoured."""
    if targets is None or len(targets) != 1:
        raise BadInputError(f"targets: {_ONE.format('target')}")
    target: _Target = parsed(_Target, _with_usual_names(targets[0]))
    _check_fields(target)
    if target.type == "search":
        return _search(target)
    return _crawl(target) if target.type == "crawl" else _scrape(target)


def _with_usual_names(target: Json) -> Json:
    """Return a target whose page options have Firecrawl's names: firecrawl-py sends its own."""
    options: Any = target.get("scrapeOptions")
    if not isinstance(options, dict):
        return target
    renamed = {_camel_case(name): value for name, value in cast("Json", options).items()}
    formats: Any = renamed.get("formats")
    if isinstance(formats, list):
        renamed["formats"] = [_named_format(each) for each in cast("list[Any]", formats)]
    return target | {"scrapeOptions": renamed}


def _named_format(given: Any) -> Any:
    if isinstance(given, str):
        return _camel_case(given)
    if not isinstance(given, dict):
        return given  # its error comes from the usual check
    options = cast("Json", given)
    kind = options.get("type")
    return options | {"type": _camel_case(kind)} if isinstance(kind, str) else options


def _camel_case(name: str) -> str:
    head, *rest = name.split("_")
    return head + "".join(part.capitalize() for part in rest)


def _check_fields(target: _Target) -> None:
    """Raise for fields of another type of target."""
    own = {
        "scrape": {"urls", "scrapeOptions"},
        "crawl": {"url", "crawlOptions", "scrapeOptions"},
        "search": {"queries", "maxResults", *_SEARCH_REFUSED},
    }[target.type]
    given = {name for name in target.model_fields_set if getattr(target, name) not in (None, ())}
    if other := sorted(given - own - {"id", "type"}):
        raise BadInputError(f"targets.0.{other[0]}: is no option of a target {target.type}")


def _scrape(target: _Target) -> tuple[Json, list[str]]:
    if len(target.urls) != 1:
        raise BadInputError(f"targets.0.urls: {_ONE.format('URL')}")
    options = target.scrapeOptions or FirecrawlPageOptions()
    wanted = _formats(options)
    found: Json = {"kind": "page", "target": target_url(target.urls[0])}
    if options.waitFor:
        found["render"] = True
    if options.includeTags:
        found["selector"] = ", ".join(options.includeTags)
    elif options.onlyMainContent is False:
        raise BadInputError(
            "scrapeOptions.onlyMainContent: the main content is watched; choose other elements "
            "with includeTags"
        )
    warnings = _page_warnings(options)
    if schema := _schema(wanted):
        found["json_schema"] = schema
        if "markdown" in wanted:
            warnings.append("formats: with a schema, its fields are watched, not the text")
    return found, warnings


def _crawl(target: _Target) -> tuple[Json, list[str]]:
    if not target.url:
        raise BadInputError("targets.0.url: is missing")
    options = target.scrapeOptions or FirecrawlPageOptions()
    if options.selects or _schema(_formats(options)):
        raise BadInputError("scrapeOptions: of the pages of a crawl, the main content is watched")
    found: Json = {"kind": "site", "target": target_url(target.url)}
    if options.waitFor:
        found["render"] = True
    warnings = _page_warnings(options)
    if target.crawlOptions and target.crawlOptions.limit:
        found["maxPages"] = target.crawlOptions.limit
    else:
        warnings.append("crawlOptions.limit: without it, up to 100 pages are watched")
    return found, warnings


def _search(target: _Target) -> tuple[Json, list[str]]:
    if len(target.queries) != 1:
        raise BadInputError(f"targets.0.queries: {_ONE.format('query')}")
    refuse(_SEARCH_REFUSED, {name: getattr(target, name) for name in _SEARCH_REFUSED})
    warnings = [] if target.maxResults is None else ["maxResults: 20 results are watched"]
    return {"kind": "search", "target": target.queries[0]}, warnings


def _formats(options: FirecrawlPageOptions) -> dict[str, Json]:
    """Return the formats; raise for options that a check cannot honour."""
    for name in _PAGE_REFUSED:
        if getattr(options, name):
            raise BadInputError(f"scrapeOptions.{name}: is not available for monitors")
    if options.locale:
        raise BadInputError("scrapeOptions.location: is not available for monitors")
    wanted = options.wanted().options
    if others := sorted(wanted.keys() - _FORMATS):
        raise BadInputError(f"formats: {others[0]} cannot be watched; markdown and json can")
    return wanted


def _schema(wanted: dict[str, Json]) -> Json | None:
    """Return the JSON Schema of the fields to watch."""
    tracking, fields = wanted.get("changeTracking", {}), wanted.get("json", {})
    if tracking.get("tag") or tracking.get("prompt") or fields.get("prompt"):
        raise BadInputError("formats: of prompt, tag and schema, monitors understand schema only")
    schema: Any = fields.get("schema") or tracking.get("schema")
    if "json" in (tracking.get("modes") or ()) and not schema:
        raise BadInputError("formats.changeTracking: the mode json needs a schema")
    if schema is not None and not isinstance(schema, dict):
        raise BadInputError("formats: the schema must be an object")
    return cast("Json | None", schema)


def _page_warnings(options: FirecrawlPageOptions) -> list[str]:
    found = options.warnings()
    if options.timeout:
        found.append("timeout: a check takes 3 minutes at most")
    return found
