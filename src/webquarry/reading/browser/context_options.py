"""What one browser context tells the sites it visits: language, place, device, headers, cookies."""

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, cast

from webquarry.models.page_formats import Device
from webquarry.models.page_steps import Consent, PageStep
from webquarry.reading.browser import chromium
from webquarry.reading.browser.screenshots import ScreenshotOptions

if TYPE_CHECKING:
    from playwright.async_api import BrowserContext, Page

_WINDOWS: dict[Device, tuple[int, int]] = {
    "desktop": (1366, 768),
    "wide": (1920, 1080),
    "tablet": (820, 1180),
    "phone": (412, 915),
}
_PIXELS: dict[Device, float] = {"phone": 2.625, "tablet": 2.0}  # of the device, for one of CSS


def _nowhere(_: str) -> bool:
    return False


@dataclass(frozen=True, kw_only=True)
class ContextOptions:
    """Options of one context. `headers` go only to URLs for which `receives_headers` is true."""

    locale: str = "en-US"
    coordinates: tuple[float, float] | None = None  # latitude, longitude
    mobile: bool = False
    headers: Mapping[str, str] = field(default_factory=dict[str, str])
    receives_headers: Callable[[str], bool] = _nowhere
    cookies: Mapping[str, str] = field(default_factory=dict[str, str])
    cookie_domain: str = ""  # a host, or a domain with a leading dot
    secure_cookies: bool = False  # they are sent over https only
    guard_url: str = ""  # another guard than that of the browser
    screenshot: ScreenshotOptions | None = None
    downloads: bool = False  # pages may store files, which are deleted with the context
    storage_state: Mapping[str, Any] | None = None  # cookies and local storage, as Playwright's
    device: Device = "desktop"
    dark: bool = False
    steps: tuple[PageStep, ...] = ()
    consent: Consent = "reject"

    @property
    def shows_images(self) -> bool:
        """Whether pictures are taken, so that the images of the page are needed."""
        kinds = {step.do for step in self.steps}
        return self.screenshot is not None or bool(kinds & {"screenshot", "pdf"})

    def arguments(self, version: str) -> dict[str, Any]:
        """Return the arguments of `new_context`."""
        device: Device = "phone" if self.mobile else self.device
        width, height = _WINDOWS[device]
        arguments: dict[str, Any] = {
            "user_agent": chromium.user_agent(version, mobile=device in _PIXELS),
            "locale": self.locale,
            "viewport": {"width": width, "height": height},
            "service_workers": "block",
            "accept_downloads": self.downloads,
        }
        if self.dark:
            arguments["color_scheme"] = "dark"
        if pixels := _PIXELS.get(device):
            arguments |= {"is_mobile": True, "has_touch": True, "device_scale_factor": pixels}
        if self.storage_state:
            arguments["storage_state"] = self.storage_state
        if self.coordinates:
            latitude, longitude = self.coordinates
            arguments["geolocation"] = {"latitude": latitude, "longitude": longitude}
            arguments["permissions"] = ["geolocation"]
        if self.guard_url:
            # Chromium knows only this name of the scheme, and bypasses no address
            server = self.guard_url.replace("socks5h://", "socks5://")
            arguments["proxy"] = {"server": server, "bypass": "<-loopback>"}
        return arguments

    async def prepare(self, context: "BrowserContext", page: "Page") -> None:
        """Set the cookies, and add the headers to requests from now on."""
        if self.cookies:
            await context.add_cookies(
                [
                    {
                        "name": name,
                        "value": value,
                        "domain": self.cookie_domain,
                        "path": "/",
                        "secure": self.secure_cookies,
                    }
                    for name, value in self.cookies.items()
                ]
            )
        if self.headers:
            # Playwright does not type the replies of the protocol
            session = cast("Any", await context.new_cdp_session(page))
            await _HeaderWriter(self, session).start()


class _HeaderWriter:
    """Adds headers request by request.

    Playwright would send them to the target of a redirect as well; here each request of a
    redirect is decided on its own.
    """

    def __init__(self, options: ContextOptions, session: Any) -> None:
        self._options = options
        self._session = session
        self._tasks: set[asyncio.Future[None]] = set()
        self._names = {name.lower() for name in options.headers}

    async def start(self) -> None:
        self._session.on("Fetch.requestPaused", self._on_request)
        await self._session.send("Fetch.enable", {"patterns": [{"urlPattern": "*"}]})

    def _on_request(self, event: dict[str, Any]) -> None:
        task = asyncio.ensure_future(self._continue(event))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _continue(self, event: dict[str, Any]) -> None:
        from webquarry.reading.browser.playwright_errors import playwright_errors

        request: dict[str, Any] = event["request"]
        headers = {k: v for k, v in request["headers"].items() if k.lower() not in self._names}
        if self._options.receives_headers(request["url"]):
            headers |= self._options.headers
        fields = [{"name": name, "value": value} for name, value in headers.items()]
        try:
            await self._session.send(
                "Fetch.continueRequest", {"requestId": event["requestId"], "headers": fields}
            )
        except playwright_errors():
            return  # the page was closed meanwhile
