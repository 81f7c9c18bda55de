"""Several servers at one buffer: what is proved, what is refused, what the simulation does."""
