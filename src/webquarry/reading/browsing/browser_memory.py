"""How much memory a browser uses, on systems with /proc."""

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from webquarry.reading.browser.playwright_errors import playwright_errors

if TYPE_CHECKING:
    from playwright.async_api import BrowserContext


async def browser_memory(context: "BrowserContext") -> int:
    """Return the memory of all processes of the browser in bytes; 0 if it is unknown."""
    browser = context.browser
    if browser is None:
        return 0
    try:
        session = cast("Any", await browser.new_browser_cdp_session())
        reply = await session.send("SystemInfo.getProcessInfo")
        await session.detach()
    except playwright_errors():
        return 0
    sizes = [_memory_of(process["id"]) for process in reply["processInfo"]]
    # what processes share, such as the program itself, counts once
    return sum(private for private, _ in sizes) + max((shared for _, shared in sizes), default=0)


def _memory_of(process: int) -> tuple[int, int]:
    """Return the private and the shared memory of a process in bytes."""
    try:
        fields = Path(f"/proc/{process}/statm").read_text("ascii").split()
    except OSError:  # it has ended, or there is no /proc
        return 0, 0
    resident, shared = int(fields[1]), int(fields[2])
    size = os.sysconf("SC_PAGE_SIZE")
    return (resident - shared) * size, shared * size
