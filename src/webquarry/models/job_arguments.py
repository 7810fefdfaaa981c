"""Arguments that the tools for crawls and batches share."""

from typing import Annotated, Any, Literal, get_args

from pydantic import Field
from pydantic.json_schema import SkipJsonSchema

from webquarry.errors import BadInputError
from webquarry.models.model import Model
from webquarry.models.page_formats import Format, ImageType
from webquarry.models.page_options import (
    COOKIES_HELP,
    HEADERS_HELP,
    CookieFields,
    HeaderFields,
    Locale,
    Location,
    PageOptions,
    ProxyUrls,
)
from webquarry.models.page_steps import PRODUCING, JobSteps, PageStep
from webquarry.models.short_schemas import FullSchemaOnly, JsonSchemaArgument, ShortSchema

Patterns = Annotated[
    tuple[Annotated[str, Field(min_length=1, max_length=500)], ...] | None,
    Field(max_length=50),
    ShortSchema(type="array", items={"type": "string"}),
]
# models read the names in a description: an enumeration costs twice as much
FORMAT_NAMES = "markdown html rawHtml text links images json screenshot."
Formats = Annotated[
    tuple[Format, ...] | None,
    Field(max_length=len(get_args(Format))),
    ShortSchema(type="array", items={"type": "string"}),
]


class JobArguments(Model):
    """How pages are requested. What models rarely need is not in their schema."""

    locale: Annotated[Locale | None, ShortSchema(type="string")] = Field(
        default=None, description="de-DE."
    )
    mobile: bool = Field(default=False, description="As a phone.")
    location: Annotated[Location | None, FullSchemaOnly()] = Field(
        default=None, description="latitude,longitude; needs render."
    )
    headers: Annotated[HeaderFields | None, FullSchemaOnly()] = Field(
        default=None, description=HEADERS_HELP
    )
    cookies: Annotated[CookieFields | None, FullSchemaOnly()] = Field(
        default=None, description=COOKIES_HELP
    )
    proxies: Annotated[ProxyUrls | None, FullSchemaOnly()] = Field(
        default=None, description="Proxies used in turn: http, https or socks5 URLs."
    )
    delay: Annotated[float | None, Field(ge=0, le=60), FullSchemaOnly()] = Field(
        default=None, description="Seconds between two requests to a host; at least CRAWL_DELAY."
    )
    concurrency: Annotated[int | None, Field(ge=1, le=256), FullSchemaOnly()] = Field(
        default=None, description="Pages fetched at a time; at most CRAWL_CONCURRENCY."
    )
    steps: JobSteps | None = Field(default=None, description="JSON, as of scrape_page.")
    scroll: Annotated[Literal["auto"] | None, FullSchemaOnly()] = Field(
        default=None, description="auto: scroll, and load more, until nothing new is shown."
    )
    schema_: Annotated[JsonSchemaArgument | None, FullSchemaOnly()] = Field(
        default=None, alias="schema", description="JSON Schema of the format json."
    )
    fullPage: Annotated[bool, FullSchemaOnly()] = Field(
        default=False, description="Screenshots show the entire page, not only its first part."
    )
    imageType: Annotated[ImageType, FullSchemaOnly()] = Field(
        default="png", description="File format of screenshots."
    )
    documents: Annotated[bool, FullSchemaOnly()] = Field(
        default=True, description="Read PDF and Office files like pages; false: skip them."
    )
    maxDocumentBytes: Annotated[int | None, Field(ge=1), FullSchemaOnly()] = Field(
        default=None, description="Skip larger documents; at most MAX_DOCUMENT_BYTES."
    )
    capture: Annotated[bool, FullSchemaOnly()] = Field(
        default=False, description="Keep requests and responses for an evidence bundle."
    )
    index: Annotated[bool, FullSchemaOnly()] = Field(
        default=True, description="Add the pages to your local index."
    )

    # not in the schema: drop-in APIs set it
    clientOptions: SkipJsonSchema[dict[str, Any] | None] = Field(
        default=None, description="Of a drop-in API: how it returns the pages."
    )

    @property
    def all_steps(self) -> tuple[PageStep, ...]:
        """The steps for every page."""
        scrolling = (PageStep(do="scroll", value="auto"),) if self.scroll else ()
        return (*(self.steps or ()), *scrolling)

    def job_options(self, *, render: bool) -> dict[str, Any]:
        """Return the options as fields of `CrawlRequest`."""
        check_job_steps(self.all_steps)
        if self.location and not (render or self.all_steps):
            raise BadInputError("location: only a browser has a location; set render to true")
        if self.capture and (self.headers or self.cookies):
            raise BadInputError(
                "capture: pages that are requested with your headers or cookies are never captured"
            )
        return {
            "page_options": PageOptions(
                headers=self.headers or {},
                cookies=self.cookies or {},
                proxies=self.proxies or (),
                locale=self.locale or "",
                location=self.location or "",
                mobile=self.mobile,
            ),
            "delay": self.delay,
            "concurrency": self.concurrency,
            "json_schema": self.schema_,
            "full_page": self.fullPage,
            "image_type": self.imageType,
            "documents": self.documents,
            "max_document_bytes": self.maxDocumentBytes,
            # what steps lead to may be nobody else's
            "index": self.index and not self.all_steps,
            "steps": self.all_steps,
            "client_options": self.clientOptions,
            "capture": self.capture,
        }


def check_job_steps(steps: tuple[PageStep, ...]) -> None:
    """Raise for steps that make something besides the page: a job keeps pages only."""
    for number, step in enumerate(steps):
        if step.do in PRODUCING:
            instead = "formats: screenshot" if step.do == "screenshot" else "cinder_scrape"
            raise BadInputError(
                f"steps[{number}]: {step.do} is not possible in a crawl or batch; use {instead}"
            )
