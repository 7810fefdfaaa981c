"""Monitors: checked on a schedule, with durable changes and notifications."""
