"""Extracts structured data from pages: by rules, and with a language model if configured."""

import json
import logging
from dataclasses import dataclass, field, replace
from typing import Any

from webquarry.content.fields.extract_tasks import fill_page, fill_text, stated_items
from webquarry.content.fields.facts import StructuredDataItem
from webquarry.content.fields.fill import FilledSchema
from webquarry.content.fields.grounding import INFERRED
from webquarry.content.fields.json_schema import resolve_schema
from webquarry.content.fields.merge import merge_filled
from webquarry.content.fields.prompt_schema import asks_for_judgement, schema_from_prompt
from webquarry.errors import BadInputError, SettingsError, WebquarryError
from webquarry.models.caller import Caller
from webquarry.models.extraction import ExtractedPage, FieldSource
from webquarry.models.reading import Reading
from webquarry.parsing.parsers import Parsers
from webquarry.parsing.task import INLINE_BYTES, WORKER_ONLY, ParseTask
from webquarry.services.extraction.llm_extraction import LlmExtraction, extract_with_llm
from webquarry.services.llm.llm_port import JsonModel, LlmUsage

logger = logging.getLogger(__name__)

_DECLARED_METHODS = frozenset(("json-ld", "meta"))
_NO_FIELDS = "The prompt names no fields; this is the structured data of the page."


@dataclass(frozen=True)
class ExtractionRequest:
    """The data to extract from each page."""

    prompt: str
    schema: dict[str, Any] | None  # resolved; None: the structured data of the page
    is_derived: bool = False  # the schema has the fields that the prompt names
    ungrounded: bool = False  # values that a model infers are kept, marked as such


@dataclass
class LlmUsageTotal:
    """Usage of the language model for all pages of a call."""

    usage: LlmUsage = field(default_factory=LlmUsage)
    used: bool = False

    def meta(self) -> dict[str, Any]:
        """Return the usage for `_meta`."""
        if not self.used:
            return {}
        used = {"inputTokens": self.usage.tokens_in, "outputTokens": self.usage.tokens_out}
        cost = self.usage.cost_usd
        return {"llm": used | ({} if cost is None else {"costUsd": round(cost, 6)})}


def extraction_request(prompt: str, schema: dict[str, Any] | None) -> ExtractionRequest:
    """Return the request; raise for a schema that is not supported."""
    if not schema:
        derived = schema_from_prompt(prompt)
        schema = resolve_schema(derived) if derived else None
        return ExtractionRequest(prompt, schema, is_derived=True)
    resolved = resolve_schema(schema)
    if resolved["type"] not in ("object", "array"):
        raise BadInputError("schema: must describe an object or an array")
    return ExtractionRequest(prompt, resolved)


class ExtractionService:
    """Extracts data from pages that were read."""

    def __init__(
        self,
        model: JsonModel | None = None,
        *,
        max_chars: int = 48_000,
        parsers: Parsers | None = None,
    ) -> None:
        self._model = model
        self._parsers = parsers or Parsers()
        self._max_chars = max_chars

    @property
    def uses_model(self) -> bool:
        """Whether a language model is configured."""
        return self._model is not None

    def request(
        self, prompt: str, schema: dict[str, Any] | None, *, ungrounded: bool = False
    ) -> ExtractionRequest:
        """Return the request; raise for one that this configuration cannot answer."""
        request = extraction_request(prompt, schema)
        if self._model is not None:
            return replace(request, ungrounded=ungrounded)
        if ungrounded:
            raise SettingsError(
                "ungrounded: only a language model can infer values; set LLM_MODEL"
                " (docs/structured-extraction.md), or leave ungrounded out"
            )
        if request.is_derived and (word := asks_for_judgement(prompt)):
            raise SettingsError(
                f"prompt: {word!r} asks for more than the page states, which needs a language "
                "model: set LLM_MODEL. Without one, name fields ('name, price') or give a schema."
            )
        return request

    async def extract(
        self,
        url: str,
        reading: Reading,
        request: ExtractionRequest,
        caller: Caller,
        total: LlmUsageTotal,
    ) -> ExtractedPage:
        """Return the data of one page."""
        if request.schema is None:
            task = ParseTask(stated_items, subject=f"The page {url}")
            items = await self._parsers.run(task, reading.source.encode("utf-8", "replace"))
            return _stated_by_page(url, items)
        schema = request.schema
        by_rules = await self._fill(reading, request.prompt, schema)
        if self._model is None:
            return _extracted_page(url, by_rules, _no_model_note(request, by_rules))
        try:
            task = LlmExtraction(
                prompt=request.prompt,
                schema=schema,
                max_chars=self._max_chars,
                ungrounded=request.ungrounded,
            )
            by_model, usage = await extract_with_llm(self._model, reading, task, caller)
        except WebquarryError as error:  # the rules need no model
            logger.info("no language model for %s: %s", url, error)
            return _extracted_page(url, by_rules, f"Without the language model: {error}")
        total.usage, total.used = total.usage + usage, True
        return _extracted_page(url, merge_filled(schema, by_rules, by_model))

    async def _fill(self, reading: Reading, prompt: str, schema: dict[str, Any]) -> FilledSchema:
        subject = f"The page {reading.final_url}"
        if not reading.source:
            content = reading.markdown.encode("utf-8", "replace")
            task = ParseTask(fill_text, subject=subject)
            return await self._parsers.run(task, content, schema=schema, url=reading.final_url)
        # XPath is evaluated in C, which the CPU alarm cannot interrupt
        limit = WORKER_ONLY if _has_selector(schema) else INLINE_BYTES
        return await self._parsers.run(
            ParseTask(fill_page, subject=subject, inline_bytes=limit),
            reading.source.encode("utf-8", "replace"),
            schema=schema,
            url=reading.final_url,
            hints=prompt,
            about=reading.metadata,
        )


def _no_model_note(request: ExtractionRequest, filled: FilledSchema) -> str | None:
    """Return what to do if a prompt alone led to nothing."""
    if not request.is_derived or filled.sources or request.schema is None:
        return None
    names = ", ".join(request.schema["properties"])
    return (
        f"No language model is configured (LLM_MODEL), so the prompt was read as names of fields: "
        f"{names}. The page has none of them. Give a schema, or name the fields as the page does."
    )


def _field_source(quote: str, method: str) -> FieldSource:
    return FieldSource(
        quote=quote,
        method="llm" if method == INFERRED else method,
        declared=method in _DECLARED_METHODS or None,
        ungrounded=method == INFERRED or None,
    )


def _has_selector(schema: dict[str, Any]) -> bool:
    return "x-selector" in json.dumps(schema)


def _stated_by_page(url: str, items: list[StructuredDataItem]) -> ExtractedPage:
    sources = {
        f"/{index}": _field_source(f"{len(item.node)} properties", item.method)
        for index, item in enumerate(items)
    }
    data = [item.node for item in items]
    missing = None if data else {"": "the page has no structured data"}
    note = _NO_FIELDS if data else "Name the fields, or give a schema."
    return ExtractedPage(url=url, data=data, sources=sources, missing=missing, note=note)


def _extracted_page(url: str, filled: FilledSchema, note: str | None = None) -> ExtractedPage:
    sources = {
        pointer: _field_source(found.quote, found.method)
        for pointer, found in filled.sources.items()
    }
    return ExtractedPage(
        url=url,
        data=filled.data,
        sources=sources,
        missing=filled.missing,
        note=note,
    )
