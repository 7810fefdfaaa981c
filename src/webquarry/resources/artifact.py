"""`research://artifact/{id}`: a result too large to send inline, read whole or in pieces."""

from webquarry.resources.resource import Resource, ResourceContent, ResourceRequest


async def _read(request: ResourceRequest) -> ResourceContent:
    piece = await request.services.artifacts.read(
        request.variables["id"],
        tenant=request.caller.tenant,
        owner=request.caller.user,
        offset=request.number("offset", 0) or 0,
        length=request.number("length", None),
    )
    is_text = piece.mime.startswith("text/") or piece.mime == "application/json"
    body = piece.chunk.decode("utf-8", "replace") if is_text else piece.chunk
    meta = {"offset": piece.offset, "totalBytes": piece.total, "nextOffset": piece.next_offset}
    return ResourceContent(body, piece.mime, {k: v for k, v in meta.items() if v is not None})


ARTIFACT = Resource(
    uri="research://artifact/{id}",
    name="Research Artifact",
    description="A large result; add ?offset=&length= to read it in pieces.",
    read=_read,
)
