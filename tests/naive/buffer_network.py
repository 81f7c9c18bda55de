"""Buffer networks: arrivals at buffers, activities with a random next buffer."""

from __future__ import annotations

from fractions import Fraction

from verify.network.model import BufferNetwork

from .types import Outcome, State, Task, moved


def arrivals(network: BufferNetwork, state: State) -> dict[str, Outcome]:
    """One component for each buffer with a positive external rate."""
    return {
        f"arrival {buffer.name}": [(buffer.arrival_rate, moved(state, None, buffer.name))]
        for buffer in network.buffers
        if buffer.arrival_rate > 0
    }


def tasks(network: BufferNetwork, server: str) -> list[Task]:
    """The server's activities; what is missing to probability 1 leaves the network."""
    found = []
    for activity in network.activities:
        if activity.server != server:
            continue
        destinations: list[tuple[Fraction, str | None]] = []
        for name, probability in activity.next.items():
            if probability > 0:
                destinations.append((probability, name))
        leaving = 1 - sum(activity.next.values(), Fraction(0))
        if leaving > 0:
            destinations.append((leaving, None))
        found.append(Task(server, activity.buffer, activity.rate, tuple(destinations), None))
    return found
