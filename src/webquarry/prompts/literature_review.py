"""The prompt `literature-review`: what has been published on a topic, reproducibly."""

from collections.abc import Mapping

from webquarry.prompts.prompt import GROUND_RULES, Prompt, PromptArgument, numbered, quoted


def _write(arguments: Mapping[str, str]) -> str:
    topic = quoted(arguments["topic"])
    years = "".join(
        f", {name}={arguments[name]}" for name in ("year_from", "year_to") if arguments.get(name)
    )
    steps = [
        f"Open a session: `sequential_search(searchStep=…, stepNumber=1, nextStepNeeded=true, "
        f"researchGoal={topic})` and pass its sessionId to every call below: the search log is "
        "made from it.",
        f"Search: `academic_search(query={topic}, num_results=10{years}, sessionId=…)`; again "
        "with synonyms, and with `open_access=true` for papers that can be read.",
        "Follow citations of the two or three central papers: `citation_graph(paper=…, "
        'direction="both", num_results=25, sessionId=…)`.',
        "Read what you will describe: `scrape_page(url=…, sessionId=…)` on the open version.",
        "After each round: `sequential_search(searchStep=…, stepNumber=…, nextStepNeeded=…, "
        "sessionId=…, knowledgeGap=…, rejectedApproaches=…)`, with papers you excluded and why.",
        "Check the list: `audit_bibliography(sessionId=…)`. Retracted papers are named as such "
        "or left out.",
        'Export: `research_export(sessionId=…, verify_links=true, attach=["bibtex", '
        '"prisma-s"])` and `format_bibliography(sessionId=…, style="apa")`.',
    ]
    return (
        f"Review the literature on {topic}.\n\n{numbered(steps)}\n\n{GROUND_RULES}\n\n"
        "Answer with: how the search was done (sources, queries, dates, numbers of records), the "
        "themes and methods, findings that agree and that conflict, the quality of the evidence, "
        "gaps, and the bibliography."
    )


LITERATURE_REVIEW = Prompt(
    name="literature-review",
    description="Review the scholarly literature on a topic, with a reproducible search log.",
    arguments=(
        PromptArgument("topic", "Topic or research question", required=True),
        PromptArgument("year_from", "Earliest year of publication"),
        PromptArgument("year_to", "Latest year of publication"),
    ),
    write=_write,
)
