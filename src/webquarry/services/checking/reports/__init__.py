"""The result of a check as a file: tables, a page, and copies of the document with notes."""
