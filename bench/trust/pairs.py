"""Pairs of a claim and a source, and how they stand to each other.

In claims.json a source has claims that it bears out, one that its words deny (contradicted), and
one that denies what it says (negated). Scattered claims are made of words that one long page uses
in places that have nothing to do with each other.
"""

import json
from itertools import chain, zip_longest
from pathlib import Path
from typing import Any, NamedTuple

_TOLD: dict[str, Any] = json.loads(Path(__file__).with_name("claims.json").read_text("utf-8"))
LANGUAGES = tuple(_TOLD)


class Pair(NamedTuple):
    """A claim, the source it is cited from, and how the two stand."""

    language: str
    kind: str  # supported, contradicted, negated, off_topic, scattered
    claim: str
    source: str

    @property
    def mischaracterised(self) -> bool:
        """Whether the source does not speak about the claim."""
        return self.kind in ("off_topic", "scattered")


def pairs(*languages: str) -> list[Pair]:
    """Return the pairs of these languages, or of all."""
    return [pair for name in languages or LANGUAGES for pair in _of(name)]


def _of(name: str) -> list[Pair]:
    told: list[dict[str, Any]] = _TOLD[name]["sources"]
    found: list[Pair] = []
    for place, source in enumerate(told):
        text = source["text"]
        found += [Pair(name, "supported", claim, text) for claim in source["supported"]]
        found += [Pair(name, kind, source[kind], text) for kind in ("contradicted", "negated")]
        elsewhere = [told[(place + by) % len(told)]["text"] for by in (1, 3)]
        unfit = zip(source["supported"], elsewhere, strict=True)
        found += [Pair(name, "off_topic", claim, other) for claim, other in unfit]
    page = _page([source["text"] for source in told], "详情见下文。" if name == "zh" else "…")
    return [*found, *(Pair(name, "scattered", claim, page) for claim in _TOLD[name]["scattered"])]


def _page(texts: list[str], gap: str) -> str:
    """Return one long page of all the sources, with room between them."""
    gaps = ("\n\n".join([gap] * 4) for _ in texts)
    return "\n\n".join(chain.from_iterable(zip_longest(texts, gaps)))
