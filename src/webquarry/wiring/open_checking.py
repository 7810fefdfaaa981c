"""Opens the checks of documents and the reader of papers."""

import secrets
from contextlib import AsyncExitStack
from typing import TYPE_CHECKING

from webquarry.reading.manuscript_reader import ManuscriptReader
from webquarry.services.bundles.capturing import capture_job
from webquarry.services.checking.check_jobs import CheckJobs
from webquarry.services.checking.check_store import CheckStore
from webquarry.services.checking.check_work import CheckWork
from webquarry.services.checking.document_checker import DocumentChecker
from webquarry.services.checking.model_verdicts import ModelVerdicts
from webquarry.services.checking.source_check import SourceChecker
from webquarry.services.checking.source_reading import SourceTexts

if TYPE_CHECKING:
    from webquarry.services.scholarship.paper_fulltexts import PaperFullTexts
    from webquarry.settings.load import Settings
    from webquarry.wiring.container import Services


def open_checking(services: "Services", limit: int, stack: AsyncExitStack) -> CheckJobs:
    """Return the checks; what they need besides the store is built when one runs.

    `limit`: characters of a source that a language model receives.
    """

    def checker() -> DocumentChecker:
        texts = SourceTexts(services.reading)
        model, parsers = services.language_model, services.parsers
        verdicts = ModelVerdicts(model, limit, parsers) if model else None
        sources = SourceChecker(texts, services.research.evidence, parsers, verdicts)
        return DocumentChecker(services.bibliography_audit, sources)

    store = CheckStore(services.store, secrets.token_hex(8))
    reader = ManuscriptReader(services.documents, services.parsers)
    capture = capture_job(lambda: services.capturing, always=services.always_captures)
    jobs = CheckJobs(store, reader, CheckWork(store, checker), capture)
    stack.push_async_callback(jobs.close)
    return jobs


def open_paper_texts(
    settings: "Settings", services: "Services", stack: AsyncExitStack
) -> "PaperFullTexts":
    """Return the reader of papers."""
    from webquarry.reading.page_cache import PageCache
    from webquarry.services.scholarship.open_files import OpenFiles
    from webquarry.services.scholarship.paper_fulltexts import PaperFullTexts

    files = OpenFiles(
        fetcher=services.network.fetcher,
        reading=services.reading,
        manuscripts=ManuscriptReader(services.documents, services.parsers),
        parsers=services.parsers,
        max_bytes=settings.scraping.max_document_bytes,
    )
    cache = PageCache(services.store)
    stack.push_async_callback(cache.close)
    return PaperFullTexts(
        services.providers, files, services.parsers, cache, isolate=settings.isolated
    )
