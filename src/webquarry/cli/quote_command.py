"""`webquarry quote verify`: checks that a source still contains a quotation."""

import asyncio
import json
from collections.abc import Iterable
from typing import TYPE_CHECKING, Annotated, Any

import typer

from webquarry.cli.audit_command import read_text
from webquarry.cli.error_messages import EXIT_REFUTED, EXIT_UNCHECKED
from webquarry.cli.options import AsJson, typer_app
from webquarry.errors import BadInputError

if TYPE_CHECKING:
    from webquarry.models.research import Anchor, QuoteCheck

app = typer_app("Check quotations against the stored capture and the live page.")


def load(_: str) -> typer.Typer:
    """Return the commands about quotations."""
    return app


@app.callback()
def _main() -> None:
    """Make Typer keep `verify` as a subcommand although it is the only one."""


@app.command()
def verify(
    anchor: Annotated[
        str,
        typer.Argument(
            metavar="ANCHOR",
            help="A URL with a text fragment, an anchor as JSON, a JSON file with results, or - "
            "for stdin.",
        ),
    ],
    *,
    quote: Annotated[
        str, typer.Option(help="The quotation, if the URL has no text fragment.")
    ] = "",
    sha256: Annotated[str, typer.Option(help="Hash of the capture, with a URL.")] = "",
    live: Annotated[bool, typer.Option("--live", help="Also check the live page.")] = False,
    as_json: AsJson = False,
) -> None:
    """Check that the sources still contain the quotations.

    Exit codes: 0 all quotations hold, 1 at least one does not, 3 some could not be checked.
    """
    from webquarry.models.research import Anchor
    from webquarry.services.research.found_anchors import anchors_in

    if anchor.startswith(("http://", "https://")):
        anchors = [Anchor(url=anchor, quote=quote, sha256=sha256)]
    else:
        anchors = list(anchors_in(load_json(anchor)))
    if not anchors:
        raise BadInputError("No anchor found. Give a URL, JSON or a file with anchors.")
    checks = asyncio.run(_verify_all(anchors, live=live))
    typer.echo(_as_json(checks) if as_json else "\n".join(map(_as_text, checks)))
    raise typer.Exit(_exit_code(checks))


async def _verify_all(anchors: "Iterable[Anchor]", *, live: bool) -> "list[QuoteCheck]":
    from webquarry.app import open_app
    from webquarry.serving import read_call_settings

    async with open_app(read_call_settings({}), "cli") as app:
        evidence = app.services.research.evidence
        return [await evidence.verify(anchor, app.owner, live=live) for anchor in anchors]


def load_json(argument: str) -> Any:
    """Return the JSON that the argument is, or that is in the file it names or on stdin."""
    text = argument if argument.lstrip().startswith(("{", "[")) else read_text(argument)
    try:
        return json.loads(text)
    except ValueError as exc:
        raise BadInputError(f"The anchor is neither a URL nor valid JSON: {exc}.") from exc


def _as_text(check: "QuoteCheck") -> str:
    verdict = {True: "holds", False: "DOES NOT HOLD", None: "could not check"}[check.verdict]
    date = f", from {check.capturedAt}" if check.capturedAt else ""
    lines = [f"{verdict}: “{check.quote}”", f"  {check.url}", f"  capture: {check.stored}{date}"]
    if check.live:
        reason = f" ({check.failure.reason})" if check.failure else ""
        lines.append(f"  live page: {check.live}{reason}")
    if check.nearest:
        lines.append(f"  closest text now: “{check.nearest}”")
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
