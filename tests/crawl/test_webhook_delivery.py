"""Webhooks are notified of the events of a crawl: signed, in order, until they accept it."""

import hashlib
import hmac
import json
from pathlib import Path
from typing import Any

import pytest

from tests.crawl.crawl_service import ALICE, BOB, open_crawl_service, run_crawl
from tests.crawl.site import MISSING, Handler, Reply, Site, running_site, tree
from tests.server.processes import stdio_server
from webquarry.crawl import webhook_delivery as webhook_module
from webquarry.crawl.webhook_delivery import retry_pause, signature
from webquarry.errors import BadInputError
from webquarry.models.caller import Caller
from webquarry.models.crawl import CrawlRequest
from webquarry.models.webhook import Webhook

pytestmark = pytest.mark.anyio

OK, BUSY, BAD_REQUEST = Reply(b"ok"), Reply(b"", status=503), Reply(b"", status=400)
GONE, MOVED = Reply(b"", status=410), Reply(b"", status=302, headers=(("location", "/elsewhere"),))
SECRET = "s" * 32


class Receiver:
    """Replies of a webhook, and the headers of its requests."""

    def __init__(self, *replies: Reply) -> None:
        self.replies = list(replies)
        self.headers: list[dict[str, str]] = []

    def __call__(self, path: str, headers: dict[str, str]) -> Reply:
        self.headers.append(headers)
        return self.replies.pop(0) if self.replies else OK


@pytest.fixture(autouse=True)
def quick_retries(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(webhook_module, "_FIRST_RETRY", 0.01)
    monkeypatch.setattr(webhook_module, "_POLL_SECONDS", 0.02)


def bodies(hook: Site) -> list[Any]:
    return [json.loads(body) for _, body in hook.bodies]


async def notified_crawl(
    directory: Path, hook: Site, requests: int, pages: Handler | None = None, **webhook: Any
) -> str:
    """Run a crawl until its webhook got so many requests; return its id."""
    with running_site(pages or tree(3)) as site:
        async with open_crawl_service(directory, {"WEBHOOK_SECRET": SECRET}) as crawling:
            target = Webhook(url=f"{hook.url}/hook?token=1", **webhook)
            job = await run_crawl(crawling, CrawlRequest(url=f"{site.url}/0", webhook=target))
            await hook.wait_for_requests(requests)
            assert await crawling.finish_deliveries(job.id, 30) == 0
    return job.id


async def test_the_webhook_is_called_when_a_crawl_ends(tmp_path: Path) -> None:
    with running_site(Receiver()) as hook:
        job_id = await notified_crawl(tmp_path, hook, 1)

    assert [path for path, _ in hook.bodies] == ["/hook?token=1"]
    assert bodies(hook) == [
        {
            "event": "completed",
            "crawlId": job_id,
            "status": "completed",
            "pagesFound": 3,
            "pagesCrawled": 3,
            "error": None,
        }
    ]


async def test_a_webhook_may_be_a_plain_url(tmp_path: Path) -> None:
    with running_site(Receiver()) as hook, running_site(tree(2)) as site:
        async with open_crawl_service(tmp_path) as crawling:
            request = CrawlRequest(url=f"{site.url}/0", webhook=f"{hook.url}/plain")
            await run_crawl(crawling, request)
            await hook.wait_for_requests(1)

    assert [(body["event"], body["pagesCrawled"]) for body in bodies(hook)] == [("completed", 2)]


async def test_the_webhook_reports_why_a_crawl_failed(tmp_path: Path) -> None:
    with running_site(Receiver()) as hook:
        job_id = await notified_crawl(tmp_path, hook, 1, lambda path, headers: MISSING)

    assert bodies(hook) == [
        {
            "event": "failed",
            "crawlId": job_id,
            "status": "failed",
            "pagesFound": 1,
            "pagesCrawled": 0,
            "error": "no page could be read: http_404",
        }
    ]


async def test_chosen_events_arrive_in_order_with_the_callers_headers_and_metadata(
    tmp_path: Path,
) -> None:
    receiver = Receiver()
    with running_site(receiver) as hook, running_site(tree(3)) as site:
        async with open_crawl_service(tmp_path) as crawling:
            target = Webhook(
                url=hook.url,
                events=("started", "page", "completed"),
                headers={"Authorization": "Bearer x"},
                metadata={"order": 7},
            )
            job = await run_crawl(crawling, CrawlRequest(url=f"{site.url}/0", webhook=target))
            assert await crawling.finish_deliveries(job.id, 30) == 0
        start = f"{site.url}/"

    sent = bodies(hook)
    assert sent[0] == {
        "event": "started",
        "crawlId": job.id,
        "status": "running",
        "pagesFound": 1,
        "pagesCrawled": 0,
        "error": None,
        "metadata": {"order": 7},
    }
    assert [body["event"] for body in sent[1:-1]] == ["page"] * (len(sent) - 2)
    pages = [page for body in sent[1:-1] for page in body["pages"]]
    assert {page["url"] for page in pages} == {f"{start}{number}" for number in range(3)}
    assert {tuple(page) for page in pages} == {("url", "title", "statusCode", "contentLength")}
    assert sent[-1]["event"] == "completed"
    assert {headers["authorization"] for headers in receiver.headers} == {"Bearer x"}
    assert len({headers["x-webquarry-delivery"] for headers in receiver.headers}) == len(sent)


async def test_a_cancelled_crawl_is_reported_if_wanted(tmp_path: Path) -> None:
    with running_site(Receiver()) as hook, running_site(tree(9)) as site:
        site.is_held = lambda path: path == "/0" and not hook.log
        async with open_crawl_service(tmp_path) as crawling:
            target = Webhook(url=hook.url, events=("cancelled",))
            job = await crawling.start(CrawlRequest(url=f"{site.url}/0", webhook=target), ALICE)
            await site.wait_for_requests(1)
            await crawling.cancel(job.id, ALICE)
            await hook.wait_for_requests(1)

    assert [body["event"] for body in bodies(hook)] == ["cancelled"]


async def test_notifications_are_signed(tmp_path: Path) -> None:
    receiver = Receiver()
    with running_site(receiver) as hook:
        await notified_crawl(tmp_path, hook, 1)

    ((_, body),) = hook.bodies
    assert _is_signed(receiver.headers[0], body, SECRET)


async def test_the_secret_of_a_webhook_replaces_that_of_the_server(tmp_path: Path) -> None:
    receiver = Receiver()
    with running_site(receiver) as hook:
        await notified_crawl(tmp_path, hook, 1, secret="mine" * 8)

    assert _is_signed(receiver.headers[0], hook.bodies[0][1], "mine" * 8)


async def test_tenants_have_different_secrets_that_do_not_change(tmp_path: Path) -> None:
    receiver = Receiver()
    other = Caller(tenant="other", user="eve")
    with running_site(receiver) as hook, running_site(tree(1)) as site:
        for caller in (ALICE, BOB, other):
            async with open_crawl_service(tmp_path) as crawling:
                request = CrawlRequest(url=f"{site.url}/0", webhook=hook.url)
                job = await run_crawl(crawling, request, caller)
                assert await crawling.finish_deliveries(job.id, 30) == 0

    secrets = {_secret(tmp_path, tenant) for tenant in ("acme", "other")}
    assert len(secrets) == 2
    for headers, (_, body), tenant in zip(
        receiver.headers, hook.bodies, ("acme", "acme", "other"), strict=True
    ):
        assert _is_signed(headers, body, _secret(tmp_path, tenant))


@pytest.mark.parametrize("problem", [BUSY, BAD_REQUEST, MOVED])
async def test_what_is_not_accepted_is_sent_again_with_the_same_body_and_id(
    tmp_path: Path, problem: Reply
) -> None:
    receiver = Receiver(problem, problem)
    with running_site(receiver) as hook:
        await notified_crawl(tmp_path, hook, 3)

    assert len(hook.bodies) == 3
    assert len(set(hook.bodies)) == 1
    assert len({headers["x-webquarry-delivery"] for headers in receiver.headers}) == 1


async def test_a_webhook_that_is_gone_is_not_called_again(tmp_path: Path) -> None:
    with running_site(Receiver(GONE)) as hook:
        await notified_crawl(tmp_path, hook, 1)

    assert len(hook.bodies) == 1


async def test_a_notification_is_given_up_after_webhook_retry(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with running_site(Receiver(BUSY)) as hook, running_site(tree(2)) as site:
        async with open_crawl_service(tmp_path, {"WEBHOOK_RETRY": "0s"}) as crawling:
            request = CrawlRequest(url=f"{site.url}/0", webhook=f"{hook.url}/hook?token=1")
            job = await run_crawl(crawling, request)
            assert await crawling.finish_deliveries(job.id, 30) == 0

    assert len(hook.bodies) == 1
    assert "failed 1 times (HTTP 503): given up" in caplog.text
    assert "token=1" not in caplog.text


async def test_a_webhook_that_the_guard_refuses_is_not_called(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with running_site(Receiver()) as hook, running_site(tree(2)) as site:
        async with open_crawl_service(tmp_path, {"ALLOWED_DOMAINS": "127.0.0.1"}) as crawling:
            url = hook.url.replace("127.0.0.1", "localhost")
            request = CrawlRequest(url=f"{site.url}/0", webhook=f"{url}/?token=1")
            job = await run_crawl(crawling, request)
            assert await crawling.finish_deliveries(job.id, 30) == 0

    assert job.state == "completed"
    assert hook.log == []
    assert "the network guard refuses its URL" in caplog.text
    assert "token=1" not in caplog.text


@pytest.mark.parametrize(
    "fields",
    [
        {"headers": {"X-Webquarry-Signature": "t=1"}},
        {"headers": {"Host": "a"}},
        {"headers": {"X-A": "1\r\nX-B: 2"}},
        {"metadata": {"a": "x" * 5000}},
        {"events": ()},
        {"events": ("paused",)},
        {"secret": "short"},
    ],
)
def test_a_webhook_that_cannot_work_is_rejected(fields: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=next(iter(fields))):
        Webhook.model_validate({"url": "https://a.example"} | fields)


async def test_a_webhook_needs_a_complete_url(tmp_path: Path) -> None:
    async with open_crawl_service(tmp_path) as crawling:
        with pytest.raises(BadInputError, match="hook"):
            await crawling.start(CrawlRequest(url="https://a.example", webhook="hook"), ALICE)


def test_the_pause_doubles_up_to_an_hour(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()
    monkeypatch.setattr(webhook_module, "_JITTER", 0.0)

    assert [retry_pause(attempts) for attempts in (1, 2, 3, 11, 12, 500)] == [
        2.0, 4.0, 8.0, 2048.0, 3600.0, 3600.0,
    ]  # fmt: skip


def test_a_signature_covers_time_and_body() -> None:
    digest = "ac415726e16959ab4d376e79005bd72fb87a4d7a5dbc08ecae02ae724fab10eb"
    assert signature("secret", 17, b'{"a": 1}') == f"t=17,v1={digest}"
    assert len({signature("s", 1, b"a"), signature("s", 2, b"a"), signature("s", 1, b"b")}) == 3


async def test_a_notification_is_not_lost_when_the_process_is_killed(tmp_path: Path) -> None:
    receiver = Receiver(BUSY)
    settings = {"ALLOW_PRIVATE_IPS": "true", "CRAWL_DELAY": "0"}
    with running_site(receiver) as hook, running_site(tree(3)) as site:
        with stdio_server(tmp_path, "--toolsets", "all", settings=settings) as server:
            server.handshake()
            arguments = {"url": f"{site.url}/0", "webhook": f"{hook.url}/hook"}
            server.request("tools/call", {"name": "cinder_crawl", "arguments": arguments})
            await hook.wait_for_requests(1)
            server.popen.kill()
            server.popen.wait()
        with stdio_server(tmp_path, "--toolsets", "all", settings=settings) as server:
            server.handshake()
            await hook.wait_for_requests(2)

    first, second = hook.bodies
    assert first == second
    assert len({headers["x-webquarry-delivery"] for headers in receiver.headers}) == 1


def _is_signed(headers: dict[str, str], body: bytes, secret: str) -> bool:
    """Verify a signature as a receiver does."""
    parts = dict(part.split("=", 1) for part in headers["x-webquarry-signature"].split(","))
    signed = f"{parts['t']}.".encode() + body
    return hmac.new(secret.encode(), signed, hashlib.sha256).hexdigest() == parts["v1"]


def _secret(directory: Path, tenant: str) -> str:
    from webquarry.settings.load import load
    from webquarry.wiring.open_storage import storage_keys
    from webquarry.wiring.webhook_secret import webhook_secret

    environ = {"WEBQUARRY_DATA_DIR": str(directory)}
    settings = load(environ=environ, directory=directory, flags={}, declared=())
    return webhook_secret(settings, storage_keys(settings), tenant)
