"""Exa's answers, and its search that extracts data for a schema (https://docs.exa.ai/reference/answer)."""

import json
from collections.abc import Iterator, Mapping
from typing import Any, cast

from pydantic import Field

from webquarry.errors import BadInputError
from webquarry.models.model import Items, Text
from webquarry.models.synthesis import (
    AnswerCitation,
    AnswerQuery,
    Structured,
    StructuredItem,
    StructuredQuery,
    WrittenAnswer,
)
from webquarry.net.client.response import FetchedResponse
from webquarry.net.upstream.api import UpstreamApi
from webquarry.net.upstream.http_port import ApiRequest
from webquarry.providers.capabilities_synthesis import WRITING_LIMITS
from webquarry.providers.provider import Wire
from webquarry.providers.search_wire import SearchPayload

CATEGORIES = (
    "company", "people", "research paper", "news", "pdf", "github", "financial report",
    "personal site",
)  # fmt: skip
_MAX_PROPERTIES = 10
_MAX_DEPTH = 2
_PRIMITIVES = frozenset({"string", "number", "integer", "boolean", "null"})
_UNSUPPORTED_KEYWORDS = ("$ref", "anyOf", "oneOf", "allOf")


class ExaSynthesis:
    """Answers and structured search of Exa."""

    def __init__(self, api: UpstreamApi, headers: Mapping[str, str]) -> None:
        self._api = api
        self._headers = headers

    async def answer(self, question: AnswerQuery) -> WrittenAnswer:
        """Return Exa's answer and its sources."""
        response = await self._post("answer", {"query": question.text})
        answer = self._api.decode(_Answer, response)
        cited = tuple(page.to_citation() for page in answer.citations if page.url)
        text = (answer.answer or "").strip()
        note = None if text else "exa wrote no answer to this question."
        return WrittenAnswer(text=text, citations=cited, cost=answer.cost, note=note)

    async def search(self, query: StructuredQuery) -> Structured:
        """Return pages, each with a summary: data in the schema, or text."""
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
        found = self._api.decode(_Results, response)
        as_data = query.fields is not None
        pages = found.results[: query.count]
        items = tuple(page.to_item(as_data=as_data) for page in pages if page.url)
        return Structured(items=items, cost=found.cost)

    async def _post(self, path: str, body: dict[str, Any]) -> FetchedResponse:
        url = f"{self._api.base_url}/{path}"
        request = ApiRequest(method="POST", url=url, headers=self._headers, json=body)
        return await self._api.send(request, limits=WRITING_LIMITS)


def checked_category(category: str | None) -> str | None:
    """Return the category as Exa spells it; `BadInputError` for an unknown one."""
    if category is None:
        return None
    known = " ".join(category.lower().replace("_", " ").split())
    if known not in CATEGORIES:
        raise _invalid(f"category: exa has {', '.join(CATEGORIES)}; got {category!r}.")
    return known


def check_schema(schema: Mapping[str, Any]) -> None:
    """Raise `BadInputError` unless the schema is a flat object with few fields."""
    if schema.get("type") != "object":
        raise _invalid('schema: its root must have "type": "object".')
    fields = list(_fields(schema, "", 1))
    if not fields:
        raise _invalid("schema: needs at least one property.")
    if len(fields) > _MAX_PROPERTIES:
        raise _invalid(
            f"schema: exa takes at most {_MAX_PROPERTIES} properties, got {len(fields)}."
        )


def _fields(schema: Mapping[str, Any], path: str, depth: int) -> Iterator[str]:
    """Yield the path of every property; `BadInputError` if they are nested too deeply."""
    properties = schema.get("properties", {})
    if not isinstance(properties, dict):
        raise _invalid(f"schema: properties{_at(path)} must be an object.")
    for name, field in cast("dict[str, Any]", properties).items():
        full_path = f"{path}.{name}" if path else name
        yield full_path
        types = _types(field, full_path)
        if "array" in types:
            _check_items(field, full_path)
        if "object" in types:
            if depth >= _MAX_DEPTH:
                raise _invalid(
                    f"schema: {full_path} is nested too deeply; exa supports {_MAX_DEPTH} levels."
                )
            yield from _fields(field, full_path, depth + 1)


def _check_items(field: Mapping[str, Any], path: str) -> None:
    items = field.get("items")
    if items is None or not _types(items, f"{path}[]") <= _PRIMITIVES:
        raise _invalid(f"schema: the items of {path} must be text, numbers or booleans.")


def _types(field: Any, path: str) -> frozenset[str]:
    """Return the types of a field; `BadInputError` if it does not name them."""
    if not isinstance(field, dict):
        raise _invalid(f"schema: {path} must be an object with a type.")
    keywords = cast("dict[str, Any]", field)
    if unsupported := [word for word in _UNSUPPORTED_KEYWORDS if word in keywords]:
        raise _invalid(f"schema: {path} uses {unsupported[0]}, which exa does not support.")
    stated: Any = keywords.get("type")
    if stated is None and "enum" in keywords:
        return frozenset({"string"})
    types: list[Any] = cast("list[Any]", stated) if isinstance(stated, list) else [stated]
    unknown = [name for name in types if name not in {*_PRIMITIVES, "array", "object"}]
    if not types or unknown:
        raise _invalid(f"schema: {path} needs a type of JSON Schema, such as string.")
    return frozenset(types)


def _at(path: str) -> str:
    return f" of {path}" if path else ""


def _invalid(message: str) -> BadInputError:
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
    url: Text = ""
    published: str | None = Field(default=None, alias="publishedDate")
    author: str | None = None
    summary: str | None = None
    highlights: Items[str] = ()
    entities: Items[Any] = ()

    def to_citation(self) -> AnswerCitation:
        return AnswerCitation(title=self.title, url=self.url, publishedDate=self.published)

    def to_item(self, *, as_data: bool) -> StructuredItem:
        return StructuredItem(
            title=self.title,
            url=self.url,
            publishedDate=self.published,
            author=self.author,
            summary=_data(self.summary) if as_data else self.summary or None,
            highlights=self.highlights,
            entities=list(self.entities) if self.entities else None,
        )


def _data(text: str | None) -> Any:
    """Return the parsed JSON, or the text itself if it is not JSON."""
    if not text:
        return None
    try:
        return json.loads(text)
    except ValueError:
        return text


class _Answer(_Priced):
    expected_keys = ("answer",)
    answer: str | None
    citations: Items[_Page] = ()


class _Results(_Priced):
    expected_keys = ("results",)
    results: tuple[_Page, ...]
