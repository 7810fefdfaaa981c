"""The second half of the demo: papers, citations, a bibliography, a ranking, and the report."""

from importlib.resources import files

from webquarry_demo.sample_pages import with_port
from webquarry_demo.scene import (
    Json,
    Mark,
    Scene,
    SceneLine,
    SceneResult,
    Stage,
    is_retracted,
    shown,
    sure,
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
    "not_found": ("is in no register", "bad"),
    "mismatch": ("differs from its record in {mismatches}", "bad"),
    "mischaracterized": ("does not say what it is cited for", "bad"),
    "dead_link": ("has a dead link", "bad"),
    "unchecked": ("could not be checked", ""),
}


async def papers(stage: Stage) -> SceneResult:
    """Search the literature."""
    await stage.step(
        f"On offer: {stage.facts['offer']}. Next, check the literature before it is cited.",
        knowledgeGap="Farmers chose where boxes hang; no study assigned them at random.",
        confidence="medium",
    )
    found = await stage.call(
        "academic_search", query="barn owls nest boxes", num_results=5, sessionId=stage.session
    )
    listed: list[Json] = found["papers"]
    gone = [paper["title"] for paper in listed if is_retracted(paper)]
    sure(gone, "academic_search did not mark the retracted paper")
    lines = [
        SceneLine(f"{paper['title']} ({paper['year']})" + _when(paper), _mark(paper))
        for paper in listed[:3]
    ]
    stage.facts["retracted"] = gone
    return SceneResult(tuple(lines), {"papers": len(listed), "retracted": gone})


async def citations(stage: Stage) -> SceneResult:
    """Check a real, a retracted and an invented citation."""
    address = stage.url("farmland-ornithology", "/articles/2021-0307")
    real = await stage.call("verify_citation", citation=address, claim=REAL_CLAIM)
    retracted = await stage.call("verify_citation", citation=RETRACTED)
    invented = await stage.call("verify_citation", citation=INVENTED)
    sure(real["verificationStatus"] == "confirmed", f"a real citation is {_told(real)}")
    sure(is_retracted(retracted), f"a retracted citation is {_told(retracted)}")
    sure(invented["verificationStatus"] == "not_found", f"an invented one is {_told(invented)}")
    sure(real["claimSupport"] == "addressed", "a claim was not found in the paper that makes it")
    said = next(text for text in real["claimEvidence"] if not text.startswith("#"))
    stage.facts["invented"] = INVENTED
    lines = (
        SceneLine(f"Holt 2021: exists, and says what it is cited for: “{said}”", "good"),
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


async def bibliography(stage: Stage) -> SceneResult:
    """Check a whole .bib file."""
    text = files("webquarry_demo").joinpath("references.bib").read_text("utf-8")
    found = await stage.call("audit_bibliography", bibliography=with_port(text, stage.port))
    entries: list[Json] = found["entries"]
    lines = [_audited(entry) for entry in entries]
    summed: dict[str, int] = found["summary"]
    sure(summed["retracted"], "the audit did not see the retracted reference")
    flawed = summed["total"] - summed["ok"]
    stage.facts["references"] = f"{flawed} of {summed['total']} references have a flaw."
    return SceneResult(tuple(lines), {"summary": summed})


async def ranking(stage: Stage) -> SceneResult:
    """Ask who gains from a list of the best."""
    await stage.step(
        f"Not to be cited: {'; '.join(stage.facts['retracted'])} (retracted), and "
        f"{stage.facts['invented']} (in no register). {stage.facts['references']} Next, see who "
        "recommends which box.",
        confidence="high",
    )
    url = stage.url("owlhaus", "/blog/best-owl-boxes")
    taken = await stage.call("cinder_extract", urls=[url], prompt="picks", schema=_RANKING)
    data: Json = taken["results"][0]["data"]
    picks = [
        {"title": pick["title"], "url": url, "author": data["author"],
         "authorBio": data["aboutAuthor"]}
        for pick in data["picks"]
    ]  # fmt: skip
    found = await stage.call("verify_recommendation", recommendations=picks, claim=RANKED_FOR)
    first: Json = found["recommendations"][0]
    sure(first.get("selfPromotionSignal"), "a list that puts its own product first went unnoticed")
    asked: list[Json] = first.get("corroborationSearches") or []
    agree, disagree = (
        sum(each[name] for each in asked) for name in ("agreeCount", "disagreeCount")
    )
    told = f"Independent pages that agree it is {RANKED_FOR}: {agree}; that disagree: {disagree}."
    stage.facts |= {"promotion": first["selfPromotionSignal"], "doubt": told}
    lines = (
        SceneLine(first["selfPromotionSignal"], "bad"),
        SceneLine(f"Its author has a stake: “{first['conflictOfInterest']['evidence']}”", "bad"),
        SceneLine(told),
    )
    facts = {
        "selfPromotion": first["selfPromotionSignal"],
        "conflictOfInterest": first["conflictOfInterest"]["kind"],
        "agree": agree,
        "disagree": disagree,
    }
    return SceneResult(lines, facts)


async def export(stage: Stage) -> SceneResult:
    """End the session and write the report."""
    await stage.step(
        f"{stage.facts['promotion']} {stage.facts['doubt']} Conclusion: {stage.facts['evidence']}",
        more=False,
        confidence="high",
        sessionSummary=f"Best evidence: {stage.facts['evidence']}",
    )
    found = await stage.call(
        "research_export",
        sessionId=stage.session,
        verify_links=True,
        attach=["bibtex", "prisma-s"],
    )
    texts = {"report.md": found["document"]}
    texts |= {each["name"]: each["text"] for each in found["attachments"]}
    for name, text in texts.items():
        (stage.folder / name).write_text(text, encoding="utf-8")
    lines = (
        SceneLine(f"{shown(found['stepCount'], 'step')}, {shown(found['sourceCount'], 'source')}"),
        *(SceneLine(f"{name}: {what}", "good") for name, what in _WRITTEN.items()),
    )
    facts = {"steps": found["stepCount"], "sources": found["sourceCount"], "files": list(texts)}
    return SceneResult(lines, facts)


_WRITTEN = {
    "report.md": "steps, findings and sources, their links checked",
    "references.bib": "the sources for a reference manager",
    "search-log.md": "each search as it was made, as PRISMA-S wants it",
}


def _told(checked: Json) -> str:
    return f"{checked['verificationStatus']}: {checked.get('reason') or 'no reason given'}"


def _when(paper: Json) -> str:
    status: Json = paper.get("retractionStatus") or {}
    return f" RETRACTED {status.get('date', '')}".rstrip() if status.get("retracted") else ""


def _mark(paper: Json) -> Mark:
    return "bad" if is_retracted(paper) else "good"


def _audited(entry: Json) -> SceneLine:
    told: list[tuple[str, Mark]] = [_FLAGS[flag] for flag in entry["flags"]]
    if not told:
        return SceneLine(f"{entry['title']}: fits its record", "good")
    # a dead link says more than that nothing else is known about the page
    worst = [pair for pair in told if pair[1]] or told
    said = " and ".join(text for text, _ in worst)
    differing = " and ".join(entry.get("mismatches") or ())
    return SceneLine(f"{entry['title']}: {said.format(mismatches=differing)}", worst[0][1])


CHECKING = (
    Scene(
        "papers",
        "Search the literature",
        ("academic_search",),
        "Crossref and OpenAlex are asked, here as stand-ins with six made-up works.",
        papers,
    ),
    Scene(
        "citations",
        "Check three citations",
        ("verify_citation",),
        "One is real, one was retracted, one an AI could have made up.",
        citations,
    ),
    Scene(
        "bibliography",
        "Check a bibliography",
        ("audit_bibliography",),
        "A .bib file with six references, the same checks for all of them.",
        bibliography,
    ),
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
        "Everything above was written down as it happened.",
        export,
    ),
)
