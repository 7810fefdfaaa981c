"""Quotations: linked, kept and checked."""

from dataclasses import dataclass, field

import pytest

from tests.support import ALICE, BOB
from webquarry.errors import BadInputError, NetworkError, WebquarryError
from webquarry.models.caller import Caller
from webquarry.models.page import PageMetadata
from webquarry.models.reading import Reading
from webquarry.models.research import Anchor, QuoteCheck, SourceFailure
from webquarry.services.research.evidence import Evidence
from webquarry.storage.captures import Captures
from webquarry.storage.memory_store import MemoryStore

pytestmark = pytest.mark.anyio

URL = "https://owls.test/a#top"
TEXT = """# Owls

Owls hunt **at night** in [deep forests](https://forest.test/).

| Owl | Weight |
| --- | --- |
| Barn | 300 g |
"""
QUOTE = "Owls hunt at night in deep forests."


@dataclass
class Now:
    """The page of today."""

    text: str = TEXT
    error: WebquarryError | None = None
    asked: list[str] = field(default_factory=list[str])

    async def reread(self, url: str, caller: Caller) -> Reading:
        self.asked.append(url)
        if self.error:
            raise self.error
        return reading(self.text)


def reading(text: str = TEXT) -> Reading:
    about = PageMetadata(title="Owls")
    return Reading(url=URL, final_url=URL, markdown=text, kind="html", metadata=about)


def evidence(now: Now | None = None) -> Evidence:
    return Evidence(Captures(MemoryStore(), clock=lambda: 0.0), now or Now())


async def anchored(held: Evidence, passage: str = QUOTE) -> Anchor:
    anchor = (await held.quotable(reading(), ALICE)).anchor(passage)
    assert anchor
    return anchor


async def test_an_anchor_is_a_link_a_quotation_and_a_hash() -> None:
    held = evidence()

    anchor = await anchored(held)

    (capture,) = await held.captures.export(ALICE.tenant, ALICE.user)
    assert anchor == Anchor(
        url="https://owls.test/a#top:~:text=Owls%20hunt%20at%20night%20in%20deep%20forests.",
        quote=QUOTE,
        sha256=capture["sha256"],
    )
    assert (capture["url"], capture["title"]) == (URL, "Owls")
    assert capture["text"] == f"Owls\n{QUOTE}\nOwl\nWeight\nBarn\n300 g"


async def test_a_row_of_a_table_can_be_quoted() -> None:
    anchor = await anchored(evidence(), "Barn | 300 g")

    assert anchor.url.endswith(":~:text=Barn,300%20g")
    assert anchor.quote == "Barn\n300 g"


async def test_what_the_page_does_not_say_cannot_be_quoted() -> None:
    held = evidence()
    quotable = await held.quotable(reading(), ALICE)

    anchors = await held.anchors(quotable, ["Owls hunt by day.", QUOTE])

    assert anchors == (quotable.anchor(QUOTE),)


async def test_a_quotation_is_verified_against_the_capture() -> None:
    held = evidence()
    anchor = await anchored(held)

    check = await held.verify(anchor, ALICE)

    assert check == QuoteCheck(
        url=URL, quote=QUOTE, stored="verified", capturedAt="1970-01-01T00:00:00Z"
    )
    assert check.verdict is True


async def test_words_that_were_never_there_are_refuted() -> None:
    held = evidence()
    anchor = (await anchored(held)).model_copy(update={"quote": "Owls hunt by day."})

    check = await held.verify(anchor, ALICE)

    assert (check.stored, check.verdict) == ("not_in_capture", False)


async def test_a_missing_capture_is_not_a_wrong_quotation() -> None:
    held = evidence()
    anchor = await anchored(held)

    check = await held.verify(anchor, BOB)

    assert (check.stored, check.verdict) == ("no_capture", None)


async def test_the_page_of_today_still_says_it() -> None:
    now = Now()
    held = evidence(now)

    check = await held.verify(await anchored(held), ALICE, live=True)

    assert (check.stored, check.live, check.verdict) == ("verified", "found", True)
    assert now.asked == [URL]


async def test_a_page_that_changed_shows_what_it_says_instead() -> None:
    held = evidence(Now(TEXT.replace("at night", "by day")))

    check = await held.verify(await anchored(held), ALICE, live=True)

    assert (check.stored, check.live, check.verdict) == ("verified", "changed", False)
    assert check.nearest == "Owls hunt by day in deep forests."


async def test_a_passage_that_is_gone_is_gone() -> None:
    held = evidence(Now("Nothing to see."))

    check = await held.verify(await anchored(held), ALICE, live=True)

    assert (check.live, check.nearest, check.verdict) == ("gone", None, False)


async def test_a_page_that_cannot_be_reached_proves_nothing() -> None:
    held = evidence(Now(error=NetworkError("Timed out.")))

    check = await held.verify(await anchored(held), ALICE, live=True)

    assert (check.stored, check.live, check.verdict) == ("verified", "unreachable", None)
    assert check.failure == SourceFailure(
        url=URL,
        kind="network",
        reason="Timed out.",
        retryable=True,
        suggestedAction="retry_after_delay",
    )


async def test_a_link_alone_can_be_checked_when_it_spells_the_words() -> None:
    held = evidence()
    anchor = (await anchored(held)).model_copy(update={"quote": "", "sha256": ""})

    check = await held.verify(anchor, ALICE, live=True)

    assert (check.quote, check.stored, check.verdict) == (QUOTE, "no_capture", True)


@pytest.mark.parametrize(
    ("anchor", "words"),
    [
        (Anchor(url=URL, quote=" ", sha256=""), "quote: is missing"),
        (Anchor(url="https://owls.test/#:~:text=a,b", quote="", sha256=""), "quote: is missing"),
        (Anchor(url=URL, quote="x", sha256="abc"), "sha256:"),
    ],
)
async def test_what_cannot_be_checked_is_refused(anchor: Anchor, words: str) -> None:
    with pytest.raises(BadInputError, match=words):
        await evidence().verify(anchor, ALICE)
