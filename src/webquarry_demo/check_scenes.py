"""The second half of the demo: papers, citations, a bibliography, a ranking, the report."""

from importlib.resources import files

from webquarry.cli.output import plural
from webquarry_demo.document_scene import DOCUMENT_SCENE
from webquarry_demo.sample_pages import with_port
from webquarry_demo.scene import (
    Json,
    Mark,
    Scene,
    SceneContext,
    SceneLine,
    SceneResult,
    is_retracted,
    require,
)

REAL_CLAIM = "Pairs in nest boxes fledged more young than pairs in open barns"
RETRACTED = (
    "Pyle, G., & Adler, S. (2018). Ultrasonic vole lures triple the fledging rate of barn owls. "
    "Journal of Farmland Ornithology, 9(1), 12-25."
)
INVENTED = (
    "Whitlock, T., & Reyes, P. (2022). Moonlit foraging and nest-box fidelity in Tyto alba. "
    "Journal of Farmland Ornithology, 13(2), 88-104. https://doi.org/10.5555/jfo.2022.0288"
)
RANKED_FOR = "the most weatherproof owl box"
_RANKING = {
    "type": "object",
    "properties": {
        "author": {"type": "string"},
        "aboutAuthor": {"type": "string", "x-selector": ".about-author::text"},
        "picks": {
            "type": "array",
            "x-selector": ".pick",
            "items": {
                "type": "object",
                "properties": {"title": {"type": "string", "x-selector": "h2::text"}},
            },
        },
    },
}
_FLAGS: dict[str, tuple[str, Mark]] = {
    "retracted": ("was retracted", "bad"),
    "not_found": ("is in no registry", "bad"),
    "mismatch": ("differs from its record in {mismatches}", "bad"),
    "mischaracterized": ("does not say what it is cited for", "bad"),
    "dead_link": ("has a dead link", "bad"),
    "unchecked": ("could not be checked", ""),
}


async def papers(context: SceneContext) -> SceneResult:
    """Search the literature."""
    await context.step(
        f"On offer: {context.facts['offer']}. Next, check the literature before it is cited.",
        knowledgeGap="Farmers chose where boxes hang; no study assigned them at random.",
        confidence="medium",
    )
    found = await context.call(
        "academic_search", query="barn owls nest boxes", num_results=5, sessionId=context.session
    )
    listed: list[Json] = found["papers"]
    gone = [paper["title"] for paper in listed if is_retracted(paper)]
    require(gone, "academic_search did not mark the retracted paper")
    lines = [
        SceneLine(f"{paper['title']} ({paper['year']})" + _retraction(paper), _mark(paper))
        for paper in listed[:3]
    ]
    context.facts["retracted"] = gone
    return SceneResult(tuple(lines), {"papers": len(listed), "retracted": gone})


async def citations(context: SceneContext) -> SceneResult:
    """Check a real, a retracted and an invented citation."""
    url = context.url("farmland-ornithology", "/articles/2021-0307")
    real = await context.call("verify_citation", citation=url, claim=REAL_CLAIM)
    retracted = await context.call("verify_citation", citation=RETRACTED)
    invented = await context.call("verify_citation", citation=INVENTED)
    require(real["verificationStatus"] == "confirmed", f"a real citation is {_status(real)}")
    require(is_retracted(retracted), f"a retracted citation is {_status(retracted)}")
    require(invented["verificationStatus"] == "not_found", f"an invented one: {_status(invented)}")
    require(real["claimSupport"] == "addressed", "a claim was not found in the paper that makes it")
    quote = next(text for text in real["claimEvidence"] if not text.startswith("#"))
    context.facts["invented"] = INVENTED
    lines = (
        SceneLine(f"Holt 2021: exists, and says what it is cited for: “{quote}”", "good"),
        SceneLine("Pyle 2018: exists, but was RETRACTED", "bad"),
        SceneLine(f"Whitlock 2022: not found. {invented['reason']}", "bad"),
    )
    facts = {
        "real": real["verificationStatus"],
        "claimSupport": real["claimSupport"],
        "retracted": retracted["retractionStatus"]["retracted"],
        "invented": invented["verificationStatus"],
    }
    return SceneResult(lines, facts)


async def bibliography(context: SceneContext) -> SceneResult:
    """Check a .bib file."""
    text = files("webquarry_demo").joinpath("references.bib").read_text("utf-8")
    found = await context.call("audit_bibliography", bibliography=with_port(text, context.port))
    entries: list[Json] = found["entries"]
    lines = [_audited(entry) for entry in entries]
    summed: dict[str, int] = found["summary"]
    require(summed["retracted"], "the audit missed the retracted reference")
    flawed = summed["total"] - summed["ok"]
    context.facts["references"] = f"{flawed} of {summed['total']} references have a problem."
    return SceneResult(tuple(lines), {"summary": summed})


async def ranking(context: SceneContext) -> SceneResult:
    """Check who profits from a ranking."""
    facts = context.facts
    await context.step(
        f"Not to be cited: {'; '.join(facts['retracted'])} (retracted), and {facts['invented']} "
        f"(in no registry). {facts['references']} Next, check who recommends which box.",
        confidence="high",
    )
    url = context.url("owlhaus", "/blog/best-owl-boxes")
    extracted = await context.call("cinder_extract", urls=[url], prompt="picks", schema=_RANKING)
    page: Json = extracted["results"][0]["data"]
    picks = [
        {"title": pick["title"], "url": url, "author": page["author"],
         "authorBio": page["aboutAuthor"]}
        for pick in page["picks"]
    ]  # fmt: skip
    found = await context.call("verify_recommendation", recommendations=picks, claim=RANKED_FOR)
    first: Json = found["recommendations"][0]
    require(
        first.get("selfPromotionSignal"), "a ranking with its own product first was not flagged"
    )
    searches: list[Json] = first.get("corroborationSearches") or []
    agree, disagree = (
        sum(each[name] for each in searches) for name in ("agreeCount", "disagreeCount")
    )
    summary = (
        f"Independent pages that agree it is {RANKED_FOR}: {agree}; that disagree: {disagree}."
    )
    facts |= {"promotion": first["selfPromotionSignal"], "doubt": summary}
    lines = (
        SceneLine(first["selfPromotionSignal"], "bad"),
        SceneLine(f"Its author has a stake: “{first['conflictOfInterest']['evidence']}”", "bad"),
        SceneLine(summary),
    )
    data = {
        "selfPromotion": first["selfPromotionSignal"],
        "conflictOfInterest": first["conflictOfInterest"]["kind"],
        "agree": agree,
        "disagree": disagree,
    }
    return SceneResult(lines, data)


async def export(context: SceneContext) -> SceneResult:
    """End the session and write the report."""
    facts = context.facts
    await context.step(
        f"{facts['promotion']} {facts['doubt']} Conclusion: {facts['evidence']}",
        more=False,
        confidence="high",
        sessionSummary=f"Best evidence: {facts['evidence']}",
    )
    found = await context.call(
        "research_export",
        sessionId=context.session,
        verify_links=True,
        attach=["bibtex", "prisma-s"],
    )
    steps = plural(found["stepCount"], "step")
    texts = {"report.md": found["document"]}
    texts |= {each["name"]: each["text"] for each in found["attachments"]}
    for name, text in texts.items():
        (context.folder / name).write_text(text, encoding="utf-8")
    lines = (
        SceneLine(f"{steps}, {plural(found['sourceCount'], 'source')}"),
        *(SceneLine(f"{name}: {what}", "good") for name, what in _WRITTEN.items()),
    )
    data = {"steps": found["stepCount"], "sources": found["sourceCount"], "files": list(texts)}
    return SceneResult(lines, data)


_WRITTEN = {
    "report.md": "steps, findings and sources, their links checked",
    "references.bib": "the sources for a reference manager",
    "search-log.md": "every search, in the format of PRISMA-S",
}


def _status(checked: Json) -> str:
    return f"{checked['verificationStatus']}: {checked.get('reason') or 'no reason given'}"


def _retraction(paper: Json) -> str:
    status: Json = paper.get("retractionStatus") or {}
    return f" RETRACTED {status.get('date', '')}".rstrip() if status.get("retracted") else ""


def _mark(paper: Json) -> Mark:
    return "bad" if is_retracted(paper) else "good"


def _audited(entry: Json) -> SceneLine:
    summary: list[tuple[str, Mark]] = [_FLAGS[flag] for flag in entry["flags"]]
    if not summary:
        return SceneLine(f"{entry['title']}: matches its record", "good")
    # a problem is more important than what could not be checked
    worst = [pair for pair in summary if pair[1]] or summary
    quote = " and ".join(text for text, _ in worst)
    differing = " and ".join(entry.get("mismatches") or ())
    return SceneLine(f"{entry['title']}: {quote.format(mismatches=differing)}", worst[0][1])


CHECK_SCENES = (
    Scene(
        "papers",
        "Search the literature",
        ("academic_search",),
        "Searches Crossref and OpenAlex, here stand-ins with six invented works.",
        papers,
    ),
    Scene(
        "citations",
        "Check three citations",
        ("verify_citation",),
        "One is real, one was retracted, one could have been invented by an AI.",
        citations,
    ),
    Scene(
        "bibliography",
        "Check a bibliography",
        ("audit_bibliography",),
        "The same checks for all six references of a .bib file.",
        bibliography,
    ),
    DOCUMENT_SCENE,
    Scene(
        "ranking",
        "Look behind a ranking",
        ("cinder_extract", "verify_recommendation"),
        "A page lists the four best owl boxes of the year. Who wrote it?",
        ranking,
    ),
    Scene(
        "export",
        "Write the report",
        ("sequential_search", "research_export"),
        "Everything above was recorded as it happened.",
        export,
    ),
)
