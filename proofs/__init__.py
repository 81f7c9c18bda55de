"""A package of queueproof: symbolic results about the sources, each re-proved on request."""
