"""Bounds on stationary means beside what else is known of them (``queueproof bounds``)."""
