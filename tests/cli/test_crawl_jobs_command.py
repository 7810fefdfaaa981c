"""`webquarry crawl list`, `status` and `errors`; failures at the end of a crawl."""

import json
from pathlib import Path

from tests.cli.stub import Stub
from tests.cli.typing_in import Typist
from tests.crawl.site import Reply, running_site


def crawl(typist: Typist, web: Stub) -> str:
    return json.loads(typist.type("crawl", f"{web.home}/", "--depth", "3", "--json").out)["crawlId"]


def test_failed_urls_are_shown_at_the_end_of_a_crawl(typist: Typist, web: Stub) -> None:
    done = typist.type("crawl", f"{web.home}/", "--depth", "3")

    assert "Done: 4 pages, 1 error." in done.out
    assert f"The server responded with HTTP 404 (Not Found).  {web.home}/gone" in done.out


def test_crawls_and_batches_are_listed(typist: Typist, web: Stub, home: Path) -> None:
    empty = typist.type("crawl", "list")
    crawl_id = crawl(typist, web)
    (home / "urls.txt").write_text(f"{web.home}/a\n")
    typist.type("read", "-f", "urls.txt", "-o", "out")

    everything = typist.type("crawl", "list")
    crawls = json.loads(typist.type("crawl", "list", "--kind", "crawl", "--json").out)
    failed = typist.type("crawl", "list", "--status", "failed")
    one = typist.type("crawl", "list", "-n", "1")

    assert "No crawls. Start one with `webquarry crawl URL`." in empty.out
    rows = everything.out.splitlines()
    assert (rows[0].split()[:4], len(rows)) == (["id", "started", "kind", "status"], 3)
    assert ["batch" in rows[1], "crawl" in rows[2]] == [True, True]
    assert [row["crawlId"] for row in crawls["crawls"]] == [crawl_id]
    assert "No crawls." in failed.out
    assert "There are more: list them with -n." in one.out


def test_the_status_and_errors_of_a_crawl_are_shown_by_the_start_of_its_id(
    typist: Typist, web: Stub
) -> None:
    crawl_id = crawl(typist, web)

    status = typist.type("crawl", "status", crawl_id[:8])
    errors = typist.type("crawl", "errors", crawl_id)
    as_json = json.loads(typist.type("crawl", "errors", crawl_id, "--json").out)
    unknown = typist.type("crawl", "errors", "nothing")

    assert f"Crawl of {web.home}/" in status.out
    assert "Completed: 4 pages, 5 URLs found, 1 error (100 %)." in status.out
    assert f"{web.home}/gone" in status.out
    assert errors.out.splitlines()[1].split()[-2:] == ["1", f"{web.home}/gone"]
    assert [row["reason"] for row in as_json["failures"]] == ["http_404"]
    assert (unknown.status, "There is no crawl 'nothing'" in unknown.err) == (1, True)


def test_the_webhook_of_a_crawl_is_called_before_the_command_ends(
    typist: Typist, web: Stub
) -> None:
    accepting = Reply(b"ok")
    refusing = Reply(b"", status=503)
    for reply, left in ((accepting, 0), (refusing, 1)):
        with running_site(lambda path, headers, reply=reply: reply) as hook:
            done = typist.type("crawl", f"{web.home}/c", "--depth", "1", "--webhook", hook.url)

        assert done.status == 0
        assert [json.loads(body)["event"] for _, body in hook.bodies] == ["completed"]
        assert ("1 webhook notification not accepted yet" in done.err) == bool(left)


def test_the_webhook_secret_is_shown_and_stays_the_same(typist: Typist) -> None:
    first, again = (typist.type("keys", "webhook").out for _ in range(2))
    other = typist.type("keys", "webhook", "--tenant", "other").out

    assert first == again != other
    assert len(first.strip()) == 64


def test_a_search_is_proposed_only_if_the_pages_are_in_the_index(typist: Typist, web: Stub) -> None:
    indexed = typist.type("crawl", f"{web.home}/", "--depth", "1")
    not_indexed = typist.type("crawl", f"{web.home}/", "--depth", "1", "--no-index")

    assert "webquarry index search" in indexed.out
    assert "webquarry index search" not in not_indexed.out
