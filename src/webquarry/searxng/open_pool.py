"""Makes the pool from the settings."""

from collections.abc import Mapping

from webquarry.net.clock import Clock
from webquarry.net.upstream.http_port import Http
from webquarry.net.url import parse
from webquarry.searxng.catalogue import SEARX_SPACE, Catalogue
from webquarry.searxng.instance_client import InstanceClient
from webquarry.searxng.maintenance import InstanceSources, PoolMaintenance
from webquarry.searxng.pool import Pool
from webquarry.searxng.pool_state_store import PoolStateStore
from webquarry.searxng.request_headers import own_headers, parse_headers
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
    """Return the addresses separated by semicolons; a list in toml arrives with commas."""
    found = [part.strip() for part in text.replace(",", ";").split(";") if part.strip()]
    if not found or any("@" in part for part in found):
        raise ValueError("no address, or one with a password in it")
    return ";".join(_WEB.parse(part) for part in found)


def _headers(text: str) -> str:
    parse_headers(text)
    return text


def _catalogue(text: str) -> str:
    return _WEB.parse(text) if "://" in text else text


VARIABLES = (
    Variable(
        URL,
        "Your SearXNG instances; they are asked before any public one.",
        ValueType(
            "addresses starting with http:// or https:// and separated by semicolons, "
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
        "Further headers for your instances; an Authorization here wins.",
        ValueType("Name: value, Other-Name: value", _headers),
        secret=True,
    ),
    Variable(
        CATALOGUE,
        "List of public instances in searx.space format. Without it and without SEARXNG_URL, "
        "`searxng_search` finds instances at searx.space.",
        ValueType(f"an address, a path, or {_OFF}", _catalogue),
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

    `public` carries requests to instances that a catalogue lists: whoever wrote it is not the
    operator.
    """
    options, clock = options or WebSearchSettings(), clock or Clock()
    headers = own_headers(keys.get(AUTH, ""), keys.get(HEADERS, ""))
    door = InstanceClient(http, options, clock, own_headers=headers, public=public)
    roster = InstanceSelection(
        clock,
        shuffle=options.use_random_instances,
        most_failures=options.max_consecutive_failures,
    )
    own = [_base(address) for address in keys.get(URL, "").split(";") if address]
    source = keys.get(CATALOGUE) or ("" if own else SEARX_SPACE)
    sources = InstanceSources(
        own=tuple(dict.fromkeys(own)),
        catalogue=None if source in ("", _OFF) else Catalogue(source, http, clock),
    )
    return Pool(door, roster, PoolMaintenance(door, roster, PoolStateStore(store), sources))


def _base(address: str) -> str:
    """Return the address of an instance as paths are appended to it."""
    return parse(address).href.partition("?")[0].rstrip("/").removesuffix("/search")
