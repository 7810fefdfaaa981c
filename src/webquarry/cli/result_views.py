"""How results of searching, reading and checking look to people."""

from collections.abc import Iterator
from typing import Any

from webquarry.cli.output import (
    Item,
    Items,
    Json,
    Note,
    Part,
    Text,
    facts,
    grid,
    inside,
    many,
    one_line,
)

EXIT_REFUTED = 1
EXIT_UNCHECKED = 3
_ABOUT = {
    "reason": "{}",
    "httpStatus": "The link answered {}.",
    "archivedUrl": "Archived copy: {}",
}
_LONG = 600  # characters of an abstract worth showing in a list


def web(body: Json) -> Iterator[Part]:
    """Links with snippets."""
    yield from listed(body, [_link(result) for result in body["results"]])


def news(body: Json) -> Iterator[Part]:
    """Articles with source and date."""
    yield from listed(
        body,
        [
            Item(a["title"], a["url"], facts(day(a.get("publishedAt")), a.get("source")),
                 a.get("snippet", ""))
            for a in body["articles"]
        ],
    )  # fmt: skip


def images(body: Json) -> Iterator[Part]:
    """Pictures and the pages they are on."""
    yield from listed(body, [_picture(image) for image in body["images"]])


def page(body: Json) -> Iterator[Part]:
    """Show a page, and how to cite it."""
    yield from _warnings(body)
    yield Text(body["content"])
    words = body.get("wordCount")
    about = facts(
        f"{words} words" if words else None,
        body.get("contentType"),
        _known(body.get("sourceType")),
        f"DOI {body['detectedDoi']}" if body.get("detectedDoi") else None,
        "cut: more with --max-length" if body.get("truncated") else None,
    )
    yield Note(" · ".join(about))
    if not body.get("raw"):
        yield Note(f"Cite: {body['citation']['formatted']['apa']}")


def research(body: Json) -> Iterator[Part]:
    """Show what several pages say together, and which they were."""
    if body.get("note"):
        yield Note(body["note"], warning=True)
    if body["combinedContent"]:
        yield Text(body["combinedContent"])
    if body["sources"]:
        yield Text("## Sources")
        yield Items(tuple(_source(source) for source in body["sources"]))
    for failure in many(body, "scrapeFailures"):
        yield Note(f"not read: {failure['url']}: {failure['reason']}", warning=True)
    summary = body["summary"]
    yield Note(
        f"{summary['urlsScraped']} of {summary['urlsSearched']} pages read "
        f"in {summary['processingTimeMs'] / 1000:.1f} s"
    )
    yield from advice(body)


def papers(body: Json) -> Iterator[Part]:
    """Papers with their record."""
    yield from listed(body, [paper(each) for each in body["papers"]])


def paper(record: Json) -> Item:
    """Return one paper as an item."""
    cited = record.get("citationCount")
    names = many(record, "authors")
    who = ", ".join(names[:3]) + (" et al." if len(names) > 3 else "")
    about = facts(
        who,
        record.get("journal"),
        record.get("year"),
        f"cited by {cited}" if cited is not None else None,
        f"doi:{record['doi']}" if record.get("doi") else None,
        "open access" if record.get("openAccess") else None,
    )
    text = record.get("tldr") or record.get("abstract") or ""
    return Item(record["title"], record["url"], about, one_line(text, _LONG), retraction(record))


def citation(body: Json) -> Iterator[Part]:
    """Show whether a citation stands."""
    standing = body["verificationStatus"].replace("_", " ")
    yield Note(f"{standing}: {body['input']}", warning=citation_verdict(body) != 0)
    for name, said in (("matchedRecord", "The record"), ("possibleMatch", "Perhaps meant")):
        if body.get(name):
            yield Note(f"{said}:")
            yield Items((paper(body[name]),))
    yield from _doubts(body)
    for name, said in _ABOUT.items():
        if body.get(name):
            yield Note(said.format(body[name]))
    if body.get("claim"):
        yield from _claim(body)
    if body["provenance"]:
        yield Note(f"Asked: {', '.join(body['provenance'])}")


def _doubts(body: Json) -> Iterator[Part]:
    for doubt in (*many(body, "mismatches"), retraction(body)):
        if doubt:
            yield Note(doubt, warning=True)


def citation_verdict(body: Json) -> int:
    """Return 0 when it stands, 1 when there is evidence against it, 3 when nobody could tell."""
    gone = inside(body, "retractionStatus").get("retracted")
    if gone or body["verificationStatus"] == "not_found" or body.get("mismatches"):
        return EXIT_REFUTED
    return 0 if body["verificationStatus"] == "confirmed" else EXIT_UNCHECKED


def archived(body: Json) -> Iterator[Part]:
    """Where a copy is."""
    told = {
        "archived": "A fresh copy was made",
        "existing": "There was a copy already",
        "pending": "The copy is being made",
        "unavailable": "No copy was made",
    }[body["status"]]
    where = body.get("snapshotUrl") or body.get("pollUrl") or ""
    yield Note(f"{told}{': ' if where else '.'}{where}", warning=body["status"] == "unavailable")
    if body.get("reason"):
        yield Note(body["reason"])


def listed(body: Json, items: list[Item]) -> Iterator[Part]:
    """Return a list with everything a reader should know about it."""
    if items:
        yield Items(tuple(items))
    yield from advice(body)


def advice(body: Json) -> Iterator[Part]:
    """Say that nothing was found, what would help, and what could not be honoured."""
    if hints := body.get("hints"):
        ways = [_way(action) for action in many(hints, "suggestedActions")]
        yield Note(" ".join(("Nothing found.", *ways)), warning=True)
    missed = body.get("unhonoured")
    if missed:
        yield Note(f"Not honoured by the provider: {', '.join(missed)}", warning=True)
    for note in (*(many(body, "notes")), body.get("note")):
        if note and "summary" not in body:  # of research it stands at the top
            yield Note(note)
    if body.get("nextCursor"):
        yield Note(f"There is more: repeat the command with --cursor {body['nextCursor']}")


def retraction(record: Json) -> str:
    """Return the warning about a retracted or corrected work, if there is one."""
    status = record.get("retractionStatus")
    if not status:
        return ""
    when = f" {status['date']}" if status.get("date") else ""
    notice = f", see doi:{status['noticeDoi']}" if status.get("noticeDoi") else ""
    kind = "RETRACTED" if status["retracted"] else str(status["kind"]).replace("_", " ")
    return f"{kind}{when}{notice}"


def day(moment: Any) -> str:
    """Return the day of a moment."""
    return str(moment or "")[:10]


def _known(kind: str | None) -> str | None:
    return None if kind == "unknown" else kind


def _way(action: Json) -> str:
    target = action.get("target") or ""
    return {
        "remove_filter": f"Try without {target}.",
        "try_different_provider": f"Try --provider {target}.",
        "switch_provider": f"Try --provider {target}.",
        "rephrase_query": "Try other words.",
    }[action["action"]]


def _link(result: Json) -> Item:
    about = facts(
        day(result.get("publishedAt")),
        inside(result, "sourceReputation").get("tier"),
        ", ".join(many(result, "providers")),
        f"also at {', '.join(result['alsoAt'])}" if result.get("alsoAt") else None,
    )
    text = result.get("claimSignal") or result.get("snippet", "")
    return Item(result["title"], result["url"], about, text)


def _picture(image: Json) -> Item:
    size = f"{image['width']} x {image['height']}" if image.get("width") else None
    on = f"on {image['contextLink']}" if image.get("contextLink") else None
    return Item(image["title"], image["link"], facts(size, image.get("fileSize"), on))


def _source(source: Json) -> Item:
    score = inside(source, "scores").get("overall")
    about = facts(
        f"score {score:.2f}" if score is not None else None,
        _known(source.get("sourceType")),
        day(source.get("publishedAt")),
        f"{source['wordCount']} words" if source.get("wordCount") else None,
    )
    said = source.get("claimSignal") or " … ".join(many(source, "keySentences"))
    return Item(source.get("title") or source["url"], source["url"], about, said,
                retraction(source))  # fmt: skip


def _warnings(body: Json) -> Iterator[Part]:
    if warning := retraction(body):
        yield Note(warning, warning=True)
    if body.get("extractionQuality") == "partial":
        yield Note("Only a part of the page could be read.", warning=True)
    for note in many(body, "notes"):
        yield Note(note, warning=True)


def _claim(body: Json) -> Iterator[Part]:
    support = str(body.get("claimSupport", "")).replace("_", " ")
    yield Note(f"Claim “{body['claim']}”: {support}")
    evidence = many(body, "claimEvidence")
    if evidence:
        yield grid(("what the source says",), [(sentence,) for sentence in evidence])
