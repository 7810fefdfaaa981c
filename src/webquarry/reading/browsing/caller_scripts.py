"""Runs JavaScript of a caller in a page, where the operator allows it."""

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from webquarry.reading.browser.playwright_errors import playwright_errors
from webquarry.reading.browsing.page_tab import PageTab

if TYPE_CHECKING:
    from playwright.async_api import ConsoleMessage

_MAX_CHARS = 20_000


@dataclass(frozen=True, kw_only=True)
class ScriptRun:
    """What a script returned and printed."""

    result: str = ""  # JSON
    printed: str = ""
    error: str = ""
    truncated: bool = False


async def run_script(tab: PageTab, code: str, seconds: float) -> ScriptRun:
    """Run code as in the console of a browser: its last value counts, and it may await."""
    lines: list[str] = []

    def note(message: "ConsoleMessage") -> None:
        lines.append(message.text)

    tab.page.on("console", note)
    try:
        reply = await tab.worlds.session.send(
            "Runtime.evaluate",
            {
                "expression": code,
                "replMode": True,
                "awaitPromise": True,
                "returnByValue": True,
                "timeout": seconds * 1000,
            },
        )
    except playwright_errors() as error:
        message = str(error).partition("\n")[0]
        # the script has opened another page
        if "navigated" in message or "context was destroyed" in message:
            return ScriptRun(printed="\n".join(lines)[:_MAX_CHARS])
        return ScriptRun(error=message[:300], printed="\n".join(lines)[:_MAX_CHARS])
    finally:
        tab.page.remove_listener("console", note)
    return _run(reply, "\n".join(lines))


def _run(reply: dict[str, Any], printed: str) -> ScriptRun:
    details = reply.get("exceptionDetails")
    value = reply["result"].get("value")
    result = "" if details else json.dumps(value, ensure_ascii=False, default=str)
    error = _error(details) if details else ""
    return ScriptRun(
        result=result[:_MAX_CHARS],
        printed=printed[:_MAX_CHARS],
        error=error[:500],
        truncated=max(len(result), len(printed)) > _MAX_CHARS,
    )


def _error(details: dict[str, Any]) -> str:
    thrown = details.get("exception", {})
    return str(thrown.get("description") or thrown.get("value") or details["text"])
