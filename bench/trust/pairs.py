"""Pairs of a claim and a source, with the relation between them.

In claims.json a source has claims that it supports, one that it contradicts, and one that negates
what it says. The words of a scattered claim all occur on one long page, but in unrelated passages.
"""

import json
from itertools import chain, zip_longest
from pathlib import Path
from typing import Any, NamedTuple

_CLAIMS: dict[str, Any] = json.loads(Path(__file__).with_name("claims.json").read_text("utf-8"))
LANGUAGES = tuple(_CLAIMS)


class Pair(NamedTuple):
    """A claim, the source cited for it, and the relation between them (`kind`)."""

    language: str
    kind: str  # supported, contradicted, negated, off_topic, scattered
    claim: str
    source: str

    @property
    def mischaracterised(self) -> bool:
        """Whether the source does not address the claim."""
        return self.kind in ("off_topic", "scattered")


def pairs(*languages: str) -> list[Pair]:
    """Return the pairs of these languages, or of all."""
    return [pair for name in languages or LANGUAGES for pair in _pairs_in(name)]


def _pairs_in(name: str) -> list[Pair]:
    sources: list[dict[str, Any]] = _CLAIMS[name]["sources"]
    pairs_found: list[Pair] = []
    for index, source in enumerate(sources):
        text = source["text"]
        pairs_found += [Pair(name, "supported", claim, text) for claim in source["supported"]]
        pairs_found += [
            Pair(name, kind, source[kind], text) for kind in ("contradicted", "negated")
        ]
        other_texts = [sources[(index + offset) % len(sources)]["text"] for offset in (1, 3)]
        mismatched = zip(source["supported"], other_texts, strict=True)
        pairs_found += [Pair(name, "off_topic", claim, other) for claim, other in mismatched]
    page = _page([source["text"] for source in sources], "详情见下文。" if name == "zh" else "…")
    return [
        *pairs_found,
        *(Pair(name, "scattered", claim, page) for claim in _CLAIMS[name]["scattered"]),
    ]


def _page(texts: list[str], gap: str) -> str:
    """Return one long page of all the sources, with filler paragraphs between them."""
    gaps = ("\n\n".join([gap] * 4) for _ in texts)
    return "\n\n".join(chain.from_iterable(zip_longest(texts, gaps)))
