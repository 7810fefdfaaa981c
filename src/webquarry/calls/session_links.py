"""Links what a tool found, or how it failed, to the research session the caller named."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

from webquarry.calls.tool import AnyTool, Call
from webquarry.calls.tool_schema import Json
from webquarry.errors import WebquarryError
from webquarry.models.model import Model

# few calls name a session, so what that takes is loaded when one does
if TYPE_CHECKING:
    from webquarry.models.session import ProviderCall, ResearchSource, ToolFailure, ToolFindings

_ARGUMENT = "sessionId"
_OWN = {_ARGUMENT, "max_tokens", "cursor"}  # arguments that are no part of the question
_LONGEST = 2000  # of an argument, in the search log
_TITLES = ("title", "name", "caseName", "description", "company")
_ADDRESSES = ("url", "contextLink", "website", "link")
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
class SessionLinks:
    """One call whose findings belong to a session."""

    session_id: str
    tool: AnyTool
    args: Model
    call: Call

    @classmethod
    def wanted(cls, tool: AnyTool, args: Model, call: Call) -> "SessionLinks | None":
        """Return the link the caller asked for, if it did."""
        session_id = getattr(args, _ARGUMENT, None)
        if not session_id or tool.options.reads_session:
            return None
        return cls(session_id, tool, args, call)

    async def succeeded(self, body: Json, asks: Sequence[Json]) -> str | None:
        """Record the sources; return what to tell the assistant when that was not possible."""
        from webquarry.models.session import ProviderCall

        sources = [*sources_in(body), *sources_in({"sources": self.call.unlisted})]
        noted = [ProviderCall.model_validate(ask) for ask in asks]
        if not noted and self._searches:
            name = _text(body.get("provider")) or _text(body.get("source")) or self.tool.name
            noted = [ProviderCall(provider=name, hits=len(sources), kept=len(sources))]
        return await self._record(sources, noted, list(_mishaps_in(body)))

    async def failed(self, error: WebquarryError) -> None:
        """Record what went wrong and whom it happened with."""
        from webquarry.models.session import ToolFailure

        url = getattr(self.args, "url", None)
        mishap = ToolFailure(
            kind=error.advice.kind,
            url=url if isinstance(url, str) else None,
            provider=error.provider,
        )
        # a failed provider is told by its question already
        known = {ask.provider for ask in error.asks if ask.error}
        told = error.provider in known or (len(known) > 1 and error.provider is None)
        await self._record([], list(error.asks), [] if told else [mishap])

    @property
    def _searches(self) -> bool:
        return not isinstance(getattr(self.args, "url", None), str)

    async def _record(
        self,
        sources: "list[ResearchSource]",
        asks: "list[ProviderCall]",
        mishaps: "list[ToolFailure]",
    ) -> str | None:
        sessions = self.call.services.sessions
        try:
            await sessions.record(
                self.call.caller, self.session_id, self._findings(sources, asks, mishaps)
            )
        except WebquarryError as error:
            self.call.meta["session"] = {
                _ARGUMENT: self.session_id,
                "linked": False,
                "reason": str(error),
            }
            return f"Not recorded in session {self.session_id}: {error}"
        self.call.meta["session"] = {
            _ARGUMENT: self.session_id,
            "linked": True,
            "sources": len(sources),
        }
        return None

    def _findings(
        self,
        sources: "list[ResearchSource]",
        asks: "list[ProviderCall]",
        mishaps: "list[ToolFailure]",
    ) -> "ToolFindings":
        from webquarry.models.session import ToolFindings
        from webquarry.observe.timestamp import rfc3339

        sessions = self.call.services.sessions
        age = self.call.meta.get("ageSeconds", 0) if self.call.meta.get("cached") else None
        return ToolFindings(
            at=sessions.now(),
            tool=self.tool.name,
            arguments=_shortened(
                self.args.model_dump(mode="json", exclude_defaults=True, exclude=_OWN)
            ),
            sources=tuple(sources),
            asks=tuple(asks),
            mishaps=tuple(mishaps),
            searched=self._searches,
            searchedAt=None if age is None else rfc3339(sessions.seconds() - age),
        )


def sources_in(body: Json) -> "Iterator[ResearchSource]":
    """Yield every page, paper or record that a result names, whichever tool it is of."""
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
    """Return the source that a page which was read is."""
    from webquarry.models.session import ResearchSource

    citation = _inside(body, "citation")
    cited = _inside(citation, "metadata")
    return ResearchSource(
        url=body["url"],
        title=_text(_inside(body, "metadata").get("title")) or _text(cited.get("title")),
        authors=_cited_authors(str(_inside(citation, "formatted").get("bibtex", ""))),
        site=_text(cited.get("site")),
        published=_text(cited.get("date")),
        doi=_text(body.get("detectedDoi")),
        sourceType=_text(body.get("sourceType")),
        read=True,
        retracted=_retracted(body),
    )


def _item(item: Json, listed_as: str) -> "ResearchSource | None":
    from webquarry.content.ranking.result_urls import is_web
    from webquarry.content.ranking.source_type import classify
    from webquarry.models.session import ResearchSource

    doi = _text(item.get("doi"))
    given = [text for key in _ADDRESSES if (text := _text(item.get(key)))]
    url = next((text for text in given if is_web(text)), f"https://doi.org/{doi}" if doi else None)
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
    """Return the names one by one, which only the BibTeX form of a citation keeps apart."""
    field = _BIBTEX_AUTHORS.search(bibtex)
    return tuple(name.strip("{}") for name in field[1].split(" and ")) if field else None


def _retracted(body: Json) -> bool | None:
    return True if _inside(body, "retractionStatus").get("retracted") is True else None


def _inside(body: Json, name: str) -> Json:
    value = body.get(name)
    return cast("Json", value) if isinstance(value, dict) else {}


def _authors(item: Mapping[str, Any]) -> tuple[str, ...] | None:
    given = item.get("authors") or item.get("author") or item.get("inventors")
    listed = cast("list[Any]", given) if isinstance(given, list) else [given]
    names = [
        _text(cast("Json", one).get("name")) if isinstance(one, dict) else _text(one)
        for one in listed
    ]
    return tuple(name for name in names if name) or None


def _mishaps_in(body: Json) -> "Iterator[ToolFailure]":
    """Yield the pages that a result says could not be read."""
    from webquarry.models.session import ToolFailure

    failures = body.get("failures") or body.get("scrapeFailures")
    for failure in cast("list[Any]", failures) if isinstance(failures, list) else ():
        if isinstance(failure, dict):
            told = cast("Json", failure)
            yield ToolFailure(
                kind=_text(told.get("kind")) or "internal", url=_text(told.get("url"))
            )


def _first(item: Mapping[str, Any], names: Sequence[str]) -> str | None:
    return next((text for name in names if (text := _text(item.get(name)))), None)


def _text(value: Any) -> str | None:
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    return value.strip() or None if isinstance(value, str) else None


def _shortened(arguments: Json) -> Json:
    return {
        name: value[:_LONGEST] if isinstance(value, str) else value
        for name, value in arguments.items()
    }
