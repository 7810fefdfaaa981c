"""Errors as the terminal shows them: what happened, and what to do."""

from collections.abc import Callable
from typing import Any

from webquarry.errors import WebquarryError

EXIT_FAILED = 1
EXIT_REFUTED = 1  # evidence was found against a source
EXIT_USAGE = 2
EXIT_UNCHECKED = 3
_USER_ERRORS = frozenset({"config", "validation"})  # the user must change the command or a setting


def exit_code(error: WebquarryError) -> int:
    """Return 2 when the command or a setting must change, 1 for everything else."""
    return exit_code_of(_block(error))


def exit_code_of(block: dict[str, Any]) -> int:
    """Return the exit code for the machine-readable part of an error."""
    return EXIT_USAGE if block["kind"] in _USER_ERRORS else EXIT_FAILED


def message(error: WebquarryError) -> str:
    """Return the error message and, if there is advice, a second line with it."""
    advice = _advice(_block(error))
    return f"webquarry: {error}\n" + (f"  → {advice}\n" if advice else "")


def _block(error: WebquarryError) -> dict[str, Any]:
    return error.details if "kind" in error.details else error.block()


def _advice(block: dict[str, Any]) -> str:
    advise = _ADVICE.get(block["kind"]) or _ADVICE.get(block["suggestedAction"])
    return advise(block) if advise else ""


def _alternatives(block: dict[str, Any]) -> str:
    names = block.get("alternatives") or ()
    return f"Try another provider with --provider: {', '.join(names)}." if names else ""


def _wait(block: dict[str, Any]) -> str:
    seconds = block.get("retryAfterSeconds")
    delay = f"in {seconds} s" if seconds else "later"
    return f"Try again {delay}. {_alternatives(block)}".rstrip()


_ADVICE: dict[str, Callable[[dict[str, Any]], str]] = {
    "check_api_key": lambda _: "`webquarry providers` shows which keys are set.",
    "rate_limited": _wait,
    "network": lambda _: "Are you online? `webquarry doctor` checks the connection.",
    "upstream_unavailable": lambda block: (
        _alternatives(block) or ("Try again later." if block["retryable"] else "")
    ),
    "session_not_found": lambda _: "`webquarry session list` lists the sessions.",
    "internal": lambda _: "This is a bug. Run it again with -vv and please report the output.",
}
