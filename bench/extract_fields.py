"""Field accuracy of structured extraction without a language model, on pages written for it.

`--unseen` scores the holdout pages; `--show` lists every field that is not correct.
"""

import argparse
import time
from collections import Counter
from typing import Any

from bench.field_pages import Page, leaves, pages
from webquarry.content.fields.extract_fields import fill_from_html
from webquarry.content.fields.json_schema import resolve_schema
from webquarry.content.html.read_html import read_html

URL = "https://pages.example/one"
ACCURACY, WRONG = 0.85, 0.03


def field_verdicts(page: Page) -> list[tuple[str, str, Any, Any]]:
    """Return pointer, verdict (right, null, wrong), gold and extracted value of every field."""
    content = read_html(page.html, url=URL)
    hints = str(page.schema.get("title") or "")
    schema = resolve_schema(page.schema)
    filled = fill_from_html(page.html, schema, url=URL, hints=hints, about=content.metadata)
    extracted = dict(leaves(filled.data))
    gold = dict(leaves(page.gold))
    rows = [(pointer, _verdict(value, extracted.get(pointer)), value, extracted.get(pointer))
            for pointer, value in gold.items()]  # fmt: skip
    extra = [(p, "wrong", None, v) for p, v in extracted.items() if p not in gold and v is not None]
    return [*rows, *extra]


def _verdict(gold: Any, extracted: Any) -> str:
    if gold == extracted and type(gold) is not bool:
        return "right"
    if gold is extracted:
        return "right"
    return "null" if extracted is None else "wrong"


def score_pages(chosen: list[Page]) -> tuple[dict[str, Counter[str]], list[str]]:
    """Return the verdicts by kind of page, and a line for each field that is not correct."""
    table: dict[str, Counter[str]] = {}
    lines: list[str] = []
    for page in chosen:
        for pointer, verdict, gold, extracted in field_verdicts(page):
            table.setdefault(page.name.split("/", maxsplit=1)[0], Counter())[verdict] += 1
            if verdict != "right":
                lines.append(f"{verdict:5} {page.name}{pointer}: {gold!r} <- {extracted!r}")
    return table, lines


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--unseen", action="store_true", help="score the holdout pages")
    parser.add_argument("--show", action="store_true", help="list every field that is not correct")
    args = parser.parse_args()
    chosen = list(pages(unseen=args.unseen))
    started = time.process_time()
    table, lines = score_pages(chosen)
    spent = time.process_time() - started
    if args.show:
        print(*lines, sep="\n")
    total: Counter[str] = sum(table.values(), Counter[str]())
    print(f"{'kind':10}{'fields':>8}{'right':>8}{'null':>8}{'wrong':>8}")
    for kind, counts in [*table.items(), ("all", total)]:
        size = counts.total()
        shares = "".join(f"{counts[v] / size:8.3f}" for v in ("right", "null", "wrong"))
        print(f"{kind:10}{size:8}{shares}")
    print(f"{len(chosen)} pages, {spent / len(chosen) * 1000:.1f} ms CPU each")
    accuracy, wrong = total["right"] / total.total(), total["wrong"] / total.total()
    if accuracy < ACCURACY or wrong > WRONG:
        raise SystemExit(f"accuracy {accuracy:.3f} < {ACCURACY} or wrong {wrong:.3f} > {WRONG}")


if __name__ == "__main__":
    main()
