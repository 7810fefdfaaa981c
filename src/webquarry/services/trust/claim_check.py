"""Measures whether a source addresses the claim it is cited for, not whether it agrees."""

import re
from typing import NamedTuple

from webquarry.content.claims.claim_sentences import Claim
from webquarry.content.claims.claim_support import ClaimSupportEstimator
from webquarry.errors import ParseLimitError, WebquarryError
from webquarry.models.caller import Caller
from webquarry.models.trust import ClaimCheck, ClaimSupport
from webquarry.parsing.parsers import Parsers
from webquarry.parsing.task import ParseTask
from webquarry.reading.service import ReadingService, ReadResult
from webquarry.services.research.evidence import Evidence

MAX_READ_BYTES = 50 * 1024
_ADDRESSED = 0.5  # of the score
_CHANCE = 0.34  # share of a claim's terms that an unrelated page may have in one passage
_REFERENCES = re.compile(
    r"^\s{0,3}(?:#{1,6}\s*)?(?:\*\*)?(?:references|bibliography|works cited|literature cited"
    r"|literatur(?:verzeichnis)?|références|bibliographie|referencias|bibliografía|参考文献)"
    r"(?:\*\*)?[^\S\n]*+:?[^\S\n]*$",
    re.IGNORECASE | re.MULTILINE,
)


class ClaimChecker:
    """Reads a source and looks for sentences about a claim."""

    def __init__(
        self, reading: ReadingService, evidence: Evidence, parsers: Parsers | None = None
    ) -> None:
        self._reading = reading
        self._evidence = evidence
        self._parsers = parsers or Parsers()

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
        task = ParseTask(support_of, subject=f"The page {url}")
        content = text.encode("utf-8", "replace")
        try:
            measured, is_contrasted = await self._parsers.run(task, content, claim=claim)
        except ParseLimitError as error:
            return ClaimCheck(support="source_unavailable", reason=str(error), source=url)
        sentences = measured.sentences
        quotable = await self._evidence.quotable(reading, caller)
        return ClaimCheck(
            support=measured.support,
            score=round(measured.score, 2),
            overlap=measured.overlap,
            evidence=tuple(sentences),
            anchors=await self._evidence.anchors(quotable, sentences),
            source=url,
            contrast=is_contrasted,
        )


class SupportMeasure(NamedTuple):
    """How far a text addresses a claim."""

    support: ClaimSupport
    score: float  # estimated chance that the text states the whole claim
    sentences: list[str]  # that are most about the claim
    overlap: bool  # whether the text has any term of the claim


def support_of(text: bytes, *, claim: str) -> tuple[SupportMeasure, bool]:
    """Return `measure_support`, and whether the text contrasts the claim with something."""
    page = text.decode()
    measured = measure_support(claim, page)
    has_evidence = bool(measured.sentences)
    return measured, has_evidence and Claim(claim).is_contrasted_in(without_references(page))


def measure_support(claim: str, text: str) -> SupportMeasure:
    """Return how far a text addresses a claim, and its sentences about it."""
    parsed, estimator = Claim(claim), ClaimSupportEstimator(claim)
    body = without_references(text)
    if not parsed.terms:
        return SupportMeasure("partially_addressed", 0.0, [], overlap=True)
    if not estimator.has_overlap(body):
        return SupportMeasure("not_addressed", 0.0, [], overlap=False)
    score, sentences = estimator.score(body), parsed.evidence(body)
    if score >= _ADDRESSED:
        return SupportMeasure("addressed", score, sentences, overlap=True)
    # the few matching sentences of another topic are still shown
    support = "not_addressed" if parsed.coverage(body) <= _CHANCE else "partially_addressed"
    return SupportMeasure(support, score, sentences, overlap=True)


def without_references(text: str) -> str:
    """Return the text before its list of references: cited titles are not its own statements."""
    for heading in _REFERENCES.finditer(text):
        if heading.start() > len(text) // 4:
            return text[: heading.start()]
    return text
