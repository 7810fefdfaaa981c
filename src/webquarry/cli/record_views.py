"""How filings, cases, trials, patents and economic series look to people."""

from collections.abc import Iterator

from webquarry.cli.output import Item, Items, Json, Note, Part, PlainText, facts, grid, one_line
from webquarry.cli.plot import plot
from webquarry.cli.result_views import advice, listed

_LONG = 400


def patents(body: Json) -> Iterator[Part]:
    """Patents, and who owns them."""
    if body.get("assigneeClusters"):
        yield grid(
            ("owner", "patents", "numbers"),
            [
                (c["assignee"], c["count"], ", ".join(c["numbers"][:3]))
                for c in body["assigneeClusters"]
            ],
        )
    yield from listed(body, [_patent(patent) for patent in body["patents"]])
    yield Note(f"Look for yourself: {body['searchUrl']}")


def filings(body: Json) -> Iterator[Part]:
    """Filings, or figures from them."""
    if any(filing.get("concept") for filing in body["filings"]):
        yield grid(
            ("concept", "value", "unit", "from", "to", "form", "filed"),
            [
                (f.get("concept"), number(f.get("value")), f.get("unit"), f.get("periodStart"),
                 f.get("periodOfReport"), f.get("formType"), f.get("filingDate"))
                for f in body["filings"]
            ],
        )  # fmt: skip
    elif body["filings"]:
        yield Items(tuple(_filing(filing) for filing in body["filings"]))
    yield from advice(body)


def cases(body: Json) -> Iterator[Part]:
    """Opinions with their citation."""
    items = [
        Item(
            case["caseName"],
            case.get("url") or "",
            facts(
                case.get("citation"),
                case.get("court"),
                case.get("dateFiled"),
                case.get("docketNumber"),
                f"cited by {case['citationCount']}" if case.get("citationCount") else None,
            ),
        )
        for case in body["cases"]
    ]
    yield from listed(body, items)


def trials(body: Json) -> Iterator[Part]:
    """Studies with their state."""
    items = [
        Item(
            trial.get("title") or trial["nctId"],
            trial["url"],
            facts(
                trial["nctId"],
                trial.get("status"),
                ", ".join(trial.get("phases") or ()),
                trial.get("sponsor"),
                f"began {trial['startDate']}" if trial.get("startDate") else None,
                "has results" if trial.get("hasResults") else None,
            ),
            "; ".join((*(trial.get("conditions") or ()), *(trial.get("interventions") or ()))),
        )
        for trial in body["trials"]
    ]
    yield from listed(body, items)


def econ(body: Json) -> Iterator[Part]:
    """Series that fit the words; or the values of one, plotted."""
    results = body["results"]
    if body["mode"] == "series":
        head = ("id", "title", "units", "frequency", "updated", "source")
        fields = ("seriesId", "title", "units", "frequency", "lastUpdated", "source")
        if results:
            yield grid(head, [[series.get(name) for name in fields] for series in results])
            first = results[0]["seriesId"]
            yield Note(f"Values: webquarry econ --series {first} --provider {body['provider']}")
    elif results:
        yield from _observed(body)
    yield from advice(body)


def number(value: object) -> str:
    """Return a figure as it came, with its thousands apart when it is a whole number."""
    return (
        f"{value:,}"
        if isinstance(value, int) and abs(value) >= 10_000
        else str("" if value is None else value)
    )


def _observed(body: Json) -> Iterator[Part]:
    results = sorted(body["results"], key=lambda each: each.get("date") or "")
    first = results[0]
    title = facts(first.get("title") or body["seriesId"], body.get("country"), first.get("units"))
    yield Note(" · ".join(title))
    points = [
        (str(each["date"]), float(each["value"]))
        for each in results
        if each.get("date") and each.get("value") is not None
    ]
    if len(points) > 1:
        yield PlainText(plot(points))
    rows = [(each.get("date"), number(each.get("value"))) for each in results]
    yield grid(("date", "value"), rows)


def _patent(patent: Json) -> Item:
    about = facts(
        patent["number"],
        patent.get("assignee"),
        patent.get("inventor"),
        f"filed {patent['filed']}" if patent.get("filed") else None,
        f"granted {patent['granted']}" if patent.get("granted") else None,
        patent.get("status"),
    )
    text = one_line(patent.get("abstract") or "", _LONG)
    return Item(patent["title"], patent["url"], about, text)


def _filing(filing: Json) -> Item:
    title = " ".join(facts(filing.get("formType"), filing.get("company")))
    about = facts(
        f"filed {filing['filingDate']}" if filing.get("filingDate") else None,
        f"for {filing['periodOfReport']}" if filing.get("periodOfReport") else None,
        f"CIK {filing['cik']}" if filing.get("cik") else None,
    )
    return Item(title, filing.get("url") or "", about, filing.get("description") or "")
