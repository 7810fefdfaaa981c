import pytest

from tests.support import services
from webquarry.calls.registry import choose
from webquarry.calls.tool_aliases import SHORT_NAMES, read_aliases, renamed
from webquarry.errors import NotFoundError, SettingsError
from webquarry.models.caller import Caller
from webquarry.tools import TOOLS

NAMES = tuple(entry.name for entry in TOOLS)


def test_short_names_are_listed_instead_and_both_names_work() -> None:
    registry = choose(TOOLS, ["web", "crawl"], services(), ["short"])

    listed = [entry["name"] for entry in registry.definitions_for(Caller())]

    assert {"read", "search", "research", "crawl", "map", "extract"} <= set(listed)
    assert not {"scrape_page", "web_search", "cinder_crawl"} & set(listed)
    assert listed == sorted(listed)
    assert registry.lookup("read") is registry.lookup("scrape_page")
    assert registry.lookup("map").name == "cinder_map"


def test_descriptions_name_other_tools_as_they_are_listed() -> None:
    entry = {"name": "web_search", "description": "Read one with scrape_page or other_tool."}

    assert renamed(entry, SHORT_NAMES) == {
        "name": "search",
        "description": "Read one with read or other_tool.",
    }


def test_an_alias_of_a_tool_that_is_not_offered_says_so() -> None:
    registry = choose(TOOLS, ["web"], services(), ["short"])

    with pytest.raises(NotFoundError, match="Unknown tool: cinder_crawl"):
        registry.lookup("crawl")


@pytest.mark.parametrize(
    ("value", "problem"),
    [
        ("read:scrape_pag", "TOOL_ALIASES names unknown tools: scrape_pag"),
        ("web_search:scrape_page", "TOOL_ALIASES uses the names of tools: web_search"),
    ],
)
def test_a_wrong_alias_is_named(value: str, problem: str) -> None:
    with pytest.raises(SettingsError, match=problem):
        read_aliases([value], NAMES)


def test_own_aliases_join_the_short_ones() -> None:
    assert read_aliases(["short", "fetch:echo"], NAMES) == SHORT_NAMES | {"fetch": "echo"}
