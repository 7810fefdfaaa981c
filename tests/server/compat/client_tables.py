"""What the methods of a vendor's client do here, as a table in the documentation.

The table is that of a run: a test compares it with the page. `make compat-table` writes it.
"""

import asyncio
import os
import re
from collections.abc import Callable, Mapping
from importlib.metadata import version
from pathlib import Path
from typing import Any

PAGE = Path(__file__).parents[3] / "docs" / "compat.md"
_PORT = re.compile(r"127\.0\.0\.1:\d+")
_MAX_REASON = 160

Probe = Callable[[], Any]


def check_table(client: str, probes: Mapping[str, Probe], refused: type[Exception]) -> None:
    """Run the methods; the page must say of each what it did."""
    rows = [(name, _outcome(probe, refused)) for name, probe in probes.items()]
    works = sum(outcome == "works" for _, outcome in rows)
    lines = [
        f"`{client}` {version(client)}: {works} of {len(rows)} methods work.",
        "",
        "| method | here |",
        "| --- | --- |",
        *(f"| `{name}` | {outcome} |" for name, outcome in rows),
    ]
    page = PAGE.read_text(encoding="utf-8")
    start, end = f"<!-- client: {client} -->\n", "<!-- /client -->"
    before, _, rest = page.partition(start)
    old, _, after = rest.partition(end)
    new = "\n".join(lines) + "\n"
    if os.environ.get("WRITE_CLIENT_TABLES"):
        PAGE.write_text(f"{before}{start}{new}{end}{after}", encoding="utf-8")
    else:
        assert old == new


def _outcome(probe: Probe, refused: type[Exception]) -> str:
    """Return whether a method worked, or the sentence with which it was refused."""
    try:
        result = probe()
        if asyncio.iscoroutine(result):
            asyncio.run(result)
    except refused as error:
        reason = _PORT.sub("…", " ".join(str(error).split()))
        return f"refused: {reason.replace('|', '/')[:_MAX_REASON]}"
    return "works"
