"""Generated from the tools by `make generate`. Do not edit."""

from collections.abc import Sequence
from typing import Any, Literal

from webquarry.calls.tool import ReportsProgress
from webquarry.models.reading import ScrapePageOut
from webquarry.models.tool_results import CitedSource
from webquarry.models.tool_results import Recommended
from webquarry.tools.academic_search import AcademicSearchOut
from webquarry.tools.answer import AnswerOut
from webquarry.tools.archive_source import ArchiveSourceOut
from webquarry.tools.audit_bibliography import AuditBibliographyOut
from webquarry.tools.audit_bibliography import AuditEntry
from webquarry.tools.brand_research import BrandResearchOut
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
from webquarry.tools.news_search import NewsSearchOut
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
        sessionId: str | None = None,
        fuse: bool = False,
        max_tokens: int | None = None,
        cursor: str | None = None,
        report: ReportsProgress = ...,
    ) -> AcademicSearchOut: ...
    async def answer(
        self,
        query: str,
        *,
        provider: str | None = None,
        report: ReportsProgress = ...,
    ) -> AnswerOut: ...
    async def archive_source(
        self,
        url: str,
        *,
        report: ReportsProgress = ...,
    ) -> ArchiveSourceOut: ...
    async def audit_bibliography(
        self,
        bibliography: str | None = None,
        *,
        format: Literal["auto", "csl-json", "ris", "bibtex"] = "auto",
        entries: Sequence[AuditEntry | dict[str, Any]] | None = None,
        sessionId: str | None = None,
        cursor: int = 0,
        report: ReportsProgress = ...,
    ) -> AuditBibliographyOut: ...
    async def brand_research(
        self,
        url: str | None = None,
        *,
        company_name: str | None = None,
        depth: Literal["quick", "standard", "full"] = "standard",
        include_design_tokens: bool = False,
        sessionId: str | None = None,
        report: ReportsProgress = ...,
    ) -> BrandResearchOut: ...
    async def cinder_crawl(
        self,
        url: str,
        *,
        render: bool = False,
        maxDepth: int = 2,
        maxPages: int = 100,
        includePatterns: Sequence[str] | None = None,
        excludePatterns: Sequence[str] | None = None,
        sitemap: bool = False,
        formats: Sequence[Literal["markdown", "html", "text", "links"]] | None = None,
        wait: bool = False,
        webhook: str | None = None,
        idempotencyKey: str | None = None,
        report: ReportsProgress = ...,
    ) -> CinderCrawlOut: ...
    async def cinder_extract(
        self,
        urls: Sequence[str],
        *,
        prompt: str,
        schema: Any | None = None,
        mode: Literal["smart", "static", "dynamic"] = "smart",
        max_tokens: int | None = None,
        cursor: str | None = None,
        report: ReportsProgress = ...,
    ) -> CinderExtractOut: ...
    async def cinder_get_crawl_status(
        self,
        id: str,
        *,
        offset: int = 0,
        limit: int = 50,
        cancel: bool = False,
        report: ReportsProgress = ...,
    ) -> CinderGetCrawlStatusOut: ...
    async def cinder_map(
        self,
        url: str,
        *,
        limit: int = 200,
        search: str | None = None,
        report: ReportsProgress = ...,
    ) -> CinderMapOut: ...
    async def cinder_scrape(
        self,
        url: str,
        *,
        mode: Literal["smart", "static", "dynamic"] = "smart",
        includeMetadata: bool = True,
        returnFormat: Literal["markdown", "html", "json"] = "markdown",
        fresh: bool = False,
        max_tokens: int | None = None,
        cursor: str | None = None,
        report: ReportsProgress = ...,
    ) -> CinderScrapeOut: ...
    async def cinder_search(
        self,
        query: str,
        *,
        mode: Literal["fast", "balanced", "deep"] = "balanced",
        numResults: int = 10,
        offset: int = 0,
        includeDomains: Sequence[str] | None = None,
        excludeDomains: Sequence[str] | None = None,
        requiredText: Sequence[str] | None = None,
        maxAge: float | None = None,
        report: ReportsProgress = ...,
    ) -> CinderSearchOut: ...
    async def cinder_search_and_scrape(
        self,
        query: str,
        *,
        numResults: int = 3,
        mode: Literal["fast", "balanced"] = "balanced",
        scrapeMode: Literal["smart", "static", "dynamic"] = "smart",
        max_tokens: int | None = None,
        cursor: str | None = None,
        report: ReportsProgress = ...,
    ) -> CinderSearchAndScrapeOut: ...
    async def citation_graph(
        self,
        paper: str,
        *,
        direction: Literal["cited_by", "references", "both"] = "both",
        num_results: int = 10,
        influential_only: bool = False,
        provider: str | None = None,
        format: Literal["json", "mermaid"] = "json",
        sessionId: str | None = None,
        max_tokens: int | None = None,
        cursor: str | None = None,
        report: ReportsProgress = ...,
    ) -> CitationGraphOut: ...
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
        sessionId: str | None = None,
        report: ReportsProgress = ...,
    ) -> ClinicalSearchOut: ...
    async def echo(
        self,
        message: str,
        *,
        report: ReportsProgress = ...,
    ) -> EchoOut: ...
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
        report: ReportsProgress = ...,
    ) -> EconSearchOut: ...
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
        sessionId: str | None = None,
        report: ReportsProgress = ...,
    ) -> FilingSearchOut: ...
    async def format_bibliography(
        self,
        style: str = "apa",
        *,
        sessionId: str | None = None,
        sources: Sequence[CitedSource | dict[str, Any]] | None = None,
        report: ReportsProgress = ...,
    ) -> FormatBibliographyOut: ...
    async def get_my_analytics(
        self,
        *,
        report: ReportsProgress = ...,
    ) -> GetMyAnalyticsOut: ...
    async def get_research_session(
        self,
        sessionId: str,
        *,
        stepId: int | None = None,
        max_tokens: int | None = None,
        cursor: str | None = None,
        report: ReportsProgress = ...,
    ) -> GetResearchSessionOut: ...
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
        report: ReportsProgress = ...,
    ) -> ImageSearchOut: ...
    async def legal_search(
        self,
        query: str,
        *,
        jurisdiction: str | None = None,
        date_from: str | None = None,
        date_to: str | None = None,
        num_results: int = 10,
        provider: str | None = None,
        sessionId: str | None = None,
        report: ReportsProgress = ...,
    ) -> LegalSearchOut: ...
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
        sessionId: str | None = None,
        max_tokens: int | None = None,
        cursor: str | None = None,
        report: ReportsProgress = ...,
    ) -> LocalSearchOut: ...
    async def memory_recall(
        self,
        topic: str | None = None,
        *,
        query: str | None = None,
        limit: int = 20,
        report: ReportsProgress = ...,
    ) -> MemoryRecallOut: ...
    async def memory_save(
        self,
        note: str,
        *,
        topic: str | None = None,
        url: str | None = None,
        tags: Sequence[str] = ...,
        report: ReportsProgress = ...,
    ) -> MemorySaveOut: ...
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
        sessionId: str | None = None,
        max_tokens: int | None = None,
        cursor: str | None = None,
        report: ReportsProgress = ...,
    ) -> NewsSearchOut: ...
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
        sessionId: str | None = None,
        report: ReportsProgress = ...,
    ) -> PatentSearchOut: ...
    async def research_export(
        self,
        sessionId: str,
        *,
        format: Literal["markdown", "json", "html"] = "markdown",
        verify_links: bool = False,
        attach: Sequence[Literal["bibtex", "ris", "csl-json", "prisma-s"]] | None = None,
        report: ReportsProgress = ...,
    ) -> ResearchExportOut: ...
    async def scrape_page(
        self,
        url: str,
        *,
        mode: Literal["full", "preview", "raw"] = "full",
        max_length: int = 50000,
        fresh: bool = False,
        sessionId: str | None = None,
        max_tokens: int | None = None,
        cursor: str | None = None,
        report: ReportsProgress = ...,
    ) -> ScrapePageOut: ...
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
        sessionId: str | None = None,
        claim: str | None = None,
        anchors: bool = False,
        max_tokens: int | None = None,
        cursor: str | None = None,
        report: ReportsProgress = ...,
    ) -> SearchAndScrapeOut: ...
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
        report: ReportsProgress = ...,
    ) -> SearxngSearchOut: ...
    async def sequential_search(
        self,
        searchStep: str,
        *,
        stepNumber: int,
        nextStepNeeded: bool,
        sessionId: str | None = None,
        researchGoal: str | None = None,
        reasoning: str | None = None,
        confidence: Literal["high", "medium", "low"] | None = None,
        rejectedApproaches: Sequence[str] | None = None,
        sessionSummary: str | None = None,
        responseMode: Literal["auto", "full", "summary"] = "auto",
        totalStepsEstimate: int | None = None,
        isRevision: bool = False,
        revisesStep: int | None = None,
        branchFromStep: int | None = None,
        branchId: str | None = None,
        knowledgeGap: str | None = None,
        depth: Literal["quick", "standard", "thorough"] = "quick",
        report: ReportsProgress = ...,
    ) -> SequentialSearchOut: ...
    async def structured_search(
        self,
        query: str,
        *,
        category: str | None = None,
        num_results: int = 5,
        schema: Any | None = None,
        provider: str | None = None,
        report: ReportsProgress = ...,
    ) -> StructuredSearchOut: ...
    async def verify_citation(
        self,
        citation: str,
        *,
        claim: str | None = None,
        report: ReportsProgress = ...,
    ) -> VerifyCitationOut: ...
    async def verify_recommendation(
        self,
        recommendations: Sequence[Recommended | dict[str, Any]],
        *,
        claim: str | None = None,
        numCorroborationResults: int = 5,
        report: ReportsProgress = ...,
    ) -> VerifyRecommendationOut: ...
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
        sessionId: str | None = None,
        claim: str | None = None,
        fuse: bool = False,
        max_tokens: int | None = None,
        cursor: str | None = None,
        report: ReportsProgress = ...,
    ) -> WebSearchOut: ...
    async def workspace_contribute(
        self,
        workspace_id: str,
        *,
        note: str,
        url: str | None = None,
        tags: Sequence[str] = ...,
        report: ReportsProgress = ...,
    ) -> WorkspaceContributeOut: ...
    async def workspace_read(
        self,
        workspace_id: str,
        *,
        limit: int = 20,
        offset: int = 0,
        report: ReportsProgress = ...,
    ) -> WorkspaceReadOut: ...

class SyncMethods:
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
        sessionId: str | None = None,
        fuse: bool = False,
        max_tokens: int | None = None,
        cursor: str | None = None,
        report: ReportsProgress = ...,
    ) -> AcademicSearchOut: ...
    def answer(
        self,
        query: str,
        *,
        provider: str | None = None,
        report: ReportsProgress = ...,
    ) -> AnswerOut: ...
    def archive_source(
        self,
        url: str,
        *,
        report: ReportsProgress = ...,
    ) -> ArchiveSourceOut: ...
    def audit_bibliography(
        self,
        bibliography: str | None = None,
        *,
        format: Literal["auto", "csl-json", "ris", "bibtex"] = "auto",
        entries: Sequence[AuditEntry | dict[str, Any]] | None = None,
        sessionId: str | None = None,
        cursor: int = 0,
        report: ReportsProgress = ...,
    ) -> AuditBibliographyOut: ...
    def brand_research(
        self,
        url: str | None = None,
        *,
        company_name: str | None = None,
        depth: Literal["quick", "standard", "full"] = "standard",
        include_design_tokens: bool = False,
        sessionId: str | None = None,
        report: ReportsProgress = ...,
    ) -> BrandResearchOut: ...
    def cinder_crawl(
        self,
        url: str,
        *,
        render: bool = False,
        maxDepth: int = 2,
        maxPages: int = 100,
        includePatterns: Sequence[str] | None = None,
        excludePatterns: Sequence[str] | None = None,
        sitemap: bool = False,
        formats: Sequence[Literal["markdown", "html", "text", "links"]] | None = None,
        wait: bool = False,
        webhook: str | None = None,
        idempotencyKey: str | None = None,
        report: ReportsProgress = ...,
    ) -> CinderCrawlOut: ...
    def cinder_extract(
        self,
        urls: Sequence[str],
        *,
        prompt: str,
        schema: Any | None = None,
        mode: Literal["smart", "static", "dynamic"] = "smart",
        max_tokens: int | None = None,
        cursor: str | None = None,
        report: ReportsProgress = ...,
    ) -> CinderExtractOut: ...
    def cinder_get_crawl_status(
        self,
        id: str,
        *,
        offset: int = 0,
        limit: int = 50,
        cancel: bool = False,
        report: ReportsProgress = ...,
    ) -> CinderGetCrawlStatusOut: ...
    def cinder_map(
        self,
        url: str,
        *,
        limit: int = 200,
        search: str | None = None,
        report: ReportsProgress = ...,
    ) -> CinderMapOut: ...
    def cinder_scrape(
        self,
        url: str,
        *,
        mode: Literal["smart", "static", "dynamic"] = "smart",
        includeMetadata: bool = True,
        returnFormat: Literal["markdown", "html", "json"] = "markdown",
        fresh: bool = False,
        max_tokens: int | None = None,
        cursor: str | None = None,
        report: ReportsProgress = ...,
    ) -> CinderScrapeOut: ...
    def cinder_search(
        self,
        query: str,
        *,
        mode: Literal["fast", "balanced", "deep"] = "balanced",
        numResults: int = 10,
        offset: int = 0,
        includeDomains: Sequence[str] | None = None,
        excludeDomains: Sequence[str] | None = None,
        requiredText: Sequence[str] | None = None,
        maxAge: float | None = None,
        report: ReportsProgress = ...,
    ) -> CinderSearchOut: ...
    def cinder_search_and_scrape(
        self,
        query: str,
        *,
        numResults: int = 3,
        mode: Literal["fast", "balanced"] = "balanced",
        scrapeMode: Literal["smart", "static", "dynamic"] = "smart",
        max_tokens: int | None = None,
        cursor: str | None = None,
        report: ReportsProgress = ...,
    ) -> CinderSearchAndScrapeOut: ...
    def citation_graph(
        self,
        paper: str,
        *,
        direction: Literal["cited_by", "references", "both"] = "both",
        num_results: int = 10,
        influential_only: bool = False,
        provider: str | None = None,
        format: Literal["json", "mermaid"] = "json",
        sessionId: str | None = None,
        max_tokens: int | None = None,
        cursor: str | None = None,
        report: ReportsProgress = ...,
    ) -> CitationGraphOut: ...
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
        sessionId: str | None = None,
        report: ReportsProgress = ...,
    ) -> ClinicalSearchOut: ...
    def echo(
        self,
        message: str,
        *,
        report: ReportsProgress = ...,
    ) -> EchoOut: ...
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
        report: ReportsProgress = ...,
    ) -> EconSearchOut: ...
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
        sessionId: str | None = None,
        report: ReportsProgress = ...,
    ) -> FilingSearchOut: ...
    def format_bibliography(
        self,
        style: str = "apa",
        *,
        sessionId: str | None = None,
        sources: Sequence[CitedSource | dict[str, Any]] | None = None,
        report: ReportsProgress = ...,
    ) -> FormatBibliographyOut: ...
    def get_my_analytics(
        self,
        *,
        report: ReportsProgress = ...,
    ) -> GetMyAnalyticsOut: ...
    def get_research_session(
        self,
        sessionId: str,
        *,
        stepId: int | None = None,
        max_tokens: int | None = None,
        cursor: str | None = None,
        report: ReportsProgress = ...,
    ) -> GetResearchSessionOut: ...
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
        report: ReportsProgress = ...,
    ) -> ImageSearchOut: ...
    def legal_search(
        self,
        query: str,
        *,
        jurisdiction: str | None = None,
        date_from: str | None = None,
        date_to: str | None = None,
        num_results: int = 10,
        provider: str | None = None,
        sessionId: str | None = None,
        report: ReportsProgress = ...,
    ) -> LegalSearchOut: ...
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
        sessionId: str | None = None,
        max_tokens: int | None = None,
        cursor: str | None = None,
        report: ReportsProgress = ...,
    ) -> LocalSearchOut: ...
    def memory_recall(
        self,
        topic: str | None = None,
        *,
        query: str | None = None,
        limit: int = 20,
        report: ReportsProgress = ...,
    ) -> MemoryRecallOut: ...
    def memory_save(
        self,
        note: str,
        *,
        topic: str | None = None,
        url: str | None = None,
        tags: Sequence[str] = ...,
        report: ReportsProgress = ...,
    ) -> MemorySaveOut: ...
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
        sessionId: str | None = None,
        max_tokens: int | None = None,
        cursor: str | None = None,
        report: ReportsProgress = ...,
    ) -> NewsSearchOut: ...
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
        sessionId: str | None = None,
        report: ReportsProgress = ...,
    ) -> PatentSearchOut: ...
    def research_export(
        self,
        sessionId: str,
        *,
        format: Literal["markdown", "json", "html"] = "markdown",
        verify_links: bool = False,
        attach: Sequence[Literal["bibtex", "ris", "csl-json", "prisma-s"]] | None = None,
        report: ReportsProgress = ...,
    ) -> ResearchExportOut: ...
    def scrape_page(
        self,
        url: str,
        *,
        mode: Literal["full", "preview", "raw"] = "full",
        max_length: int = 50000,
        fresh: bool = False,
        sessionId: str | None = None,
        max_tokens: int | None = None,
        cursor: str | None = None,
        report: ReportsProgress = ...,
    ) -> ScrapePageOut: ...
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
        sessionId: str | None = None,
        claim: str | None = None,
        anchors: bool = False,
        max_tokens: int | None = None,
        cursor: str | None = None,
        report: ReportsProgress = ...,
    ) -> SearchAndScrapeOut: ...
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
        report: ReportsProgress = ...,
    ) -> SearxngSearchOut: ...
    def sequential_search(
        self,
        searchStep: str,
        *,
        stepNumber: int,
        nextStepNeeded: bool,
        sessionId: str | None = None,
        researchGoal: str | None = None,
        reasoning: str | None = None,
        confidence: Literal["high", "medium", "low"] | None = None,
        rejectedApproaches: Sequence[str] | None = None,
        sessionSummary: str | None = None,
        responseMode: Literal["auto", "full", "summary"] = "auto",
        totalStepsEstimate: int | None = None,
        isRevision: bool = False,
        revisesStep: int | None = None,
        branchFromStep: int | None = None,
        branchId: str | None = None,
        knowledgeGap: str | None = None,
        depth: Literal["quick", "standard", "thorough"] = "quick",
        report: ReportsProgress = ...,
    ) -> SequentialSearchOut: ...
    def structured_search(
        self,
        query: str,
        *,
        category: str | None = None,
        num_results: int = 5,
        schema: Any | None = None,
        provider: str | None = None,
        report: ReportsProgress = ...,
    ) -> StructuredSearchOut: ...
    def verify_citation(
        self,
        citation: str,
        *,
        claim: str | None = None,
        report: ReportsProgress = ...,
    ) -> VerifyCitationOut: ...
    def verify_recommendation(
        self,
        recommendations: Sequence[Recommended | dict[str, Any]],
        *,
        claim: str | None = None,
        numCorroborationResults: int = 5,
        report: ReportsProgress = ...,
    ) -> VerifyRecommendationOut: ...
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
        sessionId: str | None = None,
        claim: str | None = None,
        fuse: bool = False,
        max_tokens: int | None = None,
        cursor: str | None = None,
        report: ReportsProgress = ...,
    ) -> WebSearchOut: ...
    def workspace_contribute(
        self,
        workspace_id: str,
        *,
        note: str,
        url: str | None = None,
        tags: Sequence[str] = ...,
        report: ReportsProgress = ...,
    ) -> WorkspaceContributeOut: ...
    def workspace_read(
        self,
        workspace_id: str,
        *,
        limit: int = 20,
        offset: int = 0,
        report: ReportsProgress = ...,
    ) -> WorkspaceReadOut: ...
