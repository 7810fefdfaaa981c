"""GitHub through its API."""

from typing import Any

import pytest

from tests.reading.sites.exchanges import exchange, failure, failures, read, site
from tests.replay import FakeClock, Replay
from webquarry.errors import NotFoundError
from webquarry.models.page import PageMetadata
from webquarry.models.reading import Reading
from webquarry.net.upstream.upstreams import Upstreams
from webquarry.net.url import parse
from webquarry.reading.sites.github_site import GitHubSite

pytestmark = pytest.mark.anyio

API = "https://api.github.com"
PAGE = "https://github.com/ada/owls"
ROOT = f"{API}/repos/ada/owls"
REPOSITORY = {
    "full_name": "ada/owls", "description": "Everything about owls", "stargazers_count": 12345,
    "forks_count": 6, "open_issues_count": 0, "language": "Python",
    "license": {"spdx_id": "MIT", "name": "MIT License"}, "archived": True, "fork": False,
    "owner": {"login": "ada", "type": "User"}, "created_at": "2019-01-02T03:04:05Z",
    "pushed_at": "2024-05-06T07:08:09Z", "topics": ["owls", "birds"],
}  # fmt: skip


def repository(
    *, readme: dict[str, Any], release: dict[str, Any], people: dict[str, Any]
) -> list[dict[str, Any]]:
    return [
        exchange(ROOT, body=REPOSITORY),
        exchange(f"{ROOT}/readme", **readme),
        exchange(f"{ROOT}/releases/latest", **release),
        exchange(f"{ROOT}/contributors?per_page=1&anon=1", **people),
    ]


async def test_a_repository_is_read_with_its_readme_and_statistics() -> None:
    link = f'<{ROOT}/contributors?per_page=1&anon=1&page=2>; rel="next", ' + (
        f'<{ROOT}/contributors?per_page=1&anon=1&page=87>; rel="last"'
    )

    reading = await read(
        GitHubSite,
        PAGE,
        *repository(
            readme={"text": "# Owls\n\nHoot.\n"},
            release={"body": {"tag_name": "v1.2", "published_at": "2024-04-01T00:00:00Z"}},
            people={"body": [{"login": "ada"}], "headers": {"link": link}},
        ),
    )

    assert reading == Reading(
        url=PAGE,
        final_url=PAGE,
        kind="github",
        markdown=(
            "# ada/owls\n\n"
            "Everything about owls\n\n"
            "- Stars: 12,345\n"
            "- Forks: 6\n"
            "- Open issues and pull requests: 0\n"
            "- Language: Python\n"
            "- License: MIT\n"
            "- Owner: ada · User\n"
            "- Created: 2019-01-02\n"
            "- Last push: 2024-05-06\n"
            "- Archived: yes, it is no longer maintained\n"
            "- Topics: owls, birds\n"
            "- Latest release: v1.2 · 2024-04-01\n"
            "- Contributors: 87\n\n"
            "## README\n\n"
            "# Owls\n\nHoot."
        ),
        metadata=PageMetadata(
            title="ada/owls", authors=("ada",), site="GitHub", published="2019-01-02"
        ),
    )


async def test_missing_parts_of_a_repository_do_not_prevent_reading() -> None:
    missing: dict[str, Any] = {"status": 404, "body": {"message": "Not Found"}}

    reading = await read(
        GitHubSite,
        f"{PAGE}/",
        *repository(readme=missing, release=missing, people={"status": 403, "text": ""}),
    )

    assert reading.markdown.endswith("- Topics: owls, birds\n\nThe repository has no README.")


async def test_a_markdown_file_is_returned_unchanged() -> None:
    url = f"{PAGE}/blob/main/docs/why%20owls.md"
    asked = f"{ROOT}/contents/docs/why%20owls.md?ref=main"

    reading = await read(GitHubSite, url, exchange(asked, text="# Why\n\nBecause.\n"))

    assert reading.markdown == "# Why\n\nBecause."
    assert reading.metadata.title == "ada/owls/docs/why owls.md"


async def test_code_keeps_its_indentation_and_names_its_language() -> None:
    code = "def hoot():\n    return '```'\n"

    reading = await read(
        GitHubSite,
        f"{PAGE}/blob/main/owl.py",
        exchange(f"{ROOT}/contents/owl.py?ref=main", text=code),
    )

    assert reading.markdown == "````py\ndef hoot():\n    return '```'\n````"


async def test_a_branch_with_a_slash_is_found() -> None:
    reading = await read(
        GitHubSite,
        f"{PAGE}/blob/feature/night/owl.md",
        exchange(f"{ROOT}/contents/night/owl.md?ref=feature", status=404, body={}),
        exchange(f"{ROOT}/contents/owl.md?ref=feature%2Fnight", text="Hoot."),
    )

    assert reading.markdown == "Hoot."


async def test_a_gist_shows_its_files() -> None:
    files = {
        "a.md": {"filename": "a.md", "content": "Hoot.", "truncated": False},
        "b.py": {"filename": "b.py", "content": "x = 1\n", "truncated": True},
    }
    body = {"description": "Owl notes", "files": files, "owner": {"login": "ada"},
            "created_at": "2024-01-02T00:00:00Z"}  # fmt: skip
    name = "0123456789abcdef0123"

    reading = await read(
        GitHubSite,
        f"https://gist.github.com/ada/{name}",
        exchange(f"{API}/gists/{name}", body=body),
    )

    assert reading.markdown == (
        "# Owl notes\n\n## a.md\n\n```md\nHoot.\n```\n\n## b.py\n\n```py\nx = 1\n```"
    )
    assert reading.truncated


async def test_a_missing_file_is_not_found() -> None:
    error = await failure(
        GitHubSite,
        f"{PAGE}/blob/main/no.md",
        exchange(f"{ROOT}/contents/no.md?ref=main", status=404, body={"message": "Not Found"}),
    )

    assert isinstance(error, NotFoundError)


async def test_the_token_is_sent() -> None:
    sent = {"headers": {"Authorization": "Bearer t0k3n", "X-GitHub-Api-Version": "2022-11-28"}}
    answer = exchange(f"{API}/gists/{'a' * 20}", body={"files": {}}, request=sent)

    async with site(GitHubSite, answer, keys={"GITHUB_TOKEN": "t0k3n"}) as found:
        await found.read(parse(f"https://gist.github.com/{'a' * 20}"))


@pytest.mark.parametrize(("exchanges", "kind"), failures(ROOT))
async def test_upstream_failures_have_the_right_error_kind(
    exchanges: list[dict[str, Any]], kind: str
) -> None:
    assert (await failure(GitHubSite, PAGE, *exchanges)).advice.kind == kind


@pytest.mark.parametrize(
    "url", ["https://github.com/", "https://github.com/ada", "https://github.com/topics/owls",
            "https://github.com/ada/owls/issues/1", "https://github.com/ada/owls/blob/main",
            "https://evil.example/ada/owls", "https://gist.github.com/ada"],
)  # fmt: skip
def test_other_pages_are_left_to_the_tiers(url: str) -> None:
    found = GitHubSite(Upstreams(Replay([]), clock=FakeClock().clock()), {})

    assert not found.handles(parse(url))
