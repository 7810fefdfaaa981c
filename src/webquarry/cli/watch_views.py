"""What `webquarry watch` prints."""

from collections.abc import Iterator

from webquarry.cli.output import Json, Note, Part, grid, list_field, one_line, plural


def created_view(body: Json) -> Iterator[Part]:
    """Show a new monitor."""
    yield Note(f"Watching {one_line(body['target'], 100)}, next check {body['nextRun']}.")
    if body.get("error"):
        yield Note(f"The first check failed: {body['error']}", warning=True)
    yield Note(f"Monitor id: {body['monitorId']}")
    yield Note("A running server checks it; without one, call `webquarry watch run` from cron.")


def list_view(body: Json) -> Iterator[Part]:
    """Show monitors as a table."""
    rows = list_field(body, "monitors")
    if not rows:
        yield Note("No monitors. Create one with `webquarry watch add URL`.")
        return
    headings = ("id", "name", "kind", "status", "last check", "changes", "next check")
    yield grid(headings, [_row(row) for row in rows])
    for row in rows:
        if row.get("unreachableSince"):
            text = f"{row['name']}: unreachable since {row['unreachableSince']}: {row['error']}"
            yield Note(text, warning=True)


def _row(row: Json) -> tuple[object, ...]:
    last = f"{_short(row.get('lastRun'))} {row.get('lastOutcome') or ''}".strip()
    changes = row["changes"]
    name = one_line(row["name"], 50)
    return (row["monitorId"], name, row["kind"], row["status"], last, changes,
            _short(row.get("nextRun")))  # fmt: skip


def run_view(body: Json) -> Iterator[Part]:
    """Show the monitors that were checked."""
    rows = list_field(body, "monitors")
    if rows:
        yield grid(
            ("id", "name", "outcome", "changes"),
            [(r["monitorId"], one_line(r["name"], 50), r.get("lastOutcome"), r["changes"])
             for r in rows],
        )  # fmt: skip
    yield Note(f"{plural(len(rows), 'monitor')} checked.")


def changes_view(body: Json) -> Iterator[Part]:
    """Show changes with their passages."""
    for change in list_field(body, "changes"):
        yield Note(f"{change['number']}  {_short(change['at'])}  {change['summary']}")
        passages = list_field(change, "changes")
        if passages:
            yield grid(
                ("change", "kind", "before", "after"),
                [(p["id"], p["kind"], one_line(p.get("before") or "", 80),
                  one_line(p.get("after") or "", 80)) for p in passages],
            )  # fmt: skip
        if ignored := list_field(change, "ignored"):
            rules = ", ".join(dict.fromkeys(each["ignored"]["rule"] for each in ignored))
            yield Note(f"Ignored: {plural(len(ignored), 'change')} ({rules})")
    if not body["changes"]:
        yield Note("No changes so far.")
    if body.get("rule"):
        yield Note(
            f"Muted. To undo: webquarry watch mute --undo {body['monitorId']} {body['rule']}"
        )
    state = f"{body['name']}: {body['status']}"
    checked = f", last check {_short(body.get('lastRun'))} {body.get('lastOutcome') or ''}"
    yield Note(f"{state}{checked if body.get('lastRun') else ''}.")
    if body.get("error"):
        yield Note(body["error"], warning=True)


def _short(timestamp: str | None) -> str:
    return (timestamp or "")[:16].replace("T", " ")
