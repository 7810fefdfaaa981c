from collections.abc import AsyncIterator

import pytest

from webquarry.reading.documents.document_reader import DocumentReader


@pytest.fixture
async def documents() -> AsyncIterator[DocumentReader]:
    reader = DocumentReader(workers=1)
    yield reader
    await reader.aclose()
