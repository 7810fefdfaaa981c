"""Papers as PDF files with known citations: text and markers are generated, references are real."""

from collections.abc import Sequence
from importlib import import_module
from io import BytesIO
from random import Random
from typing import Any, NamedTuple

_SENTENCES = (
    "The effect was seen in most samples of the second series{m}.",
    "Earlier work reported a smaller share of 12.5 % in the U.S. group{m}.",
    "In contrast, no such change was found after the treatment{m}, as Fig. 2 shows.",
    "This agrees with the model of the first section{m}.",
    "We measured it ourselves, with the setup of the last year.",
    "Several groups have used the same method on other data{m}.",
)
_HEADINGS = ("Introduction", "Methods", "Results", "Discussion")


class Citation(NamedTuple):
    """A marker as it is printed, and the numbers of the works that it names."""

    text: str
    works: tuple[int, ...]


class Paper(NamedTuple):
    """A PDF file and the citations in it."""

    pdf: bytes
    citations: list[Citation]


def make_paper(
    works: Sequence[dict[str, Any]], written: Sequence[str], style: str, random: Random
) -> Paper:
    """Return a paper that cites works in a style: `numbered` or `author-year`."""
    citations: list[Citation] = []
    body: list[tuple[str, str]] = []
    order = list(range(len(works)))
    for heading in _HEADINGS:
        body.append(("heading", heading))
        for _ in range(4):
            sentences = [
                _sentence(random.choice(_SENTENCES), works, order, style, citations, random)
                for _ in range(random.randrange(3, 7))
            ]
            body.append(("text", " ".join(sentences)))
    body.append(("heading", "References"))
    prefix = "[{}] " if style == "numbered" else ""
    body += [("entry", f"{prefix.format(n)}{text}") for n, text in enumerate(written, 1)]
    return Paper(_pdf(body, columns=random.choice((1, 2))), citations)


def _sentence(
    pattern: str, works: Sequence[dict[str, Any]], order: list[int], style: str,
    citations: list[Citation], random: Random,
) -> str:  # fmt: skip
    if "{m}" not in pattern:
        return pattern
    chosen = tuple(sorted(random.sample(order, random.choice((1, 1, 1, 2, 3)))))
    text = _numbers(chosen) if style == "numbered" else _names(chosen, works)
    citations.append(Citation(text, chosen))
    return pattern.replace("{m}", f" {text}")


def _numbers(chosen: tuple[int, ...]) -> str:
    numbers = [number + 1 for number in chosen]
    if len(numbers) > 2 and numbers[-1] - numbers[0] == len(numbers) - 1:
        return f"[{numbers[0]}\u2013{numbers[-1]}]"
    return f"[{', '.join(map(str, numbers))}]"


def _names(chosen: tuple[int, ...], works: Sequence[dict[str, Any]]) -> str:
    return f"({'; '.join(_name(works[number]) for number in chosen)})"


def _name(work: dict[str, Any]) -> str:
    people = [author.get("literal") or author["family"] for author in work["author"]]
    year = work["issued"]["date-parts"][0][0]
    names = " & ".join(people) if len(people) < 3 else f"{people[0]} et al."
    return f"{names}, {year}"


def _pdf(body: Sequence[tuple[str, str]], *, columns: int) -> bytes:
    platypus: Any = import_module("reportlab.platypus")
    styles: Any = import_module("reportlab.lib.styles")
    text = styles.ParagraphStyle("text", fontName="Times-Roman", fontSize=10, leading=12,
                                 spaceAfter=6, alignment=4)  # fmt: skip
    heading = styles.ParagraphStyle("heading", fontName="Times-Bold", fontSize=13, leading=16,
                                    spaceAfter=4, spaceBefore=8)  # fmt: skip
    entry = styles.ParagraphStyle("entry", fontName="Times-Roman", fontSize=9, leading=11,
                                  leftIndent=14, firstLineIndent=-14, spaceAfter=3)  # fmt: skip
    looks = {"text": text, "heading": heading, "entry": entry}
    file = BytesIO()
    width = 480 / columns - 8
    frames = [platypus.Frame(57 + at * (width + 16), 60, width, 720) for at in range(columns)]
    document = platypus.BaseDocTemplate(file, pagesize=(595, 842))
    document.addPageTemplates([platypus.PageTemplate(frames=frames)])
    document.build(
        [platypus.Paragraph(part.replace("&", "&amp;"), looks[kind]) for kind, part in body]
    )
    return file.getvalue()
