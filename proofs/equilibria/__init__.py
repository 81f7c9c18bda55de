"""Equilibria of parallel queues and their social optimum in exact numbers: a library that knows no claims."""
