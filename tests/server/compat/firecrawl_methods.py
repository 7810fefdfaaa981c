"""A call of every public method of firecrawl-py, and what became of it."""

import inspect
import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from threading import Event
from typing import Any

from firecrawl import AsyncFirecrawl, Firecrawl
from firecrawl.v2.types import PaginationConfig
from firecrawl.v2.utils.error_handler import FirecrawlError
from pydantic import BaseModel

SCHEMA = {"type": "object", "properties": {"title": {"type": "string"}}}
_DOI = "doi:10.5555/owls"
_ONE_PAGE = PaginationConfig(auto_paginate=False)
_TIMES = {"poll_interval": 1, "timeout": 60}
_HOURLY = {"text": "hourly"}


@dataclass
class Given:
    """What the calls need, and what earlier calls returned."""

    site: str
    ids: dict[str, str] = field(default_factory=dict[str, str])
    next: dict[str, str] = field(default_factory=dict[str, str])

    def page(self, number: int = 1) -> str:
        """Return the URL of a page."""
        return f"{self.site}/p/{number}"


async def _cancel_batch(client: Any, given: Given) -> bool:
    """Cancel a batch that waits for a slow page."""
    started = client.start_batch_scrape([f"{given.site}/slow"])
    if inspect.isawaitable(started):
        started = await started
    done = client.cancel_batch_scrape(started.id)
    return await done if inspect.isawaitable(done) else done


async def _watch(client: Any, given: Given) -> bool:
    """Watch a crawl until it has ended; return whether its pages were seen."""
    watcher = client.watcher(given.ids["start_crawl"], poll_interval=1, timeout=60)
    if hasattr(watcher, "__aiter__"):
        states = [state async for state in watcher]
        return len(states[-1].data) > 0
    ended = Event()
    seen: list[Any] = []

    def note(event: Any) -> None:
        seen.extend(event["data"])
        ended.set()

    watcher.add_event_listener("done", note)
    watcher.start()
    assert ended.wait(60), "the watcher heard of no end"
    watcher.stop()
    return len(seen) > 0


async def _monitor_checks(client: Any, given: Given) -> bool:
    """Run a monitor until a check has ended; return whether it is listed."""
    monitor = given.ids["create_monitor"]
    while (run := await _awaited(client.run_monitor(monitor))).status == "running":
        pass  # its first check, which began by itself
    listed = await _awaited(client.list_monitor_checks(monitor))
    return run.id in {check.id for check in listed}


async def _awaited(result: Any) -> Any:
    return await result if inspect.isawaitable(result) else result


Call = Callable[[Any, Given], Any]
# the first call of a job keeps its id for the others
CALLS: Mapping[str, Call] = {
    "scrape": lambda fc, g: fc.scrape(g.page(), formats=["markdown", "html", "links"]),
    "parse": lambda fc, _: fc.parse(b"name,age\nowl,3\n", filename="owls.csv"),
    "get_parse_formats": lambda fc, _: fc.get_parse_formats(),
    "search": lambda fc, _: fc.search("owls", limit=3),
    "developer_search": lambda fc, _: fc.developer_search("owls"),
    "gov_search": lambda fc, _: fc.gov_search("owls"),
    "map": lambda fc, g: fc.map(g.site),
    "start_crawl": lambda fc, g: fc.start_crawl(g.site, limit=12),
    "get_active_crawls": lambda fc, _: fc.get_active_crawls(),
    "active_crawls": lambda fc, _: fc.active_crawls(),
    "wait_crawl": lambda fc, g: fc.wait_crawl(g.ids["start_crawl"], **_TIMES),
    "get_crawl_status": lambda fc, g: fc.get_crawl_status(g.ids["start_crawl"]),
    "get_crawl_status_page": lambda fc, g: fc.get_crawl_status_page(
        f"{g.next['base']}/v2/crawl/{g.ids['start_crawl']}?skip=0&limit=5"
    ),
    "get_crawl_errors": lambda fc, g: fc.get_crawl_errors(g.ids["start_crawl"]),
    "check_crawl_status": lambda fc, g: fc.check_crawl_status(g.ids["start_crawl"]),
    "check_crawl_errors": lambda fc, g: fc.check_crawl_errors(g.ids["start_crawl"]),
    "cancel_crawl": lambda fc, g: fc.cancel_crawl(g.ids["start_crawl"]),
    "crawl": lambda fc, g: fc.crawl(url=g.site, limit=3, **_TIMES),
    "crawl_params_preview": lambda fc, g: fc.crawl_params_preview(g.site, "at most 5 pages"),
    "start_batch_scrape": lambda fc, g: fc.start_batch_scrape([g.page(1), g.page(2)]),
    "get_batch_scrape_status": lambda fc, g: fc.get_batch_scrape_status(
        g.ids["start_batch_scrape"], pagination_config=_ONE_PAGE
    ),
    "get_batch_scrape_status_page": lambda fc, g: fc.get_batch_scrape_status_page(
        f"{g.next['base']}/v2/batch/scrape/{g.ids['start_batch_scrape']}?skip=0&limit=1"
    ),
    "get_batch_scrape_errors": lambda fc, g: fc.get_batch_scrape_errors(
        g.ids["start_batch_scrape"]
    ),
    "check_batch_scrape_status": lambda fc, g: fc.check_batch_scrape_status(
        g.ids["start_batch_scrape"]
    ),
    "check_batch_scrape_errors": lambda fc, g: fc.check_batch_scrape_errors(
        g.ids["start_batch_scrape"]
    ),
    "batch_scrape": lambda fc, g: fc.batch_scrape([g.page(3)], poll_interval=1),
    "start_extract": lambda fc, g: fc.start_extract([g.page()], schema=SCHEMA),
    "get_extract_status": lambda fc, g: fc.get_extract_status(g.ids["start_extract"]),
    "extract": lambda fc, g: fc.extract([g.page()], schema=SCHEMA, poll_interval=1),
    "start_agent": lambda fc, g: fc.start_agent([g.page()], prompt="title", schema=SCHEMA),
    "get_agent_status": lambda fc, g: fc.get_agent_status(g.ids["start_agent"]),
    "agent": lambda fc, g: fc.agent(None, prompt="title of owls", poll_interval=1),
    "get_concurrency": lambda fc, _: fc.get_concurrency(),
    "get_credit_usage": lambda fc, _: fc.get_credit_usage(),
    "get_token_usage": lambda fc, _: fc.get_token_usage(),
    "get_queue_status": lambda fc, _: fc.get_queue_status(),
    "search_papers": lambda fc, _: fc.search_papers("owls", k=2),
    "inspect_paper": lambda fc, _: fc.inspect_paper(_DOI),
    "read_paper": lambda fc, _: fc.read_paper(_DOI, "owls hunt mice at night"),
    "related_papers": lambda fc, _: fc.related_papers(_DOI, "follow-up work"),
    "search_github": lambda fc, _: fc.search_github("owls"),
    "scrape_url": lambda fc, g: fc.scrape_url(g.page()),
    "crawl_url": lambda fc, g: fc.crawl_url(g.site, params={"limit": 2}),
    "map_url": lambda fc, g: fc.map_url(g.site),
    "async_crawl_url": lambda fc, g: fc.async_crawl_url(g.site, params={"limit": 2}),
    "batch_scrape_urls": lambda fc, g: fc.batch_scrape_urls([g.page()]),
    "async_batch_scrape_urls": lambda fc, g: fc.async_batch_scrape_urls([g.page()]),
    # not before the other calls for the same jobs
    "cancel_batch_scrape": _cancel_batch,
    "cancel_agent": lambda fc, g: fc.cancel_agent(g.ids["start_agent"]),
    "watcher": _watch,
    # of services that only Firecrawl has
    "scrape_alexandria": lambda fc, _: fc.scrape_alexandria(
        {"provider": "firecrawl", "capability": "find-tools"}
    ),
    "find_tools": lambda fc, _: fc.find_tools(),
    "interact": lambda fc, g: fc.interact(g.ids["scrape"], code="document.title"),
    "scrape_execute": lambda fc, g: fc.scrape_execute(g.ids["scrape"], code="document.title"),
    "stop_interaction": lambda fc, g: fc.stop_interaction(g.ids["scrape"]),
    "stop_interactive_browser": lambda fc, g: fc.stop_interactive_browser(g.ids["scrape"]),
    "delete_scrape_browser": lambda fc, g: fc.delete_scrape_browser(g.ids["scrape"]),
    "browser": lambda fc, _: fc.browser(),
    "browser_execute": lambda fc, g: fc.browser_execute(g.ids["browser"], "1 + 1", language="node"),
    "list_browsers": lambda fc, _: fc.list_browsers(),
    "delete_browser": lambda fc, g: fc.delete_browser(g.ids["browser"]),
    "create_monitor": lambda fc, g: fc.create_monitor(
        "owls", _HOURLY, [{"type": "scrape", "urls": [g.page()]}]
    ),
    "list_monitors": lambda fc, _: fc.list_monitors(),
    "get_monitor": lambda fc, g: fc.get_monitor(g.ids["create_monitor"]),
    "update_monitor": lambda fc, g: fc.update_monitor(g.ids["create_monitor"], name="mice"),
    "run_monitor": lambda fc, g: fc.run_monitor(g.ids["create_monitor"]),
    "get_monitor_check": lambda fc, g: fc.get_monitor_check(
        g.ids["create_monitor"], g.ids["run_monitor"]
    ),
    "list_monitor_checks": _monitor_checks,
    "delete_monitor": lambda fc, g: fc.delete_monitor(g.ids["create_monitor"]),
    "list_agents": lambda fc, _: fc.list_agents(),
    "get_agent_trace": lambda fc, g: fc.get_agent_trace(g.ids["agent"], live_view=True),
    "get_agent_snapshot": lambda fc, g: fc.get_agent_snapshot(g.ids["agent"], "data"),
    "get_agent_thread": lambda fc, g: fc.get_agent_thread(g.ids["agent"], include_data=True),
}
# the asynchronous client takes their responses for those of another HTTP library
ASYNC_DEFECTS = frozenset({"list_agents", "get_agent_thread"})
_NOT_CALLS = frozenset({"v1", "v2"})  # clients of their own


def public_methods(client: type[Firecrawl] | type[AsyncFirecrawl]) -> set[str]:
    """Return the names of the public methods of a client."""
    made = client(api_key="any", api_url="http://127.0.0.1:9")
    names = {name for name in dir(made) if not name.startswith("_")} - _NOT_CALLS
    return {name for name in names if callable(getattr(made, name))}


@dataclass(frozen=True)
class Outcome:
    """The outcome of one call."""

    method: str
    works: bool
    reason: str = ""


async def run_all(client: Firecrawl | AsyncFirecrawl, given: Given) -> dict[str, Outcome]:
    """Call every method that the client has; return the outcomes by name."""
    available = public_methods(type(client))
    outcomes: dict[str, Outcome] = {}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # some methods are deprecated
        for name, call in CALLS.items():
            if name in available:
                outcomes[name] = await _outcome(name, call, client, given)
    return outcomes


async def _outcome(name: str, call: Call, client: Any, given: Given) -> Outcome:
    try:
        result = call(client, given)
        if inspect.isawaitable(result):
            result = await result
    except FirecrawlError as error:
        return Outcome(name, works=False, reason=_reason(error))
    except AttributeError as error:
        if error.name != "ok" or name not in ASYNC_DEFECTS:
            raise
        return Outcome(name, works=False)
    if getattr(result, "success", None) is False:  # some calls return errors
        return Outcome(name, works=False, reason=str(result.error))
    if isinstance(getattr(result, "id", None), str):
        given.ids[name] = result.id
    if name == "scrape":
        given.ids[name] = result.metadata.scrape_id
    assert _is_answer(result), f"{name} returned {result!r}"
    return Outcome(name, works=True)


def _is_answer(result: Any) -> bool:
    """Tell whether a result is one of the client's own models, or plain data with content."""
    if isinstance(result, BaseModel):
        status = getattr(result, "status", None)
        return status != "failed"
    return isinstance(result, bool) or bool(result)


def _reason(error: FirecrawlError) -> str:
    assert error.response is not None, error
    body = error.response.json()
    assert body["success"] is False
    assert error.status_code == 400, f"{error.status_code}: {body}"
    return str(body["error"])
