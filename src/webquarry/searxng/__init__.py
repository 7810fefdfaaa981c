"""SearXNG: a pool of instances that stand in for each other."""
