"""Runs our own scripts on a page in a world that the page's scripts cannot change."""

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self, cast

from webquarry.errors import BrowserError

if TYPE_CHECKING:
    from playwright.async_api import Page

_NAME = "webquarry"


@dataclass(frozen=True)
class IsolatedWorld:
    """A JavaScript world that shares only the document with the page."""

    session: Any  # a CDPSession
    context_id: int

    @classmethod
    async def of(cls, page: "Page") -> Self:
        """Create a world in the main frame of the page."""
        # Playwright does not type the replies of the protocol
        session = cast("Any", await page.context.new_cdp_session(page))
        tree = await session.send("Page.getFrameTree")
        frame = {"frameId": tree["frameTree"]["frame"]["id"], "worldName": _NAME}
        world = await session.send("Page.createIsolatedWorld", frame)
        return cls(session, world["executionContextId"])

    async def call(self, function: str, argument: Any) -> Any:
        """Return what the JavaScript function returns for the argument."""
        reply = await self.session.send(
            "Runtime.evaluate",
            {
                "expression": f"({function})({json.dumps(argument)})",
                "contextId": self.context_id,
                "awaitPromise": True,
                "returnByValue": True,
            },
        )
        if details := reply.get("exceptionDetails"):
            raise BrowserError(f"a script on the page failed: {str(details)[:200]}")
        return reply["result"].get("value")
