"""How the terminal shows search results, pages and citations."""

from collections.abc import Iterator
from typing import Any

from webquarry.cli.error_messages import EXIT_REFUTED, EXIT_UNCHECKED
from webquarry.cli.output import (
    Item,
    Items,
    Json,
    Note,
    Part,
    PlainText,
    Text,
    facts,
    grid,
    list_field,
    object_field,
    one_line,
    plural,
)

_CITATION_NOTES = {
    "reason": "{}",
    "httpStatus": "HTTP status of the link: {}",
    "archivedUrl": "Archived copy: {}",
}
_MAX_ABSTRACT = 600  # characters of an abstract in a list
_ARCHIVE_STATUS = {
    "archived": "Saved a new copy",
    "existing": "A copy exists already",
    "pending": "The copy is being made",
    "unavailable": "No copy was made",
}


def web(body: Json) -> Iterator[Part]:
    """Show links with snippets."""
    yield from result_list(body, [_link(result) for result in body["results"]])


def news(body: Json) -> Iterator[Part]:
    """Show articles with source and date."""
    yield from result_list(
        body,
        [
            Item(a["title"], a["url"], facts(day(a.get("publishedAt")), a.get("source")),
                 a.get("snippet", ""))
            for a in body["articles"]
        ],
    )  # fmt: skip


def images(body: Json) -> Iterator[Part]:
    """Show images and the pages they are on."""
    yield from result_list(body, [_image(image) for image in body["images"]])


def page(body: Json) -> Iterator[Part]:
    """Show a page and its citation."""
    yield from _warnings(body)
    yield Text(body["content"])
    words = body.get("wordCount")
    about = facts(
        f"{words} words" if words else None,
        body.get("contentType"),
        _unless_unknown(body.get("sourceType")),
        f"DOI {body['detectedDoi']}" if body.get("detectedDoi") else None,
        "cut off (raise --max-length to see more)" if body.get("truncated") else None,
    )
    yield Note(" · ".join(about))
    if not body.get("raw"):
        yield Note(f"Cite: {body['citation']['formatted']['apa']}")


def answer(body: Json) -> Iterator[Part]:
    """Show a written answer and the pages it relies on."""
    if body["answer"]:
        yield Text(body["answer"])
    if body["citations"]:
        yield Items(tuple(_cited(citation) for citation in body["citations"]))
    if body.get("note"):
        yield Note(body["note"], warning=not body["answer"])
    cost = body.get("costUsd")
    yield Note(f"Answered by {body['provider']}" + (f" for about ${cost:.4f}" if cost else ""))


def site_map(body: Json) -> Iterator[Part]:
    """Show the URLs of a site, one per line."""
    urls = body["urls"]
    if urls:
        yield PlainText("\n".join(one_line(each["url"]) for each in urls))
    yield Note(f"{plural(len(urls), 'URL')} of {body['url']}")
    if body.get("hasMore"):
        yield Note("There are more: raise --limit.", warning=True)


def research(body: Json) -> Iterator[Part]:
    """Show the combined content of several pages and the list of sources."""
    if body.get("note"):
        yield Note(body["note"], warning=True)
    if body["combinedContent"]:
        yield Text(body["combinedContent"])
    if body["sources"]:
        yield Text("## Sources")
        yield Items(tuple(_source(source) for source in body["sources"]))
    for failure in list_field(body, "scrapeFailures"):
        yield Note(f"could not be read: {failure['url']}: {failure['reason']}", warning=True)
    summary = body["summary"]
    yield Note(
        f"{summary['urlsScraped']} of {summary['urlsSearched']} pages read "
        f"in {summary['processingTimeMs'] / 1000:.1f} s"
    )
    yield from result_notes(body)


def papers(body: Json) -> Iterator[Part]:
    """Show papers with their bibliographic record."""
    yield from result_list(body, [paper(each) for each in body["papers"]])


def paper(record: Json) -> Item:
    """Return one paper as an item."""
    cited = record.get("citationCount")
    names = list_field(record, "authors")
    authors = ", ".join(names[:3]) + (" et al." if len(names) > 3 else "")
    about = facts(
        authors,
        record.get("journal"),
        record.get("year"),
        f"cited by {cited}" if cited is not None else None,
        f"doi:{record['doi']}" if record.get("doi") else None,
        "open access" if record.get("openAccess") else None,
    )
    text = one_line(record.get("tldr") or record.get("abstract") or "", _MAX_ABSTRACT)
    return Item(record["title"], record["url"], about, text, retraction(record))


def citation(body: Json) -> Iterator[Part]:
    """Show whether a citation exists, its record, and what is wrong with it."""
    status = body["verificationStatus"].replace("_", " ")
    yield Note(f"{status}: {body['input']}", warning=citation_exit_code(body) != 0)
    for name, title in (("matchedRecord", "Record"), ("possibleMatch", "Did you mean")):
        if body.get(name):
            yield Note(f"{title}:")
            yield Items((paper(body[name]),))
    for problem in filter(None, (*list_field(body, "mismatches"), retraction(body))):
        yield Note(problem, warning=True)
    for name, text in _CITATION_NOTES.items():
        if body.get(name):
            yield Note(text.format(body[name]))
    if body.get("claim"):
        yield from _claim(body)
    if body["provenance"]:
        yield Note(f"Checked with: {', '.join(body['provenance'])}")


def citation_exit_code(body: Json) -> int:
    """Return 0 if the citation is confirmed, 1 for evidence against it, 3 if it is unknown."""
    retracted = object_field(body, "retractionStatus").get("retracted")
    if retracted or body["verificationStatus"] == "not_found" or body.get("mismatches"):
        return EXIT_REFUTED
    return 0 if body["verificationStatus"] == "confirmed" else EXIT_UNCHECKED


def archived(body: Json) -> Iterator[Part]:
    """Show the URL of the archived copy."""
    text = _ARCHIVE_STATUS[body["status"]]
    url = body.get("snapshotUrl") or body.get("pollUrl") or ""
    yield Note(f"{text}: {url}" if url else f"{text}.", warning=body["status"] == "unavailable")
    if body.get("reason"):
        yield Note(body["reason"])


def result_list(body: Json, items: list[Item]) -> Iterator[Part]:
    """Show a list of results with the notes about it."""
    if items:
        yield Items(tuple(items))
    yield from result_notes(body)


def result_notes(body: Json) -> Iterator[Part]:
    """Show suggestions if nothing was found, filters that were ignored, and how to get more."""
    if hints := body.get("hints"):
        suggestions = [_suggestion(action) for action in list_field(hints, "suggestedActions")]
        yield Note(" ".join(("Nothing found.", *suggestions)), warning=True)
    if ignored := body.get("unhonoured"):
        yield Note(f"The provider ignored: {', '.join(ignored)}", warning=True)
    if "summary" not in body:  # `research` shows its notes first
        for note in filter(None, (*list_field(body, "notes"), body.get("note"))):
            yield Note(note)
    if body.get("nextCursor"):
        yield Note(f"For more, repeat the command with --cursor {body['nextCursor']}")


def retraction(record: Json) -> str:
    """Return the warning about a retracted or corrected work; empty if there is none."""
    status = record.get("retractionStatus")
    if not status:
        return ""
    date = f" {status['date']}" if status.get("date") else ""
    notice = f", see doi:{status['noticeDoi']}" if status.get("noticeDoi") else ""
    kind = "RETRACTED" if status["retracted"] else str(status["kind"]).replace("_", " ")
    return f"{kind}{date}{notice}"


def day(timestamp: Any) -> str:
    """Return the date part of an RFC 3339 timestamp."""
    return str(timestamp or "")[:10]


def _unless_unknown(source_type: str | None) -> str | None:
    return None if source_type == "unknown" else source_type


def _suggestion(action: Json) -> str:
    target = action.get("target") or ""
    return {
        "remove_filter": f"Try without {target}.",
        "try_different_provider": f"Try --provider {target}.",
        "switch_provider": f"Try --provider {target}.",
        "rephrase_query": "Try different words.",
    }[action["action"]]


def _link(result: Json) -> Item:
    about = facts(
        day(result.get("publishedAt")),
        object_field(result, "sourceReputation").get("tier"),
        ", ".join(list_field(result, "providers")),
        f"also at {', '.join(result['alsoAt'])}" if result.get("alsoAt") else None,
    )
    text = result.get("claimSignal") or result.get("snippet", "")
    return Item(result["title"], result["url"], about, text)


def _image(image: Json) -> Item:
    size = f"{image['width']} x {image['height']}" if image.get("width") else None
    page = f"on {image['contextLink']}" if image.get("contextLink") else None
    return Item(image["title"], image["link"], facts(size, image.get("fileSize"), page))


def _cited(citation: Json) -> Item:
    quotes = [anchor["quote"] for anchor in list_field(citation, "anchors") if anchor.get("quote")]
    title = citation.get("title") or citation["url"]
    return Item(title, citation["url"], facts(day(citation.get("publishedDate"))),
                " … ".join(quotes))  # fmt: skip


def _source(source: Json) -> Item:
    score = object_field(source, "scores").get("overall")
    about = facts(
        f"score {score:.2f}" if score is not None else None,
        _unless_unknown(source.get("sourceType")),
        day(source.get("publishedAt")),
        f"{source['wordCount']} words" if source.get("wordCount") else None,
    )
    text = source.get("claimSignal") or " … ".join(list_field(source, "keySentences"))
    title = source.get("title") or source["url"]
    return Item(title, source["url"], about, text, retraction(source))


def _warnings(body: Json) -> Iterator[Part]:
    if warning := retraction(body):
        yield Note(warning, warning=True)
    if body.get("extractionQuality") == "partial":
        yield Note("Only part of the page could be read.", warning=True)
    for note in list_field(body, "notes"):
        yield Note(note, warning=True)


def _claim(body: Json) -> Iterator[Part]:
    support = str(body.get("claimSupport", "")).replace("_", " ")
    yield Note(f"Claim “{body['claim']}”: {support}")
    evidence = list_field(body, "claimEvidence")
    if evidence:
        yield grid(("text of the source",), [(sentence,) for sentence in evidence])
