"""Generated from the tools by `make generate`. Do not edit."""

from collections.abc import Sequence
from typing import Any, Literal

from webquarry.library.progress_callbacks import ProgressCallback
from webquarry.models.browsing import PageAction
from webquarry.models.page_steps import PageStep
from webquarry.models.page_steps import StepTarget
from webquarry.models.reading import ScrapePageOut
from webquarry.models.tool_results import CitedSource
from webquarry.models.tool_results import Recommended
from webquarry.models.webhook import WebhookTarget
from webquarry.tools.academic_search import AcademicSearchOut
from webquarry.tools.answer import AnswerOut
from webquarry.tools.archive_source import ArchiveSourceOut
from webquarry.tools.audit_bibliography import AuditBibliographyOut
from webquarry.tools.audit_bibliography import AuditEntry
from webquarry.tools.brand_research import BrandResearchOut
from webquarry.tools.browse_page import BrowsePageOut
from webquarry.tools.chatgpt_fetch import ChatgptFetchOut
from webquarry.tools.chatgpt_search import ChatgptSearchOut
from webquarry.tools.check_document import CheckDocumentOut
from webquarry.tools.cinder_batch_scrape import CinderBatchScrapeOut
from webquarry.tools.cinder_crawl import CinderCrawlOut
from webquarry.tools.cinder_extract import CinderExtractOut
from webquarry.tools.cinder_get_crawl_status import CinderGetCrawlStatusOut
from webquarry.tools.cinder_map import CinderMapOut
from webquarry.tools.cinder_scrape import CinderScrapeOut
from webquarry.tools.cinder_search import CinderSearchOut
from webquarry.tools.cinder_search_and_scrape import CinderSearchAndScrapeOut
from webquarry.tools.citation_graph import CitationGraphOut
from webquarry.tools.clinical_search import ClinicalSearchOut
from webquarry.tools.echo import EchoOut
from webquarry.tools.econ_search import EconSearchOut
from webquarry.tools.filing_search import FilingSearchOut
from webquarry.tools.format_bibliography import FormatBibliographyOut
from webquarry.tools.get_my_analytics import GetMyAnalyticsOut
from webquarry.tools.get_research_session import GetResearchSessionOut
from webquarry.tools.image_search import ImageSearchOut
from webquarry.tools.legal_search import LegalSearchOut
from webquarry.tools.local_search import LocalSearchOut
from webquarry.tools.memory_recall import MemoryRecallOut
from webquarry.tools.memory_save import MemorySaveOut
from webquarry.tools.monitor_changes import MonitorChangesOut
from webquarry.tools.monitor_create import MonitorCreateOut
from webquarry.tools.monitor_delete import MonitorDeleteOut
from webquarry.tools.monitor_list import MonitorListOut
from webquarry.tools.news_search import NewsSearchOut
from webquarry.tools.paper_fulltext import PaperFulltextOut
from webquarry.tools.patent_search import PatentSearchOut
from webquarry.tools.research_export import ResearchExportOut
from webquarry.tools.search_and_scrape import SearchAndScrapeOut
from webquarry.tools.searxng_search import SearxngSearchOut
from webquarry.tools.sequential_search import SequentialSearchOut
from webquarry.tools.structured_search import StructuredSearchOut
from webquarry.tools.verify_citation import VerifyCitationOut
from webquarry.tools.verify_recommendation import VerifyRecommendationOut
from webquarry.tools.web_search import WebSearchOut
from webquarry.tools.workspace_contribute import WorkspaceContributeOut
from webquarry.tools.workspace_read import WorkspaceReadOut

class Methods:
    async def typed(self, name: str, /, *args: Any, **arguments: Any) -> Any: ...
    async def academic_search(
        self,
        query: str,
        *,
        num_results: int = 5,
        year_from: int | None = None,
        year_to: int | None = None,
        source: Literal["all", "arxiv", "pubmed", "ieee", "nature", "springer"] = "all",
        pdf_only: bool = False,
        sort_by: Literal["relevance", "date"] = "relevance",
        open_access: bool = False,
        provider: str | None = None,
        session_id: str | None = None,
        fuse: bool = False,
        max_tokens: int | None = None,
        cursor: str | None = None,
        report: ProgressCallback | None = None,
    ) -> AcademicSearchOut:
        """Find scholarly papers with DOI, abstract, citations, PDF and retraction status."""
        ...
    async def answer(
        self,
        query: str,
        *,
        provider: str | None = None,
        report: ProgressCallback | None = None,
    ) -> AnswerOut:
        """Get one written answer to a factual question, with the pages it relies on."""
        ...
    async def archive_source(
        self,
        url: str,
        *,
        report: ProgressCallback | None = None,
    ) -> ArchiveSourceOut:
        """Save a public page in the Wayback Machine, so that a citation stays checkable."""
        ...
    async def audit_bibliography(
        self,
        bibliography: str | None = None,
        *,
        format: Literal["auto", "csl-json", "ris", "bibtex"] = "auto",
        entries: Sequence[AuditEntry | dict[str, Any]] | None = None,
        session_id: str | None = None,
        cursor: int = 0,
        report: ProgressCallback | None = None,
    ) -> AuditBibliographyOut:
        """Check every reference of a list: whether it exists, is retracted, or has a dead link."""
        ...
    async def brand_research(
        self,
        url: str | None = None,
        *,
        company_name: str | None = None,
        depth: Literal["quick", "standard", "full"] = "standard",
        include_design_tokens: bool = False,
        session_id: str | None = None,
        report: ProgressCallback | None = None,
    ) -> BrandResearchOut:
        """Get a brand as JSON: colors, logos, fonts, tone, profiles; only what its owner states."""
        ...
    async def browse_page(
        self,
        url: str | None = None,
        *,
        session: str | None = None,
        actions: Sequence[PageAction | dict[str, Any]] = ...,
        find: str = "",
        max_tokens: int = 2000,
        report: ProgressCallback | None = None,
    ) -> BrowsePageOut:
        """Operate a page in a browser: open a url, then act on elements by the ids of the snapshot."""
        ...
    async def chatgpt_fetch(
        self,
        id: str,
        *,
        report: ProgressCallback | None = None,
    ) -> ChatgptFetchOut:
        """Get the full text of a search result. Quote it verbatim: sha256 lets anyone check it."""
        ...
    async def chatgpt_search(
        self,
        query: str,
        *,
        report: ProgressCallback | None = None,
    ) -> ChatgptSearchOut:
        """Search the web. Read a result with fetch, by its id."""
        ...
    async def check_document(
        self,
        url: str | None = None,
        *,
        path: str | None = None,
        data: str | None = None,
        text: str | None = None,
        id: str | None = None,
        name: str | None = None,
        all_sentences: bool = False,
        max_sources: int = 150,
        cancel: bool = False,
        resume: bool = False,
        deadline: int = 900,
        max_model_tokens: int = 200000,
        wait: bool = True,
        max_tokens: int | None = None,
        cursor: str | None = None,
        report: ProgressCallback | None = None,
    ) -> CheckDocumentOut:
        """Check a finished text: every reference exists and every cited claim is in its source."""
        ...
    async def cinder_batch_scrape(
        self,
        urls: Sequence[str],
        *,
        render: bool = False,
        formats: Sequence[Literal["markdown", "html", "rawHtml", "text", "links", "images", "json", "summary", "screenshot"]] | None = ...,
        wait: bool = False,
        webhook: str | None = None,
        ignore_invalid_urls: bool = False,
        locale: str | None = None,
        mobile: bool = False,
        location: str | None = None,
        headers: Any | None = None,
        cookies: Any | None = None,
        proxies: Sequence[str] | None = None,
        delay: float | None = None,
        concurrency: int | None = None,
        steps: Sequence[PageStep | dict[str, Any]] | None = None,
        scroll: Literal["auto"] | None = None,
        schema: Any | None = None,
        full_page: bool = False,
        image_type: Literal["png", "webp"] = "png",
        documents: bool = True,
        max_document_bytes: int | None = None,
        capture: bool = False,
        index: bool = True,
        report: ProgressCallback | None = None,
    ) -> CinderBatchScrapeOut:
        """Read many URLs in the background. Then ask cinder_get_crawl_status."""
        ...
    async def cinder_crawl(
        self,
        url: str,
        *,
        query: str | None = None,
        render: bool = False,
        max_depth: int = 2,
        max_pages: int = 100,
        include_patterns: Sequence[str] | None = None,
        exclude_patterns: Sequence[str] | None = None,
        include_paths: Sequence[str] | None = None,
        exclude_paths: Sequence[str] | None = None,
        subdomains: bool = False,
        external_links: bool = False,
        keep_parameters: Sequence[str] | None = None,
        strip_parameters: Sequence[str] | None = None,
        sitemap: bool = False,
        sitemap_only: bool = False,
        formats: Sequence[Literal["markdown", "html", "rawHtml", "text", "links", "images", "json", "summary", "screenshot"]] | None = None,
        wait: bool = False,
        webhook: str | None = None,
        locale: str | None = None,
        mobile: bool = False,
        location: str | None = None,
        headers: Any | None = None,
        cookies: Any | None = None,
        proxies: Sequence[str] | None = None,
        delay: float | None = None,
        concurrency: int | None = None,
        steps: Sequence[PageStep | dict[str, Any]] | None = None,
        scroll: Literal["auto"] | None = None,
        schema: Any | None = None,
        full_page: bool = False,
        image_type: Literal["png", "webp"] = "png",
        documents: bool = True,
        max_document_bytes: int | None = None,
        capture: bool = False,
        index: bool = True,
        report: ProgressCallback | None = None,
    ) -> CinderCrawlOut:
        """Crawl a website in the background. Then ask cinder_get_crawl_status."""
        ...
    async def cinder_extract(
        self,
        prompt: str,
        *,
        urls: Sequence[str] | None = None,
        crawl_id: str | None = None,
        offset: int = 0,
        schema: Any | None = None,
        mode: Literal["smart", "static", "dynamic"] = "smart",
        ungrounded: bool = False,
        max_tokens: int | None = None,
        cursor: str | None = None,
        report: ProgressCallback | None = None,
    ) -> CinderExtractOut:
        """Extract specific fields of pages as JSON, each with the words it was read from."""
        ...
    async def cinder_get_crawl_status(
        self,
        id: str | None = None,
        *,
        offset: int = 0,
        limit: int = 50,
        errors: bool = False,
        skipped: bool = False,
        cancel: bool = False,
        status: Literal["queued", "running", "completed", "failed", "cancelled"] | None = None,
        kind: Literal["crawl", "batch"] | None = None,
        max_tokens: int | None = None,
        cursor: str | None = None,
        report: ProgressCallback | None = None,
    ) -> CinderGetCrawlStatusOut:
        """Check the progress of a crawl or batch and get its pages."""
        ...
    async def cinder_map(
        self,
        url: str,
        *,
        limit: int = 200,
        search: str | None = None,
        cursor: str | None = None,
        report: ProgressCallback | None = None,
    ) -> CinderMapOut:
        """List a site's URLs without reading them."""
        ...
    async def cinder_scrape(
        self,
        url: str,
        *,
        mode: Literal["smart", "static", "dynamic"] = "smart",
        include_metadata: bool = True,
        return_format: Literal["markdown", "html", "json"] = "markdown",
        formats: Sequence[Literal["markdown", "html", "rawHtml", "text", "links", "images", "json", "summary", "screenshot"]] | None = None,
        schema: Any | None = None,
        full_page: bool = False,
        image_type: Literal["png", "webp"] = "png",
        fresh: bool = False,
        steps: Sequence[PageStep | dict[str, Any]] | None = None,
        headers: Any | None = None,
        cookies: Any | None = None,
        element: StepTarget | dict[str, Any] | None = None,
        device: Literal["desktop", "wide", "tablet", "phone"] = "desktop",
        dark: bool = False,
        max_tokens: int | None = None,
        cursor: str | None = None,
        report: ProgressCallback | None = None,
    ) -> CinderScrapeOut:
        """Get the full content of a known URL."""
        ...
    async def cinder_search(
        self,
        query: str,
        *,
        mode: Literal["fast", "balanced", "deep"] = "balanced",
        num_results: int = 10,
        offset: int = 0,
        include_domains: Sequence[str] | None = None,
        exclude_domains: Sequence[str] | None = None,
        required_text: Sequence[str] | None = None,
        max_age: float | None = None,
        report: ProgressCallback | None = None,
    ) -> CinderSearchOut:
        """Find pages, up to 100 per query. Read them with cinder_scrape."""
        ...
    async def cinder_search_and_scrape(
        self,
        query: str,
        *,
        num_results: int = 3,
        mode: Literal["fast", "balanced"] = "balanced",
        scrape_mode: Literal["smart", "static", "dynamic"] = "smart",
        required_text: Sequence[str] | None = None,
        max_tokens: int | None = None,
        cursor: str | None = None,
        report: ProgressCallback | None = None,
    ) -> CinderSearchAndScrapeOut:
        """Search, and read the top results too."""
        ...
    async def citation_graph(
        self,
        paper: str,
        *,
        direction: Literal["cited_by", "references", "both"] = "both",
        num_results: int = 10,
        influential_only: bool = False,
        provider: str | None = None,
        format: Literal["json", "mermaid"] = "json",
        session_id: str | None = None,
        max_tokens: int | None = None,
        cursor: str | None = None,
        report: ProgressCallback | None = None,
    ) -> CitationGraphOut:
        """List the works that cite a paper and those it cites, one hop."""
        ...
    async def clinical_search(
        self,
        query: str | None = None,
        *,
        condition: str | None = None,
        intervention: str | None = None,
        sponsor: str | None = None,
        status: str | None = None,
        phase: str | None = None,
        num_results: int = 10,
        provider: str | None = None,
        session_id: str | None = None,
        cursor: str | None = None,
        report: ProgressCallback | None = None,
    ) -> ClinicalSearchOut:
        """Search ClinicalTrials.gov by any of its facets, at least one. Not medical advice."""
        ...
    async def echo(
        self,
        message: str,
        *,
        report: ProgressCallback | None = None,
    ) -> EchoOut:
        """Return the message unchanged, to check that the connection works."""
        ...
    async def econ_search(
        self,
        query: str | None = None,
        *,
        series_id: str | None = None,
        country: str | None = None,
        date_from: str | None = None,
        date_to: str | None = None,
        frequency: str | None = None,
        units: str | None = None,
        num_results: int | None = None,
        provider: str | None = None,
        chart: bool = False,
        report: ProgressCallback | None = None,
    ) -> EconSearchOut:
        """Economic data: find series by keyword, then get observations by series_id."""
        ...
    async def filing_search(
        self,
        query: str | None = None,
        *,
        form_type: str | None = None,
        ticker: str | None = None,
        date_from: str | None = None,
        date_to: str | None = None,
        facts: bool = False,
        num_results: int = 5,
        provider: str | None = None,
        session_id: str | None = None,
        report: ProgressCallback | None = None,
    ) -> FilingSearchOut:
        """Search SEC EDGAR: filings or XBRL figures of a US company, or the text of all filings."""
        ...
    async def format_bibliography(
        self,
        style: str = "apa",
        *,
        session_id: str | None = None,
        sources: Sequence[CitedSource | dict[str, Any]] | None = None,
        cursor: str | None = None,
        report: ProgressCallback | None = None,
    ) -> FormatBibliographyOut:
        """Format sources as a bibliography, for readers or for reference managers."""
        ...
    async def get_my_analytics(
        self,
        *,
        report: ProgressCallback | None = None,
    ) -> GetMyAnalyticsOut:
        """Show how you have used these tools: counts, first and last call."""
        ...
    async def get_research_session(
        self,
        session_id: str,
        *,
        step_id: int | None = None,
        max_tokens: int | None = None,
        cursor: str | None = None,
        report: ProgressCallback | None = None,
    ) -> GetResearchSessionOut:
        """Recover a sequential_search session after context loss: summary, steps, gaps, sources."""
        ...
    async def image_search(
        self,
        query: str,
        *,
        num_results: int = 5,
        size: Literal["huge", "icon", "large", "medium", "small", "xlarge", "xxlarge"] | None = None,
        type: Literal["clipart", "face", "lineart", "stock", "photo", "animated"] | None = None,
        color_type: Literal["color", "gray", "mono", "trans"] | None = None,
        dominant_color: Literal["black", "blue", "brown", "gray", "green", "orange", "pink", "purple", "red", "teal", "white", "yellow"] | None = None,
        file_type: Literal["jpg", "gif", "png", "bmp", "svg", "webp"] | None = None,
        safe: Literal["off", "medium", "high"] | None = None,
        country: str | None = None,
        language: str | None = None,
        provider: str | None = None,
        max_tokens: int | None = None,
        cursor: str | None = None,
        report: ProgressCallback | None = None,
    ) -> ImageSearchOut:
        """Find images, with the page each is on."""
        ...
    async def legal_search(
        self,
        query: str,
        *,
        jurisdiction: str | None = None,
        date_from: str | None = None,
        date_to: str | None = None,
        num_results: int = 10,
        provider: str | None = None,
        session_id: str | None = None,
        report: ProgressCallback | None = None,
    ) -> LegalSearchOut:
        """Search US federal and state court opinions, with Bluebook citations."""
        ...
    async def local_search(
        self,
        query: str,
        *,
        near: str | None = None,
        latitude: float | None = None,
        longitude: float | None = None,
        radius: float = 0,
        country: str | None = None,
        units: Literal["metric", "imperial"] | None = None,
        num_results: int = 5,
        provider: str | None = None,
        session_id: str | None = None,
        max_tokens: int | None = None,
        cursor: str | None = None,
        report: ProgressCallback | None = None,
    ) -> LocalSearchOut:
        """Find places (shops, restaurants, services), nearest first if a point is given."""
        ...
    async def memory_recall(
        self,
        topic: str | None = None,
        *,
        query: str | None = None,
        limit: int = 20,
        report: ProgressCallback | None = None,
    ) -> MemoryRecallOut:
        """Recall your saved findings, newest first, or by topic or words."""
        ...
    async def memory_save(
        self,
        note: str,
        *,
        topic: str | None = None,
        url: str | None = None,
        tags: Sequence[str] = ...,
        report: ProgressCallback | None = None,
    ) -> MemorySaveOut:
        """Remember a finding for later sessions, for you alone."""
        ...
    async def monitor_changes(
        self,
        id: str,
        *,
        limit: int = 10,
        before: int | None = None,
        do: Literal["run", "pause", "resume", "mute", "unmute"] | None = None,
        what: str | None = None,
        scope: Literal["line", "following", "section"] | None = None,
        max_tokens: int | None = None,
        cursor: str | None = None,
        report: ProgressCallback | None = None,
    ) -> MonitorChangesOut:
        """Get what a monitor found, the newest first; or run, pause, mute it."""
        ...
    async def monitor_create(
        self,
        target: str,
        *,
        kind: Literal["page", "feed", "site", "search", "references"] = "page",
        selector: str | None = None,
        words: Sequence[str] = ...,
        fields: str | None = None,
        json_schema: Any | None = None,
        when: Sequence[str] = ...,
        schedule: str = "1d",
        timezone: str = "UTC",
        quiet: str | None = None,
        jitter: int = 0,
        notify: Sequence[str] = ...,
        webhooks: Sequence[WebhookTarget | dict[str, Any]] = ...,
        digest: str | None = None,
        name: str | None = None,
        max_pages: int = 100,
        render: bool = False,
        capture: bool = False,
        report: ProgressCallback | None = None,
    ) -> MonitorCreateOut:
        """Watch a page, site, search, feed or references; changes come with before and after."""
        ...
    async def monitor_delete(
        self,
        id: str,
        *,
        report: ProgressCallback | None = None,
    ) -> MonitorDeleteOut:
        """Delete a monitor of yours with its history."""
        ...
    async def monitor_list(
        self,
        id: str | None = None,
        *,
        offset: int = 0,
        limit: int = 50,
        report: ProgressCallback | None = None,
    ) -> MonitorListOut:
        """List your monitors, or show one with what it ignores."""
        ...
    async def news_search(
        self,
        query: str,
        *,
        num_results: int = 5,
        time_range: Literal["hour", "day", "week", "month", "year"] = "week",
        sort_by: Literal["relevance", "date"] = "relevance",
        news_source: str | None = None,
        country: str | None = None,
        language: str | None = None,
        safe: Literal["off", "moderate", "strict"] | None = None,
        provider: str | None = None,
        session_id: str | None = None,
        max_tokens: int | None = None,
        cursor: str | None = None,
        report: ProgressCallback | None = None,
    ) -> NewsSearchOut:
        """Find recent news articles with source and date."""
        ...
    async def paper_fulltext(
        self,
        paper: str,
        *,
        section: str | None = None,
        query: str | None = None,
        max_tokens: int | None = None,
        cursor: str | None = None,
        report: ProgressCallback | None = None,
    ) -> PaperFulltextOut:
        """Read a scholarly paper by section: best open full text with figures, tables, references."""
        ...
    async def patent_search(
        self,
        query: str | None = None,
        *,
        num_results: int = 5,
        search_type: Literal["prior_art", "specific", "landscape"] = "prior_art",
        patent_office: Literal["all", "US", "EP", "WO", "JP", "CN", "KR"] = "all",
        assignee: str | None = None,
        inventor: str | None = None,
        cpc_code: str | None = None,
        year_from: int | None = None,
        year_to: int | None = None,
        provider: str | None = None,
        session_id: str | None = None,
        report: ProgressCallback | None = None,
    ) -> PatentSearchOut:
        """Find patents by terms, owner, inventor, class or filing year; or one by its number."""
        ...
    async def research_export(
        self,
        session_id: str,
        *,
        format: Literal["markdown", "json", "html", "wacz"] = "markdown",
        verify_links: bool = False,
        attach: Sequence[Literal["bibtex", "ris", "csl-json", "prisma-s"]] | None = None,
        cursor: str | None = None,
        report: ProgressCallback | None = None,
    ) -> ResearchExportOut:
        """Export a session as a report, with references and a PRISMA-S search log if wanted."""
        ...
    async def scrape_page(
        self,
        url: str,
        *,
        mode: Literal["full", "preview", "raw"] = "full",
        max_length: int = 50000,
        fresh: bool = False,
        data: str | None = None,
        ocr_language: str = "",
        steps: Sequence[PageStep | dict[str, Any]] | None = None,
        headers: Any | None = None,
        cookies: Any | None = None,
        session_id: str | None = None,
        max_tokens: int | None = None,
        cursor: str | None = None,
        report: ProgressCallback | None = None,
    ) -> ScrapePageOut:
        """Read a URL as Markdown: web pages, PDF, Office files, YouTube, forum threads, repositories."""
        ...
    async def search_and_scrape(
        self,
        query: str,
        *,
        num_results: int = 3,
        include_sources: bool = True,
        deduplicate: bool = True,
        max_length_per_source: int = 50000,
        total_max_length: int = 300000,
        filter_by_query: bool = False,
        provider: str | None = None,
        session_id: str | None = None,
        claim: str | None = None,
        anchors: bool = False,
        max_tokens: int | None = None,
        cursor: str | None = None,
        report: ProgressCallback | None = None,
    ) -> SearchAndScrapeOut:
        """Search the web and read the results in one step: ranked, without repetition."""
        ...
    async def searxng_search(
        self,
        query: str,
        *,
        category: Literal["general", "images", "videos", "news", "map", "music", "it", "science", "files"] = "general",
        language: str = "en",
        results_count: int = 10,
        fetch_content: bool = True,
        safe_search: Literal[0, 1, 2] = 1,
        time_range: Literal["day", "week", "month", "year"] | None = None,
        max_tokens: int | None = None,
        cursor: str | None = None,
        report: ProgressCallback | None = None,
    ) -> SearxngSearchOut:
        """Search privately through SearXNG and read the result pages as Markdown."""
        ...
    async def sequential_search(
        self,
        search_step: str,
        *,
        step_number: int,
        next_step_needed: bool,
        session_id: str | None = None,
        research_goal: str | None = None,
        reasoning: str | None = None,
        confidence: Literal["high", "medium", "low"] | None = None,
        rejected_approaches: Sequence[str] | None = None,
        session_summary: str | None = None,
        response_mode: Literal["auto", "full", "summary"] = "auto",
        total_steps_estimate: int | None = None,
        is_revision: bool = False,
        revises_step: int | None = None,
        branch_from_step: int | None = None,
        branch_id: str | None = None,
        knowledge_gap: str | None = None,
        capture: bool = False,
        depth: Literal["quick", "standard", "thorough"] = "quick",
        report: ProgressCallback | None = None,
    ) -> SequentialSearchOut:
        """Record one step of a multi-step research task. Tools given its sessionId add sources."""
        ...
    async def structured_search(
        self,
        query: str,
        *,
        category: str | None = None,
        num_results: int = 5,
        schema: Any | None = None,
        provider: str | None = None,
        report: ProgressCallback | None = None,
    ) -> StructuredSearchOut:
        """Search the web and get chosen fields of each result as JSON, by your schema."""
        ...
    async def verify_citation(
        self,
        citation: str,
        *,
        claim: str | None = None,
        report: ProgressCallback | None = None,
    ) -> VerifyCitationOut:
        """Check that a citation exists, matches its record, is not retracted and still resolves."""
        ...
    async def verify_recommendation(
        self,
        recommendations: Sequence[Recommended | dict[str, Any]],
        *,
        claim: str | None = None,
        num_corroboration_results: int = 5,
        cursor: str | None = None,
        report: ProgressCallback | None = None,
    ) -> VerifyRecommendationOut:
        """Check a ranking for self-promotion, authors with a stake, dead links and who else agrees."""
        ...
    async def web_search(
        self,
        query: str,
        *,
        num_results: int = 5,
        time_range: Literal["day", "week", "month", "year"] | None = None,
        safe: Literal["off", "medium", "high"] | None = None,
        language: str | None = None,
        site: str | None = None,
        exact_terms: str | None = None,
        exclude_terms: str | None = None,
        country: str | None = None,
        lens: str | None = None,
        provider: str | None = None,
        session_id: str | None = None,
        claim: str | None = None,
        fuse: bool = False,
        max_tokens: int | None = None,
        cursor: str | None = None,
        report: ProgressCallback | None = None,
    ) -> WebSearchOut:
        """Find web pages: links with snippets. Read one with scrape_page."""
        ...
    async def workspace_contribute(
        self,
        workspace_id: str,
        *,
        note: str,
        url: str | None = None,
        tags: Sequence[str] = ...,
        report: ProgressCallback | None = None,
    ) -> WorkspaceContributeOut:
        """Share a copy of a finding in a team workspace."""
        ...
    async def workspace_read(
        self,
        workspace_id: str,
        *,
        limit: int = 20,
        offset: int = 0,
        report: ProgressCallback | None = None,
    ) -> WorkspaceReadOut:
        """Read the findings shared in a workspace of yours, the newest first."""
        ...

class SyncMethods:
    def typed(self, name: str, /, *args: Any, **arguments: Any) -> Any: ...
    def academic_search(
        self,
        query: str,
        *,
        num_results: int = 5,
        year_from: int | None = None,
        year_to: int | None = None,
        source: Literal["all", "arxiv", "pubmed", "ieee", "nature", "springer"] = "all",
        pdf_only: bool = False,
        sort_by: Literal["relevance", "date"] = "relevance",
        open_access: bool = False,
        provider: str | None = None,
        session_id: str | None = None,
        fuse: bool = False,
        max_tokens: int | None = None,
        cursor: str | None = None,
        report: ProgressCallback | None = None,
    ) -> AcademicSearchOut:
        """Find scholarly papers with DOI, abstract, citations, PDF and retraction status."""
        ...
    def answer(
        self,
        query: str,
        *,
        provider: str | None = None,
        report: ProgressCallback | None = None,
    ) -> AnswerOut:
        """Get one written answer to a factual question, with the pages it relies on."""
        ...
    def archive_source(
        self,
        url: str,
        *,
        report: ProgressCallback | None = None,
    ) -> ArchiveSourceOut:
        """Save a public page in the Wayback Machine, so that a citation stays checkable."""
        ...
    def audit_bibliography(
        self,
        bibliography: str | None = None,
        *,
        format: Literal["auto", "csl-json", "ris", "bibtex"] = "auto",
        entries: Sequence[AuditEntry | dict[str, Any]] | None = None,
        session_id: str | None = None,
        cursor: int = 0,
        report: ProgressCallback | None = None,
    ) -> AuditBibliographyOut:
        """Check every reference of a list: whether it exists, is retracted, or has a dead link."""
        ...
    def brand_research(
        self,
        url: str | None = None,
        *,
        company_name: str | None = None,
        depth: Literal["quick", "standard", "full"] = "standard",
        include_design_tokens: bool = False,
        session_id: str | None = None,
        report: ProgressCallback | None = None,
    ) -> BrandResearchOut:
        """Get a brand as JSON: colors, logos, fonts, tone, profiles; only what its owner states."""
        ...
    def browse_page(
        self,
        url: str | None = None,
        *,
        session: str | None = None,
        actions: Sequence[PageAction | dict[str, Any]] = ...,
        find: str = "",
        max_tokens: int = 2000,
        report: ProgressCallback | None = None,
    ) -> BrowsePageOut:
        """Operate a page in a browser: open a url, then act on elements by the ids of the snapshot."""
        ...
    def chatgpt_fetch(
        self,
        id: str,
        *,
        report: ProgressCallback | None = None,
    ) -> ChatgptFetchOut:
        """Get the full text of a search result. Quote it verbatim: sha256 lets anyone check it."""
        ...
    def chatgpt_search(
        self,
        query: str,
        *,
        report: ProgressCallback | None = None,
    ) -> ChatgptSearchOut:
        """Search the web. Read a result with fetch, by its id."""
        ...
    def check_document(
        self,
        url: str | None = None,
        *,
        path: str | None = None,
        data: str | None = None,
        text: str | None = None,
        id: str | None = None,
        name: str | None = None,
        all_sentences: bool = False,
        max_sources: int = 150,
        cancel: bool = False,
        resume: bool = False,
        deadline: int = 900,
        max_model_tokens: int = 200000,
        wait: bool = True,
        max_tokens: int | None = None,
        cursor: str | None = None,
        report: ProgressCallback | None = None,
    ) -> CheckDocumentOut:
        """Check a finished text: every reference exists and every cited claim is in its source."""
        ...
    def cinder_batch_scrape(
        self,
        urls: Sequence[str],
        *,
        render: bool = False,
        formats: Sequence[Literal["markdown", "html", "rawHtml", "text", "links", "images", "json", "summary", "screenshot"]] | None = ...,
        wait: bool = False,
        webhook: str | None = None,
        ignore_invalid_urls: bool = False,
        locale: str | None = None,
        mobile: bool = False,
        location: str | None = None,
        headers: Any | None = None,
        cookies: Any | None = None,
        proxies: Sequence[str] | None = None,
        delay: float | None = None,
        concurrency: int | None = None,
        steps: Sequence[PageStep | dict[str, Any]] | None = None,
        scroll: Literal["auto"] | None = None,
        schema: Any | None = None,
        full_page: bool = False,
        image_type: Literal["png", "webp"] = "png",
        documents: bool = True,
        max_document_bytes: int | None = None,
        capture: bool = False,
        index: bool = True,
        report: ProgressCallback | None = None,
    ) -> CinderBatchScrapeOut:
        """Read many URLs in the background. Then ask cinder_get_crawl_status."""
        ...
    def cinder_crawl(
        self,
        url: str,
        *,
        query: str | None = None,
        render: bool = False,
        max_depth: int = 2,
        max_pages: int = 100,
        include_patterns: Sequence[str] | None = None,
        exclude_patterns: Sequence[str] | None = None,
        include_paths: Sequence[str] | None = None,
        exclude_paths: Sequence[str] | None = None,
        subdomains: bool = False,
        external_links: bool = False,
        keep_parameters: Sequence[str] | None = None,
        strip_parameters: Sequence[str] | None = None,
        sitemap: bool = False,
        sitemap_only: bool = False,
        formats: Sequence[Literal["markdown", "html", "rawHtml", "text", "links", "images", "json", "summary", "screenshot"]] | None = None,
        wait: bool = False,
        webhook: str | None = None,
        locale: str | None = None,
        mobile: bool = False,
        location: str | None = None,
        headers: Any | None = None,
        cookies: Any | None = None,
        proxies: Sequence[str] | None = None,
        delay: float | None = None,
        concurrency: int | None = None,
        steps: Sequence[PageStep | dict[str, Any]] | None = None,
        scroll: Literal["auto"] | None = None,
        schema: Any | None = None,
        full_page: bool = False,
        image_type: Literal["png", "webp"] = "png",
        documents: bool = True,
        max_document_bytes: int | None = None,
        capture: bool = False,
        index: bool = True,
        report: ProgressCallback | None = None,
    ) -> CinderCrawlOut:
        """Crawl a website in the background. Then ask cinder_get_crawl_status."""
        ...
    def cinder_extract(
        self,
        prompt: str,
        *,
        urls: Sequence[str] | None = None,
        crawl_id: str | None = None,
        offset: int = 0,
        schema: Any | None = None,
        mode: Literal["smart", "static", "dynamic"] = "smart",
        ungrounded: bool = False,
        max_tokens: int | None = None,
        cursor: str | None = None,
        report: ProgressCallback | None = None,
    ) -> CinderExtractOut:
        """Extract specific fields of pages as JSON, each with the words it was read from."""
        ...
    def cinder_get_crawl_status(
        self,
        id: str | None = None,
        *,
        offset: int = 0,
        limit: int = 50,
        errors: bool = False,
        skipped: bool = False,
        cancel: bool = False,
        status: Literal["queued", "running", "completed", "failed", "cancelled"] | None = None,
        kind: Literal["crawl", "batch"] | None = None,
        max_tokens: int | None = None,
        cursor: str | None = None,
        report: ProgressCallback | None = None,
    ) -> CinderGetCrawlStatusOut:
        """Check the progress of a crawl or batch and get its pages."""
        ...
    def cinder_map(
        self,
        url: str,
        *,
        limit: int = 200,
        search: str | None = None,
        cursor: str | None = None,
        report: ProgressCallback | None = None,
    ) -> CinderMapOut:
        """List a site's URLs without reading them."""
        ...
    def cinder_scrape(
        self,
        url: str,
        *,
        mode: Literal["smart", "static", "dynamic"] = "smart",
        include_metadata: bool = True,
        return_format: Literal["markdown", "html", "json"] = "markdown",
        formats: Sequence[Literal["markdown", "html", "rawHtml", "text", "links", "images", "json", "summary", "screenshot"]] | None = None,
        schema: Any | None = None,
        full_page: bool = False,
        image_type: Literal["png", "webp"] = "png",
        fresh: bool = False,
        steps: Sequence[PageStep | dict[str, Any]] | None = None,
        headers: Any | None = None,
        cookies: Any | None = None,
        element: StepTarget | dict[str, Any] | None = None,
        device: Literal["desktop", "wide", "tablet", "phone"] = "desktop",
        dark: bool = False,
        max_tokens: int | None = None,
        cursor: str | None = None,
        report: ProgressCallback | None = None,
    ) -> CinderScrapeOut:
        """Get the full content of a known URL."""
        ...
    def cinder_search(
        self,
        query: str,
        *,
        mode: Literal["fast", "balanced", "deep"] = "balanced",
        num_results: int = 10,
        offset: int = 0,
        include_domains: Sequence[str] | None = None,
        exclude_domains: Sequence[str] | None = None,
        required_text: Sequence[str] | None = None,
        max_age: float | None = None,
        report: ProgressCallback | None = None,
    ) -> CinderSearchOut:
        """Find pages, up to 100 per query. Read them with cinder_scrape."""
        ...
    def cinder_search_and_scrape(
        self,
        query: str,
        *,
        num_results: int = 3,
        mode: Literal["fast", "balanced"] = "balanced",
        scrape_mode: Literal["smart", "static", "dynamic"] = "smart",
        required_text: Sequence[str] | None = None,
        max_tokens: int | None = None,
        cursor: str | None = None,
        report: ProgressCallback | None = None,
    ) -> CinderSearchAndScrapeOut:
        """Search, and read the top results too."""
        ...
    def citation_graph(
        self,
        paper: str,
        *,
        direction: Literal["cited_by", "references", "both"] = "both",
        num_results: int = 10,
        influential_only: bool = False,
        provider: str | None = None,
        format: Literal["json", "mermaid"] = "json",
        session_id: str | None = None,
        max_tokens: int | None = None,
        cursor: str | None = None,
        report: ProgressCallback | None = None,
    ) -> CitationGraphOut:
        """List the works that cite a paper and those it cites, one hop."""
        ...
    def clinical_search(
        self,
        query: str | None = None,
        *,
        condition: str | None = None,
        intervention: str | None = None,
        sponsor: str | None = None,
        status: str | None = None,
        phase: str | None = None,
        num_results: int = 10,
        provider: str | None = None,
        session_id: str | None = None,
        cursor: str | None = None,
        report: ProgressCallback | None = None,
    ) -> ClinicalSearchOut:
        """Search ClinicalTrials.gov by any of its facets, at least one. Not medical advice."""
        ...
    def echo(
        self,
        message: str,
        *,
        report: ProgressCallback | None = None,
    ) -> EchoOut:
        """Return the message unchanged, to check that the connection works."""
        ...
    def econ_search(
        self,
        query: str | None = None,
        *,
        series_id: str | None = None,
        country: str | None = None,
        date_from: str | None = None,
        date_to: str | None = None,
        frequency: str | None = None,
        units: str | None = None,
        num_results: int | None = None,
        provider: str | None = None,
        chart: bool = False,
        report: ProgressCallback | None = None,
    ) -> EconSearchOut:
        """Economic data: find series by keyword, then get observations by series_id."""
        ...
    def filing_search(
        self,
        query: str | None = None,
        *,
        form_type: str | None = None,
        ticker: str | None = None,
        date_from: str | None = None,
        date_to: str | None = None,
        facts: bool = False,
        num_results: int = 5,
        provider: str | None = None,
        session_id: str | None = None,
        report: ProgressCallback | None = None,
    ) -> FilingSearchOut:
        """Search SEC EDGAR: filings or XBRL figures of a US company, or the text of all filings."""
        ...
    def format_bibliography(
        self,
        style: str = "apa",
        *,
        session_id: str | None = None,
        sources: Sequence[CitedSource | dict[str, Any]] | None = None,
        cursor: str | None = None,
        report: ProgressCallback | None = None,
    ) -> FormatBibliographyOut:
        """Format sources as a bibliography, for readers or for reference managers."""
        ...
    def get_my_analytics(
        self,
        *,
        report: ProgressCallback | None = None,
    ) -> GetMyAnalyticsOut:
        """Show how you have used these tools: counts, first and last call."""
        ...
    def get_research_session(
        self,
        session_id: str,
        *,
        step_id: int | None = None,
        max_tokens: int | None = None,
        cursor: str | None = None,
        report: ProgressCallback | None = None,
    ) -> GetResearchSessionOut:
        """Recover a sequential_search session after context loss: summary, steps, gaps, sources."""
        ...
    def image_search(
        self,
        query: str,
        *,
        num_results: int = 5,
        size: Literal["huge", "icon", "large", "medium", "small", "xlarge", "xxlarge"] | None = None,
        type: Literal["clipart", "face", "lineart", "stock", "photo", "animated"] | None = None,
        color_type: Literal["color", "gray", "mono", "trans"] | None = None,
        dominant_color: Literal["black", "blue", "brown", "gray", "green", "orange", "pink", "purple", "red", "teal", "white", "yellow"] | None = None,
        file_type: Literal["jpg", "gif", "png", "bmp", "svg", "webp"] | None = None,
        safe: Literal["off", "medium", "high"] | None = None,
        country: str | None = None,
        language: str | None = None,
        provider: str | None = None,
        max_tokens: int | None = None,
        cursor: str | None = None,
        report: ProgressCallback | None = None,
    ) -> ImageSearchOut:
        """Find images, with the page each is on."""
        ...
    def legal_search(
        self,
        query: str,
        *,
        jurisdiction: str | None = None,
        date_from: str | None = None,
        date_to: str | None = None,
        num_results: int = 10,
        provider: str | None = None,
        session_id: str | None = None,
        report: ProgressCallback | None = None,
    ) -> LegalSearchOut:
        """Search US federal and state court opinions, with Bluebook citations."""
        ...
    def local_search(
        self,
        query: str,
        *,
        near: str | None = None,
        latitude: float | None = None,
        longitude: float | None = None,
        radius: float = 0,
        country: str | None = None,
        units: Literal["metric", "imperial"] | None = None,
        num_results: int = 5,
        provider: str | None = None,
        session_id: str | None = None,
        max_tokens: int | None = None,
        cursor: str | None = None,
        report: ProgressCallback | None = None,
    ) -> LocalSearchOut:
        """Find places (shops, restaurants, services), nearest first if a point is given."""
        ...
    def memory_recall(
        self,
        topic: str | None = None,
        *,
        query: str | None = None,
        limit: int = 20,
        report: ProgressCallback | None = None,
    ) -> MemoryRecallOut:
        """Recall your saved findings, newest first, or by topic or words."""
        ...
    def memory_save(
        self,
        note: str,
        *,
        topic: str | None = None,
        url: str | None = None,
        tags: Sequence[str] = ...,
        report: ProgressCallback | None = None,
    ) -> MemorySaveOut:
        """Remember a finding for later sessions, for you alone."""
        ...
    def monitor_changes(
        self,
        id: str,
        *,
        limit: int = 10,
        before: int | None = None,
        do: Literal["run", "pause", "resume", "mute", "unmute"] | None = None,
        what: str | None = None,
        scope: Literal["line", "following", "section"] | None = None,
        max_tokens: int | None = None,
        cursor: str | None = None,
        report: ProgressCallback | None = None,
    ) -> MonitorChangesOut:
        """Get what a monitor found, the newest first; or run, pause, mute it."""
        ...
    def monitor_create(
        self,
        target: str,
        *,
        kind: Literal["page", "feed", "site", "search", "references"] = "page",
        selector: str | None = None,
        words: Sequence[str] = ...,
        fields: str | None = None,
        json_schema: Any | None = None,
        when: Sequence[str] = ...,
        schedule: str = "1d",
        timezone: str = "UTC",
        quiet: str | None = None,
        jitter: int = 0,
        notify: Sequence[str] = ...,
        webhooks: Sequence[WebhookTarget | dict[str, Any]] = ...,
        digest: str | None = None,
        name: str | None = None,
        max_pages: int = 100,
        render: bool = False,
        capture: bool = False,
        report: ProgressCallback | None = None,
    ) -> MonitorCreateOut:
        """Watch a page, site, search, feed or references; changes come with before and after."""
        ...
    def monitor_delete(
        self,
        id: str,
        *,
        report: ProgressCallback | None = None,
    ) -> MonitorDeleteOut:
        """Delete a monitor of yours with its history."""
        ...
    def monitor_list(
        self,
        id: str | None = None,
        *,
        offset: int = 0,
        limit: int = 50,
        report: ProgressCallback | None = None,
    ) -> MonitorListOut:
        """List your monitors, or show one with what it ignores."""
        ...
    def news_search(
        self,
        query: str,
        *,
        num_results: int = 5,
        time_range: Literal["hour", "day", "week", "month", "year"] = "week",
        sort_by: Literal["relevance", "date"] = "relevance",
        news_source: str | None = None,
        country: str | None = None,
        language: str | None = None,
        safe: Literal["off", "moderate", "strict"] | None = None,
        provider: str | None = None,
        session_id: str | None = None,
        max_tokens: int | None = None,
        cursor: str | None = None,
        report: ProgressCallback | None = None,
    ) -> NewsSearchOut:
        """Find recent news articles with source and date."""
        ...
    def paper_fulltext(
        self,
        paper: str,
        *,
        section: str | None = None,
        query: str | None = None,
        max_tokens: int | None = None,
        cursor: str | None = None,
        report: ProgressCallback | None = None,
    ) -> PaperFulltextOut:
        """Read a scholarly paper by section: best open full text with figures, tables, references."""
        ...
    def patent_search(
        self,
        query: str | None = None,
        *,
        num_results: int = 5,
        search_type: Literal["prior_art", "specific", "landscape"] = "prior_art",
        patent_office: Literal["all", "US", "EP", "WO", "JP", "CN", "KR"] = "all",
        assignee: str | None = None,
        inventor: str | None = None,
        cpc_code: str | None = None,
        year_from: int | None = None,
        year_to: int | None = None,
        provider: str | None = None,
        session_id: str | None = None,
        report: ProgressCallback | None = None,
    ) -> PatentSearchOut:
        """Find patents by terms, owner, inventor, class or filing year; or one by its number."""
        ...
    def research_export(
        self,
        session_id: str,
        *,
        format: Literal["markdown", "json", "html", "wacz"] = "markdown",
        verify_links: bool = False,
        attach: Sequence[Literal["bibtex", "ris", "csl-json", "prisma-s"]] | None = None,
        cursor: str | None = None,
        report: ProgressCallback | None = None,
    ) -> ResearchExportOut:
        """Export a session as a report, with references and a PRISMA-S search log if wanted."""
        ...
    def scrape_page(
        self,
        url: str,
        *,
        mode: Literal["full", "preview", "raw"] = "full",
        max_length: int = 50000,
        fresh: bool = False,
        data: str | None = None,
        ocr_language: str = "",
        steps: Sequence[PageStep | dict[str, Any]] | None = None,
        headers: Any | None = None,
        cookies: Any | None = None,
        session_id: str | None = None,
        max_tokens: int | None = None,
        cursor: str | None = None,
        report: ProgressCallback | None = None,
    ) -> ScrapePageOut:
        """Read a URL as Markdown: web pages, PDF, Office files, YouTube, forum threads, repositories."""
        ...
    def search_and_scrape(
        self,
        query: str,
        *,
        num_results: int = 3,
        include_sources: bool = True,
        deduplicate: bool = True,
        max_length_per_source: int = 50000,
        total_max_length: int = 300000,
        filter_by_query: bool = False,
        provider: str | None = None,
        session_id: str | None = None,
        claim: str | None = None,
        anchors: bool = False,
        max_tokens: int | None = None,
        cursor: str | None = None,
        report: ProgressCallback | None = None,
    ) -> SearchAndScrapeOut:
        """Search the web and read the results in one step: ranked, without repetition."""
        ...
    def searxng_search(
        self,
        query: str,
        *,
        category: Literal["general", "images", "videos", "news", "map", "music", "it", "science", "files"] = "general",
        language: str = "en",
        results_count: int = 10,
        fetch_content: bool = True,
        safe_search: Literal[0, 1, 2] = 1,
        time_range: Literal["day", "week", "month", "year"] | None = None,
        max_tokens: int | None = None,
        cursor: str | None = None,
        report: ProgressCallback | None = None,
    ) -> SearxngSearchOut:
        """Search privately through SearXNG and read the result pages as Markdown."""
        ...
    def sequential_search(
        self,
        search_step: str,
        *,
        step_number: int,
        next_step_needed: bool,
        session_id: str | None = None,
        research_goal: str | None = None,
        reasoning: str | None = None,
        confidence: Literal["high", "medium", "low"] | None = None,
        rejected_approaches: Sequence[str] | None = None,
        session_summary: str | None = None,
        response_mode: Literal["auto", "full", "summary"] = "auto",
        total_steps_estimate: int | None = None,
        is_revision: bool = False,
        revises_step: int | None = None,
        branch_from_step: int | None = None,
        branch_id: str | None = None,
        knowledge_gap: str | None = None,
        capture: bool = False,
        depth: Literal["quick", "standard", "thorough"] = "quick",
        report: ProgressCallback | None = None,
    ) -> SequentialSearchOut:
        """Record one step of a multi-step research task. Tools given its sessionId add sources."""
        ...
    def structured_search(
        self,
        query: str,
        *,
        category: str | None = None,
        num_results: int = 5,
        schema: Any | None = None,
        provider: str | None = None,
        report: ProgressCallback | None = None,
    ) -> StructuredSearchOut:
        """Search the web and get chosen fields of each result as JSON, by your schema."""
        ...
    def verify_citation(
        self,
        citation: str,
        *,
        claim: str | None = None,
        report: ProgressCallback | None = None,
    ) -> VerifyCitationOut:
        """Check that a citation exists, matches its record, is not retracted and still resolves."""
        ...
    def verify_recommendation(
        self,
        recommendations: Sequence[Recommended | dict[str, Any]],
        *,
        claim: str | None = None,
        num_corroboration_results: int = 5,
        cursor: str | None = None,
        report: ProgressCallback | None = None,
    ) -> VerifyRecommendationOut:
        """Check a ranking for self-promotion, authors with a stake, dead links and who else agrees."""
        ...
    def web_search(
        self,
        query: str,
        *,
        num_results: int = 5,
        time_range: Literal["day", "week", "month", "year"] | None = None,
        safe: Literal["off", "medium", "high"] | None = None,
        language: str | None = None,
        site: str | None = None,
        exact_terms: str | None = None,
        exclude_terms: str | None = None,
        country: str | None = None,
        lens: str | None = None,
        provider: str | None = None,
        session_id: str | None = None,
        claim: str | None = None,
        fuse: bool = False,
        max_tokens: int | None = None,
        cursor: str | None = None,
        report: ProgressCallback | None = None,
    ) -> WebSearchOut:
        """Find web pages: links with snippets. Read one with scrape_page."""
        ...
    def workspace_contribute(
        self,
        workspace_id: str,
        *,
        note: str,
        url: str | None = None,
        tags: Sequence[str] = ...,
        report: ProgressCallback | None = None,
    ) -> WorkspaceContributeOut:
        """Share a copy of a finding in a team workspace."""
        ...
    def workspace_read(
        self,
        workspace_id: str,
        *,
        limit: int = 20,
        offset: int = 0,
        report: ProgressCallback | None = None,
    ) -> WorkspaceReadOut:
        """Read the findings shared in a workspace of yours, the newest first."""
        ...
