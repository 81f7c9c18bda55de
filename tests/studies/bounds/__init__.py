"""Bounds on stationary means, and what stands beside them."""
