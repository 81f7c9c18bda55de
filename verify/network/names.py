"""Names of buffers: the coordinates of the state, who serves them, and which other names denote them."""

from __future__ import annotations

from collections.abc import Iterator

from verify.network.model import BufferNetwork, JobClass, Network, Policy, Preset, RouteNetwork, Routing


def subserver_names(network: RouteNetwork) -> tuple[str, ...]:
    """The subservers ``class.route.position`` of the route expansion, classes, routes, positions in listed order.

    >>> from verify.network.read import read_text
    >>> line = 'servers = {A = {rate = 1}}\\nclasses = [{name = "a", arrival_rate = "1/3", routes = {r = ["A", "A"]}}]'
    >>> subserver_names(read_text(line + '\\npolicy = {sequencing = "fbfs"}', format="toml").network)
    ('a.r.1', 'a.r.2')
    """
    return tuple(name for name, _ in _subservers(network))


def class_server_names(network: RouteNetwork) -> tuple[str, ...]:
    """The buffers ``class@server`` of routing jsq: for each class its servers in order of first appearance."""
    return tuple(f"{job_class.name}@{server}" for job_class in network.classes for server in class_servers(job_class))


def class_servers(job_class: JobClass) -> tuple[str, ...]:
    """The servers of a class, in order of first appearance on its routes."""
    return tuple(dict.fromkeys(visit.server for route in job_class.routes for visit in route.visits))


def by_class_and_server(policy: Policy) -> bool:
    """Whether the state keeps one buffer per class and server: routing jsq and the preset jsq-as."""
    return policy.routing is Routing.JSQ or policy.preset is Preset.JSQ_AS


def state_names(network: Network, policy: Policy) -> tuple[str, ...]:
    """The coordinates of the state in their order (verify/checker/FORMAT.md, section 4).

    Routing jsq and the preset: ``class@server``; other route networks: ``class.route.position``; buffer networks: the
    buffers.  Of ``policy`` only ``routing`` and ``preset`` are looked at.
    """
    if isinstance(network, BufferNetwork):
        return tuple(buffer.name for buffer in network.buffers)
    return class_server_names(network) if by_class_and_server(policy) else subserver_names(network)


def function_names(network: Network, policy: Policy) -> tuple[str, ...]:
    """The buffers a test function may weigh: the state; for the preset jsq-as, which moves jobs between the
    subservers, the subservers of the route expansion (theory 1.2)."""
    if isinstance(network, RouteNetwork) and policy.preset is Preset.JSQ_AS:
        return subserver_names(network)
    return state_names(network, policy)


def server_buffers(network: Network, policy: Policy) -> dict[str, tuple[str, ...]]:
    """Server -> its buffers in coordinate order; servers in listed order, those without buffers included."""
    found: dict[str, dict[str, None]] = {server: {} for server in network.servers}
    if isinstance(network, BufferNetwork):
        served = {(activity.server, activity.buffer) for activity in network.activities}
        return {server: tuple(b.name for b in network.buffers if (server, b.name) in served) for server in found}
    for name, server in _subservers(network):
        job_class = name.partition(".")[0]
        found[server][f"{job_class}@{server}" if by_class_and_server(policy) else name] = None
    return {server: tuple(buffers) for server, buffers in found.items()}


def buffer_aliases(network: Network, policy: Policy) -> dict[str, str]:
    """Every accepted name of a buffer -> its canonical name, the canonical ones first.

    ``class.position`` is accepted for a class with one route; under routing jsq also the subservers that a buffer
    ``class@server`` stands for.
    """
    aliases = {name: name for name in function_names(network, policy)}
    if isinstance(network, BufferNetwork):
        return aliases
    single = {job_class.name for job_class in network.classes if len(job_class.routes) == 1}
    for name, server in _subservers(network):
        job_class, _, position = name.split(".")
        canonical = f"{job_class}@{server}" if policy.routing is Routing.JSQ else name
        aliases[name] = canonical
        if job_class in single:
            aliases[f"{job_class}.{position}"] = canonical
    return aliases


def _subservers(network: RouteNetwork) -> Iterator[tuple[str, str]]:
    """Pairs (subserver, its server)."""
    for job_class in network.classes:
        for route in job_class.routes:
            for position, visit in enumerate(route.visits, 1):
                yield f"{job_class.name}.{route.name}.{position}", visit.server
