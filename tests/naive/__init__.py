"""Naive reference step functions, written from theory 1 and 3.2 alone, to be compared with the prover's components.

``components(instance, state)`` maps every independent component to its admissible outcomes in that state; an outcome
is a list of (rate, target state).  Keys: ``class C`` (arrivals of a class), ``arrival K`` (arrivals at a buffer of a
buffer network), ``server N`` (servers that have buffers).  A free choice gives several outcomes (equal ones are listed
once), a random choice gives one outcome with several targets, an idle server gives one empty outcome.
"""

from .simulate import Statistics, simulate
from .step import buffer_names, components, empty_state, jump_rates, transitions
from .types import Choice, Outcome, State

__all__ = [
    "Choice",
    "Outcome",
    "State",
    "Statistics",
    "buffer_names",
    "components",
    "empty_state",
    "jump_rates",
    "simulate",
    "transitions",
]
