from collections.abc import AsyncIterator

import pytest

from webquarry.reading.documents.document_reader import Documents


@pytest.fixture
async def documents() -> AsyncIterator[Documents]:
    reader = Documents(workers=1)
    yield reader
    await reader.aclose()
