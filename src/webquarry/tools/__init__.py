"""The tools. To add one: write its file, add its name and toolset to `TOOLS`."""

from webquarry.calls.tool import AnyTool, ToolEntry

TOOLS = (
    ToolEntry("academic_search", "scholar"),
    ToolEntry("answer", "synthesis"),
    ToolEntry("archive_source", "trust"),
    ToolEntry("audit_bibliography", "trust"),
    ToolEntry("check_document", "trust"),
    ToolEntry("brand_research", "brand"),
    ToolEntry("browse_page", "browser"),
    ToolEntry("chatgpt_fetch", "chatgpt"),
    ToolEntry("chatgpt_search", "chatgpt"),
    ToolEntry("cinder_batch_scrape", "crawl"),
    ToolEntry("cinder_crawl", "crawl"),
    ToolEntry("cinder_extract", "crawl"),
    ToolEntry("cinder_get_crawl_status", "crawl"),
    ToolEntry("cinder_map", "crawl"),
    ToolEntry("cinder_scrape", "cinder"),
    ToolEntry("cinder_search", "cinder"),
    ToolEntry("cinder_search_and_scrape", "cinder"),
    ToolEntry("citation_graph", "scholar"),
    ToolEntry("clinical_search", "data"),
    ToolEntry("echo", "starter"),
    ToolEntry("econ_search", "data"),
    ToolEntry("filing_search", "data"),
    ToolEntry("format_bibliography", "trust"),
    ToolEntry("get_my_analytics", "people"),
    ToolEntry("get_research_session", "research"),
    ToolEntry("image_search", "web"),
    ToolEntry("legal_search", "data"),
    ToolEntry("local_search", "web"),
    ToolEntry("memory_recall", "people"),
    ToolEntry("memory_save", "people"),
    ToolEntry("monitor_changes", "watch"),
    ToolEntry("monitor_create", "watch"),
    ToolEntry("monitor_delete", "watch"),
    ToolEntry("monitor_list", "watch"),
    ToolEntry("news_search", "web"),
    ToolEntry("paper_fulltext", "scholar"),
    ToolEntry("patent_search", "scholar"),
    ToolEntry("research_export", "research"),
    ToolEntry("scrape_page", "web"),
    ToolEntry("search_and_scrape", "web"),
    ToolEntry("searxng_search", "searxng"),
    ToolEntry("sequential_search", "research"),
    ToolEntry("structured_search", "synthesis"),
    ToolEntry("verify_citation", "trust"),
    ToolEntry("verify_recommendation", "trust"),
    ToolEntry("web_search", "web"),
    ToolEntry("workspace_contribute", "people"),
    ToolEntry("workspace_read", "people"),
)


def load_tools() -> tuple[AnyTool, ...]:
    """Import and return all tools."""
    return tuple(entry.load() for entry in TOOLS)
