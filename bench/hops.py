"""How many functions, files and changes of layer one warm call passes, to find needless hops.

It calls `scrape_page` and `web_search` through the library (`webquarry.Webquarry.call`), with the
sites on loopback: a page of 20 KB, the second different one of its host, and a search that nobody
has made before, answered by a SearXNG with five results. Everything is imported by then.

The definition, which also holds after modules have moved:

- A *function* is a code object of the package with a name: functions, methods, and functions
  inside others. Lambdas, comprehensions and generator expressions belong to the function that
  contains them. What dataclasses and pydantic generate is not counted: it has no file of its own.
- A *file* counts when one of its functions is called.
- A *layer* is the first name below the package: `net` for `net/url.py`, `app` for `app.py`.
- A *step* is a call or a return of a function, in any thread, in order of time. A coroutine that
  is suspended returns, and one that goes on is called, as `sys.setprofile` reports it.
- A *change of layer* is a step whose function is of another layer than that of the step before.

Changes of layer vary by about four, with the number of pieces in which an answer arrives. Another
script counted 298 functions, 85 files and 79 changes for `scrape_page` on commit 82aa3d0, and 173,
51 and 110 for `web_search`; this one counts 285, 86, 79 and 201, 54, 109.
"""

import argparse
import asyncio
import gc
import inspect
import json
import os
import sys
import tempfile
import threading
from collections.abc import AsyncGenerator, Callable, Generator
from contextlib import asynccontextmanager, chdir, contextmanager
from dataclasses import dataclass, field
from enum import Enum
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import compress, pairwise
from pathlib import Path
from types import CodeType, FrameType
from typing import Any
from unittest.mock import patch

import webquarry
from bench.read import page

PACKAGE = Path(webquarry.__file__).parent
SIZE = 20_000  # bytes of a page
RESULTS = 5
SETTLE_SECONDS = 0.5  # what a call leaves to be written later is written by then
SETTINGS = {
    "ALLOW_PRIVATE_IPS": "true",
    "CHROME_PATH": "disabled",
    "SEARCH_PROVIDER": "searxng",
    "WEB_SEARCH_REQUEST_DELAY_RANGE": "0,0",
}


@dataclass(frozen=True)
class Step:
    """A call or a return of a function of the package."""

    event: str
    code: CodeType

    @property
    def file(self) -> str:
        return Path(self.code.co_filename).relative_to(PACKAGE).as_posix()

    @property
    def layer(self) -> str:
        return self.file.partition("/")[0].removesuffix(".py")


@dataclass
class Made:
    """How often a class was instantiated, and which function did it first."""

    where: str
    count: int = 0


@dataclass
class Trace:
    """What one call passed."""

    steps: list[Step] = field(default_factory=list[Step])
    types: dict[type, Made] = field(default_factory=dict[type, Made])

    def functions(self) -> list[Step]:
        """Return the first call of each function, in order."""
        first: dict[CodeType, Step] = {}
        for step in self.steps:
            if step.event == "call":
                first.setdefault(step.code, step)
        return list(first.values())

    def switches(self) -> list[tuple[Step, Step]]:
        """Return the pairs of steps between which the layer changes."""
        return [(a, b) for a, b in pairwise(self.steps) if a.layer != b.layer]


class Recorder:
    """Takes down what the package does while it is asked to."""

    def __init__(self, *, count_types: bool) -> None:
        self._trace: Trace | None = None
        self._root = f"{PACKAGE}{os.sep}"
        self._count_types = count_types
        self._counted: set[type] = set()

    def install(self) -> None:
        """Watch this thread and all that are started from now on."""
        threading.setprofile(self._note_step)
        sys.setprofile(self._note_step)

    @contextmanager
    def recording(self) -> Generator[Trace]:
        """Fill a trace while the block runs."""
        if self._count_types:
            self._count_instances()
        self._trace = trace = Trace()
        try:
            yield trace
        finally:
            self._trace = None

    def _note_step(self, frame: FrameType, event: str, _: object) -> None:
        if self._trace and event in ("call", "return") and self._is_function(frame.f_code):
            self._trace.steps.append(Step(event, frame.f_code))

    def _is_function(self, code: CodeType) -> bool:
        return code.co_filename.startswith(self._root) and not code.co_name.startswith("<")

    def _count_instances(self) -> None:
        """Replace `__new__` of the package's classes; pydantic calls nothing else of them."""
        classes = [cls for cls in _package_classes() if cls not in self._counted]
        # all are read before one is replaced, or a subclass would inherit a replacement
        originals = [(cls, cls.__new__) for cls in classes]
        for cls, original in originals:
            type.__setattr__(cls, "__new__", staticmethod(self._counting(cls, original)))
        self._counted.update(classes)

    def _counting(self, cls: type, original: Callable[..., Any]) -> Callable[..., Any]:
        def new(made: type, *args: Any, **kwargs: Any) -> Any:
            if made is cls:  # a subclass has a replacement of its own
                self._note_instance(made)
            plain = original is object.__new__  # which takes no arguments
            return original(made) if plain else original(made, *args, **kwargs)

        return new

    def _note_instance(self, cls: type) -> None:
        if self._trace:
            place = self._place(inspect.currentframe())
            self._trace.types.setdefault(cls, Made(place)).count += 1

    def _place(self, frame: FrameType | None) -> str:
        while frame and not self._is_function(frame.f_code):
            frame = frame.f_back
        return _named(Step("call", frame.f_code)) if frame else "outside the package"


def _package_classes() -> list[type]:
    every = (found for found in gc.get_objects() if isinstance(found, type))
    ours = (cls for cls in every if str(cls.__module__).partition(".")[0] == PACKAGE.name)
    return [cls for cls in ours if not issubclass(cls, Enum)]


class _Site(BaseHTTPRequestHandler):
    """A host with pages, and a SearXNG under `/search`."""

    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        path = self.path.partition("?")[0]
        if path == "/search":
            self._send("application/json", _answer())
        elif path.startswith("/page/"):
            self._send("text/html; charset=utf-8", page(int(path.rpartition("/")[2]), SIZE))
        else:
            self._send("text/plain", b"", status=404)

    def _send(self, kind: str, body: bytes, status: int = 200) -> None:
        head = f"HTTP/1.1 {status} X\r\ncontent-type: {kind}\r\ncontent-length: {len(body)}\r\n\r\n"
        # in one piece: a second one would be another step of the client
        self.wfile.write(head.encode() + body)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the library's name
        """Say nothing."""


def _answer() -> bytes:
    about = {
        "content": "Owls hunt at night and hear very well. " * 4,
        "engines": ["stub"],
        "publishedDate": "2024-03-05T00:00:00",
    }
    results = [
        {"url": f"https://example.org/page/{number}", "title": f"Page {number} about owls"} | about
        for number in range(RESULTS)
    ]
    return json.dumps({"query": "owls", "results": results, "unresponsive_engines": []}).encode()


@contextmanager
def _served() -> Generator[str]:
    with ThreadingHTTPServer(("127.0.0.1", 0), _Site) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_address[1]}"
        server.shutdown()


@asynccontextmanager
async def _opened(searxng: str) -> AsyncGenerator[webquarry.Webquarry]:
    """Open the library with nothing of this machine's settings and data."""
    with (
        tempfile.TemporaryDirectory(prefix="bench-hops-") as home,
        patch.dict(os.environ, {"HOME": home, "PATH": os.environ["PATH"]}, clear=True),
        chdir(home),
    ):
        async with webquarry.Webquarry(**SETTINGS, SEARXNG_URL=searxng) as quarry:
            yield quarry


async def measure(recorder: Recorder, warm: int) -> dict[str, Trace]:
    """Return what each call passed, after so many calls of its kind."""
    traces: dict[str, Trace] = {}
    with _served() as site, _served() as searxng:
        async with _opened(searxng) as quarry:
            for name in ("scrape_page", "web_search"):
                for number in range(warm):
                    await quarry.call(name, **_arguments(name, site, number))
                await asyncio.sleep(SETTLE_SECONDS)
                with recorder.recording() as traces[name]:
                    await quarry.call(name, **_arguments(name, site, warm))
    return traces


def _arguments(name: str, site: str, number: int) -> dict[str, Any]:
    if name == "scrape_page":
        return {"url": f"{site}/page/{number}"}
    return {"query": f"owls {number}", "num_results": RESULTS}


def main() -> None:
    options = _options()
    recorder = Recorder(count_types=options.types)
    recorder.install()
    traces = asyncio.run(measure(recorder, options.warm))
    print(f"{'call':<14}{'functions':>10}{'files':>7}{'changes of layer':>18}")
    for name, trace in traces.items():
        functions, files = trace.functions(), len({step.file for step in trace.functions()})
        print(f"{name:<14}{len(functions):>10}{files:>7}{len(trace.switches()):>18}")
    wanted = (options.list, options.switches, options.types)
    for name, trace in traces.items():
        for show in compress((_print_functions, _print_switches, _print_types), wanted):
            show(name, trace)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--list", action="store_true", help="functions, by layer and file")
    parser.add_argument("--switches", action="store_true", help="each change of layer")
    parser.add_argument("--types", action="store_true", help="the package's classes instantiated")
    parser.add_argument("--warm", type=int, default=1, help="calls of the same kind before")
    return parser.parse_args()


def _print_functions(name: str, trace: Trace) -> None:
    layers: dict[str, dict[str, list[str]]] = {}
    for step in trace.functions():
        layers.setdefault(step.layer, {}).setdefault(step.file, []).append(step.code.co_qualname)
    print(f"\n== {name}: functions, in order of their first call ==")
    for layer, files in layers.items():
        print(f"\n{layer}: {sum(map(len, files.values()))} functions, {len(files)} files")
        for file, functions in files.items():
            print(f"  {file}", *functions, sep="\n    ")


def _print_switches(name: str, trace: Trace) -> None:
    print(f"\n== {name}: changes of layer ==\n")
    for number, (before, after) in enumerate(trace.switches(), 1):
        way = f"{before.layer} > {after.layer}"
        print(f"{number:>4}  {way:<26}{before.event:<7}{_named(before)}")
        print(f"{'':<32}{after.event:<7}{_named(after)}")


def _print_types(name: str, trace: Trace) -> None:
    print(f"\n== {name}: {len(trace.types)} classes instantiated, in order of the first ==\n")
    for cls, made in trace.types.items():
        place = f"{cls.__module__.partition('.')[2]}.{cls.__qualname__}"
        print(f"{made.count:>5}  {place:<58} first in {made.where}")


def _named(step: Step) -> str:
    return f"{step.file} {step.code.co_qualname}"


if __name__ == "__main__":
    main()
