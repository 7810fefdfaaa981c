"""Failures as a person reads them: what happened, and what to do."""

from collections.abc import Callable
from typing import Any

from webquarry.errors import WebquarryError

EXIT_FAILED = 1
EXIT_USAGE = 2
_OURS = frozenset({"config", "validation"})  # what the person who typed can put right


def exit_code(error: WebquarryError) -> int:
    """Return 2 when the command or a setting must change, 1 for everything else."""
    return status_of(_block(error))


def status_of(block: dict[str, Any]) -> int:
    """Return the exit status for the machine-readable half of an error."""
    return EXIT_USAGE if block["kind"] in _OURS else EXIT_FAILED


def sentence(error: WebquarryError) -> str:
    """Return the message and, where there is something to do, a line with it."""
    todo = _todo(_block(error))
    return f"webquarry: {error}\n" + (f"  → {todo}\n" if todo else "")


def _block(error: WebquarryError) -> dict[str, Any]:
    return error.details if "kind" in error.details else error.block()


def _todo(block: dict[str, Any]) -> str:
    advise = _ADVICE.get(block["kind"]) or _ADVICE.get(block["suggestedAction"])
    return advise(block) if advise else ""


def _others(block: dict[str, Any]) -> str:
    names = block.get("alternatives") or ()
    return f"Try another with --provider: {', '.join(names)}." if names else ""


def _wait(block: dict[str, Any]) -> str:
    seconds = block.get("retryAfterSeconds")
    return " ".join((f"Try again in {seconds} s." if seconds else "Try later.", _others(block)))


_ADVICE: dict[str, Callable[[dict[str, Any]], str]] = {
    "auth_required": lambda _: "`webquarry providers` shows which keys are set.",
    "check_api_key": lambda _: "`webquarry providers` shows which keys are set.",
    "rate_limited": _wait,
    "network": lambda _: "`webquarry doctor` checks the connection.",
    "upstream_unavailable": lambda block: _others(block) or "Try later.",
    "session_not_found": lambda _: "`webquarry session list` shows those there are.",
    "internal": lambda _: "Run it again with -vv, and please report what it says.",
}
