"""Sets of rates: linear rows on arrival rates and speeds, and a bound on the load (FORMAT.md, section 24.1).

The *symbols* are ``arrival(C)`` for a class (a buffer with arrivals), ``speed(N)`` for a server, and ``1``.  Server N works on
buffer k at rate speed(N) · r_k with r_k the rate that the network states, so that all speeds are 1 in the network as stated.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias

from verify.network.model import BufferNetwork, Network, RouteNetwork
from verify.rational import text

ONE = "1"

Row: TypeAlias = Mapping[str, Fraction]
"""Symbol -> number, zeros left out: Σ number · symbol."""


def arrival(name: str) -> str:
    """The symbol of an arrival rate."""
    return f"arrival({name})"


def speed(server: str) -> str:
    """The symbol of a server's speed."""
    return f"speed({server})"


@dataclass(frozen=True)
class RateSet:
    """All rates with load at most ``load_at_most`` (below 1 if that is 1) at which every row of ``at_least_zero`` is >= 0 and
    every row of ``zero`` is 0."""

    at_least_zero: tuple[Row, ...] = ()
    zero: tuple[Row, ...] = ()
    load_at_most: Fraction = Fraction(1)

    def rows(self) -> Iterator[tuple[str, Row, bool]]:
        """The rows with their names in certificates; is the row an equality?"""
        for kind, listed in (("at_least_zero", self.at_least_zero), ("zero", self.zero)):
            yield from ((f"{kind}[{i}]", row, kind == "zero") for i, row in enumerate(listed))

    def holds(self, rates: Mapping[str, Fraction]) -> bool:
        """Do rates (symbol -> number) satisfy all rows?"""
        values = (
            (sum(a * (1 if s == ONE else rates[s]) for s, a in row.items()), zero) for _, row, zero in self.rows()
        )
        return all(value == 0 if zero else value >= 0 for value, zero in values)

    def allows(self, load: Fraction) -> bool:
        """Is the load in range?"""
        return load <= self.load_at_most if self.load_at_most < 1 else load < 1

    def to_json(self) -> dict[str, list[dict[str, str]]]:
        """The rows as a certificate writes them."""
        kinds = {"at_least_zero": self.at_least_zero, "zero": self.zero}
        return {kind: [{symbol: text(a) for symbol, a in row.items()} for row in rows] for kind, rows in kinds.items()}

    def load_words(self) -> str:
        """Which loads, in a claim."""
        return "below 1" if self.load_at_most == 1 else f"at most {self.load_at_most}"

    def words(self, network: Network) -> str:
        """The rows in a claim, "" if there are none."""
        order = symbols(network)
        shown = [f"{row_words(row, order)} {'=' if zero else '>='} 0" for _, row, zero in self.rows()]
        return f", with {', '.join(shown)}" if shown else ""


def arrivals(network: Network) -> tuple[str, ...]:
    """The names of its streams: classes, or buffers with arrivals."""
    if isinstance(network, RouteNetwork):
        return tuple(job_class.name for job_class in network.classes)
    return tuple(buffer.name for buffer in network.buffers if buffer.arrival_rate)


def busy_servers(network: Network) -> tuple[str, ...]:
    """The servers that have buffers, as they are listed."""
    if isinstance(network, BufferNetwork):
        found = {activity.server for activity in network.activities}
    else:
        found = {visit.server for c in network.classes for route in c.routes for visit in route.visits}
    return tuple(server for server in network.servers if server in found)


def symbols(network: Network) -> tuple[str, ...]:
    """All symbols in the order of claims."""
    return (*map(arrival, arrivals(network)), *map(speed, busy_servers(network)), ONE)


def row_words(row: Row, order: Sequence[str]) -> str:
    """A row as a claim writes it.

    >>> row_words({"arrival(a)": Fraction(1), "speed(1)": Fraction(-2), "1": Fraction(-3)}, ["arrival(a)", "speed(1)", "1"])
    '1 arrival(a) - 2 speed(1) - 3'
    """
    shown = ""
    for symbol in order:
        if value := row.get(symbol):
            sign = ("-" if value < 0 else "") if not shown else (" - " if value < 0 else " + ")
            shown += f"{sign}{abs(value)}{'' if symbol == ONE else ' ' + symbol}"
    return shown
