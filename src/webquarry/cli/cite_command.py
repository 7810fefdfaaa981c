"""`webquarry cite`: formats references for pages, DOIs, bibliography files or a session."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from webquarry.cli.audit_command import read_text
from webquarry.cli.options import AsJson, AsMarkdown, output_format, single_command, verbosity
from webquarry.cli.output import Json, Note, Part, PlainText
from webquarry.cli.terminal import show
from webquarry.cli.tool_calls import ToolRequest, call_tool, run_in_library
from webquarry.errors import BadInputError

if TYPE_CHECKING:
    from webquarry.library import LibrarySession


def load(_: str) -> typer.Typer:
    """Return the command."""
    return single_command(cite)


def cite(
    ctx: typer.Context,
    what: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="SOURCE", help="URLs, DOIs or files (.bib, .ris, CSL-JSON; - for stdin)."
        ),
    ] = None,
    *,
    style: Annotated[
        str, typer.Option("--style", "-s", help="apa, mla, bibtex, ris, csl-json, ieee, chicago…")
    ] = "apa",
    session: Annotated[
        str | None, typer.Option(help="Cite the sources of this research session instead.")
    ] = None,
    as_json: AsJson = False,
    as_markdown: AsMarkdown = False,
) -> None:
    """Format references. Pages are read and DOIs looked up to get author, title and date."""
    form = output_format(as_json=as_json, as_markdown=as_markdown)
    if bool(what) == bool(session):
        raise typer.BadParameter("give URLs, DOIs or files, or --session ID")
    verbose = verbosity(ctx)
    sources: list[Json] = []

    async def work(library: "LibrarySession") -> Json:
        arguments: Json = {"style": style}
        if session:
            arguments["sessionId"] = session
        else:
            for target in what or ():
                sources.extend(file_references(target) or await _look_up(library, target))
            arguments["sources"] = sources
        request = ToolRequest("format_bibliography", arguments)
        return await call_tool(library, request, verbose=verbose)

    body = run_in_library(work, verbose=verbose)
    show(_view(body, sources), body, form)


def _view(body: Json, sources: list[Json]) -> Iterator[Part]:
    if body["bibliography"]:
        yield PlainText(body["bibliography"])
    for source in sources:
        if not source["url"]:
            name = source["title"] or source["author"] or "a reference"
            yield Note(f"skipped because it has no URL or DOI: {name}", warning=True)


async def _look_up(library: "LibrarySession", target: str) -> list[Json]:
    """Return the citation metadata of a page or a work."""
    from webquarry.content.citations.doi_reader import doi_of
    from webquarry.content.citations.identifiers import clean_doi

    if doi := clean_doi(target) and doi_of(target):
        return [await _work(library, doi)]
    if target.startswith(("http://", "https://")):
        request = ToolRequest("scrape_page", {"url": target, "mode": "preview"})
        page = await call_tool(library, request)
        metadata = {**page["citation"]["metadata"], "url": page["citation"]["url"]}
        return [{**metadata, "doi": page.get("detectedDoi") or ""}]
    raise BadInputError(f"{target!r} is not a URL, a DOI or an existing file.")


def file_references(path: str) -> list[Json]:
    """Return the references in a file; none if it does not exist."""
    if path != "-" and not Path(path).is_file():
        return []
    from webquarry.content.citations.bibliography_files import read_bibliography

    try:
        bibliography = read_bibliography(read_text(path))
    except ValueError as error:
        raise BadInputError(f"{path}: {error}") from error
    if bibliography.bad:
        bad = bibliography.bad[0]
        raise BadInputError(f"{path}, line {bad.line}: {bad.problem}. Correct it first.")
    return [
        {
            "url": entry.url or (f"https://doi.org/{entry.doi}" if entry.doi else ""),
            "title": entry.title,
            "author": "; ".join(entry.authors),
            "site": entry.venue,
            "date": entry.date,
            "doi": entry.doi,
        }
        for entry in bibliography.entries
    ]


async def _work(library: "LibrarySession", doi: str) -> Json:
    checked = await call_tool(library, ToolRequest("verify_citation", {"citation": doi}))
    record = checked.get("matchedRecord")
    if record is None:
        reason = checked.get("reason") or "no registry has a record of it."
        raise BadInputError(f"doi:{doi}: {reason}")
    return {
        "url": record["url"],
        "title": record["title"],
        "author": "; ".join(record.get("authors") or ()),
        "site": record.get("journal") or "",
        "date": str(record.get("year") or ""),
        "doi": doi,
    }
