"""The prompt `fact-check`: a claim held against evidence from both sides."""

from collections.abc import Mapping

from webquarry.prompts.prompt import GROUND_RULES, Prompt, PromptArgument, numbered, quoted


def _write(arguments: Mapping[str, str]) -> str:
    claim = quoted(arguments["claim"])
    context = f"\nContext: {arguments['context']}" if arguments.get("context") else ""
    steps = [
        "Split the claim into statements to be checked one by one: who, what, when, how much.",
        f"For: `search_and_scrape(query=…, claim={claim}, num_results=5)`.",
        f"Against: `web_search(query=…, claim={claim})` with words that a refutation would use, "
        'and `web_search(query=…, lens="news")`.',
        "Numbers and records at their origin: `academic_search(query=…)`, `econ_search(query=…)`, "
        "`filing_search(query=…)`, `legal_search(query=…)`, whichever fits.",
        "Count independent sources, not copies of one report; open the primary source with "
        "`scrape_page(url=…)`.",
        f"Check what is cited: `verify_citation(citation=…, claim={claim})`. A retraction or a "
        "source that does not address the claim matters more than how often it is repeated.",
    ]
    return (
        f"Check this claim: {claim}{context}\n\n{numbered(steps)}\n\n{GROUND_RULES}\n\n"
        "Report for each statement: supported, contradicted, mixed or not verifiable; the best "
        "evidence on either side with its URL and the sentence that says so; and your confidence "
        "(high, medium, low) with the reason for it."
    )


FACT_CHECK = Prompt(
    name="fact-check",
    description="Check a claim against evidence for and against it.",
    arguments=(
        PromptArgument("claim", "The claim to check", required=True),
        PromptArgument("context", "Where it was made, by whom, when"),
    ),
    write=_write,
)
