"""A language model that judges claims, and quotes a source truly only once for each source."""

import json
import re
from dataclasses import dataclass, field


@dataclass
class JudgingModel:
    """Calls every claim supported; only the quotation of the first is in the source."""

    asked: list[str] = field(default_factory=list[str])

    def reply(self, prompt: str) -> str:
        self.asked.append(prompt)
        claims, _, source = prompt.partition("\n\nSource:\n\n")
        numbers = [int(number) for number in re.findall(r"^(\d+)\. ", claims, re.MULTILINE)]
        first = source.split(". ")[0]
        verdicts = [
            {"claim": at, "verdict": "supported", "quote": first if at == 1 else "Made of oak."}
            for at in numbers
        ]
        return json.dumps({"verdicts": verdicts})
