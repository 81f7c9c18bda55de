"""Symbolic results about the sources, each re-proved on request."""
