"""All components of an instance in one state."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import TypeAlias

from stated import Holding, Instance, Policy, Preset, Routing, Sequencing, stated

from verify.network.model import BufferNetwork, RouteNetwork

from . import buffer_network, dominant, expansion, jsq, jsq_as, routing, sequencing
from .assignment import Assignment, assignments, shared_buffers
from .types import Choice, Outcome, State, Task, without_repetition, work

Jump: TypeAlias = tuple[tuple[str, int], ...]


def buffer_names(instance: Instance) -> list[str]:
    """The coordinates of the state."""
    network = instance.network
    if isinstance(network, BufferNetwork):
        return [buffer.name for buffer in network.buffers]
    if stated(instance.policy).routing is Routing.JSQ:
        return jsq.buffer_names(network)
    return [s.name for s in expansion.subservers(network)]


def empty_state(instance: Instance) -> State:
    """No jobs anywhere."""
    return dict.fromkeys(buffer_names(instance), 0)


def components(instance: Instance, state: State) -> dict[str, list[Outcome]]:
    """The admissible outcomes of every component in this state.  Servers that share buffers are one: ``servers``."""
    if sorted(state) != sorted(buffer_names(instance)) or min(state.values()) < 0:
        raise ValueError(f"not a state of this instance: {state}")
    found = arrivals(instance, state)
    if shared_buffers(instance):
        found["servers"] = [together(state, one) for one in joint(instance, state)]
        return found
    for server in instance.network.servers:
        outcomes = service(instance, state, server)
        if outcomes is not None:
            found[f"server {server}"] = outcomes
    return found


def joint(instance: Instance, state: State) -> list[Assignment]:
    """What the servers of a network with shared buffers may do together."""
    network, policy = instance.network, stated(instance.policy)
    for server in network.servers:
        service(instance, state, server)  # refuses what is not defined
    every = {server: tasks_of(network, policy, state, server) for server in network.servers}
    ready = {
        server: [t for t in tasks if state[t.buffer] >= 1 and not held(network, policy, state, t)]
        for server, tasks in every.items()
        if tasks
    }
    return assignments(instance, state, ready)


def together(state: State, assignment: Assignment) -> Outcome:
    """The transitions of all servers in an assignment."""
    return [move for task in assignment.values() if task is not None for move in work(state, task)]


def transitions(instance: Instance, state: State) -> list[Choice]:
    """All admissible joint behaviours: the product of the components' outcomes."""
    parts = components(instance, state)
    return [dict(zip(parts, choice, strict=True)) for choice in product(*parts.values())]


def jump_rates(state: State, outcome: Outcome) -> dict[Jump, Fraction]:
    """The rate of every non-zero jump, as a sorted tuple of (buffer, change): for comparisons."""
    rates: dict[Jump, Fraction] = {}
    for rate, target in outcome:
        jump = tuple(sorted((name, target[name] - state[name]) for name in state if target[name] != state[name]))
        if jump:
            rates[jump] = rates.get(jump, Fraction(0)) + rate
    return rates


def arrivals(instance: Instance, state: State) -> dict[str, list[Outcome]]:
    """The arrival components: never a free choice."""
    network, policy = instance.network, stated(instance.policy)
    if isinstance(network, BufferNetwork):
        return {key: [outcome] for key, outcome in buffer_network.arrivals(network, state).items()}
    found: dict[str, list[Outcome]] = {}
    for job_class in network.classes:
        if policy.preset is Preset.JSQ_AS:
            outcome = jsq_as.arrival(network, job_class, state)
        elif policy.routing is Routing.JSQ:
            outcome = jsq.arrival(network, job_class, state)
        elif policy.routing is Routing.JSR:
            outcome = routing.jsr(job_class, state)
        elif policy.routing is Routing.WEIGHTED_ROUTE:
            outcome = routing.weighted_route(job_class, state, policy.route_weights)
        elif policy.routing is Routing.BERNOULLI:
            outcome = routing.bernoulli(job_class, state, policy.probabilities[job_class.name])
        else:
            outcome = routing.fixed(job_class, state)
        found[f"class {job_class.name}"] = [outcome]
    return found


def service(instance: Instance, state: State, server: str) -> list[Outcome] | None:
    """The outcomes of a server; None if it has no buffers."""
    network, policy = instance.network, stated(instance.policy)
    tasks = tasks_of(network, policy, state, server)
    if not tasks:
        return None
    if policy.preset is Preset.JSQ_AS:
        assert isinstance(network, RouteNetwork)
        return jsq_as.service(network, state, server)
    ready = []
    for task in tasks:
        if state[task.buffer] >= 1 and not held(network, policy, state, task):
            ready.append(task)
    chosen = choose(network, policy, state, server, tasks, ready)
    if not chosen:
        return [[]]
    return without_repetition([work(state, task) for task in chosen])


def tasks_of(network: RouteNetwork | BufferNetwork, policy: Policy, state: State, server: str) -> list[Task]:
    """Everything the server could work on, also on empty buffers."""
    if isinstance(network, BufferNetwork):
        return buffer_network.tasks(network, server)
    if policy.routing is Routing.JSQ:
        return jsq.tasks(network, server, state)
    return expansion.tasks(network, server)


def held(network: RouteNetwork | BufferNetwork, policy: Policy, state: State, task: Task) -> bool:
    """Whether the holding policy keeps the jobs of this buffer back."""
    if policy.holding is not Holding.SPILLBACK:
        return False
    if isinstance(network, BufferNetwork) or policy.routing is Routing.JSQ:
        choice = not isinstance(network, BufferNetwork) and jsq.branches(network, task)
        if choice or len(task.destinations) != 1:
            raise ValueError("spillback needs one buffer after each one")
        ((_, after),) = task.destinations
        return after is not None and state[after] >= state[task.buffer]
    return expansion.held_by_spillback(network, state, task.buffer)


def choose(
    network: RouteNetwork | BufferNetwork,
    policy: Policy,
    state: State,
    server: str,
    tasks: list[Task],
    ready: list[Task],
) -> list[Task]:
    """The admissible choices of the server; none: it idles."""
    rule = policy.sequencing
    is_expansion = isinstance(network, RouteNetwork) and policy.routing is not Routing.JSQ
    if rule is Sequencing.FIFO:
        raise NotImplementedError("fifo is outside the walk")
    if rule in (Sequencing.FBFS, Sequencing.LBFS) and isinstance(network, BufferNetwork):
        raise ValueError(f"{rule} needs routes")
    if rule in (Sequencing.LONGEST_DUPLICATE, Sequencing.DOMINANT) and not is_expansion:
        raise ValueError(f"{rule} needs a route expansion")
    if isinstance(network, RouteNetwork) and policy.routing is Routing.JSQ:
        branching = any(jsq.branches(network, task) for task in tasks)
        if rule is Sequencing.BACK_PRESSURE and branching:
            raise ValueError("back-pressure is not defined where jsq has a choice of the next server")
    if not ready:
        return []
    if rule is Sequencing.FBFS:
        return sequencing.fbfs(ready)
    if rule is Sequencing.LBFS:
        return sequencing.lbfs(ready)
    if rule is Sequencing.NON_IDLING:
        return sequencing.non_idling(ready)
    if rule in (Sequencing.LONGEST_QUEUE, Sequencing.LONGEST_DUPLICATE):
        return sequencing.longest(ready, state)
    if rule is Sequencing.MAX_WEIGHT:
        return sequencing.max_weight(ready, state, policy.buffer_weights)
    if rule is Sequencing.BACK_PRESSURE:
        return sequencing.back_pressure(ready, state)
    if rule is Sequencing.DOMINANT:
        assert isinstance(network, RouteNetwork)
        if policy.dominance_function is None:
            raise ValueError("dominant without a dominance function")
        return dominant.dominant(network, policy.dominance_function, policy.tie_order, server, ready, state)
    if server not in policy.priority and len({task.buffer for task in tasks}) == 1:
        return ready  # a single buffer needs no order
    return sequencing.priority(ready, policy.priority.get(server, ()))
