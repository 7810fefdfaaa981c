"""Converts the tools on stdin as Pydantic AI does for its models; writes the schemas to stdout.

The schema for Gemini is checked by the model of Google's own package.
"""

import json
import sys
from typing import Any

from google.genai.types import Schema
from pydantic_ai.profiles.google import GoogleJsonSchemaTransformer
from pydantic_ai.profiles.openai import OpenAIJsonSchemaTransformer


def schemas(tool: Any) -> Any:
    given = tool["inputSchema"]
    google = GoogleJsonSchemaTransformer(given).walk()
    Schema.model_validate(google)
    return {
        "openai strict": OpenAIJsonSchemaTransformer(given, strict=True).walk(),
        "openai": OpenAIJsonSchemaTransformer(given, strict=False).walk(),
        "gemini": google,
    }


json.dump({tool["name"]: schemas(tool) for tool in json.load(sys.stdin)}, sys.stdout)
