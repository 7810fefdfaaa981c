"""The tools. To add one: write its file, add its name and toolset to `TOOLS`."""

from webquarry.tools.base import AnyTool, Listed

TOOLS = (
    Listed("academic_search", "scholar"),
    Listed("answer", "synthesis"),
    Listed("archive_source", "trust"),
    Listed("audit_bibliography", "trust"),
    Listed("brand_research", "brand"),
    Listed("cinder_crawl", "crawl"),
    Listed("cinder_extract", "crawl"),
    Listed("cinder_get_crawl_status", "crawl"),
    Listed("cinder_map", "crawl"),
    Listed("cinder_scrape", "cinder"),
    Listed("cinder_search", "cinder"),
    Listed("cinder_search_and_scrape", "cinder"),
    Listed("citation_graph", "scholar"),
    Listed("clinical_search", "data"),
    Listed("echo", "starter"),
    Listed("econ_search", "data"),
    Listed("filing_search", "data"),
    Listed("format_bibliography", "trust"),
    Listed("get_my_analytics", "people"),
    Listed("get_research_session", "research"),
    Listed("image_search", "web"),
    Listed("legal_search", "data"),
    Listed("local_search", "web"),
    Listed("memory_recall", "people"),
    Listed("memory_save", "people"),
    Listed("news_search", "web"),
    Listed("patent_search", "scholar"),
    Listed("research_export", "research"),
    Listed("scrape_page", "web"),
    Listed("search_and_scrape", "web"),
    Listed("searxng_search", "searxng"),
    Listed("sequential_search", "research"),
    Listed("structured_search", "synthesis"),
    Listed("verify_citation", "trust"),
    Listed("verify_recommendation", "trust"),
    Listed("web_search", "web"),
    Listed("workspace_contribute", "people"),
    Listed("workspace_read", "people"),
)


def load_tools() -> tuple[AnyTool, ...]:
    """Return every tool there is, loaded."""
    return tuple(listed.load() for listed in TOOLS)
