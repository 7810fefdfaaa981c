"""The prompt `competitive-analysis`: a company among its competitors."""

from collections.abc import Mapping

from webquarry.prompts.prompt import GROUND_RULES, Prompt, PromptArgument, numbered, quoted


def _write(arguments: Mapping[str, str]) -> str:
    company, market = quoted(arguments["company"]), arguments.get("market", "")
    field = f" in the market {quoted(market)}" if market else ""
    steps = [
        "Open a session: `sequential_search(searchStep=…, stepNumber=1, nextStepNeeded=true, "
        "researchGoal=…)` and pass its sessionId to the calls below.",
        f"Who it is: `web_search(query={company}, sessionId=…)` and "
        f"`brand_research(company_name={company}, sessionId=…)`.",
        f"Its numbers, if it is listed in the US: `filing_search(query={company}, "
        f'form_type="10-K", sessionId=…)` and `filing_search(query={company}, facts=true, '
        "sessionId=…)`.",
        f'Its inventions: `patent_search(assignee={company}, search_type="landscape", '
        "sessionId=…)`.",
        f'Its last year: `news_search(query={company}, time_range="year", sort_by="date", '
        "sessionId=…)`.",
        f"Its competitors{field}: `search_and_scrape(query=…, sessionId=…)`; repeat the steps "
        "above for the two or three that matter.",
        'Lists of "best" products: `verify_recommendation(recommendations=…)` before you rely '
        "on them; many rank their own brand first.",
        "`research_export(sessionId=…)` at the end.",
    ]
    return (
        f"Analyse {company} and its competitors{field}.\n\n{numbered(steps)}\n\n{GROUND_RULES}\n\n"
        "Answer with: a profile of each company, a table that compares them (product, price, "
        "customers, finances, patents), a SWOT of the first, and what could not be found out."
    )


COMPETITIVE_ANALYSIS = Prompt(
    name="competitive-analysis",
    description="Compare a company with its competitors from filings, patents and news.",
    arguments=(
        PromptArgument("company", "Company name", required=True),
        PromptArgument("market", "Market or segment to compare in"),
    ),
    write=_write,
)
