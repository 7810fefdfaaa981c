"""Field accuracy and wrong values of the extraction, without a model, on pages written for it.

`--unseen` runs the pages that were kept aside; `--show` lists every field that is not right.
"""

import argparse
import time
from collections import Counter
from typing import Any

from bench.field_pages import Page, leaves, pages
from webquarry.content.fields.extract_fields import fill_from_html
from webquarry.content.fields.json_schema import plain_schema
from webquarry.content.html.read_html import read_html

URL = "https://pages.example/one"
ACCURACY, WRONG = 0.85, 0.03


def judged(page: Page) -> list[tuple[str, str, Any, Any]]:
    """Return for every field whether it is right, null or wrong, what is right, what was found."""
    read = read_html(page.html, url=URL)
    hints = str(page.schema.get("title") or "")
    schema = plain_schema(page.schema)
    filled = fill_from_html(page.html, schema, url=URL, hints=hints, about=read.metadata)
    found = dict(leaves(filled.data))
    gold = dict(leaves(page.gold))
    rows = [(pointer, _verdict(value, found.get(pointer)), value, found.get(pointer))
            for pointer, value in gold.items()]  # fmt: skip
    extra = [(p, "wrong", None, v) for p, v in found.items() if p not in gold and v is not None]
    return [*rows, *extra]


def _verdict(gold: Any, found: Any) -> str:
    if gold == found and type(gold) is not bool:
        return "right"
    if gold is found:
        return "right"
    return "null" if found is None else "wrong"


def measured(kept: list[Page]) -> tuple[dict[str, Counter[str]], list[str]]:
    """Return the verdicts by kind of page, and a line for each field that is not right."""
    table: dict[str, Counter[str]] = {}
    lines: list[str] = []
    for page in kept:
        for pointer, verdict, gold, found in judged(page):
            table.setdefault(page.name.split("/", maxsplit=1)[0], Counter())[verdict] += 1
            if verdict != "right":
                lines.append(f"{verdict:5} {page.name}{pointer}: {gold!r} <- {found!r}")
    return table, lines


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--unseen", action="store_true")
    asked.add_argument("--show", action="store_true")
    args = asked.parse_args()
    kept = list(pages(unseen=args.unseen))
    began = time.process_time()
    table, lines = measured(kept)
    spent = time.process_time() - began
    if args.show:
        print(*lines, sep="\n")
    total: Counter[str] = sum(table.values(), Counter[str]())
    print(f"{'kind':10}{'fields':>8}{'right':>8}{'null':>8}{'wrong':>8}")
    for kind, counts in [*table.items(), ("all", total)]:
        size = counts.total()
        shares = "".join(f"{counts[v] / size:8.3f}" for v in ("right", "null", "wrong"))
        print(f"{kind:10}{size:8}{shares}")
    print(f"{len(kept)} pages, {spent / len(kept) * 1000:.1f} ms CPU each")
    accuracy, wrong = total["right"] / total.total(), total["wrong"] / total.total()
    if accuracy < ACCURACY or wrong > WRONG:
        raise SystemExit(f"accuracy {accuracy:.3f} < {ACCURACY} or wrong {wrong:.3f} > {WRONG}")


if __name__ == "__main__":
    main()
