"""Guided crawls of Debian's HTML manuals: which answers they find, and in how many pages.

Each question is the query of one crawl from the index page of a manual, which may read a quarter
of its pages and may stop earlier. A breadth-first crawl reads as many pages. Half of the questions
were used for tuning; the result counts for the other half. Exits with 1 if fewer than 90 % of the
held-back answers are found.
"""

import argparse
import asyncio
import sys
import tempfile
import threading
import tomllib
from collections.abc import Generator
from contextlib import AsyncExitStack, contextmanager
from dataclasses import dataclass
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from pydantic import BaseModel, ConfigDict

from webquarry.content.html.quick_parse import quick_parse
from webquarry.crawl.service import CrawlService
from webquarry.models.caller import Caller
from webquarry.models.crawl import CrawlJob, CrawlRequest
from webquarry.settings.load import load
from webquarry.wiring.container import Services
from webquarry.wiring.open_storage import storage_keys

QUESTIONS = Path(__file__).parent / "guided" / "questions.toml"
MAX_SHARE = 0.25  # of the pages of a manual
MIN_FOUND = 0.9  # of the answers
SHARES = (0.05, 0.10, 0.25)
CALLER = Caller(user="bench")


class Question(BaseModel):
    """A question and the pages that answer it."""

    model_config = ConfigDict(extra="forbid")
    query: str
    pages: tuple[str, ...]
    proof: str


class Manual(BaseModel):
    """An installed manual."""

    model_config = ConfigDict(extra="forbid")
    name: str
    package: str
    directory: Path
    question: tuple[Question, ...]

    def check(self) -> None:
        """Exit if a page does not contain the answer."""
        for question in self.question:
            for page in question.pages:
                file = self.directory / page
                if question.proof.lower() not in _visible_text(file).lower():
                    sys.exit(f"{file} does not contain {question.proof!r}")


@dataclass(frozen=True, kw_only=True)
class Answer:
    """How a question was answered."""

    manual: str
    question: Question
    total: int  # pages of the manual
    read: int  # pages of the guided crawl
    position: int | None  # of the first page with the answer, from 1
    breadth_first: int | None  # its position in a breadth-first crawl
    stopped: str

    @property
    def breadth_first_found(self) -> bool:
        """Whether a breadth-first crawl of as many pages has the answer."""
        return self.breadth_first is not None and self.breadth_first <= self.read

    def found_within(self, share: float) -> bool:
        """Whether the answer is among the first pages."""
        return self.position is not None and self.position <= share * self.total

    def line(self) -> str:
        """Return one line of the report."""
        return (
            f"{self.manual:<11}{self.read:>5} of {self.total:<5}{self.stopped:<19}"
            f"{self.position or '-':>5}{self.breadth_first or '-':>6}  {self.question.query}"
        )


@contextmanager
def served(directory: Path) -> Generator[str]:
    """Serve a manual on the loopback; yield its URL."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(_QuietHandler, directory=directory))
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


class _QuietHandler(SimpleHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    # the base class has this name
    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        """Log nothing."""


async def crawl(
    crawling: CrawlService, url: str, pages: int, query: str | None = None
) -> tuple[CrawlJob, list[str]]:
    """Crawl a manual; return the job and the paths of its pages in the order of reading."""
    request = CrawlRequest(
        url=f"{url}index.html", query=query, max_depth=100, max_pages=pages, index=False
    )
    job = await crawling.start(request, CALLER)
    job = [update async for update in crawling.watch(job.id, CALLER)][-1]
    paths: list[str] = []
    while len(paths) < job.progress.pagesCrawled:
        batch, _ = await crawling.pages(job.id, CALLER, offset=len(paths), limit=500, formats=())
        paths += [page.url.removeprefix(url) for page in batch]
    return job, paths


async def ask(crawling: CrawlService, manual: Manual, chosen: list[Question]) -> list[Answer]:
    """Crawl a manual once for each question."""
    answers: list[Answer] = []
    with served(manual.directory) as url:
        _, everything = await crawl(crawling, url, 5000)
        total = len(everything)
        for question in chosen:
            job, paths = await crawl(crawling, url, int(MAX_SHARE * total), question.query)
            answer = Answer(
                manual=manual.name,
                question=question,
                total=total,
                read=len(paths),
                position=_position(paths, question),
                breadth_first=_position(everything, question),
                stopped=job.stop_reason or job.state,
            )
            answers.append(answer)
            print(answer.line(), flush=True)
    return answers


def summary(name: str, answers: list[Answer]) -> str:
    """Return the result of one half of the questions."""
    count = len(answers)
    found = sum(answer.position is not None for answer in answers)
    same = sum(answer.breadth_first_found for answer in answers)
    read = sum(answer.read / answer.total for answer in answers) / count
    within = ", ".join(
        f"{sum(answer.found_within(share) for answer in answers)} within {share:.0%}"
        for share in SHARES
    )
    return (
        f"{name}: {found} of {count} answers ({found / count:.0%}) in {read:.1%} of the pages"
        f" ({within} of the pages); breadth-first, as many pages: {same} ({same / count:.0%})"
    )


async def run(manuals: list[Manual], half: str) -> bool:
    """Ask the questions; return whether enough held-back answers were found."""
    development: list[Answer] = []
    held_back: list[Answer] = []
    with tempfile.TemporaryDirectory() as data:
        environ = {
            "WEBQUARRY_DATA_DIR": data,
            "ALLOW_PRIVATE_IPS": "true",
            "CRAWL_DELAY": "0",
            "LOCAL_INDEX": "off",
        }
        settings = load(environ=environ, directory=Path(data), flags={}, declared=())
        async with AsyncExitStack() as stack:
            crawling = Services(settings, storage_keys(settings), stack).crawling
            print(f"{'manual':<11}{'pages read':<14}{'stopped':<19}answer  b-f  query")
            for manual in manuals:
                if half != "held-back":
                    development += await ask(crawling, manual, list(manual.question[::2]))
                if half != "development":
                    held_back += await ask(crawling, manual, list(manual.question[1::2]))
    if development:
        print(summary("development", development))
    if not held_back:
        return True
    print(summary("held back", held_back))
    return sum(a.position is not None for a in held_back) >= MIN_FOUND * len(held_back)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--half", choices=("development", "held-back", "both"), default="both")
    parser.add_argument("--only", help="manuals, separated by commas")
    options = parser.parse_args()
    listed = tomllib.loads(QUESTIONS.read_text(encoding="utf-8"))["manual"]
    manuals = [Manual.model_validate(each) for each in listed]
    if options.only:
        manuals = [manual for manual in manuals if manual.name in options.only.split(",")]
    missing = [manual.package for manual in manuals if not manual.directory.exists()]
    if missing:
        sys.exit(f"the manuals of Debian 12 are needed: apt-get install {' '.join(missing)}")
    for manual in manuals:
        manual.check()
    if not asyncio.run(run(manuals, options.half)):
        sys.exit(1)


def _position(paths: list[str], question: Question) -> int | None:
    return next((at for at, path in enumerate(paths, 1) if path in question.pages), None)


def _visible_text(file: Path) -> str:
    return quick_parse(file.read_bytes(), "text/html").text


if __name__ == "__main__":
    main()
