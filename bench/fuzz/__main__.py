"""Fuzz all parsers, or those named: `python -m bench.fuzz --seconds 600 html css`."""

import argparse
import secrets
import sys

from bench.fuzz.runner import FINDINGS, fuzz
from bench.fuzz.targets import TARGETS


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("targets", nargs="*", metavar="target", help=", ".join(TARGETS))
    parser.add_argument("--seconds", type=float, default=600, help="for all targets together")
    parser.add_argument("--start", type=int, help="number of the first input; default: random")
    options = parser.parse_args()
    names: list[str] = options.targets or list(TARGETS)
    if unknown := [name for name in names if name not in TARGETS]:
        parser.error(f"unknown target {unknown[0]!r}; targets: {', '.join(TARGETS)}")
    start = secrets.randbelow(10**9) if options.start is None else options.start
    print(f"first input: {start}")
    total = failed = 0
    for name in names:
        report = fuzz(name, options.seconds / len(names), start)
        total += report.executions
        failed += len(report.findings)
        print(f"{name:14} {report.executions:8} inputs, slowest {report.slowest:5.2f} s CPU, "
              f"{len(report.findings)} findings", flush=True)  # fmt: skip
        for path, line in list(report.findings.items())[:10]:
            print(f"    {path}: {line[:200]}")
    print(f"{total} inputs, {failed} findings{f' in {FINDINGS}' if failed else ''}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
