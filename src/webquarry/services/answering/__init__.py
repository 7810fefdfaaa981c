"""Answers to questions and structured data, from external services or made locally."""
