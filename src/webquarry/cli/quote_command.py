"""`webquarry quote verify`: whether a source still says what was quoted."""

import asyncio
import json
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, cast

import typer

from webquarry.cli.options import plain
from webquarry.errors import BadInputError

if TYPE_CHECKING:
    from webquarry.models.research import Anchor, QuoteCheck

EXIT_REFUTED = 1
EXIT_UNCHECKED = 3

app = plain("Check quotations against what was read and what is there now.")


def load(_: str) -> typer.Typer:
    """Return the commands about quotations."""
    return app


@app.callback()
def _main() -> None:
    """Keep `verify` a command of its own, though it is the only one yet."""


@app.command()
def verify(
    anchor: Annotated[
        str,
        typer.Argument(
            help="An anchor as JSON, a link with a text fragment, a file with results, or - for "
            "stdin."
        ),
    ],
    *,
    quote: Annotated[str, typer.Option(help="The words, if the link does not spell them.")] = "",
    sha256: Annotated[str, typer.Option(help="Hash of the capture, with a link.")] = "",
    live: Annotated[bool, typer.Option("--live", help="Look at the page of today too.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Check quotations; exit 0 when all hold, 1 when one does not, 3 when one is unknown."""
    from webquarry.models.research import Anchor

    if anchor.startswith(("http://", "https://")):
        anchors = [Anchor(url=anchor, quote=quote, sha256=sha256)]
    else:
        anchors = list(_anchors_in(_loaded(anchor)))
    if not anchors:
        raise BadInputError("anchor: there is none in this; give a link, JSON or a file with some")
    checks = asyncio.run(_verified(anchors, live=live))
    typer.echo(_as_json(checks) if as_json else "\n".join(map(_told, checks)))
    raise typer.Exit(_exit_code(checks))


async def _verified(anchors: "Iterable[Anchor]", *, live: bool) -> "list[QuoteCheck]":
    from webquarry.app import open_app
    from webquarry.serving import read_settings

    async with open_app(read_settings({}), "cli") as app:
        evidence = app.offer.services.research.evidence
        return [await evidence.verify(anchor, app.owner, live=live) for anchor in anchors]


def _loaded(given: str) -> Any:
    text = given
    if given == "-":
        text = sys.stdin.read()
    elif not given.lstrip().startswith(("{", "[")):
        try:
            text = Path(given).read_text("utf-8")
        except OSError as exc:
            raise BadInputError(f"anchor: {given} cannot be read: {exc.strerror}") from exc
    try:
        return json.loads(text)
    except ValueError as exc:
        raise BadInputError(f"anchor: is neither a link nor JSON: {exc}") from exc


def _anchors_in(value: Any) -> "Iterator[Anchor]":
    """Yield every anchor in a result, however deep."""
    from webquarry.models.research import Anchor

    if isinstance(value, list):
        for item in cast("list[Any]", value):
            yield from _anchors_in(item)
    elif isinstance(value, dict):
        found = cast("dict[str, Any]", value)
        if {"url", "quote", "sha256"} <= found.keys():
            yield Anchor(**{name: str(found[name]) for name in Anchor.model_fields})
        else:
            yield from _anchors_in(list(found.values()))


def _told(check: "QuoteCheck") -> str:
    verdict = {True: "holds", False: "DOES NOT HOLD", None: "unknown"}[check.verdict]
    lines = [
        f"{verdict}: “{check.quote}”",
        f"  {check.url}",
        f"  capture: {check.stored}" + (f", of {check.capturedAt}" if check.capturedAt else ""),
    ]
    if check.live:
        why = f" ({check.failure.reason})" if check.failure else ""
        lines.append(f"  live: {check.live}{why}")
    if check.nearest:
        lines.append(f"  now: “{check.nearest}”")
    return "\n".join(lines)


def _as_json(checks: "list[QuoteCheck]") -> str:
    listed = [
        check.model_dump(mode="json", exclude_none=True) | {"holds": check.verdict}
        for check in checks
    ]
    return json.dumps(listed, ensure_ascii=False, indent=2)


def _exit_code(checks: "list[QuoteCheck]") -> int:
    verdicts = [check.verdict for check in checks]
    if False in verdicts:
        return EXIT_REFUTED
    return EXIT_UNCHECKED if None in verdicts else 0
