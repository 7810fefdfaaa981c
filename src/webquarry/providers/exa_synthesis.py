"""Exa's answers, and its search that fills a schema (https://docs.exa.ai/reference/answer)."""

import json
from collections.abc import Iterator, Mapping
from typing import Any, cast

from pydantic import Field

from webquarry.errors import BadInputError
from webquarry.models.synthesis import (
    AnswerCitation,
    AnswerQuery,
    Structured,
    StructuredItem,
    StructuredQuery,
    WrittenAnswer,
)
from webquarry.net.upstream.api import UpstreamApi
from webquarry.net.upstream.http_port import Request, Response
from webquarry.providers.capabilities_synthesis import WRITING
from webquarry.providers.provider import Wire
from webquarry.providers.search_wire import SearchPayload

CATEGORIES = (
    "company", "people", "research paper", "news", "pdf", "github", "financial report",
    "personal site",
)  # fmt: skip
_MOST_PROPERTIES = 10
_DEEPEST = 2
_PRIMITIVES = frozenset({"string", "number", "integer", "boolean", "null"})
_JOINING = ("$ref", "anyOf", "oneOf", "allOf")


class ExaSynthesis:
    """Everything of Exa that is written rather than found."""

    def __init__(self, api: UpstreamApi, headers: Mapping[str, str]) -> None:
        self._api = api
        self._headers = headers

    async def answer(self, question: AnswerQuery) -> WrittenAnswer:
        """Return what Exa writes, and what it read for it."""
        response = await self._post("answer", {"query": question.text})
        written = self._api.decode(_Written, response)
        cited = tuple(page.to_citation() for page in written.citations or () if page.url)
        text = (written.answer or "").strip()
        note = None if text else "exa wrote no answer to this question."
        return WrittenAnswer(text=text, citations=cited, cost=written.cost, note=note)

    async def search(self, query: StructuredQuery) -> Structured:
        """Return pages with a summary each: data after the schema, or text."""
        category = checked_category(query.category)
        if query.fields is not None:
            check_schema(query.fields)
        summary = True if query.fields is None else {"schema": query.fields}
        body = {"query": query.text, "type": "auto", "numResults": query.count}
        if category:
            body["category"] = category
        response = await self._post(
            "search", body | {"contents": {"highlights": True, "summary": summary}}
        )
        found = self._api.decode(_Found, response)
        as_data = query.fields is not None
        pages = found.results[: query.count]
        items = tuple(page.to_item(as_data=as_data) for page in pages if page.url)
        return Structured(items=items, cost=found.cost)

    async def _post(self, path: str, body: dict[str, Any]) -> Response:
        url = f"{self._api.base_url}/{path}"
        request = Request(method="POST", url=url, headers=self._headers, json=body)
        return await self._api.send(request, limits=WRITING)


def checked_category(category: str | None) -> str | None:
    """Return the category as Exa spells it; refuse one it does not have."""
    if category is None:
        return None
    known = " ".join(category.lower().replace("_", " ").split())
    if known not in CATEGORIES:
        raise _refused(f"category: exa has {', '.join(CATEGORIES)}; got {category!r}.")
    return known


def check_schema(schema: Mapping[str, Any]) -> None:
    """Refuse what Exa cannot fill: it takes a flat object with few fields."""
    if schema.get("type") != "object":
        raise _refused('schema: its root must have "type": "object".')
    fields = list(_fields(schema, "", 1))
    if not fields:
        raise _refused("schema: needs at least one property.")
    if len(fields) > _MOST_PROPERTIES:
        raise _refused(
            f"schema: exa takes at most {_MOST_PROPERTIES} properties, got {len(fields)}."
        )


def _fields(schema: Mapping[str, Any], path: str, depth: int) -> Iterator[str]:
    """Yield the path of every property; refuse what is too deep or of unknown depth."""
    properties = schema.get("properties", {})
    if not isinstance(properties, dict):
        raise _refused(f"schema: properties{_at(path)} must be an object.")
    for name, field in cast("dict[str, Any]", properties).items():
        here = f"{path}.{name}" if path else name
        yield here
        kinds = _kinds(field, here)
        if "array" in kinds:
            _check_items(field, here)
        if "object" in kinds:
            if depth >= _DEEPEST:
                raise _refused(f"schema: {here} is nested too deeply; exa takes {_DEEPEST} levels.")
            yield from _fields(field, here, depth + 1)


def _check_items(field: Mapping[str, Any], path: str) -> None:
    items = field.get("items")
    if items is None or not _kinds(items, f"{path}[]") <= _PRIMITIVES:
        raise _refused(f"schema: the items of {path} must be text, numbers or booleans.")


def _kinds(field: Any, path: str) -> frozenset[str]:
    """Return the types of a field; refuse one that does not say them."""
    if not isinstance(field, dict):
        raise _refused(f"schema: {path} must be an object with a type.")
    known = cast("dict[str, Any]", field)
    if joining := [word for word in _JOINING if word in known]:
        raise _refused(f"schema: {path} uses {joining[0]}, which exa does not take.")
    stated: Any = known.get("type")
    if stated is None and "enum" in known:
        return frozenset({"string"})
    kinds: list[Any] = cast("list[Any]", stated) if isinstance(stated, list) else [stated]
    odd = [kind for kind in kinds if kind not in {*_PRIMITIVES, "array", "object"}]
    if not kinds or odd:
        raise _refused(f"schema: {path} needs a type of JSON Schema, such as string.")
    return frozenset(kinds)


def _at(path: str) -> str:
    return f" of {path}" if path else ""


def _refused(message: str) -> BadInputError:
    return BadInputError(message, provider="exa")


class _Cost(Wire):
    total: float | None = None


class _Priced(SearchPayload):
    costs: _Cost | None = Field(default=None, alias="costDollars")

    @property
    def cost(self) -> float | None:
        return self.costs.total if self.costs else None


class _Page(Wire):
    title: str | None = None
    url: str | None = None
    published: str | None = Field(default=None, alias="publishedDate")
    author: str | None = None
    summary: str | None = None
    highlights: tuple[str, ...] | None = None
    entities: tuple[Any, ...] | None = None

    def to_citation(self) -> AnswerCitation:
        return AnswerCitation(
            title=self.title or None, url=self.url or "", publishedDate=self.published or None
        )

    def to_item(self, *, as_data: bool) -> StructuredItem:
        return StructuredItem(
            title=self.title or None,
            url=self.url or "",
            publishedDate=self.published or None,
            author=self.author or None,
            summary=_data(self.summary) if as_data else self.summary or None,
            highlights=self.highlights or None,
            entities=list(self.entities) if self.entities else None,
        )


def _data(text: str | None) -> Any:
    """Return the JSON in a text; the text itself where it is none."""
    if not text:
        return None
    try:
        return json.loads(text)
    except ValueError:
        return text


class _Written(_Priced):
    marks = ("answer",)
    answer: str | None
    citations: tuple[_Page, ...] | None = None


class _Found(_Priced):
    marks = ("results",)
    results: tuple[_Page, ...]
