"""A package of queueproof: equilibria of parallel queues (a library), and claims about the sources, each re-proved on request."""
