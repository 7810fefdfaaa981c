"""How many inventions of a language model get past the page: none may.

A stand-in on loopback lies about every field of every page in five manners, and once tells the
truth, which should get through.
"""

import asyncio
from collections import Counter
from typing import Any, cast

from bench.extract_fields import URL
from bench.field_pages import Page, leaves, pages
from bench.liar import LIES, Liar, Manner, serving
from webquarry.content.fields.json_schema import plain_schema
from webquarry.content.html.read_html import read_html
from webquarry.models.caller import Caller
from webquarry.models.reading import Reading
from webquarry.net.upstream.http_port import WreqHttp
from webquarry.net.upstream.upstreams import Upstreams
from webquarry.services.extraction.llm_extraction import guided
from webquarry.services.llm.language_model import LanguageModel
from webquarry.services.llm.llm_apis import OpenAiWire
from webquarry.storage.memory_store import MemoryStore

WHO = Caller(tenant="bench", user="bench")
# here the value is on the page, only said of another field: reported, but not an invention
_MISPLACED: Manner = "of another field"


async def passed(model: LanguageModel, liar: Liar, page: Page, manner: Manner) -> Counter[str]:
    """Return how many fields there are, how many values got through, how many are wrong."""
    liar.page, liar.manner = page, manner
    read = read_html(page.html, url=URL)
    reading = Reading(
        url=URL, address=URL, markdown=read.markdown, kind="html", metadata=read.metadata
    )
    found, _ = await guided(model, reading, ("data", plain_schema(page.schema), 48_000), WHO)
    counts: Counter[str] = Counter()
    gold = dict(leaves(page.gold))
    for pointer, value in leaves(found.data):
        counts["fields"] += 1
        counts["through"] += value is not None
        counts["wrong"] += value is not None and not _right(value, gold.get(pointer))
    return counts


def _right(value: Any, gold: Any) -> bool:
    if isinstance(value, list) and isinstance(gold, list):
        told, right = cast("list[Any]", value), cast("list[Any]", gold)
        return {str(one) for one in told} <= {str(one) for one in right}
    return value == gold


async def measured(kept: list[Page]) -> dict[Manner, Counter[str]]:
    """Return the counts of every manner over all pages."""
    liar, table = Liar(), dict[Manner, Counter[str]]()
    async with serving(liar) as address:
        http = WreqHttp()
        api = Upstreams(http).api("llm", address)
        model = LanguageModel(OpenAiWire(api, model="stand-in", key=""), MemoryStore())
        for manner in ("truth", *LIES):
            table[manner] = Counter()
            for page in kept:
                table[manner] += await passed(model, liar, page, manner)
        http.close()
    return table


def main() -> None:
    table = asyncio.run(measured(list(pages())))
    print(f"{'the model says':42}{'fields':>8}{'through':>9}{'wrong':>8}")
    for manner, counts in table.items():
        print(f"{manner:42}{counts['fields']:8}{counts['through']:9}{counts['wrong']:8}")
    invented = sum(c["wrong"] for m, c in table.items() if m not in ("truth", _MISPLACED))
    if invented:
        raise SystemExit(f"{invented} values got through that the page does not bear out")


if __name__ == "__main__":
    main()
