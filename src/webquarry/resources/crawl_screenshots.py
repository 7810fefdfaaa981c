"""`research://crawl/{id}/screenshots/{number}`: the screenshot of one page of a crawl."""

from webquarry.errors import BadInputError, NotFoundError
from webquarry.resources.resource import Resource, ResourceContent, ResourceRequest


async def _read(request: ResourceRequest) -> ResourceContent:
    number = request.variables["number"]
    if not (number.isascii() and number.isdecimal() and len(number) < 10 and int(number)):
        raise BadInputError(f"number: must be the number of a page, from 1, got {number[:20]!r}")
    crawling = request.services.crawling
    job = await crawling.job(request.variables["id"], request.caller)  # raises for others' crawls
    image = await crawling.stored_pages.screenshot(job.id, int(number))
    if image is None:
        raise NotFoundError(f"Page {number} of crawl {job.id} has no screenshot")
    return ResourceContent(image.content, image.media_type)


CRAWL_SCREENSHOT = Resource(
    uri="research://crawl/{id}/screenshots/{number}",
    name="Crawl Screenshot",
    description="The screenshot of one page of a crawl, as its status links it.",
    read=_read,
    mime="image/png",
)
