"""How Chromium is found and started so that nothing in it goes round the guard."""

import os
import shutil
from dataclasses import dataclass
from pathlib import Path

from webquarry.errors import BrowserError

DISABLED = "disabled"
_NAMES = (
    "chromium",
    "chromium-browser",
    "google-chrome-stable",
    "google-chrome",
    "chrome",
    "microsoft-edge",
)
_PLACES = (
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    "C:/Program Files/Google/Chrome/Application/chrome.exe",
)
_QUIET = (
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-default-apps",
    "--disable-domain-reliability",
    "--disable-sync",
    "--no-pings",
    "--mute-audio",
)
# everything leaves through the guard, or not at all
_SEALED = (
    "--proxy-bypass-list=<-loopback>",
    "--webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
    "--disable-quic",
    "--dns-prefetch-disable",
    "--disable-features=NetworkPrediction,Prerender2,SpeculationRulesPrefetchFuture,"
    "WebTransport,DnsOverHttps,AsyncDns,Translate,MediaRouter,OptimizationHints",
)
_LEAN = (
    "--blink-settings=imagesEnabled=false",
    "--disable-remote-fonts",
    "--disable-dev-shm-usage",
    "--js-flags=--max-old-space-size=512",
)
_PLAIN_SIGHT = ("--disable-blink-features=AutomationControlled",)


@dataclass(frozen=True, kw_only=True)
class BrowserOptions:
    """What the operator wants of the browser."""

    path: str = ""  # empty: look for one; "disabled": none
    pages: int = 2  # rendered at once
    idle: float = 300.0  # seconds without work after which it is closed
    sandbox: bool = True
    ca_file: Path | None = None


def find(wish: BrowserOptions) -> str:
    """Return the program to start, or say how to get one."""
    if wish.path == DISABLED:
        raise BrowserError("the browser is turned off (CHROME_PATH=disabled)")
    if wish.path:
        if found := shutil.which(wish.path):
            return found
        raise BrowserError(f"CHROME_PATH={wish.path} is not a program")
    found = next(filter(None, map(shutil.which, (*_NAMES, *_PLACES))), None)
    if found is None:
        raise BrowserError(
            "no Chromium found; install it (Debian: apt install chromium) or set CHROME_PATH"
        )
    return found


def arguments(door: str) -> list[str]:
    """Return the flags of a browser whose only way out is the guard at `door`."""
    # Chromium resolves names at the proxy whenever it speaks SOCKS5, whatever the scheme is called
    proxy = door.replace("socks5h://", "socks5://")
    return [*_QUIET, *_SEALED, *_LEAN, *_PLAIN_SIGHT, f"--proxy-server={proxy}"]


def may_sandbox(wish: BrowserOptions) -> bool:
    """Tell whether Chromium can lock its pages in; it cannot as root."""
    root = hasattr(os, "geteuid") and os.geteuid() == 0
    return wish.sandbox and not root


def user_agent(version: str) -> str:
    """Return the name of the same browser with a window."""
    major = version.partition(".")[0]
    return (
        "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) "
        f"Chrome/{major}.0.0.0 Safari/537.36"
    )


def explain(text: str) -> str:
    """Return in one line why the browser did not start."""
    if "no usable sandbox" in text.lower():
        return "Chromium has no usable sandbox here; allow user namespaces or set CHROME_NO_SANDBOX"
    first = next((line.strip() for line in text.splitlines() if line.strip()), "no reason given")
    return f"Chromium did not start ({first[:200]})"
