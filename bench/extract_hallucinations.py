"""Counts hallucinated values that extraction accepts; there must be none.

A fake language model on loopback fabricates every field of every page in five ways. A run with
correct values checks that those are accepted.
"""

import asyncio
from collections import Counter
from typing import Any, cast

from bench.extract_fields import URL
from bench.field_pages import Page, leaves, pages
from bench.hallucinating_llm import FABRICATIONS, Fabrication, HallucinatingLlm, serve_llm
from webquarry.content.fields.json_schema import resolve_schema
from webquarry.content.html.read_html import read_html
from webquarry.models.caller import Caller
from webquarry.models.reading import Reading
from webquarry.net.upstream.http_port import WreqHttp
from webquarry.net.upstream.upstreams import Upstreams
from webquarry.services.extraction.llm_extraction import LlmExtraction, extract_with_llm
from webquarry.services.llm.language_model import LanguageModel
from webquarry.services.llm.llm_apis import OpenAiChatApi
from webquarry.storage.memory_store import MemoryStore

CALLER = Caller(tenant="bench", user="bench")
# the value is on the page, but belongs to another field: reported, but not counted as invented
_MISPLACED: Fabrication = "of another field"


async def count_accepted(
    model: LanguageModel, llm: HallucinatingLlm, page: Page, fabrication: Fabrication
) -> Counter[str]:
    """Return the number of fields, of accepted values and of wrong values."""
    llm.page, llm.fabrication = page, fabrication
    read = read_html(page.html, url=URL)
    reading = Reading(
        url=URL, final_url=URL, markdown=read.markdown, kind="html", metadata=read.metadata
    )
    request = LlmExtraction(prompt="data", schema=resolve_schema(page.schema), max_chars=48_000)
    extraction, _ = await extract_with_llm(model, reading, request, CALLER)
    counts: Counter[str] = Counter()
    gold = dict(leaves(page.gold))
    for pointer, value in leaves(extraction.data):
        counts["fields"] += 1
        counts["accepted"] += value is not None
        counts["wrong"] += value is not None and not _is_correct(value, gold.get(pointer))
    return counts


def _is_correct(value: Any, gold: Any) -> bool:
    if isinstance(value, list) and isinstance(gold, list):
        values, correct = cast("list[Any]", value), cast("list[Any]", gold)
        return {str(one) for one in values} <= {str(one) for one in correct}
    return value == gold


async def count_all(chosen: list[Page]) -> dict[Fabrication, Counter[str]]:
    """Return the counts of every fabrication over all pages."""
    llm, table = HallucinatingLlm(), dict[Fabrication, Counter[str]]()
    async with serve_llm(llm) as base_url:
        http = WreqHttp()
        api = Upstreams(http).api("llm", base_url)
        model = LanguageModel(OpenAiChatApi(api, model="stand-in", key=""), MemoryStore())
        for fabrication in ("truth", *FABRICATIONS):
            table[fabrication] = Counter()
            for page in chosen:
                table[fabrication] += await count_accepted(model, llm, page, fabrication)
        http.close()
    return table


def main() -> None:
    table = asyncio.run(count_all(list(pages())))
    print(f"{'model output':42}{'fields':>8}{'accepted':>9}{'wrong':>8}")
    for fabrication, counts in table.items():
        print(f"{fabrication:42}{counts['fields']:8}{counts['accepted']:9}{counts['wrong']:8}")
    invented = sum(c["wrong"] for m, c in table.items() if m not in ("truth", _MISPLACED))
    if invented:
        raise SystemExit(f"{invented} values were accepted that the page does not support")


if __name__ == "__main__":
    main()
