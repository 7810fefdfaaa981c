"""GitHub: repositories with their README and facts, files, gists (https://docs.github.com/rest)."""

import asyncio
import re
from typing import ClassVar
from urllib.parse import quote, unquote, urlsplit

from pydantic import Field

from webquarry.errors import NotFoundError, ProviderError
from webquarry.models.model import Items, Text
from webquarry.models.page import PageMetadata
from webquarry.models.reading import Reading
from webquarry.net.client.response import FetchedResponse
from webquarry.net.upstream.api import ApiLimits
from webquarry.net.upstream.upstreams import Upstreams
from webquarry.net.url import Url, path_segment
from webquarry.reading.sites.site import Keys, Site, SiteInfo, SiteWire, site_reading
from webquarry.reading.sites.site_markdown import join_blocks, join_facts, visible_text
from webquarry.settings.variable import Variable

GITHUB_TOKEN = Variable("GITHUB_TOKEN", "GitHub token: raises the request limit.", secret=True)

_HOSTS = frozenset(("github.com", "www.github.com", "gist.github.com"))
_REPOSITORY = re.compile(r"/([\w-]{1,100})/([\w.-]{1,100})/?")
_BLOB = re.compile(r"/([\w-]{1,100})/([\w.-]{1,100})/(?:blob|raw)/((?s:.+/.+))")
_GIST = re.compile(r"/(?:[\w-]{1,100}/)?([0-9a-f]{20,40})/?")
# first path segments that are not owners
_RESERVED = frozenset(
    {"about", "apps", "collections", "contact", "customer-stories", "enterprise", "events",
     "explore", "features", "issues", "join", "login", "marketplace", "new", "notifications",
     "orgs", "pricing", "pulls", "readme", "search", "security", "settings", "signup", "site",
     "sponsors", "topics", "trending"}
)  # fmt: skip
_LAST_PAGE = re.compile(r'[?&]page=(\d+)[^<>]{0,200}>; rel="last"')
_MARKDOWN = re.compile(r"\.(?:md|markdown|mdx)$", re.IGNORECASE)
_LIMITS = ApiLimits(timeout=8, deadline=15, tries=2)


class _License(SiteWire):
    spdx_id: str | None = None
    name: str | None = None


class _Owner(SiteWire):
    login: Text = ""
    type: Text = ""


class _Repository(SiteWire):
    full_name: str
    description: str | None = None
    owner: _Owner | None = None
    stars: int | None = Field(default=None, alias="stargazers_count")
    forks: int | None = Field(default=None, alias="forks_count")
    issues: int | None = Field(default=None, alias="open_issues_count")
    language: str | None = None
    license: _License | None = None
    archived: bool | None = None
    fork: bool | None = None
    created_at: str | None = None
    pushed_at: str | None = None
    topics: Items[str] = ()


class _Release(SiteWire):
    tag_name: Text = ""
    published_at: str | None = None


class _File(SiteWire):
    filename: Text = ""
    language: str | None = None
    content: Text = ""
    truncated: bool | None = None


class _Gist(SiteWire):
    description: str | None = None
    files: dict[str, _File | None] = Field(default_factory=dict)
    owner: _Owner | None = None
    created_at: str | None = None


class GitHubSite(Site):
    """Reads repositories, files and gists. A token allows more requests."""

    about: ClassVar = SiteInfo(
        name="github",
        hosts=("github.com",),
        base_url="https://api.github.com",
        docs="https://docs.github.com/rest",
        variables=(GITHUB_TOKEN,),
    )

    def __init__(self, upstreams: Upstreams, keys: Keys) -> None:
        self._api = upstreams.api(self.about.name, self.about.base_url, _LIMITS)
        self._headers = {"X-GitHub-Api-Version": "2022-11-28"}
        if token := keys.get(GITHUB_TOKEN.name):
            self._headers["Authorization"] = f"Bearer {token}"

    def handles(self, url: Url) -> bool:
        if url.host not in _HOSTS:
            return False
        path = urlsplit(url.href).path
        if url.host == "gist.github.com":
            return _GIST.fullmatch(path) is not None
        match = _REPOSITORY.fullmatch(path) or _BLOB.fullmatch(path)
        return match is not None and match[1] not in _RESERVED

    async def read(self, url: Url) -> Reading:
        path = urlsplit(url.href).path
        if url.host == "gist.github.com":
            return await self._gist(url, _GIST.sub(r"\1", path))
        if blob := _BLOB.fullmatch(path):
            return await self._file(url, f"{blob[1]}/{blob[2]}", unquote(blob[3]))
        owner, name = path.strip("/").split("/")
        return await self._repository(url, f"{path_segment(owner)}/{path_segment(name)}")

    async def _get(self, path: str, accept: str = "application/vnd.github+json") -> FetchedResponse:
        return await self._api.get(path, headers={**self._headers, "Accept": accept})

    async def _repository(self, url: Url, name: str) -> Reading:
        """Return the facts and the README; those that cannot be fetched are left out."""
        root = f"repos/{name}"
        repository = self._api.decode(_Repository, await self._get(root))
        readme, release, contributors = await asyncio.gather(
            self._get_optional(f"{root}/readme", "application/vnd.github.raw+json"),
            self._get_optional(f"{root}/releases/latest"),
            self._get_optional(f"{root}/contributors?per_page=1&anon=1"),
        )
        facts = _facts(repository)
        if release:
            latest = self._api.decode(_Release, release)
            shown = join_facts(latest.tag_name, _date(latest.published_at))
            facts.append(("Latest release", shown))
        if contributors:
            last = _LAST_PAGE.search(contributors.headers.get("link", ""))
            facts.append(("Contributors", last[1] if last else "1"))
        text = join_blocks(
            f"# {repository.full_name}",
            visible_text(repository.description),
            "\n".join(f"- {label}: {value}" for label, value in facts if value),
            "## README" if readme else "",
            visible_text(readme.text) if readme else "The repository has no README.",
        )
        metadata = _metadata(repository.full_name, repository.owner, repository.created_at)
        return site_reading(url, "github", text, metadata)

    async def _get_optional(
        self, path: str, accept: str = "application/vnd.github+json"
    ) -> FetchedResponse | None:
        """Return the response; None when this part of the page cannot be fetched."""
        try:
            return await self._get(path, accept)
        except (NotFoundError, ProviderError):
            return None

    async def _file(self, url: Url, name: str, branch_and_path: str) -> Reading:
        """Return a file. A branch may contain slashes, so each possible split is tried."""
        parts = branch_and_path.split("/")
        for split in range(1, min(len(parts), 4)):
            branch, path = "/".join(parts[:split]), "/".join(parts[split:])
            api_path = f"repos/{name}/contents/{quote(path)}?ref={quote(branch, safe='')}"
            try:
                response = await self._get(api_path, "application/vnd.github.raw+json")
            except NotFoundError:
                continue
            text = response.text
            shown = visible_text(text) if _MARKDOWN.search(path) else _fenced(text, path)
            metadata = _metadata(f"{name}/{path}", None, None)
            return site_reading(url, "github", shown, metadata)
        raise NotFoundError(f"Not found: GitHub has no file {url.href}. Check the URL.")

    async def _gist(self, url: Url, name: str) -> Reading:
        gist = self._api.decode(_Gist, await self._get(f"gists/{path_segment(name.strip('/'))}"))
        files = [file for file in gist.files.values() if file]
        title = visible_text(gist.description) or next((f.filename for f in files), "") or "Gist"
        shown = [
            join_blocks(f"## {file.filename or 'file'}", _fenced(file.content, file.filename))
            for file in files
        ]
        text = join_blocks(f"# {title}", *shown)
        truncated = any(file.truncated for file in files)
        metadata = _metadata(title, gist.owner, gist.created_at)
        return site_reading(url, "github", text, metadata, truncated=truncated)


def _facts(repository: _Repository) -> list[tuple[str, str]]:
    license_, owner = repository.license, repository.owner
    return [
        ("Stars", _number(repository.stars)),
        ("Forks", _number(repository.forks)),
        ("Open issues and pull requests", _number(repository.issues)),
        ("Language", repository.language or ""),
        ("License", (license_.spdx_id or license_.name or "") if license_ else "none stated"),
        ("Owner", join_facts(_login(owner), (owner.type) if owner else "")),
        ("Created", _date(repository.created_at)),
        ("Last push", _date(repository.pushed_at)),
        ("Archived", "yes, it is no longer maintained" if repository.archived else ""),
        ("Fork", "yes" if repository.fork else ""),
        ("Topics", ", ".join(repository.topics)),
    ]


def _number(count: int | None) -> str:
    return "" if count is None else f"{count:,}"


def _login(owner: _Owner | None) -> str:
    return (owner.login) if owner else ""


def _date(timestamp: str | None) -> str:
    return (timestamp or "")[:10]


def _fenced(text: str, name: str) -> str:
    longest = max((len(run) for run in re.findall(r"`{3,}", text)), default=2)
    fence = "`" * (longest + 1)
    language = name.rpartition(".")[2].lower() if "." in name else ""
    return f"{fence}{language}\n{_visible_code(text)}\n{fence}"


def _visible_code(text: str) -> str:
    """Return code without invisible characters, with its indentation."""
    from webquarry.content.visibility.invisible_characters import without_invisible

    return without_invisible(text).strip("\n")


def _metadata(title: str, owner: _Owner | None, created: str | None) -> PageMetadata:
    login = _login(owner) or title.partition("/")[0]
    return PageMetadata(
        title=title, authors=(login,) if login else (), site="GitHub", published=_date(created)
    )
