"""Hostile responses of search providers and statistical offices, and pages to rank and quote."""

import json
from typing import Any

from bench.hostile_case import HostileCase, repeat

_LONG = 1_000_000
_LONGER = 4_000_000
_MANY = 90_000  # observations; a table may have 100,000
_DIGITS = "7" * 6_000


def _search(name: str, *results: dict[str, Any]) -> HostileCase:
    response = json.dumps({"web": {"results": results}}).encode()
    return HostileCase(name, tool="web_search", arguments={"query": name}, response=response)


def _result(**fields: str) -> dict[str, Any]:
    return {"title": "Owls", "url": "https://a.example/", "description": "Owls hunt."} | fields


def _read(name: str, text: str, tool: str = "search_and_scrape", **arguments: Any) -> HostileCase:
    """Return a case whose only search result is a page with this text."""
    page = f"<title>Owls</title><main><p>Owls hunt at night.</p>{text}</main>".encode()
    response = json.dumps({"web": {"results": [_result(url="{url}")]}}).encode()
    return HostileCase(
        name, page, tool=tool, arguments={"query": f"owls {name}", **arguments}, response=response
    )


def _page(name: str, body: str, tool: str, **arguments: Any) -> HostileCase:
    """Return a case in which an upstream responds with this page."""
    page = f"<title>Owls</title><p>Owls.</p>{body}".encode()
    return HostileCase(name, tool=tool, arguments=arguments, response=page)


def _table(name: str, provider: str, response: bytes | dict[str, Any]) -> HostileCase:
    body = response if isinstance(response, bytes) else json.dumps(response).encode()
    data_set = name.replace(" ", "_")
    series = f"OWLS,{data_set},1.0" if provider == "oecd" else data_set
    arguments = {"series_id": series, "provider": provider, "chart": True}
    return HostileCase(name, tool="econ_search", arguments=arguments, response=body)


def _sdmx(*, observations: dict[str, Any], **data_set: Any) -> dict[str, Any]:
    values = [{"id": str(year)} for year in range(1000, 3000)]
    dimensions = [
        {"id": "TIME_PERIOD", "values": values},
        {"id": "REF_AREA", "values": [{"id": f"A{number}"} for number in range(100)]},
    ]
    attributes = {"dimensionGroup": [{"id": "UNIT", "values": [{"id": "EUR"}]}]}
    structure = {
        "name": "Owls",
        "dimensions": {"observation": dimensions},
        "attributes": attributes,
    }
    sets = [{"observations": observations, **data_set}]
    return {"data": {"dataSets": sets, "structures": [structure]}}


def _json_stat(**fields: Any) -> dict[str, Any]:
    years = {str(year): year - 1900 for year in range(1900, 2000)}
    return {
        "label": "Owls", "id": ["time"], "size": [100], "value": {"0": 1, "99": 2},
        "dimension": {"time": {"category": {"index": years}}}, **fields,
    }  # fmt: skip


def _crossref(name: str, **work: Any) -> HostileCase:
    message = {"items": [{"DOI": "10.1/owls", "title": ["Owls"], **work}], "total-results": 1}
    return HostileCase(
        name, tool="academic_search", arguments={"query": name, "provider": "crossref"},
        response=json.dumps({"message": message}).encode(),
    )  # fmt: skip


_ATTRIBUTES = f"<div {' '.join(f'a{number}=1' for number in range(_LONG // 9))}>x</div>"
_CELLS = {f"{n % 2000}:{n // 2000}": [n] for n in range(_MANY)}
_NAMES = [f"d{number}" for number in range(3_000)]

RESPONSES = (
    _search("titles of spaces", _result(title="a" + " " * _LONGER)),
    _search("snippets of open tags", _result(description=repeat("<b", _LONGER))),
    _search("snippets of entities", _result(description=repeat("&amp;#", _LONGER))),
    _search("a URL of slashes", _result(url="https://a.example" + repeat("/..", _LONGER))),
    _search("a URL of escapes", _result(url="https://a.example/?" + repeat("%41&", _LONGER))),
    _search("a date of digits", _result(page_age="1" * _LONGER)),
    _search("very many results", *[_result(url=f"https://a.example/{n}") for n in range(50_000)]),
    HostileCase("nested JSON of a provider", tool="web_search", arguments={"query": "nested"},
                response=b'{"web":' + b'{"a":[' * 800_000),
    HostileCase("numbers of a provider", tool="web_search", arguments={"query": "numbers"},
                response=b'{"web":{"results":[{"title":' + b"7" * _LONGER + b"}]}}"),
    _table("a table with many groups", "oecd", _sdmx(
        observations=_CELLS, dimensionGroupAttributes={f"{n}:": [0] for n in range(2_000)})),
    _table("a table with a long position", "oecd", _sdmx(observations={f"{_DIGITS}:0": [1]})),
    _table("a table of nested lists", "oecd", b'{"data":{"dataSets":' + b"[" * _LONGER),
    _table("a table with a long number", "oecd",
           b'{"data":{"dataSets":[{"attributes":[' + b"7" * _LONGER + b"]}]}}"),
    _table("a table of very many observations", "oecd",
           _sdmx(observations={f"{n}:0": [n] for n in range(600_000)})),
    _table("a table with many dimensions", "eurostat", _json_stat(
        id=[*_NAMES, "time"], size=[1] * len(_NAMES) + [100],
        value=[1] * 100, dimension={
            "time": _json_stat()["dimension"]["time"],
            **{each: {"category": {"index": ["x"]}} for each in _NAMES}})),
    _table("a table with one dimension many times", "eurostat", _json_stat(
        id=["time"] + ["a"] * 20_000, size=[100] + [1] * 20_000, value=[1] * 100,
        dimension=_json_stat()["dimension"] | {"a": {"category": {"index": ["x"]}}})),
    _table("a table with a long key", "eurostat", _json_stat(value={_DIGITS: 1})),
    _table("a table of flags", "eurostat",
           _json_stat(status={str(n % 100): "bcde" * 50_000 for n in range(100)})),
    _table("a chart with a long title", "eurostat", _json_stat(label=repeat("Wide ", _LONG // 5))),
    _table("a chart of extreme values", "eurostat",
           _json_stat(value={"0": 5e-324, "1": 0, "2": -5e-324})),
    _crossref("works with an abstract of tags", abstract=repeat("<jats:p", _LONGER)),
    _crossref("works with many authors", author=[{"given": "A", "family": "O"}] * 40_000),
    _crossref("works with a name of spaces", author=[{"name": "a" + " " * _LONG + "b"}]),
    _page("attributes of a SearXNG page", _ATTRIBUTES, "searxng_search", query="attributes"),
    _page("attributes of a result page", _ATTRIBUTES, "web_search", query="attributes of a page",
          provider="duckduckgo"),
    _page("attributes of a patent", _ATTRIBUTES, "patent_search", query="US10165245B2"),
    _page("nested lists of a result page", repeat("<ul><li>", _LONGER), "web_search",
          query="nested lists of a page", provider="duckduckgo"),
    _read("to rank without sentences", repeat("owls hunt ", _LONGER)),
    _read("to rank of short sentences", repeat("<p>Owls hunt. ", _LONGER)),
    _read("to rank of brackets", repeat("<p>[owls](", _LONGER)),
    _read("to rank by a claim", repeat("<p>Owls hunt mice at night 7. ", _LONGER),
          claim="Owls hunt mice at night", anchors=True),
    _read("to quote", repeat("<p>Owls hunt mice in fields at night, seven of them. ", _LONGER),
          tool="answer", provider="local"),
    _read("to quote in structured form", repeat("<p>Owls hunt mice at night in fields. ", _LONGER),
          tool="structured_search", provider="local"),
)  # fmt: skip
