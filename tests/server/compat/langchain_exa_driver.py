"""Uses langchain-exa in its own environment: a retriever and similar pages."""

import importlib
import json
import sys
from typing import Any


def main() -> None:
    server, page = sys.argv[1:]
    tools: Any = importlib.import_module("langchain_exa")
    options = {"exa_api_key": "any", "exa_base_url": f"{server}/exa"}
    documents = tools.ExaSearchRetriever(k=2, highlights=True, **options).invoke("owls")
    found = tools.ExaSearchResults(**options).invoke({"query": "owls", "num_results": 2})
    similar = tools.ExaFindSimilarResults(**options).invoke({"url": page})
    made = {
        "urls": [document.metadata["url"] for document in documents],
        "content": documents[0].page_content,
        "highlights": len(documents[0].metadata["highlights"]),
        "found": [row.url for row in found.results],
        "similar": [row.url for row in similar.results],
    }
    sys.stdout.write(json.dumps(made))


main()
