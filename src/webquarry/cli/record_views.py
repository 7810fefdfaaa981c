"""How the terminal shows filings, cases, trials, patents and economic series."""

from collections.abc import Iterator

from webquarry.cli.output import Item, Items, Json, Note, Part, PlainText, facts, grid, one_line
from webquarry.cli.plot import plot
from webquarry.cli.result_views import result_list, result_notes

_MAX_ABSTRACT = 400  # characters
_SERIES = {  # field of a series by column heading
    "id": "seriesId",
    "title": "title",
    "units": "units",
    "frequency": "frequency",
    "updated": "lastUpdated",
    "source": "source",
}


def patents(body: Json) -> Iterator[Part]:
    """Show patents, after a table of their owners."""
    if body.get("assigneeClusters"):
        yield grid(
            ("owner", "patents", "numbers"),
            [
                (c["assignee"], c["count"], ", ".join(c["numbers"][:3]))
                for c in body["assigneeClusters"]
            ],
        )
    yield from result_list(body, [_patent(patent) for patent in body["patents"]])
    yield Note(f"Search on the web: {body['searchUrl']}")


def filings(body: Json) -> Iterator[Part]:
    """Show filings, or figures from them."""
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
    yield from result_notes(body)


def cases(body: Json) -> Iterator[Part]:
    """Show court opinions with their citations."""
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
    yield from result_list(body, items)


def trials(body: Json) -> Iterator[Part]:
    """Show clinical trials with their status."""
    items = [
        Item(
            trial.get("title") or trial["nctId"],
            trial["url"],
            facts(
                trial["nctId"],
                trial.get("status"),
                ", ".join(trial.get("phases") or ()),
                trial.get("sponsor"),
                f"started {trial['startDate']}" if trial.get("startDate") else None,
                "has results" if trial.get("hasResults") else None,
            ),
            "; ".join((*(trial.get("conditions") or ()), *(trial.get("interventions") or ()))),
        )
        for trial in body["trials"]
    ]
    yield from result_list(body, items)


def econ(body: Json) -> Iterator[Part]:
    """Show a list of series, or the values and a plot of one."""
    results = body["results"]
    if results and body["mode"] == "series":
        rows = [[series.get(name) for name in _SERIES.values()] for series in results]
        yield grid(list(_SERIES), rows)
        first = results[0]["seriesId"]
        yield Note(f"Show values: webquarry econ --series {first} --provider {body['provider']}")
    elif results:
        yield from _observations(body)
    yield from result_notes(body)


def number(value: object) -> str:
    """Return a value as text, a large integer with thousands separators."""
    if isinstance(value, int) and abs(value) >= 10_000:
        return f"{value:,}"
    return "" if value is None else str(value)


def _observations(body: Json) -> Iterator[Part]:
    results = sorted(body["results"], key=lambda observation: observation.get("date") or "")
    first = results[0]
    title = facts(first.get("title") or body["seriesId"], body.get("country"), first.get("units"))
    yield Note(" · ".join(title))
    points = [
        (str(observation["date"]), float(observation["value"]))
        for observation in results
        if observation.get("date") and observation.get("value") is not None
    ]
    if len(points) > 1:
        yield PlainText(plot(points))
    rows = [(row.get("date"), number(row.get("value"))) for row in results]
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
    text = one_line(patent.get("abstract") or "", _MAX_ABSTRACT)
    return Item(patent["title"], patent["url"], about, text)


def _filing(filing: Json) -> Item:
    title = " ".join(facts(filing.get("formType"), filing.get("company")))
    about = facts(
        f"filed {filing['filingDate']}" if filing.get("filingDate") else None,
        f"for {filing['periodOfReport']}" if filing.get("periodOfReport") else None,
        f"CIK {filing['cik']}" if filing.get("cik") else None,
    )
    return Item(title, filing.get("url") or "", about, filing.get("description") or "")
