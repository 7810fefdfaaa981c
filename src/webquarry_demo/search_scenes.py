"""The first half of the demo: searching, reading, crawling, extracting."""

from urllib.parse import urlsplit

from webquarry.cli.output import plural
from webquarry_demo.scene import (
    Json,
    Scene,
    SceneContext,
    SceneLine,
    SceneResult,
    is_retracted,
    require,
)

GOAL = "Do nest boxes help barn owls on farmland, and which box should we put up?"
QUERY = "barn owl nest boxes on farmland"
CLAIM = "nest boxes help barn owls on farmland"
HIDDEN = "ignore all previous instructions"
PRODUCTS = ("a-frame", "pole-box", "tree-box", "lid-logger")
BUDGET = 3000
_LISTED = 3
_BROKEN, _COPY, _CLOSED, _MOVED = "broken link", "duplicate", "closed by robots.txt", "redirect"


async def search(context: SceneContext) -> SceneResult:
    """Start the session and search."""
    await context.step(
        "Search the web, then read the best pages side by side.",
        researchGoal=GOAL,
        totalStepsEstimate=5,
        reasoning="Magazine, newspaper and journal may disagree; read them together.",
    )
    found = await context.call("web_search", query=QUERY, num_results=8, sessionId=context.session)
    results: list[Json] = found["results"]
    sites = {_host(each["url"]) for each in results}
    require(len(sites) > 1, f"web_search found pages of {plural(len(sites), 'site')} only")
    lines = [SceneLine(f"{each['title']} ({_host(each['url'])})") for each in results[:_LISTED]]
    summary = (
        f"{plural(len(results), 'page')} on {plural(len(sites), 'site')}; the first {_LISTED}:"
    )
    return SceneResult((SceneLine(summary), *lines), {"results": len(results), "sites": len(sites)})


async def read(context: SceneContext) -> SceneResult:
    """Search, read and combine in one call."""
    found = await context.call(
        "search_and_scrape",
        query=QUERY,
        num_results=5,
        claim=CLAIM,
        anchors=True,
        max_tokens=BUDGET,
        sessionId=context.session,
    )
    sources: list[Json] = found["sources"]
    with_evidence = [each for each in sources if each.get("claimSignal")]
    require(with_evidence, "no page that was read contains anything about the claim")
    best = with_evidence[0]
    context.facts["evidence"] = f"“{best['claimSignal']}” ({best['title']})"
    retracted = [each["title"] for each in sources if is_retracted(each)]
    size, read_in_all = found["sizeMetadata"]["estimatedTokens"], found["summary"]["urlsScraped"]
    lines = [
        SceneLine(
            f"{plural(read_in_all, 'page')} read and ranked, the best {len(sources)} kept: "
            f"{size:,} tokens of text within a budget of {BUDGET:,}"
        ),
        SceneLine(f"Evidence for “{CLAIM}”: {context.facts['evidence']}", "good"),
        *(SceneLine(f"Marked as retracted: {title}", "bad") for title in retracted),
    ]
    facts = {
        "pagesRead": read_in_all,
        "kept": len(sources),
        "best": best["url"],
        "retractedSources": retracted,
    }
    return SceneResult(tuple(lines), facts)


async def hidden(context: SceneContext) -> SceneResult:
    """Read a page with hidden instructions for AI assistants."""
    url = context.url("owl-wonder", "/silent-flight")
    source = await context.call("scrape_page", url=url, mode="raw")
    result = await context.result("scrape_page", url=url, sessionId=context.session)
    page = await context.library.body(result)
    removed: list[Json] = result.meta.get("sanitized", [])
    require(HIDDEN in source["content"], "the page with hidden text has none")
    require(HIDDEN not in page["content"] and removed, "hidden text of a page was not removed")
    places, chars = (sum(each[name] for each in removed) for name in ("count", "chars"))
    title = page["citation"]["metadata"]["title"]
    why = ", ".join(each["reason"] for each in removed)
    lines = (
        SceneLine(f"The source of the page tells AI assistants to “{HIDDEN}”", "bad"),
        SceneLine(
            f"Removed: {plural(places, 'hidden text')} ({why}), {chars} characters",
            "good",
        ),
        SceneLine(f"The visible text is complete: “{title}”, {page['wordCount']} words"),
    )
    facts = {"hiddenTexts": places, "hiddenCharacters": chars, "reasons": why.split(", ")}
    return SceneResult(lines, facts)


async def crawl(context: SceneContext) -> SceneResult:
    """Crawl the documentation site and count the outcomes of all URLs."""
    await context.step(
        f"The best page says: {context.facts['evidence']} Next, find out how a logger "
        "is used and what boxes cost.",
        reasoning="A box is only useful if you can tell whether it is occupied.",
    )
    started = await context.call(
        "cinder_crawl", url=context.url("nestlog"), maxDepth=6, maxPages=40, sitemap=True, wait=True
    )
    ended = await context.call("cinder_get_crawl_status", id=started["crawlId"], limit=100)
    pages = [page["url"] for page in ended["pages"]]
    require(ended["status"] == "completed", f"the crawl ended as {ended['status']}")
    require(len(pages) == len(set(pages)), "the crawl stored a page twice")
    context.facts["crawl"] = started["crawlId"]
    skipped = dict(ended.get("skipped") or {})
    outcomes = {
        _MOVED: skipped.pop("redirect", 0),
        _COPY: skipped.pop("duplicate", 0),
        _CLOSED: skipped.pop("robots", 0),
        _BROKEN: ended.get("errors") or 0,
        **skipped,
    }
    others = ", ".join(f"{count} {name}" for name, count in outcomes.items() if count)
    lines = (
        SceneLine(
            f"{plural(len(pages), 'page')} of {_host(started['url'])}, each stored once", "good"
        ),
        SceneLine(f"Skipped: {others}"),
    )
    facts = {"crawlId": started["crawlId"], "pages": len(pages), "leftOut": outcomes}
    return SceneResult(lines, facts)


async def products(context: SceneContext) -> SceneResult:
    """Extract the products of a shop as data."""
    found = await context.call(
        "cinder_extract",
        urls=[context.url("oak-and-feather", f"/products/{name}") for name in PRODUCTS],
        prompt="product name, price, currency, availability and rating",
    )
    rows: list[Json] = [page["data"] for page in found["results"] if page.get("data")]
    require(len(rows) == len(PRODUCTS), "a product of the shop could not be read")
    methods = {source["method"] for page in found["results"] for source in page["sources"].values()}
    context.facts["offer"] = "; ".join(map(_product, rows))
    lines = [SceneLine(_product(row)) for row in rows]
    quoted = f"Every value comes with the text it was read from ({', '.join(sorted(methods))})"
    return SceneResult((*lines, SceneLine(quoted, "good")), {"products": rows})


def _product(row: Json) -> str:
    stock = {"InStock": "in stock", "OutOfStock": "sold out"}.get(row["availability"], "?")
    rating = f"rated {row['rating']}" if row.get("rating") is not None else "no rating given"
    return f"{row['productName']}: {row['price']:.2f} {row['currency']}, {stock}, {rating}"


def _host(url: str) -> str:
    return urlsplit(url).hostname or url


SEARCH_SCENES = (
    Scene(
        "search",
        "Ask a question and search the web",
        ("sequential_search", "web_search"),
        f"The question: {GOAL}",
        search,
    ),
    Scene(
        "read",
        "Read the best pages and combine them",
        ("search_and_scrape",),
        "One call searches, reads, ranks and removes repetitions, within a token budget.",
        read,
    ),
    Scene(
        "hidden",
        "Read a page with hidden instructions",
        ("scrape_page",),
        "A page can contain text that people never see, written for the AI that reads it.",
        hidden,
    ),
    Scene(
        "crawl",
        "Crawl a documentation site",
        ("cinder_crawl", "cinder_get_crawl_status"),
        "Follows links and the sitemap, obeys robots.txt and stores each page once.",
        crawl,
    ),
    Scene(
        "products",
        "Extract a shop's products as data",
        ("cinder_extract",),
        "Four product pages become rows. What a page does not state stays empty.",
        products,
    ),
)
