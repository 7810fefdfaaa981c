"""`webquarry cite`: references for pages, DOIs, a file of them or a research session."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from webquarry.cli.audit_command import read_text
from webquarry.cli.options import AsJson, AsMarkdown, form_of, plain, verbosity
from webquarry.cli.output import Json, Note, Part, PlainText
from webquarry.cli.terminal import show
from webquarry.cli.tool_calls import ToolRequest, answer, run
from webquarry.errors import BadInputError

if TYPE_CHECKING:
    from webquarry.library import LibrarySession


def load(_: str) -> typer.Typer:
    """Return the command."""
    made = plain()
    made.command()(cite)
    return made


def cite(
    ctx: typer.Context,
    what: Annotated[
        list[str] | None,
        typer.Argument(help="URLs, DOIs, or files (.bib, .ris, CSL-JSON; - for stdin)."),
    ] = None,
    *,
    style: Annotated[
        str, typer.Option("--style", "-s", help="apa, mla, bibtex, ris, csl-json, ieee, chicago…")
    ] = "apa",
    session: Annotated[str | None, typer.Option(help="Sources of this research session.")] = None,
    as_json: AsJson = False,
    as_markdown: AsMarkdown = False,
) -> None:
    """Write references. Pages are read and DOIs looked up for what a reference needs."""
    form = form_of(as_json=as_json, as_markdown=as_markdown)
    if bool(what) == bool(session):
        raise typer.BadParameter("name URLs, DOIs or files, or a --session")
    verbose = verbosity(ctx, 0)

    given: list[Json] = []

    async def work(quarry: "LibrarySession") -> Json:
        arguments: Json = {"style": style}
        if session:
            arguments["sessionId"] = session
        else:
            for each in what or ():
                given.extend(entries_of(each) or await _sources(quarry, each))
            arguments["sources"] = given
        return await answer(quarry, ToolRequest("format_bibliography", arguments), verbose=verbose)

    body = run(work, verbose=verbose)
    show(_written(body, given), body, form)


def _written(body: Json, given: list[Json]) -> Iterator[Part]:
    if body["bibliography"]:
        yield PlainText(body["bibliography"])
    for source in given:
        if not source["url"]:
            name = source["title"] or source["author"] or "a reference"
            yield Note(f"left out, for it has neither URL nor DOI: {name}", warning=True)


async def _sources(quarry: "LibrarySession", given: str) -> list[Json]:
    """Return what is known about a page or a work."""
    from webquarry.content.citations.identifiers import clean_doi

    if doi := clean_doi(given):
        return [await _work(quarry, doi)]
    if given.startswith(("http://", "https://")):
        page = await answer(quarry, ToolRequest("scrape_page", {"url": given, "mode": "preview"}))
        found = {**page["citation"]["metadata"], "url": page["citation"]["url"]}
        return [{**found, "doi": page.get("detectedDoi") or ""}]
    raise BadInputError(f"{given!r} is no URL, no DOI, and there is no such file")


def entries_of(path: str) -> list[Json]:
    """Return the references in a file; none if there is no such file."""
    if path != "-" and not Path(path).is_file():
        return []
    from webquarry.content.citations.bibliography_files import read_bibliography

    try:
        found = read_bibliography(read_text(path))
    except ValueError as error:
        raise BadInputError(f"{path}: {error}") from error
    if found.bad:
        bad = found.bad[0]
        raise BadInputError(f"{path}, line {bad.line}: {bad.problem}; correct it first")
    return [
        {
            "url": entry.url or (f"https://doi.org/{entry.doi}" if entry.doi else ""),
            "title": entry.title,
            "author": "; ".join(entry.authors),
            "site": entry.venue,
            "date": entry.date,
            "doi": entry.doi,
        }
        for entry in found.entries
    ]


async def _work(quarry: "LibrarySession", doi: str) -> Json:
    checked = await answer(quarry, ToolRequest("verify_citation", {"citation": doi}))
    record = checked.get("matchedRecord")
    if record is None:
        raise BadInputError(f"doi:{doi}: {checked.get('reason') or 'no registry could tell it'}")
    return {
        "url": record["url"],
        "title": record["title"],
        "author": "; ".join(record.get("authors") or ()),
        "site": record.get("journal") or "",
        "date": str(record.get("year") or ""),
        "doi": doi,
    }
