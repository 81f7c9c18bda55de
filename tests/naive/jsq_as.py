"""Preset jsq-as (the paper's Theorem 2)."""

from __future__ import annotations

from fractions import Fraction

from verify.network.model import JobClass, RouteNetwork

from .expansion import Subserver, subservers
from .types import Outcome, State, moved, without_repetition

EXIT = None


def arrival(network: RouteNetwork, job_class: JobClass, state: State) -> Outcome:
    """Join the first subserver with the smallest x; ties uniformly."""
    first = [s.name for s in subservers(network) if s.job_class == job_class.name and s.position == 1]
    smallest = min(state[name] for name in first)
    winners = [name for name in first if state[name] == smallest]
    return [(job_class.arrival_rate / len(winners), moved(state, None, name)) for name in winners]


def allowed_moves(network: RouteNetwork, state: State, server: str) -> list[tuple[str, str | None]]:
    """The moves (k, j): x_k >= 1 and x_j < x_k, j at the server that follows k on k's route, or the exit (x_j = 0)."""
    everything = subservers(network)
    server_of = {s.name: s.server for s in everything}
    moves: list[tuple[str, str | None]] = []
    for k in everything:
        if k.server != server or state[k.name] < 1:
            continue
        destinations: list[str | None] = [EXIT]
        if k.successor is not None:
            destinations = [j.name for j in everything if j.server == server_of[k.successor]]
        for j in destinations:
            if jobs_at(state, j) < state[k.name]:
                moves.append((k.name, j))
    return moves


def jobs_at(state: State, destination: str | None) -> int:
    """x_j, 0 at the exit."""
    return 0 if destination is EXIT else state[destination]


def service(network: RouteNetwork, state: State, server: str) -> list[Outcome]:
    """The longest subserver loses a job (ties free), the emptiest allowed destination gains it (ties uniformly)."""
    own: list[Subserver] = [s for s in subservers(network) if s.server == server]
    longest = max(state[s.name] for s in own)
    if longest == 0:
        return [[]]
    moves = allowed_moves(network, state, server)
    if not moves:
        return [[]]  # the job is held
    smallest = min(jobs_at(state, j) for _, j in moves)
    winners: list[str | None] = []
    for _, j in moves:
        if jobs_at(state, j) == smallest and j not in winners:
            winners.append(j)
    outcomes: list[Outcome] = []
    for s in own:
        if state[s.name] == longest:
            rate = s.rate * Fraction(1, len(winners))
            outcomes.append([(rate, moved(state, s.name, j)) for j in winners])
    return without_repetition(outcomes)
