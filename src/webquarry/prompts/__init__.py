"""The prompts. To add one: write its file, add it to `PROMPTS`.

A prompt writes calls as `tool(argument=value)`; a test checks every name in them.
"""

from webquarry.prompts.brand_guidelines import BRAND_GUIDELINES
from webquarry.prompts.competitive_analysis import COMPETITIVE_ANALYSIS
from webquarry.prompts.comprehensive_research import COMPREHENSIVE_RESEARCH
from webquarry.prompts.fact_check import FACT_CHECK
from webquarry.prompts.literature_review import LITERATURE_REVIEW
from webquarry.prompts.prompt import Prompt

PROMPTS: tuple[Prompt, ...] = (
    BRAND_GUIDELINES,
    COMPETITIVE_ANALYSIS,
    COMPREHENSIVE_RESEARCH,
    FACT_CHECK,
    LITERATURE_REVIEW,
)
