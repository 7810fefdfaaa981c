"""Changes found and false alarms on 60 pairs of page versions whose changes are known.

20 pairs are pages of Debian's documentation packages: ten of two releases, ten with edits. 20 are
generated product pages and 20 generated news pages, each with three earlier versions to learn
from. `--unseen` scores seeds that were held back. `--show` lists what is missed and what is told
wrongly. Exits with 1 if fewer than 98 % of the changes are found, or if more than 2 % of what is
told is no change.
"""

import argparse
import sys
import time
from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path

from bench.change_pairs.documentation import edited_pairs, released_pairs
from bench.change_pairs.news import news_pairs
from bench.change_pairs.pair import ChangePair
from bench.change_pairs.shops import shop_pairs
from webquarry.content.changes.compare import compare_versions
from webquarry.content.changes.noise_learning import learn_noise
from webquarry.models.changes import Change, NoiseProfile

FOUND, FALSE = 0.98, 0.02
START = 20_773 * 86_400.0  # 16 November 2026
CACHE = Path(".cache/change-pages")


@dataclass
class Score:
    """What was found of the changes of some pairs, and what else was told."""

    expected: int = 0
    found: int = 0
    told: int = 0
    wrong: int = 0
    ignored: int = 0
    kinds: int = 0
    right_kinds: int = 0
    seconds: float = 0.0
    lines: list[str] = field(default_factory=list[str])

    def add(self, pair: ChangePair) -> None:
        """Compare the versions of a pair."""
        versions = pair.versions(START)
        profile = NoiseProfile()
        for before, after in pairwise(versions[:-1]):
            profile = learn_noise(profile, before, after)
        started = time.process_time()
        comparison = compare_versions(versions[-2], versions[-1], profile)
        self.seconds += time.process_time() - started
        self._count(pair, comparison.changes)
        self.ignored += len(comparison.ignored)
        for change in comparison.ignored:
            if any(each.is_found_in(change) for each in pair.expected if each.kind != "optional"):
                self.lines.append(f"{pair.name}: ignored {_text(change)} {change.ignored}")

    def _count(self, pair: ChangePair, changes: Iterable[Change]) -> None:
        told = list(changes)
        required = [each for each in pair.expected if each.kind != "optional"]
        for each in required:
            matching = [change for change in told if each.is_found_in(change)]
            self.expected += 1
            self.found += bool(matching)
            if not matching:
                self.lines.append(f"{pair.name}: missed {each}")
            elif each.kind:
                self.kinds += 1
                self.right_kinds += any(change.kind == each.kind for change in matching)
        self.told += len(told)
        for change in told:
            if not any(each.is_found_in(change) for each in pair.expected):
                self.wrong += 1
                self.lines.append(f"{pair.name}: no change {_text(change)}")

    @property
    def is_good(self) -> bool:
        """Whether enough was found, and little else."""
        return self.found >= FOUND * self.expected and self.wrong <= FALSE * self.told

    def __str__(self) -> str:
        found = self.found / self.expected if self.expected else 1.0
        wrong = self.wrong / self.told if self.told else 0.0
        return (
            f"found {self.found}/{self.expected} ({found:.3f}), false alarms "
            f"{self.wrong}/{self.told} ({wrong:.3f}), ignored {self.ignored}, "
            f"kind right {self.right_kinds}/{self.kinds}, {1000 * self.seconds:.0f} ms"
        )


def _text(change: Change) -> str:
    passages = (each.quote if each else "" for each in (change.before, change.after))
    return f"{change.kind} in {change.where!r}: {' -> '.join(passages)}"


def pairs(*, unseen: bool) -> dict[str, list[ChangePair]]:
    """Return the pairs by the kind of their pages."""
    first = 2000 if unseen else 0
    return {
        "releases": [] if unseen else released_pairs(CACHE, 10),
        "edited documentation": edited_pairs(CACHE, range(first, first + (20 if unseen else 10))),
        "shops": shop_pairs(range(first, first + 20)),
        "news": news_pairs(range(first, first + 20)),
    }


def main() -> None:
    """Score all pairs and print what was found."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--unseen", action="store_true", help="score the seeds held back")
    parser.add_argument("--show", action="store_true", help="list what is missed or wrong")
    options = parser.parse_args()
    CACHE.mkdir(parents=True, exist_ok=True)
    total = Score()
    for name, found in pairs(unseen=options.unseen).items():
        score = Score()
        for pair in found:
            score.add(pair)
            total.add(pair)
        print(f"{name} ({len(found)} pairs): {score}")
        if options.show:
            print(*score.lines, sep="\n")
    print(f"all: {total}")
    sys.exit(0 if total.is_good else 1)


if __name__ == "__main__":
    main()
