from collections.abc import AsyncIterator

import pytest

from webquarry.reading.documents.document_reader import DocumentReader
from webquarry.reading.documents.document_workers import WorkerLimits


@pytest.fixture
async def documents() -> AsyncIterator[DocumentReader]:
    reader = DocumentReader(limits=WorkerLimits(count=1))
    yield reader
    await reader.aclose()
