"""The resources, prompts and content blocks that the conformance scenarios expect."""

import json
from typing import Any

from webquarry.models.result import Block, EmbeddedBlock, ImageBlock, TextBlock
from webquarry.prompts.prompt import Prompt, PromptArgument, PromptRegistry
from webquarry.resources.resource import (
    Resource,
    ResourceContent,
    ResourceRegistry,
    ResourceRequest,
)

# an image of one red pixel, and audio of one silent sample
PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR42mP4z8AAAAMBAQD3A0FDAAAAAElFTkSuQmCC"
WAV = "UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAIA+AAACABAAZGF0YQIAAAAAAA=="
PIXEL = ImageBlock(data=PNG, mimeType="image/png")


def embedded(uri: str, text: str, mime: str = "text/plain") -> EmbeddedBlock:
    return EmbeddedBlock(resource={"uri": uri, "mimeType": mime, "text": text})


async def _static_text(_: ResourceRequest) -> ResourceContent:
    return ResourceContent("This is the content of the static text resource.", "text/plain")


async def _static_binary(_: ResourceRequest) -> ResourceContent:
    return ResourceContent(PNG.encode(), "image/png")


async def _watched(_: ResourceRequest) -> ResourceContent:
    return ResourceContent("Watched resource content", "text/plain")


async def _template_data(request: ResourceRequest) -> ResourceContent:
    identity = request.variables["id"]
    body = {"id": identity, "templateTest": True, "data": f"Data for ID: {identity}"}
    return ResourceContent(json.dumps(body))


RESOURCES = ResourceRegistry(
    (
        Resource("test://static-text", "Static text", "Fixed text.", _static_text, "text/plain"),
        Resource("test://static-binary", "Static binary", "A pixel.", _static_binary, "image/png"),
        Resource("test://watched-resource", "Watched", "May change.", _watched, "text/plain"),
        Resource("test://template/{id}/data", "Template", "Data by id.", _template_data),
    )
)


def _with_arguments(arguments: Any) -> str:
    return f"Prompt with arguments: arg1='{arguments['arg1']}', arg2='{arguments['arg2']}'"


def _with_resource(arguments: Any) -> list[Block]:
    return [
        embedded(arguments["resourceUri"], "Embedded resource content for testing."),
        TextBlock(text="Please process the embedded resource above."),
    ]


def _with_image(_: Any) -> list[Block]:
    return [PIXEL, TextBlock(text="Please analyze the image above.")]


INPUT_REQUIRED_PROMPT = "test_input_required_result_prompt"
PROMPTS = PromptRegistry(
    (
        Prompt("test_simple_prompt", "No arguments.", (), lambda _: "This is a simple prompt."),
        Prompt(
            "test_prompt_with_arguments",
            "Two required arguments.",
            (
                PromptArgument("arg1", "First test argument", required=True),
                PromptArgument("arg2", "Second test argument", required=True),
            ),
            _with_arguments,
        ),
        Prompt(
            "test_prompt_with_embedded_resource",
            "A resource inside.",
            (PromptArgument("resourceUri", "The resource to embed", required=True),),
            _with_resource,
        ),
        Prompt("test_prompt_with_image", "A picture inside.", (), _with_image),
        Prompt(
            INPUT_REQUIRED_PROMPT, "Asks the user first.", (), lambda _: "Use the context given."
        ),
    )
)
