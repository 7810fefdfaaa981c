"""Measures whether a source addresses the claim it is cited for, not whether it agrees."""

from webquarry.content.claims.support_measure import support_of
from webquarry.errors import ParseLimitError, WebquarryError
from webquarry.models.caller import Caller
from webquarry.models.trust import ClaimCheck
from webquarry.parsing.parsers import Parsers
from webquarry.parsing.task import ParseTask
from webquarry.reading.service import ReadingService, ReadResult
from webquarry.services.research.evidence import Evidence

MAX_READ_BYTES = 50 * 1024


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
