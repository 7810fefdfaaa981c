"""The Cinder tools are a second contract beside ours, so they must be cheap to list."""

from webquarry.cli.tool_list_view import token_cost
from webquarry.tools import load_tools


def test_all_eight_cost_little() -> None:
    tools = [tool for tool in load_tools() if tool.name in NAMES]

    assert {tool.name for tool in tools} == NAMES
    assert token_cost(tool.definition() for tool in tools) <= 2_600


NAMES = {
    "cinder_batch_scrape", "cinder_crawl", "cinder_extract", "cinder_get_crawl_status",
    "cinder_map", "cinder_scrape", "cinder_search", "cinder_search_and_scrape",
}  # fmt: skip
