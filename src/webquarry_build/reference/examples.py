"""One example call of every tool; a test runs them all."""

from typing import Any

from webquarry.calls.tool import AnyTool
from webquarry_build.reference.type_names import unwrapped

SESSION = "3f6d2c1e-8a4b-4d0f-9c57-1b2e6a7d8f90"  # placeholder for a session of the reader
CRAWL = "b71c0a52-6f3e-4a8d-92c4-0d5e8f1a3b67"  # placeholder for a crawl of the reader
MONITOR = "Qm3xT7pLw9aVd2Ks"  # placeholder for a monitor of the reader

_SHAPE = {"type": "object", "properties": {"title": {"type": "string"}}}

EXAMPLES: dict[str, dict[str, Any]] = {
    "academic_search": {"query": "heat pumps", "year_from": 2015, "provider": "crossref"},
    "answer": {"query": "How do heat pumps work?", "provider": "local"},
    "archive_source": {"url": "https://example.org/article"},
    "audit_bibliography": {"entries": [{"doi": "10.1038/nature12373"}]},
    "brand_research": {"url": "https://example.com/", "depth": "quick"},
    "browse_page": {"url": "https://example.com/"},
    "check_document": {"text": "Barn owls hunt at night."},
    "chatgpt_fetch": {"id": "https://example.com/"},
    "chatgpt_search": {"query": "heat pumps in winter"},
    "cinder_batch_scrape": {"urls": ["https://example.com/", "https://example.com/a"]},
    "cinder_crawl": {"url": "https://example.com/", "maxPages": 20, "formats": ["markdown"]},
    "cinder_extract": {
        "urls": ["https://example.com/"],
        "prompt": "title and author",
        "schema": _SHAPE,
    },
    "cinder_get_crawl_status": {"id": CRAWL, "limit": 10},
    "cinder_map": {"url": "https://example.com/", "limit": 50},
    "cinder_scrape": {"url": "https://example.com/", "mode": "static"},
    "cinder_search": {"query": "heat pumps", "mode": "fast", "numResults": 5},
    "cinder_search_and_scrape": {"query": "heat pumps", "numResults": 2},
    "citation_graph": {"paper": "10.1038/nature12373", "direction": "cited_by"},
    "clinical_search": {"condition": "asthma", "status": "RECRUITING"},
    "echo": {"message": "hello"},
    "econ_search": {
        "series_id": "SL.UEM.TOTL.ZS",
        "country": "DE",
        "provider": "worldbank",
        "num_results": 6,
    },
    "filing_search": {"ticker": "HRN", "form_type": "10-K"},
    "format_bibliography": {
        "style": "apa",
        "sources": [{"title": "Heat pumps", "url": "https://example.com/"}],
    },
    "get_my_analytics": {},
    "get_research_session": {"sessionId": SESSION},
    "image_search": {"query": "owl", "type": "photo"},
    "legal_search": {"query": "Marsh v. Heron", "num_results": 3},
    "local_search": {"query": "coffee shops", "near": "Utrecht"},
    "memory_recall": {"topic": "heating"},
    "memory_save": {"note": "One unit of electricity, three of heat.", "topic": "heating"},
    "monitor_changes": {"id": MONITOR},
    "monitor_create": {"target": "https://example.com/", "schedule": "6h"},
    "monitor_delete": {"id": MONITOR},
    "news_search": {"query": "owls", "time_range": "day", "sort_by": "date"},
    "paper_fulltext": {"paper": "10.1371/journal.pone.0000217", "section": "Methods"},
    "patent_search": {"query": "battery", "patent_office": "US", "year_from": 2020},
    "research_export": {"sessionId": SESSION, "attach": ["bibtex"]},
    "scrape_page": {"url": "https://example.com/", "max_tokens": 2000},
    "search_and_scrape": {"query": "heat pumps in winter", "num_results": 2, "max_tokens": 3000},
    "searxng_search": {"query": "owls", "fetch_content": False},
    "sequential_search": {
        "searchStep": "Find measurements of heat pumps in winter",
        "stepNumber": 1,
        "nextStepNeeded": True,
        "researchGoal": "Do heat pumps work when it freezes?",
    },
    "structured_search": {"query": "heat pumps", "schema": _SHAPE, "provider": "local"},
    "verify_citation": {"citation": "10.1038/nature12373"},
    "verify_recommendation": {
        "recommendations": [{"title": "1. Example", "url": "https://example.com/"}]
    },
    "web_search": {"query": "heat pumps in winter", "num_results": 3, "time_range": "year"},
    "workspace_contribute": {"workspace_id": "boilers", "note": "See the measurements of 2021."},
    "workspace_read": {"workspace_id": "boilers"},
}


def example_of(tool: AnyTool) -> dict[str, Any]:
    """Return the example arguments of a tool; without an example, its required arguments."""
    if tool.name in EXAMPLES:
        return EXAMPLES[tool.name]
    samples = {str: "hello", int: 1, float: 1.0, bool: True}
    fields = tool.input_model.model_fields.items()
    needed = {field.alias or name: field for name, field in fields if field.is_required()}
    return {name: samples.get(unwrapped(field.annotation)) for name, field in needed.items()}
