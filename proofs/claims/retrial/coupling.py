"""The coupling behind the divergence for β >= 2μ (PROOF.md, Lemma 6), with every joint event enumerated by machine.

A small system (α', β', k', j') and a big one (α, β, k, j) with α' <= α, β' <= β, k' <= k, j' <= j run on common clocks.
Claim: the order survives every event until the small tagged customer is served; so τ' <= τ.
Symbolic orbit sizes: the small one is j' = s, the big one j = s + d; retrials of the s common customers and of the
tagged one are shared, those of the d others belong to the big system only.  Each event moves j' and j by known amounts.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

IDLE, BUSY, SERVED = 0, 1, -1


@dataclass(frozen=True)
class Event:
    """One joint event: name, new server states, changes of j' and of j; ``needs_gap`` if it happens only when j > j'."""

    name: str
    small: int
    big: int
    small_change: int = 0
    big_change: int = 0
    needs_gap: bool = False


def _arrivals(small: int, big: int) -> Iterator[Event]:
    """Arrivals: common ones, and ones of a single system wherever its rate can be the larger of the two."""
    small_joins, big_joins = int(small == BUSY), int(big == BUSY)
    yield Event("common arrival", BUSY, BUSY, small_joins, big_joins)
    yield Event("arrival in the big system only", small, BUSY, 0, big_joins)
    if small != big:  # rates α' and β are not ordered; with equal servers the big rate is at least the small one
        yield Event("arrival in the small system only", BUSY, big, small_joins, 0)


def _retrials(small: int, big: int) -> Iterator[Event]:
    """Retrials of a common customer, of one that only the big system has, and of the tagged one; none when both are busy."""
    if small == BUSY:
        return
    if big == IDLE:
        yield Event("common retrial", BUSY, BUSY, -1, -1)
        yield Event("retrial in the big system only", small, BUSY, 0, -1, needs_gap=True)
        yield Event("tagged customer retries", SERVED, SERVED)
    else:
        yield Event("common retrial", BUSY, BUSY, -1, 0)
        yield Event("tagged customer retries", SERVED, big)


def events(small: int, big: int) -> tuple[Event, ...]:
    """Every joint event in server states ``small`` <= ``big``, self-loops left out."""
    found = [*_arrivals(small, big), *_retrials(small, big)]
    if big == BUSY:
        found.append(Event("service ends", IDLE, IDLE))
    return tuple(found)


def keeps_order(event: Event) -> bool:
    """Whether k' <= k and j' <= j after the event, whatever j' <= j were; or the small tagged customer is served."""
    if event.small == SERVED:
        return True
    least_gap = 1 if event.needs_gap else 0
    return event.big != SERVED and event.small <= event.big and least_gap + event.big_change - event.small_change >= 0


def order_survives_every_event() -> bool:
    """Lemma 6: all events of the three ordered pairs of server states keep the order."""
    return all(
        keeps_order(event) for small, big in ((IDLE, IDLE), (IDLE, BUSY), (BUSY, BUSY)) for event in events(small, big)
    )


def reversed_pair_breaks_order() -> bool:
    """The check can fail: were the pair (small busy, big idle) allowed, serving the big tagged customer first would break it."""
    return not keeps_order(Event("tagged customer retries", BUSY, SERVED))
