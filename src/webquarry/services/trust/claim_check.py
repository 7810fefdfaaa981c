"""Whether a source speaks about the claim it is cited for. Coverage, never a stance."""

import asyncio
import re

from webquarry.content.claims.claim_sentences import Claim
from webquarry.errors import WebquarryError
from webquarry.models.caller import Caller
from webquarry.models.trust import ClaimCheck, ClaimSupport
from webquarry.reading.service import ReadingService
from webquarry.services.research.evidence import Evidence

MOST_BYTES = 50 * 1024
_ADDRESSED = 0.6
_CHANCE = 0.34  # the share of a claim's words that a page on something else may have in one place
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
        """Read the first address that can be read, and measure how much of the claim is there."""
        if not urls:
            return ClaimCheck(support="source_unavailable", reason="There is no address to read.")
        reasons: list[str] = []
        for url in urls:
            try:
                scraped = await self._reading.scrape(url, "full", MOST_BYTES, caller)
            except WebquarryError as error:
                reasons.append(str(error))
                continue
            reading = scraped.reading
            if reading is None or reading.wall or not scraped.page.content.strip():
                reasons.append(f"{url} shows no text to read.")
                continue
            text = scraped.page.content
            support, sentences = await asyncio.to_thread(measured, claim, text)
            quotable = await self._evidence.quotable(reading, caller)
            return ClaimCheck(
                support=support,
                evidence=tuple(sentences),
                anchors=tuple(quotable.anchors(sentences)),
                source=url,
                contrast=bool(sentences) and Claim(claim).contrast(without_references(text)),
            )
        return ClaimCheck(support="source_unavailable", reason=" ".join(reasons))


def measured(claim: str, text: str) -> tuple[ClaimSupport, list[str]]:
    """Return how far a text speaks about a claim, and its sentences that do."""
    wanted = Claim(claim)
    body = without_references(text)
    if not wanted.terms:
        return "partially_addressed", []
    coverage = wanted.coverage(body)
    if coverage == 0:
        return "not_addressed", []
    support: ClaimSupport = "addressed" if coverage >= _ADDRESSED else "partially_addressed"
    # a word or two that any page has do not make it the topic; they are shown all the same
    return "not_addressed" if coverage <= _CHANCE else support, wanted.evidence(body)


def without_references(text: str) -> str:
    """Return the text before its list of references: titles there are not what it says."""
    for found in _REFERENCES.finditer(text):
        if found.start() > len(text) // 4:
            return text[: found.start()]
    return text
