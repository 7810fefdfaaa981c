"""Creates the pool of SearXNG instances from the settings."""

from collections.abc import Mapping

from webquarry.net.clock import Clock
from webquarry.net.upstream.http_port import Http
from webquarry.net.url import parse
from webquarry.searxng.catalogue import SEARX_SPACE, Catalogue
from webquarry.searxng.instance_client import InstanceClient
from webquarry.searxng.maintenance import InstanceSources, PoolMaintenance
from webquarry.searxng.own_headers import own_headers, parse_headers
from webquarry.searxng.pool import Pool
from webquarry.searxng.pool_state_store import PoolStateStore
from webquarry.searxng.selection import InstanceSelection
from webquarry.settings.groups.web_search import WebSearchSettings
from webquarry.settings.value_types import ValueType, matching, url
from webquarry.settings.variable import Variable
from webquarry.storage.store import Store

URL, AUTH, HEADERS, CATALOGUE = (
    "SEARXNG_URL",
    "SEARXNG_BASIC_AUTH",
    "SEARXNG_HEADERS",
    "SEARXNG_CATALOGUE",
)
_OFF = "off"
_WEB = url("http", "https")


def _urls(text: str) -> str:
    """Return the URLs separated by semicolons; a list in TOML arrives with commas."""
    urls = [part.strip() for part in text.replace(",", ";").split(";") if part.strip()]
    if not urls or any("@" in url for url in urls):
        raise ValueError("no URL, or one with a password in it")
    return ";".join(_WEB.parse(url) for url in urls)


def _headers(text: str) -> str:
    parse_headers(text)
    return text


def _catalogue(text: str) -> str:
    return _WEB.parse(text) if "://" in text else text


VARIABLES = (
    Variable(
        URL,
        "Your SearXNG instances; they are used before any public one.",
        ValueType(
            "URLs starting with http:// or https:// and separated by semicolons, "
            "without a password",
            _urls,
            native=(list,),
        ),
    ),
    Variable(
        AUTH,
        "Credentials for your instances.",
        matching(r"[^:]+:.*", "user:password"),
        secret=True,
    ),
    Variable(
        HEADERS,
        "Additional headers for your instances; an Authorization header here takes precedence.",
        ValueType("Name: value, Other-Name: value", _headers),
        secret=True,
    ),
    Variable(
        CATALOGUE,
        "List of public instances in searx.space format. Without it and without SEARXNG_URL, "
        "`searxng_search` uses the list from searx.space.",
        ValueType(f"a URL, a path, or {_OFF}", _catalogue),
    ),
)


def open_pool(
    http: Http,
    keys: Mapping[str, str],
    *,
    options: WebSearchSettings | None = None,
    store: Store | None = None,
    clock: Clock | None = None,
    public: Http | None = None,
) -> Pool:
    """Return the pool; nothing is sent before the first search.

    `public` sends requests to instances that a catalogue lists: its author is not the operator.
    """
    options, clock = options or WebSearchSettings(), clock or Clock()
    headers = own_headers(keys.get(AUTH, ""), keys.get(HEADERS, ""))
    client = InstanceClient(http, options, clock, own_headers=headers, public=public)
    instances = InstanceSelection(
        clock,
        shuffle=options.use_random_instances,
        max_failures=options.max_consecutive_failures,
    )
    own = [_base_url(url) for url in keys.get(URL, "").split(";") if url]
    source = keys.get(CATALOGUE) or ("" if own else SEARX_SPACE)
    sources = InstanceSources(
        own=tuple(dict.fromkeys(own)),
        catalogue=None if source in ("", _OFF) else Catalogue(source, http, clock),
    )
    maintenance = PoolMaintenance(client, instances, PoolStateStore(store), sources)
    return Pool(client, instances, maintenance)


def _base_url(text: str) -> str:
    """Return the URL of an instance to which paths are appended."""
    return parse(text).href.partition("?")[0].rstrip("/").removesuffix("/search")
