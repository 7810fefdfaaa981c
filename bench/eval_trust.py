"""Are made-up references told from real ones, and claims from what sources say? Offline."""

import argparse
import asyncio
import sys
import tempfile
from collections import Counter
from collections.abc import Sequence
from contextlib import AsyncExitStack
from typing import Any, NamedTuple

from bench.trust import holdout, reference_claims
from bench.trust.pairs import LANGUAGES, Pair, pairs
from bench.trust.references import Reference, references
from bench.trust.registries import serving
from bench.trust.works import entries
from webquarry.app import App, open_app
from webquarry.calls.tool import no_progress
from webquarry.content.claims.claim_sentences import Claim
from webquarry.services.trust.claim_check import measured
from webquarry.serving import read_settings

_TARGET, _CLAIM_PRECISION, _CLAIM_RECALL = 0.98, 0.95, 0.9
_FAILING = 0.3
_FLAGGED = "not_addressed"
APPS = 6  # each has its own limits towards the registries


class Judged(NamedTuple):
    """A reference, and what came of it: matches, differs, or nobody could tell."""

    reference: Reference
    verdict: str
    answer: dict[str, Any]


class Scores(NamedTuple):
    """How often a verdict was right, and how often it was given where it should have been."""

    precision: float
    recall: float


async def judged(wanted: Sequence[Reference], failing: float = 0.0) -> list[Judged]:
    """Ask `verify_citation` about every reference, over registries on loopback."""
    with serving(failing) as settings:
        async with AsyncExitStack() as stack:
            shares = [wanted[at::APPS] for at in range(APPS)]
            asked: list[Any] = []
            for share in shares:
                home = stack.enter_context(tempfile.TemporaryDirectory(prefix="eval-trust-"))
                own = read_settings({"WEBQUARRY_DATA_DIR": home, **settings})
                app = await stack.enter_async_context(open_app(own, "library"))
                asked.append(_share(app, share))
            answers = await asyncio.gather(*asked)
    return [each for share in answers for each in share]


async def _share(app: App, share: Sequence[Reference]) -> list[Judged]:
    gate = asyncio.Semaphore(4)

    async def one(reference: Reference) -> Judged:
        async with gate:
            arguments = {"citation": reference.text}
            result = await app.offer.path.call(
                "verify_citation", arguments, app.owner, request_id="eval", report=no_progress
            )
        answer = result.structured or {}
        return Judged(reference, verdict(answer), answer)

    return list(await asyncio.gather(*(one(reference) for reference in share)))


def verdict(answer: dict[str, Any]) -> str:
    """Return what an answer says: matches, differs or unchecked."""
    status = answer["verificationStatus"]
    if status == "unchecked":
        return "unchecked"
    return "matches" if status == "confirmed" else "differs"


def scores(found: Sequence[Judged], *, right: bool) -> Scores:
    """Return how well real references are confirmed, or made-up ones are seen through."""
    said = "matches" if right else "differs"
    given = [each for each in found if each.verdict == said]
    due = [each for each in found if each.reference.right == right]
    good = sum(each.reference.right == right for each in given)
    return Scores(good / max(1, len(given)), good / max(1, len(due)))


def show(title: str, found: Sequence[Judged], *, verbose: bool) -> None:
    """Print the scores of a set of references."""
    counts = Counter(each.verdict for each in found)
    print(f"\n{title}: {len(found)} references over {len(entries())} works; {dict(counts)}")
    for name, right in (("matches", True), ("does not match", False)):
        scored = scores(found, right=right)
        print(f"  {name:<15} precision {scored.precision:.3f}  recall {scored.recall:.3f}")
    wrong = [each for each in found
             if each.verdict == ("differs" if each.reference.right else "matches")]  # fmt: skip
    missed = Counter(each.reference.kind for each in wrong)
    print(f"  wrong by kind: {dict(missed) or 'none'}")
    if verbose:
        for each in wrong:
            told = {key: each.answer.get(key) for key in ("verificationStatus", "mismatches")}
            near: dict[str, Any] = (
                each.answer.get("matchedRecord") or each.answer.get("possibleMatch") or {}
            )
            print(f"    [{each.reference.kind}] {each.reference.text}\n      {told} {near}")


class Reading(NamedTuple):
    """What two algorithms say about a pair: ours, and the Go reference's."""

    pair: Pair
    ours: str
    theirs: str
    contrast: bool


def readings(*languages: str) -> list[Reading]:
    """Return what is said about the pairs of these languages, or of all."""
    return [_read(pair) for pair in pairs(*languages)]


def _read(pair: Pair) -> Reading:
    support, evidence = measured(pair.claim, pair.source)
    contrast = bool(evidence) and Claim(pair.claim).contrast(pair.source)
    return Reading(pair, support, reference_claims.support(pair.claim, pair.source), contrast)


def claim_scores(found: Sequence[Reading], said: Sequence[str]) -> Scores:
    """Return how well `not_addressed` finds the sources that do not speak about a claim."""
    flagged = [each for each, support in zip(found, said, strict=True) if support == _FLAGGED]
    good = sum(each.pair.mischaracterised for each in flagged)
    due = sum(each.pair.mischaracterised for each in found)
    return Scores(good / max(1, len(flagged)), good / max(1, due))


def contrast_scores(found: Sequence[Reading]) -> Scores:
    """Return how well `contrastSignal` finds contradicted and negated claims."""
    opposed = [each for each in found if each.pair.kind in ("contradicted", "negated")]
    given = [each for each in found if each.contrast and not each.pair.mischaracterised]
    good = sum(each.contrast for each in opposed)
    return Scores(good / max(1, len(given)), good / max(1, len(opposed)))


def show_claims() -> None:
    """Print how claims are measured, beside the Go reference's algorithm."""
    print("\nClaims: sources that do not speak about the claim (off topic, scattered)")
    print(
        f"  {'':<12}{'pairs':>6}{'ours P':>9}{'R':>7}{'Go P':>9}{'R':>7}{'contrast P':>13}{'R':>7}"
    )
    for name in (*LANGUAGES, "all"):
        found = readings(*([] if name == "all" else [name]))
        ours = claim_scores(found, [each.ours for each in found])
        theirs = claim_scores(found, [each.theirs for each in found])
        contrast = contrast_scores(found)
        print(f"  {name:<12}{len(found):>6}{ours.precision:>9.3f}{ours.recall:>7.3f}"
              f"{theirs.precision:>9.3f}{theirs.recall:>7.3f}"
              f"{contrast.precision:>13.3f}{contrast.recall:>7.3f}")  # fmt: skip


def main() -> None:
    options = _options()
    tuned, unseen = references(), holdout.references()
    found = asyncio.run(judged(tuned))
    show("Tuned on", found, verbose=options.verbose)
    later = asyncio.run(judged(unseen))
    show("Written after tuning", later, verbose=options.verbose)
    failing = asyncio.run(judged([*tuned, *unseen], _FAILING))
    show("All, 30 % of calls failing", failing, verbose=options.verbose)
    show_claims()
    whole = [scores([*found, *later], right=right) for right in (True, False)]
    shaky = [scores(failing, right=right).precision for right in (True, False)]
    spoken = readings()
    claims = claim_scores(spoken, [each.ours for each in spoken])
    good = min(*map(min, whole), *shaky) >= _TARGET
    good = good and claims.precision >= _CLAIM_PRECISION and claims.recall >= _CLAIM_RECALL
    print(f"\n{'PASS' if good else 'short of the target'}")
    sys.exit(not good)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--verbose", action="store_true", help="print what went wrong")
    return parser.parse_args()


if __name__ == "__main__":
    main()
