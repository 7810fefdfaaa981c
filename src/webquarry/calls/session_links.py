"""Records the sources and failures of a tool call in the research session that it names."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Any, cast

from webquarry.calls.tool import AnyTool, Call, ToolOutput
from webquarry.calls.tool_schema import Json
from webquarry.errors import WebquarryError
from webquarry.models.model import Model

# imported when a call names a session: few do
if TYPE_CHECKING:
    from webquarry.models.page_steps import PageStep
    from webquarry.models.research import Anchor
    from webquarry.models.session import ProviderCall, ResearchSource, ToolFailure

_ARGUMENT = "sessionId"
# arguments that do not change what is found, that are secrets, or a whole file
_UNRECORDED = {_ARGUMENT, "max_tokens", "cursor", "headers", "cookies", "data"}
_MAX_QUOTES = 100  # recorded of one call
_MAX_ARGUMENT = 2000  # characters of an argument in the search log
_TITLES = ("title", "name", "caseName", "description", "company")
_URLS = ("url", "contextLink", "website", "link")
_DATES = (
    "publishedAt", "published", "publishedDate", "publicationDate", "dateFiled", "filingDate",
    "startDate", "date", "year",
)  # fmt: skip
_BIBTEX_AUTHORS = re.compile(r"^  author = \{(.+)\},?$", re.MULTILINE)
_PUBLISHERS = ("journal", "venue", "publisher", "site", "court")
_NOT_SOURCES = frozenset(
    {"failures", "scrapeFailures", "recommendations", "components", "attempts"}
)


@dataclass(frozen=True)
class SessionLink:
    """A call, and the session in which its findings are recorded."""

    session_id: str
    tool: AnyTool
    args: Model
    call: Call

    async def record_output(self, output: ToolOutput) -> str | None:
        """Record the sources; if that fails, return a notice for the assistant."""
        from webquarry.models.session import ProviderCall
        from webquarry.services.research.found_anchors import anchors_in

        body = output.body or {}
        if self.call.is_personal:  # a session may be handed on
            body = {name: body[name] for name in ("url", "content") if name in body}
        sources = [*sources_in(body), *sources_in({"sources": self.call.unlisted_sources})]
        calls = [ProviderCall.model_validate(made) for made in output.provider_calls]
        if not calls and self._is_search:
            name = _text(body.get("provider")) or _text(body.get("source")) or self.tool.name
            calls = [ProviderCall(provider=name, hits=len(sources), kept=len(sources))]
        quotes = tuple(dict.fromkeys(islice(anchors_in(body), _MAX_QUOTES)))
        return await self._record(sources, calls, list(_failures_in(body)), quotes)

    async def record_failure(self, error: WebquarryError) -> None:
        """Record the error, with the provider and the URL it concerns."""
        from webquarry.models.session import ToolFailure

        url = getattr(self.args, "url", None)
        failure = ToolFailure(
            kind=error.advice.kind,
            url=url if isinstance(url, str) else None,
            provider=error.provider,
        )
        # the failed call of a provider is a record of the failure already
        failed = {made.provider for made in error.provider_calls if made.error}
        recorded = error.provider in failed or (len(failed) > 1 and error.provider is None)
        await self._record([], list(error.provider_calls), [] if recorded else [failure])

    @property
    def _is_search(self) -> bool:
        return not isinstance(getattr(self.args, "url", None), str)

    async def _record(
        self,
        sources: "list[ResearchSource]",
        calls: "list[ProviderCall]",
        failures: "list[ToolFailure]",
        quotes: "tuple[Anchor, ...]" = (),
    ) -> str | None:
        from webquarry.models.session import ToolFindings
        from webquarry.observe.timestamp import rfc3339

        call, sessions = self.call, self.call.services.sessions
        age = call.meta.get("ageSeconds", 0) if call.meta.get("cached") else None
        findings = ToolFindings(
            at=sessions.timestamp(),
            tool=self.tool.name,
            arguments=_recorded_arguments(self.args),
            sources=tuple(sources),
            asks=tuple(calls),
            mishaps=tuple(failures),
            quotes=quotes,
            searched=self._is_search,
            searchedAt=None if age is None else rfc3339(sessions.unix_time() - age),
        )
        status: Json = {_ARGUMENT: self.session_id}
        call.meta["session"] = status
        try:
            await sessions.record(call.caller, self.session_id, findings)
        except WebquarryError as error:
            status |= {"linked": False, "reason": str(error)}
            return f"Not recorded in session {self.session_id}: {error}"
        status |= {"linked": True, "sources": len(sources)}
        return None


def sources_in(body: Json) -> "Iterator[ResearchSource]":
    """Yield every page, paper or record in the result of any tool."""
    if isinstance(body.get("url"), str) and "content" in body:
        yield _page(body)
        return
    for name, value in body.items():
        if name in _NOT_SOURCES or not isinstance(value, list):
            continue
        for item in cast("list[Any]", value):
            source = _item(cast("Json", item), name) if isinstance(item, dict) else None
            if source is not None:
                yield source


def _page(body: Json) -> "ResearchSource":
    """Return a page that was read as a source."""
    from webquarry.models.session import ResearchSource

    citation = _object(body, "citation")
    cited = _object(citation, "metadata")
    return ResearchSource(
        url=body["url"],
        title=_text(_object(body, "metadata").get("title")) or _text(cited.get("title")),
        authors=_cited_authors(str(_object(citation, "formatted").get("bibtex", ""))),
        site=_text(cited.get("site")),
        published=_text(cited.get("date")),
        doi=_text(body.get("detectedDoi")),
        sourceType=_text(body.get("sourceType")),
        read=True,
        retracted=_retracted(body),
    )


def _item(item: Json, listed_as: str) -> "ResearchSource | None":
    from webquarry.content.ranking.result_urls import is_http_url
    from webquarry.content.ranking.source_type import classify
    from webquarry.models.session import ResearchSource

    doi = _text(item.get("doi"))
    urls = (text for key in _URLS if (text := _text(item.get(key))))
    url = next(filter(is_http_url, urls), f"https://doi.org/{doi}" if doi else None)
    if url is None:
        return None
    publisher = _first(item, ("source",) if listed_as == "articles" else _PUBLISHERS)
    return ResearchSource(
        url=url,
        title=_first(item, _TITLES),
        authors=_authors(item),
        site=publisher,
        published=_first(item, _DATES),
        doi=doi,
        sourceType=_text(item.get("sourceType")) or classify(url).sourceType,
        read=True if item.get("content") or item.get("contentType") else None,
        retracted=_retracted(item),
    )


def _cited_authors(bibtex: str) -> tuple[str, ...] | None:
    """Return the authors; only the BibTeX form of a citation separates them."""
    field = _BIBTEX_AUTHORS.search(bibtex)
    return tuple(name.strip("{}") for name in field[1].split(" and ")) if field else None


def _retracted(body: Json) -> bool | None:
    return True if _object(body, "retractionStatus").get("retracted") is True else None


def _object(body: Json, name: str) -> Json:
    value = body.get(name)
    return cast("Json", value) if isinstance(value, dict) else {}


def _authors(item: Mapping[str, Any]) -> tuple[str, ...] | None:
    value = item.get("authors") or item.get("author") or item.get("inventors")
    authors = cast("list[Any]", value) if isinstance(value, list) else [value]
    names = [
        _text(cast("Json", author).get("name")) if isinstance(author, dict) else _text(author)
        for author in authors
    ]
    return tuple(name for name in names if name) or None


def _failures_in(body: Json) -> "Iterator[ToolFailure]":
    """Yield the pages that, by the result, could not be read."""
    from webquarry.models.session import ToolFailure

    failures = body.get("failures") or body.get("scrapeFailures")
    for failure in cast("list[Any]", failures) if isinstance(failures, list) else ():
        if isinstance(failure, dict):
            item = cast("Json", failure)
            yield ToolFailure(
                kind=_text(item.get("kind")) or "internal", url=_text(item.get("url"))
            )


def _first(item: Mapping[str, Any], names: Sequence[str]) -> str | None:
    return next((text for name in names if (text := _text(item.get(name)))), None)


def _text(value: Any) -> str | None:
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    return value.strip() or None if isinstance(value, str) else None


def _recorded_arguments(args: Model) -> Json:
    """Return what the search log says of the arguments: of steps never what is typed."""
    arguments = args.model_dump(mode="json", exclude_defaults=True, exclude=_UNRECORDED)
    steps: Sequence[PageStep] = getattr(args, "steps", None) or ()
    if steps:
        arguments["steps"] = [step.in_words() for step in steps]
    return {
        name: value[:_MAX_ARGUMENT] if isinstance(value, str) else value
        for name, value in arguments.items()
    }
