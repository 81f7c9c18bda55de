"""What must hold of a buffer network as a whole: that jobs can leave (theory 1.1)."""

from __future__ import annotations

from verify.errors import InputError
from verify.network.messages import listed
from verify.network.model import BufferNetwork


def check_leaving(network: BufferNetwork) -> None:
    """The traffic equations can be solved: from every buffer some choice of activities leads out of the network with
    positive probability.  Raises ``InputError`` with the buffers from which no job can ever leave."""
    leaving: set[str] = set()
    grown = True
    while grown:
        more = {a.buffer for a in network.activities if sum(a.next.values()) < 1 or leaving.intersection(a.next)}
        grown = not more <= leaving
        leaving |= more
    kept = [buffer.name for buffer in network.buffers if buffer.name not in leaving]
    if kept:
        raise InputError(
            "activities",
            "a way out of the network from every buffer",
            f"none from {listed(kept)}",
            "probabilities of next with sum < 1 somewhere on the way",
        )
