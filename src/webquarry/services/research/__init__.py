"""Answering a question from several sources at once, with evidence that can be checked later."""
