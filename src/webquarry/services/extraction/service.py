"""Turns pages into data: by rules, and by a language model where there is one."""

import logging
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import anyio

from webquarry.content.fields.extract_fields import fill_from_html, fill_from_text, own_statements
from webquarry.content.fields.fill import FilledSchema
from webquarry.content.fields.json_schema import plain_schema
from webquarry.content.fields.merge import merged
from webquarry.content.fields.prompt_schema import schema_of
from webquarry.errors import BadInputError, WebquarryError
from webquarry.models.caller import Caller
from webquarry.models.extraction import ExtractedPage, FieldSource
from webquarry.models.reading import Reading
from webquarry.services.extraction.llm_extraction import guided
from webquarry.services.llm.llm_port import JsonModel, LlmUsage

logger = logging.getLogger(__name__)

_OWN = "The prompt names no fields; this is what the page states about itself."


@dataclass(frozen=True)
class ExtractionRequest:
    """What is looked for on every page."""

    prompt: str
    schema: dict[str, Any] | None  # plain; None: whatever the page states


@dataclass
class LlmUsageTotal:
    """What the language model took for all pages of a call."""

    usage: LlmUsage = field(default_factory=LlmUsage)
    asked: bool = False

    def wire(self) -> dict[str, Any]:
        """Return it for `_meta`."""
        if not self.asked:
            return {}
        used = {"inputTokens": self.usage.tokens_in, "outputTokens": self.usage.tokens_out}
        cost = self.usage.cost_usd
        return {"llm": used | ({} if cost is None else {"costUsd": round(cost, 6)})}


def wish_of(prompt: str, schema: dict[str, Any] | None) -> ExtractionRequest:
    """Return what is looked for; raise for a schema that cannot be filled."""
    if not schema:
        found = schema_of(prompt)
        return ExtractionRequest(prompt, plain_schema(found) if found else None)
    plain = plain_schema(schema)
    if plain["type"] not in ("object", "array"):
        raise BadInputError("schema: must describe an object or an array")
    return ExtractionRequest(prompt, plain)


class ExtractionService:
    """Extracts data from pages that were read."""

    def __init__(self, model: JsonModel | None = None, *, longest: int = 48_000) -> None:
        self._model = model
        self._longest = longest

    async def extract(
        self,
        url: str,
        reading: Reading,
        wish: ExtractionRequest,
        caller: Caller,
        tally: LlmUsageTotal,
    ) -> ExtractedPage:
        """Return the data of one page."""
        if wish.schema is None:
            return await anyio.to_thread.run_sync(partial(_own, url, reading))
        schema = wish.schema
        ruled = await anyio.to_thread.run_sync(partial(_by_rules, reading, wish.prompt, schema))
        if self._model is None:
            return _page(url, ruled)
        try:
            asked = (wish.prompt, schema, self._longest)
            told, usage = await guided(self._model, reading, asked, caller)
        except WebquarryError as error:  # the rules need no model
            logger.info("no language model for %s: %s", url, error)
            return _page(url, ruled, f"Without the language model: {error}")
        tally.usage, tally.asked = tally.usage + usage, True
        return _page(url, merged(schema, ruled, told))


def _by_rules(reading: Reading, prompt: str, schema: dict[str, Any]) -> FilledSchema:
    if not reading.source:
        return fill_from_text(reading.markdown, schema, url=reading.address)
    return fill_from_html(
        reading.source, schema, url=reading.address, hints=prompt, about=reading.metadata
    )


def _own(url: str, reading: Reading) -> ExtractedPage:
    stated = own_statements(reading.source)
    sources = {
        f"/{place}": FieldSource(quote=f"{len(one.node)} properties", method=one.method)
        for place, one in enumerate(stated)
    }
    data = [one.node for one in stated]
    missing = None if data else {"": "the page states nothing about itself"}
    note = _OWN if data else "Name the fields, or give a schema."
    return ExtractedPage(url=url, data=data, sources=sources or None, missing=missing, note=note)


def _page(url: str, filled: FilledSchema, note: str | None = None) -> ExtractedPage:
    sources = {
        pointer: FieldSource(quote=found.quote, method=found.method)
        for pointer, found in filled.sources.items()
    }
    return ExtractedPage(
        url=url,
        data=filled.data,
        sources=sources or None,
        missing=filled.missing or None,
        note=note,
    )
