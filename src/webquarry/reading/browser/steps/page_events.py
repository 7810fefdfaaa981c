"""What a page does beside showing itself: dialogs, new windows, downloads."""

from typing import TYPE_CHECKING, Any, cast

if TYPE_CHECKING:
    from playwright.async_api import Dialog, Download, Page

_MAX_NOTES = 20
_MAX_CHARS = 300


class PageEvents:
    """Notes what happens on a page while steps are run."""

    def __init__(self) -> None:
        self._notes: list[str] = []

    async def watch(self, page: "Page") -> None:
        """Note the events of the page from now on."""
        page.on("dialog", self._on_dialog)
        page.on("download", self._on_download)
        # Playwright does not type the replies of the protocol, and tells no URL of a new window
        session = cast("Any", await page.context.new_cdp_session(page))
        session.on("Page.windowOpen", self._on_window)
        await session.send("Page.enable")

    def take(self) -> str:
        """Return the notes since the last call."""
        taken, self._notes = self._notes, []
        return "; ".join(dict.fromkeys(taken))

    def _on_dialog(self, dialog: "Dialog") -> None:
        self._add(f"the page showed a dialog, which was dismissed: {dialog.message!r}")

    def _on_download(self, download: "Download") -> None:
        self._add(f"a download was not started; read it by its URL: {download.url}")

    def _on_window(self, event: dict[str, Any]) -> None:
        self._add(f"a new window was not opened; read it by its URL: {event['url']}")

    def _add(self, note: str) -> None:
        if len(self._notes) < _MAX_NOTES:
            self._notes.append(note[:_MAX_CHARS])
