"""Claims about the sources, each re-proved on request; the computing is the library's, ``proofs.equilibria``."""
