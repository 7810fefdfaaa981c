"""Views of results that clients show beside the text (MCP Apps)."""
