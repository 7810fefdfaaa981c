"""Jupyter notebooks."""

import json
from typing import Any

import pytest

from tests.reading.documents.reading import read
from webquarry.models.document_content import Document, OutlineEntry
from webquarry.reading.documents.draft import UnreadableDocument

TYPE = "application/x-ipynb+json"


def notebook(*cells: dict[str, Any], **fields: Any) -> bytes:
    book = {"nbformat": 4, "metadata": {"language_info": {"name": "python"}}, "cells": cells}
    return json.dumps(book | fields).encode()


TEXT = {"cell_type": "markdown", "source": ["# Owls\n", "at night"]}
CODE = {
    "cell_type": "code",
    "source": "print(1)",
    "outputs": [
        {"output_type": "stream", "text": ["1\n"]},
        {"output_type": "display_data", "data": {"image/png": "aaa", "text/plain": "<Figure>"}},
        {"output_type": "error", "traceback": ["\x1b[31mBad\x1b[0m"]},
    ],
}


def test_cells_and_their_output_are_read_in_order() -> None:
    assert read(notebook(TEXT, CODE), TYPE) == Document(
        kind="ipynb",
        title="Owls",
        markdown="# Owls\nat night\n\n```python\nprint(1)\n```\n\n```output\n1\n```\n\n"
        "```output\n<Figure>\n```\n\n```output\nBad\n```",
        page_count=2,
        outline=(OutlineEntry(level=1, title="Owls"),),
        word_count=12,
        warnings=("1 images among the output were left out",),
    )


@pytest.mark.parametrize("media_type", ["application/json", "text/plain", ""])
def test_a_notebook_is_recognised_by_its_name(media_type: str) -> None:
    assert read(notebook(TEXT), media_type, url="https://x.org/owls.ipynb").kind == "ipynb"


def test_a_notebook_of_version_3_is_read() -> None:
    cells = [
        {"cell_type": "heading", "level": 2, "source": "Owls"},
        {"cell_type": "code", "input": ["x = 1"], "outputs": []},
    ]
    source = json.dumps({"nbformat": 3, "metadata": {}, "worksheets": [{"cells": cells}]})

    assert read(source.encode(), TYPE).markdown == "## Owls\n\n```python\nx = 1\n```"


def test_long_output_is_cut_with_a_warning() -> None:
    cell = {"cell_type": "code", "source": "", "outputs": [{"text": "x" * 30_000}]}

    found = read(notebook(cell), TYPE)

    assert (found.truncated, found.warnings) == (
        True,
        ("outputs were cut after 20,000 characters",),
    )


@pytest.mark.parametrize(
    ("source", "reason"),
    [
        (b"{", "is not a notebook"),
        (b"[]", "is not a notebook: it is no JSON object"),
        (b"{}", "is not a notebook: it has no cells"),
        (b'{"cells": [1, null, {"source": 7, "outputs": [null, {"data": 3}]}]}', "without text"),
        (b'{"cells": ' + b"[" * 5000, "is not a notebook|recursion"),
    ],
)
def test_other_json_is_refused(source: bytes, reason: str) -> None:
    with pytest.raises((UnreadableDocument, RecursionError), match=reason):
        read(source, TYPE)
