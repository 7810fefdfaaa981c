"""What `searxng_search` makes of the results of the pool."""
