"""Our own JavaScript worlds in the frames of a page: its scripts cannot see or change them."""

import json
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any, cast

from webquarry.errors import BrowserError
from webquarry.reading.browser.playwright_errors import playwright_errors

if TYPE_CHECKING:
    from playwright.async_api import Page

_NAME = "webquarry-browsing"
MAIN = ""  # the key of the main frame
_MAX_FRAMES = 10
_OWN = frozenset({"page_snapshot", "page_target"})


@dataclass
class PageWorlds:
    """Calls our scripts in the main frame of a page, and in its frames of the same process."""

    page: "Page"
    session: Any  # a CDPSession
    _contexts: dict[str, int] = field(default_factory=dict[str, int])

    @classmethod
    async def of(cls, page: "Page") -> "PageWorlds":
        """Open the connection to a page."""
        # Playwright does not type the replies of the protocol
        session = cast("Any", await page.context.new_cdp_session(page))
        return cls(page, session)

    async def call(self, script: str, argument: Any, frame: str = MAIN) -> Any:
        """Return what a script returns for the argument; a document that is gone is replaced."""
        function = script_text(script)
        try:
            return await self._evaluate(f"({function})({json.dumps(argument)})", frame)
        except playwright_errors():
            # the document has changed, and its worlds with it
            if self._contexts.pop(frame, None) is None:
                raise
        return await self._evaluate(f"({function})({json.dumps(argument)})", frame)

    async def frames(self, elements: list[int], frame: str = MAIN) -> dict[int, str]:
        """Return the frames of the frame elements with these ids that can be read."""
        found: dict[int, str] = {}
        for number in elements[:_MAX_FRAMES]:
            node = await self._describe(number, frame)
            if key := node.get("frameId"):
                try:
                    await self._context(key)
                except playwright_errors():
                    continue  # of another process
                found[number] = key
        return found

    async def offset(self, number: int, frame: str = MAIN) -> tuple[float, float]:
        """Return where in the window the content of a frame element starts."""
        handle = await self._handle(number, frame)
        model = await self.session.send("DOM.getBoxModel", {"objectId": handle})
        left, top = model["model"]["content"][:2]
        return float(left), float(top)

    async def _describe(self, number: int, frame: str) -> dict[str, Any]:
        try:
            handle = await self._handle(number, frame)
            reply = await self.session.send("DOM.describeNode", {"objectId": handle})
        except playwright_errors():
            return {}
        return cast("dict[str, Any]", reply["node"])

    async def _handle(self, number: int, frame: str) -> str:
        reply = await self.session.send(
            "Runtime.evaluate",
            {
                "expression": f"globalThis.webquarryPage.nodes.get({number}).deref()",
                "contextId": await self._context(frame),
            },
        )
        return str(reply["result"].get("objectId", ""))

    async def _evaluate(self, expression: str, frame: str) -> Any:
        reply = await self.session.send(
            "Runtime.evaluate",
            {
                "expression": expression,
                "contextId": await self._context(frame),
                "awaitPromise": True,
                "returnByValue": True,
            },
        )
        if details := reply.get("exceptionDetails"):
            raise BrowserError(f"a script on the page failed: {str(details)[:200]}")
        return reply["result"].get("value")

    async def _context(self, frame: str) -> int:
        if frame not in self._contexts:
            frame_id = frame
            if not frame_id:
                tree = await self.session.send("Page.getFrameTree")
                frame_id = tree["frameTree"]["frame"]["id"]
            world = {"frameId": frame_id, "worldName": _NAME}
            reply = await self.session.send("Page.createIsolatedWorld", world)
            self._contexts[frame] = reply["executionContextId"]
        return self._contexts[frame]


@cache
def script_text(name: str) -> str:
    """Return a script of this package, or one that readers use as well."""
    package = "browsing" if name in _OWN else "browser"
    return files(f"webquarry.reading.{package}").joinpath(f"{name}.js").read_text("utf-8")
