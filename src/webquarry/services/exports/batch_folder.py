"""A folder with one Markdown file for each URL of a list, and a manifest of what was read."""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from webquarry.content.export.file_names import SUFFIX, file_paths, is_safe_path
from webquarry.content.export.front_matter import with_front_matter
from webquarry.content.visibility.invisible_characters import without_invisible
from webquarry.errors import BadInputError
from webquarry.models.crawl import CrawledPage, CrawlFailure
from webquarry.services.cinder.cinder_crawls import rfc3339_of
from webquarry.services.exports.export_folder import AtomicFile
from webquarry.services.exports.site_export import page_properties

MANIFEST = "manifest.jsonl"


class BatchFolder:
    """Writes pages as they are read. Each line of the manifest is one URL, the last one counts.

    A file is complete before its line is added, so a killed process loses nothing.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._paths: dict[str, str] = {}  # by URL
        self.written: set[str] = set()
        self._line_end = ""
        self.job_id = ""  # of the batch that was started last

    def open(self) -> None:
        """Read the manifest of an earlier run; `BadInputError` if the folder is something else."""
        if self._folder.exists() and not self._folder.is_dir():
            raise BadInputError(f"{self._folder} is a file; -o needs a folder")
        manifest = self._folder / MANIFEST
        if manifest.is_file():
            content = manifest.read_bytes()
            for line in content.splitlines():
                self._read_line(line)
            # a killed process may have left half a line
            self._line_end = "" if not content or content.endswith(b"\n") else "\n"
        elif self._folder.is_dir() and any(self._folder.iterdir()):
            raise BadInputError(
                f"{self._folder} is not empty and has no {MANIFEST}; choose another folder"
            )

    def plan(self, urls: Iterable[str]) -> list[str]:
        """Choose a file name for each URL; return the URLs that have no file yet."""
        listed = list(urls)
        self._paths |= file_paths(listed, known=self._paths)
        self._folder.mkdir(parents=True, exist_ok=True)
        return [url for url in listed if url not in self.written]

    def begin(self, job_id: str) -> None:
        """Remember the batch, so that the next run continues it if this one is killed."""
        self.job_id = job_id
        self._add_line({"job": job_id})

    def write(self, page: CrawledPage, markdown: str) -> bool:
        """Write the file of a page, then its line; False if it is there or was not planned."""
        path = self._paths.get(page.url)
        if path is None or page.url in self.written:
            return False
        target = self._folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        if not target.parent.resolve().is_relative_to(self._folder.resolve()):
            raise BadInputError(f"{target.parent} is a link out of {self._folder}; remove it")
        text = with_front_matter(page_properties(page), markdown)
        with AtomicFile(target) as file:
            file.write(without_invisible(text).encode("utf-8", "replace"))
        self.written.add(page.url)
        self._add_line(
            {
                "url": page.url,
                "file": path,
                "title": page.title,
                "status": page.status,
                "finalUrl": page.final_url,
                "fetched": rfc3339_of(page.fetched_at),
            }
        )
        return True

    def fail(self, failure: CrawlFailure) -> None:
        """Add the line of a URL that could not be read; the next run reads it again."""
        self._add_line({"url": failure.url, "error": failure.reason, "message": failure.message})

    def _read_line(self, line: bytes) -> None:
        try:
            entry: dict[str, Any] = json.loads(line)
            self.job_id = str(entry.get("job") or self.job_id)
        except (ValueError, AttributeError):  # half a line of a killed process
            return
        url, path = str(entry.get("url", "")), str(entry.get("file", ""))
        if path.endswith(SUFFIX) and is_safe_path(path) and (self._folder / path).is_file():
            self._paths[url] = path
            self.written.add(url)

    def _add_line(self, entry: dict[str, Any]) -> None:
        text = json.dumps(entry, ensure_ascii=False)
        with (self._folder / MANIFEST).open("ab") as file:
            file.write(f"{self._line_end}{text}\n".encode("utf-8", "replace"))
        self._line_end = ""
