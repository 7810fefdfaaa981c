"""The prompt `comprehensive-research`: a question researched in recorded steps."""

from collections.abc import Mapping

from webquarry.prompts.prompt import GROUND_RULES, Prompt, PromptArgument, numbered, quoted

_ROUNDS = {"quick": 2, "standard": 3, "deep": 6}
_ASSIST = {"quick": "quick", "standard": "standard", "deep": "thorough"}


def _write(arguments: Mapping[str, str]) -> str:
    topic, depth = quoted(arguments["topic"]), arguments.get("depth") or "standard"
    rounds, assist = _ROUNDS[depth], _ASSIST[depth]
    lens = f", lens={quoted(arguments['lens'])}" if arguments.get("lens") else ""
    steps = [
        f"Open a session: `sequential_search(searchStep=…, stepNumber=1, nextStepNeeded=true, "
        f"researchGoal={topic}, totalStepsEstimate={rounds})`. Pass its sessionId to every call "
        "below, so that sources are recorded.",
        f"Get an overview: `search_and_scrape(query={topic}, num_results=5, sessionId=…)`; then "
        f"look wider with `web_search(query=…, sessionId=…{lens})` in other words than the first.",
        "Go where the evidence is: `academic_search(query=…, sessionId=…)` for studies, "
        "`news_search(query=…, time_range=…, sessionId=…)` for events, "
        "`patent_search(query=…, sessionId=…)` for inventions, "
        "`filing_search(query=…, sessionId=…)`, `legal_search(query=…, sessionId=…)`, "
        "`econ_search(query=…)` or `clinical_search(query=…, sessionId=…)` for records. "
        "Leave out those that do not fit.",
        "Read the sources you will rely on in full: `scrape_page(url=…, sessionId=…)`.",
        f"After each of {rounds} rounds write it down: `sequential_search(searchStep=…, "
        f"stepNumber=…, nextStepNeeded=…, sessionId=…, confidence=…, knowledgeGap=…, "
        f'depth="{assist}")`, and let its gaps decide what to search next.',
        "Before citing a paper or a link: `verify_citation(citation=…)`; with `claim=…` to see "
        "whether it speaks to what you cite it for.",
        "Finish with nextStepNeeded=false, then "
        '`research_export(sessionId=…, format="markdown", verify_links=true)`.',
    ]
    return (
        f"Research this thoroughly: {topic}\n\n{numbered(steps)}\n\n{GROUND_RULES}\n\n"
        "Answer with: a summary, the findings with their evidence, where sources disagree, "
        "what stays open, and the list of sources. If your context is lost, recover with "
        "`get_research_session(sessionId=…)`."
    )


COMPREHENSIVE_RESEARCH = Prompt(
    name="comprehensive-research",
    description="Research a topic in recorded steps over web, papers, news and public records.",
    arguments=(
        PromptArgument("topic", "What to research", required=True),
        PromptArgument("depth", "How far to go (default standard)", choices=tuple(_ROUNDS)),
        PromptArgument("lens", "Set of sites to search in, from lenses://catalog"),
    ),
    write=_write,
)
