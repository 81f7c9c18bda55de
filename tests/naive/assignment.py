"""Several servers at one buffer: all assignments of servers to jobs that the policy admits, by brute force.

One job is with one server at a time.  A server works on a ready buffer of its most preferred kind among those it can have: it
leaves a job of a buffer that it prefers only if all jobs of it are with other servers, before it in the server order if there is
one.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from itertools import product
from typing import TypeAlias

from stated import Instance, Sequencing, stated

from verify.network.model import BufferNetwork

from .sequencing import pressure
from .types import State, Task

Assignment: TypeAlias = dict[str, Task | None]


def shared_buffers(instance: Instance) -> dict[str, list[str]]:
    """Buffers with several servers, and these."""
    found: dict[str, list[str]] = {}
    if isinstance(instance.network, BufferNetwork):
        for activity in instance.network.activities:
            if activity.server not in found.setdefault(activity.buffer, []):
                found[activity.buffer].append(activity.server)
    return {buffer: servers for buffer, servers in found.items() if len(servers) > 1}


def assignments(instance: Instance, state: State, ready: dict[str, list[Task]]) -> list[Assignment]:
    """The admissible ones.  ``ready``: for each server with buffers what it may work on, non-empty and not held."""
    worth = {server: [t for t in tasks if _worth(instance, t, state)] for server, tasks in ready.items()}
    every = product(*([*tasks, None] for tasks in worth.values()))
    found = [dict(zip(worth, chosen, strict=True)) for chosen in every]
    return [one for one in found if _possible(one, state) and not _blocked(instance, one, worth, state)]


def at(assignment: Assignment, buffer: str) -> list[str]:
    """The servers that work there."""
    return [server for server, task in assignment.items() if task is not None and task.buffer == buffer]


def _worth(instance: Instance, task: Task, state: State) -> bool:
    return stated(instance.policy).sequencing is not Sequencing.BACK_PRESSURE or pressure(task, state) >= 0


def _possible(assignment: Assignment, state: State) -> bool:
    return all(len(at(assignment, task.buffer)) <= state[task.buffer] for task in assignment.values() if task)


def _blocked(instance: Instance, assignment: Assignment, worth: dict[str, list[Task]], state: State) -> bool:
    """Does some server leave a job that it would rather have and can have?"""
    for server, tasks in worth.items():
        for task in tasks:
            if not _prefers(instance, server, task, assignment[server], state):
                continue
            there, order = at(assignment, task.buffer), stated(instance.policy).server_order.get(task.buffer, ())
            if len(there) < state[task.buffer]:
                return True
            if order and any(order.index(other) > order.index(server) for other in there):
                return True
    return False


def _prefers(instance: Instance, server: str, task: Task, now: Task | None, state: State) -> bool:
    if now is None:
        return True
    rule = stated(instance.policy).sequencing
    if rule is Sequencing.PRIORITY:
        order = stated(instance.policy).priority[server]
        return order.index(task.buffer) < order.index(now.buffer)
    if rule is Sequencing.NON_IDLING:
        return False
    weights = stated(instance.policy).buffer_weights
    values: Mapping[Sequencing | None, Callable[[Task], Fraction]] = {
        Sequencing.LONGEST_QUEUE: lambda t: Fraction(state[t.buffer]),
        Sequencing.MAX_WEIGHT: lambda t: weights.get(t.buffer, Fraction(1)) * t.rate * state[t.buffer],
        Sequencing.BACK_PRESSURE: lambda t: pressure(t, state),
    }
    value = values[rule]
    return value(task) > value(now)
