"""Measures whether a source addresses the claim it is cited for, not whether it agrees."""

import asyncio
import re

from webquarry.content.claims.claim_sentences import Claim
from webquarry.errors import WebquarryError
from webquarry.models.caller import Caller
from webquarry.models.trust import ClaimCheck, ClaimSupport
from webquarry.reading.service import ReadingService, ReadResult
from webquarry.services.research.evidence import Evidence

MAX_READ_BYTES = 50 * 1024
_ADDRESSED = 0.6
_CHANCE = 0.34  # share of a claim's terms that an unrelated page may have in one passage
_REFERENCES = re.compile(
    r"^\s{0,3}(?:#{1,6}\s*)?(?:\*\*)?(?:references|bibliography|works cited|literature cited"
    r"|literatur(?:verzeichnis)?|références|bibliographie|referencias|bibliografía|参考文献)"
    r"(?:\*\*)?\s*:?\s*$",
    re.IGNORECASE | re.MULTILINE,
)


class ClaimChecker:
    """Reads a source and looks for sentences about a claim."""

    def __init__(self, reading: ReadingService, evidence: Evidence) -> None:
        self._reading = reading
        self._evidence = evidence

    async def check(self, claim: str, urls: list[str], caller: Caller) -> ClaimCheck:
        """Read the first readable URL and measure how much of the claim it covers."""
        if not urls:
            return ClaimCheck(support="source_unavailable", reason="There is no URL to read.")
        reasons: list[str] = []
        for url in urls:
            try:
                scraped = await self._reading.scrape(url, "full", MAX_READ_BYTES, caller)
            except WebquarryError as error:
                reasons.append(str(error))
                continue
            if check := await self._check_page(claim, url, scraped, caller):
                return check
            reasons.append(f"{url} shows no text to read.")
        return ClaimCheck(support="source_unavailable", reason=" ".join(reasons))

    async def _check_page(
        self, claim: str, url: str, scraped: ReadResult, caller: Caller
    ) -> ClaimCheck | None:
        reading, text = scraped.reading, scraped.page.content
        if reading is None or reading.wall or not text.strip():
            return None
        support, sentences = await asyncio.to_thread(measure_support, claim, text)
        quotable = await self._evidence.quotable(reading, caller)
        return ClaimCheck(
            support=support,
            evidence=tuple(sentences),
            anchors=tuple(quotable.anchors(sentences)),
            source=url,
            contrast=bool(sentences) and Claim(claim).is_contrasted_in(without_references(text)),
        )


def measure_support(claim: str, text: str) -> tuple[ClaimSupport, list[str]]:
    """Return how far a text addresses a claim, and its sentences about it."""
    parsed = Claim(claim)
    body = without_references(text)
    if not parsed.terms:
        return "partially_addressed", []
    coverage = parsed.coverage(body)
    if coverage == 0:
        return "not_addressed", []
    sentences = parsed.evidence(body)
    if coverage <= _CHANCE:
        return "not_addressed", sentences  # the few matching sentences are still shown
    return "addressed" if coverage >= _ADDRESSED else "partially_addressed", sentences


def without_references(text: str) -> str:
    """Return the text before its list of references: cited titles are not its own statements."""
    for heading in _REFERENCES.finditer(text):
        if heading.start() > len(text) // 4:
            return text[: heading.start()]
    return text
