"""The expansion in words (``queueproof expand``).

theory 1.2: the subservers of a server are duplicates; the original queue of server n is the sum over its subservers; actual
transitions follow routes, imaginary ones move a job between duplicates and change no original queue.  Under ``jsq`` the
state is one buffer for each (class, server); a buffer network is its own expansion.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any

from verify.network.expansion import Destination, Expansion, Service, Stream
from verify.network.model import BufferNetwork
from verify.policies.instance import Instance


def expansion_lines(instance: Instance) -> Iterator[str]:
    """The expansion line by line: arrivals with their choices, subservers with server, rate and successor, duplicates.

    >>> from verify.network_file.read import read_text
    >>> line = 'servers = {A = {rate = 1}}\\nclasses = [{name = "a", arrival_rate = "1/3", routes = {r = ["A"]}}]'
    >>> list(expansion_lines(read_text(line, format="toml")))[-4:]
    ['subserver  server  rate  then', 'a.r.1      A       1     leaves', '', 'servers with one subserver: A']
    """
    expansion = instance.expansion()
    if title := printable(instance.title):
        yield title
    yield _headline(instance, expansion)
    yield _policy(instance)
    yield ""
    yield "arrivals"
    for stream in expansion.streams:
        name = f"{stream.name}, " if instance.network.has_routes else ""
        yield f"  {name}rate {stream.rate}: {_entry(stream, instance, expansion)}"
    yield ""
    yield from _service_table(instance, expansion)
    yield from instance.policy.remarks
    yield ""
    yield from _duplicates(instance, expansion)


def expansion_json(instance: Instance) -> dict[str, Any]:
    """The expansion as an object: exact numbers are strings.

    ``buffers`` (name, class, route, position where there are such), ``arrivals`` and ``services`` with what a job may choose
    between (buffer -> probability, the rest leaves), ``queues`` server -> buffers, ``imaginary`` pairs of duplicates.
    """
    expansion = instance.expansion()
    names = expansion.names

    def choices(listed: Sequence[Destination]) -> list[dict[str, str]]:
        return [{names[k]: str(p) for k, p in one.distribution.items()} for one in listed]

    buffers = [
        {"name": b.name, "class": b.class_name or None, "route": b.route or None, "position": b.position or None}
        for b in expansion.buffers
    ]
    return {
        "title": instance.title,
        "servers": list(expansion.servers),
        "buffers": buffers,
        "arrivals": [
            {"name": s.name, "rate": str(s.rate), "choices": choices(s.destinations)} for s in expansion.streams
        ],
        "services": [
            {"server": s.server, "buffer": names[s.buffer], "rate": str(s.rate), "choices": choices(s.destinations)}
            for s in expansion.services
        ],
        "queues": {server: [names[k] for k in members] for server, members in queues(expansion).items()},
        "imaginary": [[names[k], names[j]] for k, j in expansion.imaginary_transitions()]
        if expansion.has_routes
        else [],
    }


def printable(title: str) -> str:
    """A title on one line without control characters.

    >>> printable(" two\\nlines\\x1b[31m ")
    'two lines[31m'
    """
    return " ".join("".join(c for c in title if c.isprintable() or c.isspace()).split())


def _word(instance: Instance) -> str:
    return "subserver" if instance.routes is not None else "buffer"


def _headline(instance: Instance, expansion: Expansion) -> str:
    network = instance.network
    counts = [(len(network.servers), "server"), (len(expansion.buffers), _word(instance))]
    if isinstance(network, BufferNetwork):
        return f"buffer network, its own expansion: {_counted([*counts, (len(network.activities), 'activity')])}"
    routes = (len([route for job_class in network.classes for route in job_class.routes]), "route")
    kind = (
        "route expansion"
        if expansion.has_routes
        else f"union graph of the routes ({instance.policy.choices['routing']})"
    )
    return f"{kind}: {_counted([(len(network.classes), 'class'), routes, *counts])}"


def _counted(counts: Sequence[tuple[int, str]]) -> str:
    plural = {"class": "classes", "activity": "activities"}
    return ", ".join(f"{n} {word if n == 1 else plural.get(word, word + 's')}" for n, word in counts)


def _policy(instance: Instance) -> str:
    policy = instance.policy
    if policy.is_preset:
        return f"policy: {policy.choices['preset']}"
    return f"policy: {', '.join(f'{key} {word}' for key, word in policy.choices.items())}"


def _entry(stream: Stream, instance: Instance, expansion: Expansion) -> str:
    """Where an arriving job goes."""
    names, options = expansion.names, stream.destinations
    if len(options) == 1:
        return _random(options[0].distribution, names)
    return instance.policy.choice_words(_labelled(options, names))


def _labelled(options: Sequence[Destination], names: Sequence[str]) -> dict[str, str]:
    """What a job may choose -> the buffer it then comes to."""
    return {option.label: names[k] for option in options for k in option.distribution}


def _random(distribution: Mapping[int, Fraction], names: Sequence[str]) -> str:
    """A job's next place, with probabilities where chance decides."""
    left = 1 - sum(distribution.values(), Fraction(0))
    places = [(names[k], p) for k, p in distribution.items()] + ([("leaves", left)] if left else [])
    return places[0][0] if len(places) == 1 else ", ".join(f"{place} with {p}" for place, p in places)


def _then(service: Service, instance: Instance, expansion: Expansion) -> str:
    names, options = expansion.names, service.destinations
    if len(options) > 1:
        return instance.policy.choice_words(_labelled(options, names))
    follower = next(iter(options[0].distribution), None)
    if follower is not None and len(places := instance.policy.places(follower, expansion)) > 1:
        return " or ".join(names[k] for k in places)
    return _random(options[0].distribution, names)


def _service_table(instance: Instance, expansion: Expansion) -> Iterator[str]:
    rows = [(_word(instance), "server", "rate", "then")]
    for service in expansion.services:
        then = _then(service, instance, expansion)
        rows.append((expansion.names[service.buffer], service.server, str(service.rate), then))
    widths = [max(len(row[i]) for row in rows) for i in range(3)]
    for row in rows:
        yield "  ".join(cell.ljust(width) for cell, width in zip(row[:3], widths, strict=True)) + f"  {row[3]}"


def queues(expansion: Expansion) -> dict[str, tuple[int, ...]]:
    """Server -> coordinates of its buffers, each once (a server may have several activities on a buffer)."""
    return {server: tuple(dict.fromkeys(expansion.queue(server))) for server in expansion.servers}


def _duplicates(instance: Instance, expansion: Expansion) -> Iterator[str]:
    names, found, word = expansion.names, queues(expansion), _word(instance)
    if any(len(members) > 1 for members in found.values()):
        yield "duplicates" if word == "subserver" else f"servers with several {word}s"
    for server, members in found.items():
        if len(members) > 1:
            yield f"  server {server}: queue = {' + '.join(names[k] for k in members)}"
            if word == "subserver":
                yield f"    imaginary transitions: {_imaginary([names[k] for k in members])}"
    single = [server for server, members in found.items() if len(members) == 1]
    idle = [server for server, members in found.items() if not members]
    yield from [f"servers with one {word}: {', '.join(single)}"] if single else []
    yield from [f"servers without a {word}: {', '.join(idle)}"] if idle else []


def _imaginary(names: Sequence[str]) -> str:
    if len(names) == 2:
        return f"{names[0]} ↔ {names[1]}"
    return f"between any two of them ({len(names) * (len(names) - 1) // 2} pairs, both ways)"
