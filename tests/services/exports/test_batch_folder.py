"""The folder of a list of URLs: files, manifest, and continuing after a kill."""

import json
from pathlib import Path

import pytest

from tests.services.cinder.fakes import crawled
from webquarry.errors import BadInputError
from webquarry.models.crawl import CrawlFailure
from webquarry.services.exports.batch_folder import MANIFEST, BatchFolder

URLS = [f"https://owls.test/{number}" for number in range(3)]


def opened(path: Path) -> BatchFolder:
    folder = BatchFolder(path)
    folder.open()
    return folder


def test_a_page_gets_a_file_with_front_matter_and_a_line(tmp_path: Path) -> None:
    folder = opened(tmp_path / "new")
    assert folder.plan(URLS) == URLS
    folder.begin("job1")

    assert folder.write(crawled(1), "# Page 1")
    folder.fail(CrawlFailure(url=URLS[2], reason="http_404", message="Not found.", depth=1))

    text = (tmp_path / "new/owls.test/1.md").read_text("utf-8")
    assert text.startswith('---\nurl: "https://owls.test/1"\ntitle: "Page 1"\n')
    assert text.endswith("---\n\n# Page 1\n")
    lines = [json.loads(line) for line in (tmp_path / "new" / MANIFEST).read_text().splitlines()]
    assert lines == [
        {"job": "job1"},
        {
            "url": URLS[1],
            "file": "owls.test/1.md",
            "title": "Page 1",
            "status": 200,
            "finalUrl": URLS[1],
            "fetched": "2023-11-14T22:13:20Z",
        },
        {"url": URLS[2], "error": "http_404", "message": "Not found."},
    ]


def test_a_second_run_knows_what_was_written_and_which_batch_was_running(tmp_path: Path) -> None:
    folder = opened(tmp_path)
    folder.plan(URLS)
    folder.begin("job1")
    folder.write(crawled(0), "# 0")
    folder.write(crawled(1), "# 1")
    (tmp_path / "owls.test/1.md").unlink()  # whoever deletes a file wants it again

    again = opened(tmp_path)

    assert again.plan(URLS) == URLS[1:]
    assert again.job_id == "job1"
    assert not again.write(crawled(0), "# other")
    assert "# 0" in (tmp_path / "owls.test/0.md").read_text()


def test_half_a_line_of_a_killed_process_is_ignored(tmp_path: Path) -> None:
    folder = opened(tmp_path)
    folder.plan(URLS)
    folder.write(crawled(0), "# 0")
    with (tmp_path / MANIFEST).open("ab") as manifest:
        manifest.write(b'{"url": "https://owls.te')

    again = opened(tmp_path)
    assert again.plan(URLS) == URLS[1:]
    again.write(crawled(1), "# 1")

    assert opened(tmp_path).plan(URLS) == URLS[2:]


def test_a_page_that_was_not_listed_is_not_written(tmp_path: Path) -> None:
    folder = opened(tmp_path)
    folder.plan(URLS[:1])

    assert not folder.write(crawled(2), "# 2")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("path", ["../outside.md", "/etc/outside.md", "a/../../outside.md"])
def test_a_manifest_cannot_point_out_of_the_folder(tmp_path: Path, path: str) -> None:
    inside = tmp_path / "inside"
    inside.mkdir()
    (tmp_path / "outside.md").write_text("mine")
    (inside / MANIFEST).write_text(json.dumps({"url": URLS[0], "file": path}) + "\n")

    folder = opened(inside)

    assert folder.plan(URLS[:1]) == URLS[:1]
    folder.write(crawled(0), "# 0")
    assert (tmp_path / "outside.md").read_text() == "mine"


def test_a_folder_of_someone_else_is_refused(tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("mine")
    with pytest.raises(BadInputError, match="is not empty and has no manifest"):
        opened(tmp_path)
    with pytest.raises(BadInputError, match="is a file; -o needs a folder"):
        opened(tmp_path / "mine.txt")
