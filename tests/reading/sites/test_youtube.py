"""YouTube: captions from several sources, otherwise the description."""

import json
from typing import Any

import pytest

from tests.reading.sites.exchanges import exchange, failure, failures, read
from tests.replay import Replay
from webquarry.errors import BlockedError, NotFoundError, PageError, RateLimitError
from webquarry.models.page import PageMetadata
from webquarry.models.reading import Reading
from webquarry.net.upstream.upstreams import Upstreams
from webquarry.net.url import parse
from webquarry.reading.sites.youtube import YouTubeSite
from webquarry.reading.tiers.read_errors import LoginWallError

pytestmark = pytest.mark.anyio

VIDEO = "dQw4w9WgXcQ"
SITE = "https://www.youtube.com"
PAGE = f"{SITE}/watch?v={VIDEO}"
ASKED = f"{PAGE}&hl=en"
DETAILS = {"videoId": VIDEO, "title": "Owls at night", "author": "Ada", "lengthSeconds": "75",
           "shortDescription": "All about owls.", "viewCount": "1234"}  # fmt: skip
OK = {"status": "OK"}
CAPTIONS = {"events": [{"tStartMs": 0, "segs": [{"utf8": "Hello,"}, {"utf8": " owls.\n"}]},
                       {"tStartMs": 61500, "segs": [{"utf8": "Good night."}]},
                       {"tStartMs": 70000}]}  # fmt: skip
PLAYER = {"method": "POST"}
APP = {"context": {"client": {"clientName": "ANDROID", "clientVersion": "20.10.38", "hl": "en",
                              "gl": "US"}}, "videoId": VIDEO}  # fmt: skip


def track(language: str, **more: Any) -> dict[str, Any]:
    address = f"{SITE}/api/timedtext?v={VIDEO}&lang={language}{more.pop('proof', '')}"
    name = {"runs": [{"text": language.upper()}]}
    return {"baseUrl": address, "languageCode": language, "name": name, **more}


def player(*tracks: dict[str, Any], **more: Any) -> dict[str, Any]:
    captions = {"playerCaptionsTracklistRenderer": {"captionTracks": list(tracks)}}
    found = {"playabilityStatus": OK, "videoDetails": DETAILS}
    return found | ({"captions": captions} if tracks else {}) | more


def watch(found: dict[str, Any] | None, form: str = "var ytInitialPlayerResponse = {};") -> str:
    script = form.replace("{}", json.dumps(found)) if found else ""
    dated = '<meta itemprop="datePublished" content="x">"publishDate":"2024-05-03T00:00:00-07:00"'
    return f"<html><script>{script}</script>{dated}</html>"


def page(found: dict[str, Any] | None = None, **more: Any) -> dict[str, Any]:
    return exchange(ASKED, text=watch(found), **more)


def captions(language: str, **answer: Any) -> dict[str, Any]:
    url = f"{SITE}/api/timedtext?v={VIDEO}&lang={language}&fmt=json3"
    return exchange(url, **(answer or {"body": CAPTIONS}))


def app(found: dict[str, Any]) -> dict[str, Any]:
    asked = {"method": "POST", "json": APP}
    return exchange(f"{SITE}/youtubei/v1/player", body=found, request=asked)


def nothing_elsewhere() -> list[dict[str, Any]]:
    return [captions(language, text="") for language in ("en", "en-US", "en-GB")]


async def test_the_captions_of_the_player_become_the_transcript() -> None:
    reading = await read(YouTubeSite, PAGE, page(player(track("en"))), captions("en"))

    assert reading == Reading(
        url=PAGE,
        final_url=PAGE,
        kind="youtube",
        markdown=(
            "# Owls at night\n\n"
            "Ada · 2024-05-03 · 1:15 · 1,234 views\n\n"
            "## Transcript (EN)\n\n"
            "[0:00] Hello, owls.\n[1:01] Good night."
        ),
        metadata=PageMetadata(
            title="Owls at night",
            authors=("Ada",),
            site="YouTube",
            published="2024-05-03",
            language="en",
        ),
    )


@pytest.mark.parametrize(
    "form",
    ['window["ytInitialPlayerResponse"] = {};', 'x({"playerResponse":{},"other":1})',
     "ytInitialPlayerResponse={};var meta = {1:2};"],
)  # fmt: skip
async def test_every_form_of_player_data_in_the_page_is_parsed(form: str) -> None:
    answer = exchange(ASKED, text=watch(player(track("en")), form))

    reading = await read(YouTubeSite, PAGE, answer, captions("en"))

    assert reading.markdown.endswith("[1:01] Good night.")


async def test_human_english_captions_are_preferred() -> None:
    tracks = (track("de"), track("en", kind="asr"), track("en-GB"))

    reading = await read(YouTubeSite, PAGE, page(player(*tracks)), captions("en-GB"))

    assert "## Transcript (EN-GB)" in reading.markdown


async def test_captions_in_another_language_are_used_and_labelled() -> None:
    reading = await read(YouTubeSite, PAGE, page(player(track("de", kind="asr"))), captions("de"))

    assert "## Transcript (DE (auto-generated))" in reading.markdown
    assert reading.metadata.language == "de"


async def test_captions_that_require_a_po_token_are_fetched_through_the_app_api() -> None:
    reading = await read(
        YouTubeSite,
        PAGE,
        page(player(track("en", proof="&exp=xpe"))),
        app(player(track("en"))),
        captions("en"),
    )

    assert reading.markdown.endswith("[1:01] Good night.")


async def test_empty_captions_are_retried_at_the_timedtext_endpoint() -> None:
    reading = await read(
        YouTubeSite,
        PAGE,
        page(player(track("fr"))),
        captions("fr", text=""),
        app(player()),
        captions("en", status=404, text=""),
        captions("en-US"),
    )

    assert "## Transcript (en-US)" in reading.markdown


async def test_without_captions_the_description_is_returned_with_a_note() -> None:
    reading = await read(YouTubeSite, PAGE, page(player()), app(player()), *nothing_elsewhere())

    assert reading.markdown == (
        "# Owls at night\n\nAda · 2024-05-03 · 1:15 · 1,234 views\n\n"
        "## Description\n\nAll about owls."
    )
    assert reading.notes == (
        "The video has no captions that can be read; this is its description.",
    )


async def test_captions_on_another_host_are_not_fetched() -> None:
    stray = {"baseUrl": "https://evil.example/api/timedtext?v=1", "languageCode": "en"}

    reading = await read(
        YouTubeSite, PAGE, page(player(stray)), app(player()), *nothing_elsewhere()
    )

    assert "## Description" in reading.markdown


async def test_distinctive_caption_lines_become_highlights() -> None:
    said = ["So.", "In 1999 we saw Great owls?", "Then.", "It weighed 3 pounds.", "Bye."]
    events = [{"tStartMs": n * 1000, "segs": [{"utf8": text}]} for n, text in enumerate(said)]

    reading = await read(
        YouTubeSite, PAGE, page(player(track("en"))), captions("en", body={"events": events})
    )

    assert (
        "## Highlights\n\n- [0:01] In 1999 we saw Great owls?\n- [0:03] It weighed 3 pounds.\n\n"
    ) in reading.markdown


@pytest.mark.parametrize(
    ("text", "last"),
    [
        ('<transcript><text start="1.5" dur="2">Tom &amp;amp; owls</text></transcript>',
         "[0:01] Tom & owls"),
        ('<timedtext><body><p t="3700000" d="9"><s>Late</s><s> owls</s></p></body></timedtext>',
         "[1:01:40] Late owls"),
        ("WEBVTT\n\n00:00:05.000 --> 00:00:06.000 align:start\n<c>Quick</c> owls\n\n",
         "[0:05] Quick owls"),
    ],
)  # fmt: skip
async def test_every_caption_format_is_parsed(text: str, last: str) -> None:
    reading = await read(YouTubeSite, PAGE, page(player(track("en"))), captions("en", text=text))

    assert reading.markdown.endswith(last)


async def test_a_long_transcript_is_cut_between_lines() -> None:
    events = [{"tStartMs": n * 1000, "segs": [{"utf8": f"Owl {n} hoots."}]} for n in range(9000)]

    reading = await read(
        YouTubeSite, PAGE, page(player(track("en"))), captions("en", body={"events": events})
    )

    assert reading.truncated
    assert len(reading.markdown) < 101_000
    assert reading.markdown.endswith("hoots.")


@pytest.mark.parametrize(
    ("status", "error"),
    [("ERROR", NotFoundError), ("UNPLAYABLE", NotFoundError), ("LOGIN_REQUIRED", LoginWallError)],
)
async def test_an_unavailable_video_is_an_error_with_the_reason(
    status: str, error: type[Exception]
) -> None:
    found = player(playabilityStatus={"status": status, "reason": "Not for owls"})

    caught = await failure(YouTubeSite, PAGE, page(found))

    assert type(caught) is error
    assert "Not for owls" in str(caught)


async def test_consent_and_captcha_pages_are_errors() -> None:
    consent = '<form action="https://consent.youtube.com/save">'
    captcha = '<div class="g-recaptcha">'

    assert isinstance(await failure(YouTubeSite, PAGE, exchange(ASKED, text=consent)), BlockedError)
    assert isinstance(
        await failure(YouTubeSite, PAGE, exchange(ASKED, text=captcha)), RateLimitError
    )


async def test_a_page_without_player_captions_and_description_is_empty() -> None:
    error = await failure(
        YouTubeSite,
        PAGE,
        page(),
        exchange(f"{SITE}/youtubei/v1/player", text="<html>", request={**PLAYER, "json": APP}),
        *nothing_elsewhere(),
    )

    assert type(error) is PageError


@pytest.mark.parametrize(("exchanges", "kind"), failures(ASKED)[:4])
async def test_upstream_failures_have_the_right_error_kind(
    exchanges: list[dict[str, Any]], kind: str
) -> None:
    assert (await failure(YouTubeSite, PAGE, *exchanges)).advice.kind == kind


@pytest.mark.parametrize(
    ("url", "is_video"),
    [
        (f"https://youtu.be/{VIDEO}?t=3", True),
        (f"https://m.youtube.com/watch?v={VIDEO}&list=x", True),
        (f"https://www.youtube.com/shorts/{VIDEO}", True),
        (f"https://www.youtube-nocookie.com/embed/{VIDEO}", True),
        ("https://www.youtube.com/@owls", False),
        ("https://www.youtube.com/watch?v=short", False),
        (f"https://youtube.com.evil.example/watch?v={VIDEO}", False),
        (f"https://notyoutu.be/{VIDEO}", False),
    ],
)
def test_video_urls_are_recognised(url: str, *, is_video: bool) -> None:
    assert YouTubeSite(Upstreams(Replay([])), {}).handles(parse(url)) is is_video
