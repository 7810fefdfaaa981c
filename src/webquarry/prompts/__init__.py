"""The prompts. To add one: write its text in `<name>.md`, add it to `PROMPTS`.

A prompt writes calls as `tool(argument=value)`; a test checks every name in them. The functions
below return what replaces the names in braces.
"""

from collections.abc import Mapping

from webquarry.prompts.prompt import Prompt, PromptArgument, from_template, quoted

_PRODUCES = {
    "landing_page": (
        "a color palette table (role, name, hex, where to use it)",
        "a typography spec (heading, body, sizes, weights)",
        "a sample headline and subhead in the brand's voice",
        "component guidance: buttons, cards, navigation, imagery",
    ),
    "email": (
        "an email color spec that survives dark mode",
        "a font stack with fallbacks that mail programs have",
        "a sample subject line and preheader",
        "an HTML snippet with inline styles",
    ),
    "social_post": (
        "visual identity notes",
        "three sample captions: Twitter/X, LinkedIn, Instagram",
        "hashtag suggestions",
    ),
    "video_brief": (
        "a motion graphics color spec",
        "logo bug placement",
        "voiceover tone direction",
        "a music mood descriptor",
    ),
    "design_tokens": (
        "a code block with W3C DTCG JSON",
        "a token mapping table (token, value, source)",
        "a gap analysis: tokens a design system needs that the brand does not define",
    ),
    "full_guidelines": (
        "identity",
        "the color system",
        "logo usage",
        "typography",
        "tone of voice",
        "a coverage summary: what is documented and what is not",
    ),
}
_DEPTHS = ("quick", "standard", "full")
# how many rounds of research, and the `depth` of sequential_search
_ROUNDS = {"quick": ("2", "quick"), "standard": ("3", "standard"), "deep": ("6", "thorough")}


def _brand_guidelines(arguments: Mapping[str, str]) -> dict[str, str]:
    company = arguments["company"].strip()
    use_case = arguments.get("use_case") or "full_guidelines"
    # a name with a dot and no space is a domain
    is_domain = "." in company and " " not in company
    return {
        "company": quoted(company),
        "subject": "url" if is_domain else "company_name",
        "use_case": use_case,
        "depth": arguments.get("depth") or "standard",
        "tokens": ", include_design_tokens=true" if use_case == "design_tokens" else "",
        "parts": "\n".join(f"- {part}" for part in _PRODUCES[use_case]),
    }


def _competitive_analysis(arguments: Mapping[str, str]) -> dict[str, str]:
    market = arguments.get("market", "")
    return {
        "company": quoted(arguments["company"]),
        "field": f" in the market {quoted(market)}" if market else "",
    }


def _comprehensive_research(arguments: Mapping[str, str]) -> dict[str, str]:
    rounds, assist = _ROUNDS[arguments.get("depth") or "standard"]
    lens = arguments.get("lens")
    return {
        "topic": quoted(arguments["topic"]),
        "rounds": rounds,
        "assist": assist,
        "lens": f", lens={quoted(lens)}" if lens else "",
    }


def _fact_check(arguments: Mapping[str, str]) -> dict[str, str]:
    context = arguments.get("context")
    return {
        "claim": quoted(arguments["claim"]),
        "context": f"\nContext: {context}" if context else "",
    }


def _literature_review(arguments: Mapping[str, str]) -> dict[str, str]:
    years = {name: arguments.get(name) for name in ("year_from", "year_to")}
    return {
        "topic": quoted(arguments["topic"]),
        "years": "".join(f", {name}={year}" for name, year in years.items() if year),
    }


def _check_before_you_send(arguments: Mapping[str, str]) -> dict[str, str]:
    document = arguments.get("document")
    source = "text=…" if not document else f"url={quoted(document)}"
    return {"what": quoted(document) if document else "the draft", "source": source}


PROMPTS: tuple[Prompt, ...] = (
    Prompt(
        name="brand-guidelines",
        description="Research a brand and turn its identity into guidance for a use case.",
        arguments=(
            PromptArgument("company", "Company name or domain, e.g. kaltura.com", required=True),
            PromptArgument("use_case", "What for (default full_guidelines)", choices=(*_PRODUCES,)),
            PromptArgument("depth", "Depth of brand_research (default standard)", choices=_DEPTHS),
        ),
        write=from_template("brand-guidelines", _brand_guidelines),
    ),
    Prompt(
        name="check_before_you_send",
        description="Check the claims and references of a draft before it is sent.",
        arguments=(PromptArgument("document", "URL of the document (default: your own draft)"),),
        write=from_template("check_before_you_send", _check_before_you_send),
    ),
    Prompt(
        name="competitive-analysis",
        description="Compare a company with its competitors from filings, patents and news.",
        arguments=(
            PromptArgument("company", "Company name", required=True),
            PromptArgument("market", "Market or segment to compare in"),
        ),
        write=from_template("competitive-analysis", _competitive_analysis),
    ),
    Prompt(
        name="comprehensive-research",
        description="Research a topic in recorded steps over web, papers, news and public records.",
        arguments=(
            PromptArgument("topic", "What to research", required=True),
            PromptArgument("depth", "How far to go (default standard)", choices=(*_ROUNDS,)),
            PromptArgument("lens", "Set of sites to search in, from lenses://catalog"),
        ),
        write=from_template("comprehensive-research", _comprehensive_research),
    ),
    Prompt(
        name="fact-check",
        description="Check a claim against evidence for and against it.",
        arguments=(
            PromptArgument("claim", "The claim to check", required=True),
            PromptArgument("context", "Where it was made, by whom, when"),
        ),
        write=from_template("fact-check", _fact_check),
    ),
    Prompt(
        name="literature-review",
        description="Review the scholarly literature on a topic, with a reproducible search log.",
        arguments=(
            PromptArgument("topic", "Topic or research question", required=True),
            PromptArgument("year_from", "Earliest year of publication"),
            PromptArgument("year_to", "Latest year of publication"),
        ),
        write=from_template("literature-review", _literature_review),
    ),
)
