"""GitHub: a repository's README with what speaks for it, files, gists (https://docs.github.com/rest)."""

import asyncio
import re
from typing import ClassVar
from urllib.parse import quote, unquote, urlsplit

from pydantic import Field

from webquarry.errors import NotFoundError, ProviderError
from webquarry.models.page import PageMetadata
from webquarry.models.reading import Reading
from webquarry.net.upstream.api import ApiLimits
from webquarry.net.upstream.http_port import Response
from webquarry.net.upstream.upstreams import Upstreams
from webquarry.net.url import Url, segment
from webquarry.reading.sites.site import Keys, Site, SiteInfo, SiteWire
from webquarry.reading.sites.site_markdown import joined, line, plain
from webquarry.settings.variable import Variable

GITHUB_TOKEN = Variable("GITHUB_TOKEN", "Token of GitHub: more requests per minute.", secret=True)

_HOSTS = frozenset(("github.com", "www.github.com", "gist.github.com"))
_REPOSITORY = re.compile(r"/([\w-]{1,100})/([\w.-]{1,100})/?")
_BLOB = re.compile(r"/([\w-]{1,100})/([\w.-]{1,100})/(?:blob|raw)/(.+/.+)")
_GIST = re.compile(r"/(?:[\w-]{1,100}/)?([0-9a-f]{20,40})/?")
# first parts of paths that name no owner
_PAGES = frozenset(
    {"about", "apps", "collections", "contact", "customer-stories", "enterprise", "events",
     "explore", "features", "issues", "join", "login", "marketplace", "new", "notifications",
     "orgs", "pricing", "pulls", "readme", "search", "security", "settings", "signup", "site",
     "sponsors", "topics", "trending"}
)  # fmt: skip
_LAST_PAGE = re.compile(r'[?&]page=(\d+)[^>]*>; rel="last"')
_MARKDOWN = re.compile(r"\.(?:md|markdown|mdx)$", re.IGNORECASE)
_LIMITS = ApiLimits(timeout=8, deadline=15, tries=2)


class _License(SiteWire):
    spdx_id: str | None = None
    name: str | None = None


class _Owner(SiteWire):
    login: str | None = None
    type: str | None = None


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
    topics: tuple[str, ...] | None = None


class _Release(SiteWire):
    tag_name: str | None = None
    published_at: str | None = None


class _File(SiteWire):
    filename: str | None = None
    language: str | None = None
    content: str | None = None
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
        found = _REPOSITORY.fullmatch(path) or _BLOB.fullmatch(path)
        return found is not None and found[1] not in _PAGES

    async def read(self, url: Url) -> Reading:
        path = urlsplit(url.href).path
        if url.host == "gist.github.com":
            return await self._gist(url, _GIST.sub(r"\1", path))
        if blob := _BLOB.fullmatch(path):
            return await self._file(url, f"{blob[1]}/{blob[2]}", unquote(blob[3]))
        owner, name = path.strip("/").split("/")
        return await self._repository(url, f"{segment(owner)}/{segment(name)}")

    async def _get(self, path: str, accept: str = "application/vnd.github+json") -> Response:
        return await self._api.get(path, headers={**self._headers, "Accept": accept})

    async def _repository(self, url: Url, name: str) -> Reading:
        """Return the README below the facts; only what is missing of these is left out."""
        root = f"repos/{name}"
        repository = self._api.decode(_Repository, await self._get(root))
        readme, release, people = await asyncio.gather(
            self._maybe(f"{root}/readme", "application/vnd.github.raw+json"),
            self._maybe(f"{root}/releases/latest"),
            self._maybe(f"{root}/contributors?per_page=1&anon=1"),
        )
        facts = _facts(repository)
        if release:
            newest = self._api.decode(_Release, release)
            facts.append(("Latest release", line(newest.tag_name or "", _day(newest.published_at))))
        if people:
            last = _LAST_PAGE.search(people.headers.get("link", ""))
            facts.append(("Contributors", last[1] if last else "1"))
        text = joined(
            f"# {repository.full_name}",
            plain(repository.description),
            "\n".join(f"- {label}: {value}" for label, value in facts if value),
            "## README" if readme else "",
            plain(readme.text) if readme else "The repository has no README.",
        )
        about = _about(repository.full_name, repository.owner, repository.created_at)
        return _reading(url, text, about)

    async def _maybe(
        self, path: str, accept: str = "application/vnd.github+json"
    ) -> Response | None:
        """Return what is there; a part that is missing leaves the rest readable."""
        try:
            return await self._get(path, accept)
        except (NotFoundError, ProviderError):
            return None

    async def _file(self, url: Url, name: str, place: str) -> Reading:
        """Return a file; where the branch ends and the path begins, only trying can tell."""
        parts = place.split("/")
        for at in range(1, min(len(parts), 4)):
            branch, path = "/".join(parts[:at]), "/".join(parts[at:])
            where = f"repos/{name}/contents/{quote(path)}?ref={quote(branch, safe='')}"
            try:
                found = await self._get(where, "application/vnd.github.raw+json")
            except NotFoundError:
                continue
            text = found.text
            shown = plain(text) if _MARKDOWN.search(path) else _fenced(text, path)
            return _reading(url, shown, _about(f"{name}/{path}", None, None))
        raise NotFoundError(f"Not found: GitHub has no file {url.href}. Check the URL.")

    async def _gist(self, url: Url, name: str) -> Reading:
        gist = self._api.decode(_Gist, await self._get(f"gists/{segment(name.strip('/'))}"))
        files = [file for file in gist.files.values() if file]
        title = plain(gist.description) or next((f.filename or "" for f in files), "") or "Gist"
        shown = [
            joined(
                f"## {file.filename or 'file'}", _fenced(file.content or "", file.filename or "")
            )
            for file in files
        ]
        text = joined(f"# {title}", *shown)
        cut = any(file.truncated for file in files)
        return _reading(url, text, _about(title, gist.owner, gist.created_at), cut=cut)


def _facts(found: _Repository) -> list[tuple[str, str]]:
    license_ = found.license
    return [
        ("Stars", f"{found.stars:,}" if found.stars is not None else ""),
        ("Forks", f"{found.forks:,}" if found.forks is not None else ""),
        ("Open issues and pull requests", f"{found.issues:,}" if found.issues is not None else ""),
        ("Language", found.language or ""),
        ("License", (license_.spdx_id or license_.name or "") if license_ else "none stated"),
        ("Owner", line(_login(found.owner), (found.owner.type or "") if found.owner else "")),
        ("Created", _day(found.created_at)),
        ("Last push", _day(found.pushed_at)),
        ("Archived", "yes, it is no longer maintained" if found.archived else ""),
        ("Fork", "yes" if found.fork else ""),
        ("Topics", ", ".join(found.topics or ())),
    ]


def _login(owner: _Owner | None) -> str:
    return (owner.login or "") if owner else ""


def _day(moment: str | None) -> str:
    return (moment or "")[:10]


def _fenced(text: str, name: str) -> str:
    longest = max((len(run) for run in re.findall(r"`{3,}", text)), default=2)
    fence = "`" * (longest + 1)
    language = name.rpartition(".")[2].lower() if "." in name else ""
    return f"{fence}{language}\n{plain_lines(text)}\n{fence}"


def plain_lines(text: str) -> str:
    """Return code as a person sees it, its indentation kept."""
    from webquarry.content.visibility.invisible_characters import without_invisible

    return without_invisible(text).strip("\n")


def _about(title: str, owner: _Owner | None, created: str | None) -> PageMetadata:
    login = _login(owner) or title.partition("/")[0]
    return PageMetadata(
        title=title, authors=(login,) if login else (), site="GitHub", published=_day(created)
    )


def _reading(url: Url, text: str, about: PageMetadata, *, cut: bool = False) -> Reading:
    return Reading(
        url=url.href, address=url.href, markdown=text, kind="github", metadata=about, cut=cut
    )
