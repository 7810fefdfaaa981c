"""Monitors in the database of crawls: SQLite or Postgres."""
