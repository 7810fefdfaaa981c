"""The prompt `brand-guidelines`: a brand's identity turned into guidance for one use."""

from collections.abc import Mapping

from webquarry.prompts.prompt import GROUND_RULES, Prompt, PromptArgument, numbered, quoted

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


def _write(arguments: Mapping[str, str]) -> str:
    company = arguments["company"].strip()
    use_case = arguments.get("use_case") or "full_guidelines"
    depth = arguments.get("depth") or "standard"
    # a name with a dot and no space is a domain
    subject = "url" if "." in company and " " not in company else "company_name"
    tokens = ", include_design_tokens=true" if use_case == "design_tokens" else ""
    steps = [
        f'Call `brand_research({subject}={quoted(company)}, depth="{depth}"{tokens})`.',
        "If the result has brand_portal_resource, read that resource: it is the portal's text, "
        "with more than the structured fields hold.",
        "If it has a suggestion instead, follow it: usually `scrape_page(url=…)` on the page it "
        "names.",
        "Use only colors, fonts and rules that were found. An empty field means that it was not "
        "found: say so, and mark every proposal of your own as one.",
    ]
    parts = "\n".join(f"- {part}" for part in _PRODUCES[use_case])
    return (
        f"Give brand-compliant guidance for {quoted(company)}: {use_case}.\n\n{numbered(steps)}"
        f"\n\n{GROUND_RULES}\n\nProduce:\n{parts}"
    )


BRAND_GUIDELINES = Prompt(
    name="brand-guidelines",
    description="Research a brand and turn its identity into guidance for a use case.",
    arguments=(
        PromptArgument("company", "Company name or domain, e.g. kaltura.com", required=True),
        PromptArgument("use_case", "What for (default full_guidelines)", choices=tuple(_PRODUCES)),
        PromptArgument("depth", "Depth of brand_research (default standard)", choices=_DEPTHS),
    ),
    write=_write,
)
