"""Notifications in the form of another API."""

from webquarry.crawl.webhook_styles import styled_body, styled_headers
from webquarry.models.webhook import Webhook

BODY = {
    "event": "page",
    "crawlId": "job1",
    "status": "running",
    "pagesFound": 3,
    "pagesCrawled": 1,
    "error": None,
    "metadata": {"owl": 1},
    "pages": [{"url": "https://owls.test/", "title": "", "statusCode": 200, "contentLength": 5}],
}


def webhook(**fields: object) -> Webhook:
    return Webhook.model_validate({"url": "https://hooks.test/", **fields})


def test_the_usual_notification_is_unchanged() -> None:
    assert styled_body(webhook(), BODY) is BODY
    assert styled_headers(webhook(), "secret", b"{}") == {}


def test_a_page_is_announced_as_firecrawl_does() -> None:
    assert styled_body(webhook(style="firecrawl.crawl"), BODY) == {
        "success": True,
        "type": "crawl.page",
        "id": "job1",
        "data": [{"metadata": {"sourceURL": "https://owls.test/", "statusCode": 200}}],
        "metadata": {"owl": 1},
    }


def test_a_failure_has_its_error() -> None:
    failed = BODY | {"event": "failed", "status": "failed", "error": "no page", "pages": []}

    assert styled_body(webhook(style="firecrawl.batch_scrape"), failed) == {
        "success": False,
        "type": "batch_scrape.failed",
        "id": "job1",
        "data": [],
        "metadata": {"owl": 1},
        "error": "no page",
    }


def test_the_signature_is_the_hmac_of_the_body() -> None:
    headers = styled_headers(webhook(style="firecrawl.crawl"), "a secret", b"{}")

    assert headers == {
        "X-Firecrawl-Signature": "sha256="
        "c424c6f590d0d71e73c149cf3babaacf68709276ebdf98c4426975d5e07f9397"
    }
