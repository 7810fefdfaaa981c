"""Finds Chromium; its command-line flags, with the guard as its only proxy."""

import os
import shutil
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from webquarry.errors import BrowserError

DRIVER_MISSING = (
    "rendering needs playwright, which is not installed: pip install 'webquarry[browser]'"
    " (in a checkout: make browser)"
)
DISABLED = "disabled"
_PROGRAMS = (
    "chromium",
    "chromium-browser",
    "google-chrome-stable",
    "google-chrome",
    "chrome",
    "microsoft-edge",
)
_PATHS = (
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    "C:/Program Files/Google/Chrome/Application/chrome.exe",
)
_NO_BACKGROUND_TRAFFIC = (
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-default-apps",
    "--disable-domain-reliability",
    "--disable-sync",
    "--no-pings",
    "--mute-audio",
)
# no connection bypasses the guard
_ONLY_PROXY = (
    "--proxy-bypass-list=<-loopback>",
    "--webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
    "--disable-quic",
    "--dns-prefetch-disable",
    "--disable-features=NetworkPrediction,Prerender2,SpeculationRulesPrefetchFuture,"
    "WebTransport,DnsOverHttps,AsyncDns,Translate,MediaRouter,OptimizationHints",
)
_NO_IMAGES = ("--blink-settings=imagesEnabled=false", "--disable-remote-fonts")
_SAVE_RESOURCES = (
    "--disable-dev-shm-usage",
    "--js-flags=--max-old-space-size=512",
)
_NOT_AUTOMATED = ("--disable-blink-features=AutomationControlled",)


@dataclass(frozen=True, kw_only=True)
class BrowserOptions:
    """Operator settings for the browser."""

    path: str = ""  # empty: search for it; "disabled": no browser
    pages: int = 2  # rendered at a time
    idle: float = 300.0  # seconds without work after which it is closed
    no_sandbox: str = "false"  # "true", or "auto": only if the sandbox cannot start
    ca_file: Path | None = None
    images: bool = False  # loads images and fonts
    downloads: Path | None = None  # folder of files that pages store


def is_driver_installed() -> bool:
    """Whether playwright, which controls the browser, is installed."""
    return find_spec("playwright") is not None


def find_program(options: BrowserOptions) -> str:
    """Return the path of the program; raise `BrowserError` without one."""
    if options.path == DISABLED:
        raise BrowserError("the browser is turned off (CHROME_PATH=disabled)")
    if options.path:
        if found := shutil.which(options.path):
            return found
        raise BrowserError(f"CHROME_PATH={options.path} is not a program")
    found = next(filter(None, map(shutil.which, (*_PROGRAMS, *_PATHS))), None)
    if found is None:
        raise BrowserError(
            "no Chromium found; install it (Debian: apt install chromium) or set CHROME_PATH"
        )
    return found


def arguments(proxy: str, *, images: bool = False) -> list[str]:
    """Return the flags of a browser that connects through this proxy only."""
    # Chromium resolves names at the proxy with every SOCKS5 scheme, and knows only this one
    server = proxy.replace("socks5h://", "socks5://")
    return [
        *_NO_BACKGROUND_TRAFFIC,
        *_ONLY_PROXY,
        *_SAVE_RESOURCES,
        *(() if images else _NO_IMAGES),
        *_NOT_AUTOMATED,
        f"--proxy-server={server}",
    ]


def can_sandbox(options: BrowserOptions) -> bool:
    """Return whether Chromium can use its sandbox; root cannot."""
    is_root = hasattr(os, "geteuid") and os.geteuid() == 0
    return options.no_sandbox != "true" and not is_root


def is_sandbox_refused(text: str) -> bool:
    """Return whether Chromium did not start because the system allows it no sandbox."""
    return "no usable sandbox" in text.lower()


def user_agent(version: str, *, mobile: bool = False) -> str:
    """Return the User-Agent of the same browser with a window, or on a phone."""
    major = version.partition(".")[0]
    system, device = ("Linux; Android 10; K", " Mobile") if mobile else ("X11; Linux x86_64", "")
    return (
        f"Mozilla/5.0 ({system}) AppleWebKit/537.36 (KHTML, like Gecko) "
        f"Chrome/{major}.0.0.0{device} Safari/537.36"
    )


def launch_error_message(text: str) -> str:
    """Return one line that says why the browser did not start."""
    if is_sandbox_refused(text):
        return "Chromium has no usable sandbox here; allow user namespaces or set CHROME_NO_SANDBOX"
    first = next((line.strip() for line in text.splitlines() if line.strip()), "no reason given")
    return f"Chromium did not start ({first[:200]})"
