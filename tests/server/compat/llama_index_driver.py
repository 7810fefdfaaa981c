"""Uses LlamaIndex' tools for Tavily and Exa in their own environment."""

import importlib
import json
import sys
from typing import Any


def main() -> None:
    server, page = sys.argv[1:]
    tavily: Any = importlib.import_module("llama_index.tools.tavily_research")
    tavily_tools = tavily.TavilyToolSpec(api_key="any")
    tavily_tools.client.base_url = f"{server}/tavily"
    exa: Any = importlib.import_module("llama_index.tools.exa")
    exa_tools = exa.ExaToolSpec(api_key="any")
    exa_tools.client.base_url = f"{server}/exa"
    made = {
        "tavily": [row.metadata["url"] for row in tavily_tools.search("owls", max_results=2)],
        "extracted": tavily_tools.extract([page])[0].text,
        "exa": [row["url"] for row in exa_tools.search("owls", num_results=2)],
        "similar": [row["url"] for row in exa_tools.find_similar(page)],
        "read": exa_tools.retrieve_documents([page])[0].text,
    }
    sys.stdout.write(json.dumps(made))


main()
