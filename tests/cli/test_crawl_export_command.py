"""`webquarry crawl -o` and `webquarry crawl export`: the pages of a crawl as files."""

import csv
import json
from pathlib import Path

import pytest

from tests.cli.stub import Stub
from tests.cli.typing_in import Typist
from tests.services.exports.sample_site import broken_links


def crawl_id(typist: Typist, web: Stub) -> str:
    done = typist.type("crawl", f"{web.home}/", "--depth", "3", "--json")
    assert done.status == 0, done.err
    return json.loads(done.out)["crawlId"]


def test_a_crawl_writes_a_folder_of_linked_files(typist: Typist, web: Stub, tmp_path: Path) -> None:
    folder = tmp_path / "site"

    done = typist.type("crawl", f"{web.home}/", "--depth", "3", "-o", str(folder))
    again = typist.type("crawl", f"{web.home}/", "--depth", "3", "-o", str(folder))

    assert (done.status, again.status) == (0, 0)
    assert f"Wrote 4 files to {folder}." in done.out
    assert f"to {folder}" in again.out
    assert {path.name for path in folder.iterdir()} == {
        ".webquarry.json", "index.md", "a.md", "b.md", "c.md"
    }  # fmt: skip
    assert broken_links(folder) == []


def test_a_crawl_without_pages_writes_nothing(typist: Typist, web: Stub, tmp_path: Path) -> None:
    folder = tmp_path / "site"

    done = typist.type("crawl", f"{web.home}/gone", "-o", str(folder))

    assert done.status == 1
    assert done.out.startswith("Failed: 0 pages, 1 error.")
    assert not folder.exists()


def test_a_folder_of_someone_else_stops_the_crawl_before_it_starts(
    typist: Typist, web: Stub, tmp_path: Path
) -> None:
    (tmp_path / "mine.txt").write_text("mine", "utf-8")

    done = typist.type("crawl", f"{web.home}/", "-o", str(tmp_path))

    assert done.status == 2
    assert "is not empty and is no earlier export" in done.err
    assert [path.name for path in tmp_path.iterdir() if path.is_file()] == ["mine.txt"]


@pytest.mark.parametrize(
    ("name", "start"),
    [
        ("pages.jsonl", '{"url":"http'),
        ("pages.csv", "url,title,status,"),
        ("pages.parquet", "PAR1"),
        ("pages.zip", "PK"),
        ("llms.txt", "# Heat pumps\n"),
        ("llms-full.txt", "# Heat pumps\n\nSource: "),
    ],
)
def test_the_name_of_the_file_chooses_the_form(
    typist: Typist, web: Stub, tmp_path: Path, name: str, start: str
) -> None:
    found = crawl_id(typist, web)
    file = tmp_path / "out" / name

    done = typist.type("crawl", "export", found[:10], "-o", str(file))
    refused = typist.type("crawl", "export", found, "-o", str(file))

    assert done.out == f"Wrote {file} ({file.stat().st_size:,} bytes).\n"
    assert file.read_bytes().decode("latin-1").startswith(start)
    assert refused.status == 2
    assert f"{file} exists; overwrite it with --force" in refused.err
    assert typist.type("crawl", "export", found, "-o", str(file), "--force").status == 0


def test_text_goes_to_stdout(typist: Typist, web: Stub) -> None:
    found = crawl_id(typist, web)

    done = typist.type("crawl", "export", found, "--as", "csv", "-f", "text")

    rows = list(csv.DictReader(done.out.splitlines(), strict=True))
    assert {row["url"] for row in rows} == {f"{web.home}{path}" for path in ("/", "/a", "/b", "/c")}
    assert "compressor" in rows[0]["text"]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ((), "choose a folder or file with -o, or a form with --as"),
        (("--as", "parquet"), "--as parquet cannot go to the terminal; use -o"),
        (("--as", "xml", "-o", "x"), "as: 'xml' is none of jsonl, csv, parquet"),
        (("--as", "csv", "-o", "."), "is a folder; --as csv needs a file"),
    ],
)
def test_wrong_options_are_explained_before_anything_is_read(
    typist: Typist, words: tuple[str, ...], message: str
) -> None:
    done = typist.type("crawl", "export", "nothing", *words)

    assert done.status == 2
    assert message in done.err


def test_an_unknown_format_is_named(typist: Typist, web: Stub) -> None:
    done = typist.type("crawl", "export", crawl_id(typist, web), "--as", "csv", "-f", "pdf")

    assert done.status == 2
    assert "pdf" in done.err


def test_an_unknown_crawl_is_named(typist: Typist, web: Stub) -> None:
    done = typist.type("crawl", "export", "nothing", "--as", "csv")

    assert done.status == 1
    assert "There is no crawl 'nothing'" in done.err


def test_help_lists_the_commands_beside_the_options(typist: Typist) -> None:
    done = typist.type("crawl", "--help")

    assert done.status == 0
    assert "-o, --output" in done.out
    assert "  export   Write the pages of a crawl" in done.out


def test_fields_of_all_pages_of_a_crawl_become_a_table(
    typist: Typist, web: Stub, tmp_path: Path
) -> None:
    found = crawl_id(typist, web)
    schema, table = tmp_path / "schema.json", tmp_path / "table.csv"
    schema.write_text(json.dumps({"properties": {"title": {"type": "string"}}}), "utf-8")

    done = typist.type("extract", "--crawl", found, "--schema", str(schema), "-o", str(table))
    lines = typist.type(
        "extract", "--crawl", found, "--schema", str(schema), "-o", str(table.with_suffix(".jsonl"))
    )

    assert done.out == f"Wrote {table} (4 rows).\n"
    rows = list(csv.DictReader(table.read_text("utf-8").splitlines(), strict=True))
    assert {row["url"]: (row["title"], row["title_quote"]) for row in rows}[f"{web.home}/c"] == (
        "Costs of heat pumps", "Costs of heat pumps"
    )  # fmt: skip
    assert lines.status == 0
    read = [
        json.loads(line) for line in table.with_suffix(".jsonl").read_text("utf-8").splitlines()
    ]
    assert {page["url"] for page in read} == {row["url"] for row in rows}


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--prompt", "name"), "choose pages: URLs, or --crawl ID"),
        (("https://x.test", "--crawl", "y", "--prompt", "name"), "choose pages"),
        (("--crawl", "y", "--prompt", "name", "-o", "x.txt"), "the table is a .csv or .jsonl file"),
        (("--crawl", "y"), "choose what to extract"),
    ],
)
def test_wrong_options_of_extract_are_explained(
    typist: Typist, words: tuple[str, ...], message: str
) -> None:
    done = typist.type("extract", *words)

    assert done.status == 2
    assert message in done.err
