"""A graph of citations as a Mermaid diagram (https://mermaid.js.org/syntax/flowchart.html)."""

from collections.abc import Sequence

from webquarry.models.works import Work
from webquarry.services.scholarship.citation_graphs import Graph

_MAX_TITLE = 60  # characters
# characters that would end a label or start markup
_ENTITIES = {
    "#": "#35;", '"': "#quot;", "<": "#lt;", ">": "#gt;", "`": "#96;", "\\": "#92;", "|": "#124;",
}  # fmt: skip


def mermaid_diagram(graph: Graph) -> str:
    """Return the diagram: arrows point to the cited work; thick ones are influential."""
    lines = ["flowchart LR", f"  seed[{_label(graph.seed)}]:::seed"]
    shown = [("seed", graph.seed)]
    for letter, links in (("c", graph.cited_by), ("r", graph.references)):
        for number, work in enumerate(links.items if links else (), 1):
            name = f"{letter}{number}"
            shown.append((name, work))
            ends = (name, "seed") if letter == "c" else ("seed", name)
            lines += [f"  {name}[{_label(work)}]", f"  {ends[0]} {_arrow(work)} {ends[1]}"]
    return "\n".join([*lines, *_styles(shown)])


def _label(work: Work) -> str:
    title = work.title if len(work.title) <= _MAX_TITLE else f"{work.title[: _MAX_TITLE - 1]}…"
    first = f"{work.authors[0].split()[-1]} " if work.authors and work.authors[0].split() else ""
    text = f"{title} ({first}{work.year or 'n.d.'})"
    return '"' + "".join(_ENTITIES.get(mark, mark) for mark in " ".join(text.split())) + '"'


def _arrow(work: Work) -> str:
    line = "==>" if work.isInfluential else "-->"
    intents = ", ".join(work.citationIntents)
    clean = "".join(mark for mark in intents if mark.isalnum() or mark in ", -")
    return f"{line}|{clean}|" if clean else line


def _styles(shown: Sequence[tuple[str, Work]]) -> list[str]:
    styles = ["  classDef seed font-weight:bold,stroke-width:3px"]
    retracted = [name for name, work in shown if work.retraction and work.retraction.retracted]
    if retracted:
        styles.append("  classDef retracted stroke:#c00,stroke-dasharray:4,color:#c00")
        styles.append(f"  class {','.join(retracted)} retracted")
    return styles
