"""The commands that call one tool each."""

import typer

from webquarry.cli import brand_view, record_views, result_views
from webquarry.cli.tool_command import ToolCommand, build

_YEARS = {"year_from": ("--since",), "year_to": ("--until",)}
_DATES = {"date_from": ("--since",), "date_to": ("--until",)}

COMMANDS = {
    "search": ToolCommand(
        tool="web_search",
        view=result_views.web,
        help="Search the web. The query needs no quotes.",
        option_names={"time_range": ("--time", "-t")},
        examples=(
            "webquarry search solar cell record --site nature.com",
            "webquarry search rust async -n 10 --time year --json | jq -r '.urls[]'",
        ),
    ),
    "news": ToolCommand(
        tool="news_search",
        view=result_views.news,
        help="Search recent news.",
        option_names={"time_range": ("--time", "-t"), "news_source": ("--source",)},
        examples=("webquarry news chip export rules --time day --sort-by date",),
    ),
    "images": ToolCommand(
        tool="image_search",
        view=result_views.images,
        help="Search images.",
        examples=("webquarry images northern lights --size large --type photo",),
    ),
    "research": ToolCommand(
        tool="search_and_scrape",
        view=result_views.research,
        is_document=True,
        help="Search, read the results, rank them and combine their content.",
        examples=(
            "webquarry research how do heat pumps work below zero -n 5",
            "webquarry research coffee and sleep --claim 'caffeine shortens deep sleep'",
        ),
    ),
    "answer": ToolCommand(
        tool="answer",
        view=result_views.answer,
        is_document=True,
        help="Answer a question, with the pages that the answer relies on.\n\n"
        "Exit code: 1 if there is no answer.",
        exit_code=lambda body: int(not body["answer"]),
        examples=(
            "webquarry answer how long is the Danube --provider local",
            "webquarry answer how long is the Danube --provider index",
        ),
    ),
    "map": ToolCommand(
        tool="cinder_map",
        view=result_views.site_map,
        is_document=True,
        help="List the URLs of a website without reading them, one per line.",
        main_argument="url",
        joins_words=False,
        option_names={"limit": ("--limit", "-n")},
        examples=(
            "webquarry map example.com --search pricing",
            "webquarry map example.com > urls.txt && webquarry read -f urls.txt -o pages",
        ),
    ),
    "papers": ToolCommand(
        tool="academic_search",
        view=result_views.papers,
        help="Search scholarly papers, with DOI, citations, PDF and retraction status.",
        option_names=_YEARS,
        examples=("webquarry papers perovskite stability --since 2022 --open-access",),
    ),
    "patents": ToolCommand(
        tool="patent_search",
        view=record_views.patents,
        help="Search patents by keyword, owner, inventor, class or year, or look one up by number.",
        option_names={**_YEARS, "patent_office": ("--office",), "search_type": ("--kind",)},
        examples=(
            "webquarry patents solid state battery --assignee Toyota --since 2020",
            "webquarry patents US7654321B2 --kind specific",
        ),
    ),
    "filings": ToolCommand(
        tool="filing_search",
        view=record_views.filings,
        required_method="search_filings",
        help="Search SEC filings of US companies, or the figures in them (--facts).",
        option_names={**_DATES, "form_type": ("--form",)},
        examples=(
            "webquarry filings AAPL --form 10-K",
            "webquarry filings --ticker MSFT --facts",
        ),
    ),
    "cases": ToolCommand(
        tool="legal_search",
        view=record_views.cases,
        required_method="search_cases",
        help="Search US court opinions.",
        option_names={**_DATES, "jurisdiction": ("--court",)},
        examples=("webquarry cases Miranda v. Arizona --court scotus",),
    ),
    "econ": ToolCommand(
        tool="econ_search",
        view=record_views.econ,
        help="Find economic time series; with --series, show its values and a plot.",
        option_names={**_DATES, "series_id": ("--series", "-s")},
        hidden=("chart",),  # an image; the command draws its own plot
        examples=(
            "webquarry econ unemployment rate --provider worldbank",
            "webquarry econ --series SL.UEM.TOTL.ZS --country DE --since 2000 -n 30",
        ),
    ),
    "trials": ToolCommand(
        tool="clinical_search",
        view=record_views.trials,
        help="Search clinical trials by keyword, condition, intervention or sponsor.",
        examples=("webquarry trials --condition asthma --status RECRUITING --phase PHASE3",),
    ),
    "brand": ToolCommand(
        tool="brand_research",
        view=brand_view.brand,
        help="Look up a brand's colours, logos, fonts and tone of voice, as its owner states them.",
        main_argument="url",
        joins_words=False,
        option_names={"company_name": ("--company",)},
        examples=("webquarry brand example.com", "webquarry brand --company 'Example Inc'"),
    ),
    "verify": ToolCommand(
        tool="verify_citation",
        view=result_views.citation,
        help="Check that a citation exists, matches its record, is not retracted and resolves.\n\n"
        "Exit codes: 0 confirmed, 1 not found, different or retracted, 3 could not check.",
        main_argument="citation",
        exit_code=result_views.citation_exit_code,
        examples=(
            "webquarry verify 10.1038/nature12373",
            "webquarry verify https://example.com/study --claim 'coffee helps'",
        ),
    ),
    "archive": ToolCommand(
        tool="archive_source",
        view=result_views.archived,
        help="Save a public page in the Wayback Machine.\n\nExit code: 1 if there is no copy.",
        main_argument="url",
        joins_words=False,
        exit_code=lambda body: int(body["status"] == "unavailable"),
        examples=("webquarry archive https://example.com/article",),
    ),
}


def load(name: str) -> typer.Typer:
    """Return one of these commands."""
    return build(COMMANDS[name])
