"""Reads a network file (TOML, or JSON of the same structure) into the canonical forms of FORMAT.md sections 2 and 3.

This is the checker's own reader, used only to compare a file with a certificate (section 26): it knows the file's
shorthands (means, defaults, aliases, scalars of a template) and writes them out. What it cannot read is `Malformed`;
whether the network makes sense is decided by the rules, on the certificate.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from verify.checker.core.data import (
    Activity,
    Buffer,
    BufferNetwork,
    JobClass,
    Network,
    Route,
    RouteNetwork,
    Visit,
)
from verify.checker.core.errors import Malformed, show
from verify.checker.core.policy import Policy
from verify.checker.core.values import fields, items, load_json, mapping, name, table, text
from verify.checker.core.work import Work
from verify.checker.network_file.expression import exact
from verify.checker.network_file.policy import read_policy

MOST_DOTS = 2000  # of a line: a key of many parts takes the square of their number
PARAMETER = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
COMMON = ("title", "source", "parameters", "policy", "test_function")


@dataclass(frozen=True)
class NetworkFile:
    """What a network file says, in the certificate's forms."""

    network: Network
    policy: Policy


def read_network_file(data: bytes, network_format: str, settings: Mapping[str, str]) -> NetworkFile:
    """The network and policy of a file, `--set` overrides applied.

    Parameters: `network_format` is "toml" or "json".
    Raises: Malformed.
    """
    value, work = load_json(data, "FILE", _integer) if network_format == "json" else _load_toml(data), Work(len(data))
    found = fields(value, "FILE", ("servers",), (*COMMON, "classes", "buffers", "activities"))
    for key in ("title", "source"):
        text(found.get(key, ""), key)
    reader = _Reader(_parameters(found.get("parameters", {}), settings, work), work)
    network: Network
    if "classes" in found:
        fields(value, "FILE", ("servers", "classes"), COMMON)
        network = reader.route_network(found["servers"], found["classes"])
    else:
        fields(value, "FILE", ("servers", "buffers", "activities"), COMMON)
        network = reader.buffer_network(found["servers"], found["buffers"], found["activities"])
    return NetworkFile(network, read_policy(found.get("policy", {}), network, reader.number))


def _load_toml(data: bytes) -> object:
    try:
        content = data.decode("utf-8")
        if max((line.count(".") for line in content.split("\n")), default=0) > MOST_DOTS:
            raise Malformed("FILE", f"at most {MOST_DOTS} dots in a line", "more")
        return tomllib.loads(content)
    except UnicodeDecodeError as error:
        raise Malformed("FILE", "UTF-8", f"byte {error.start} is not") from None
    except RecursionError:
        raise Malformed("FILE", "less nesting", "too much") from None
    except ValueError as error:  # TOMLDecodeError, and integers of too many digits
        raise Malformed("FILE", "TOML", show(str(error))) from None


def _integer(written: str) -> int:
    try:
        return int(written)
    except ValueError:
        raise Malformed("FILE", "a number with fewer digits", f"{len(written)} characters") from None


def _parameters(value: object, settings: Mapping[str, str], work: Work) -> dict[str, Fraction]:
    """The parameters with their overrides; an expression may use parameters above it."""
    given = table(value, "parameters")
    for key in settings:
        if key not in given:
            raise Malformed("--set", "a parameter of the file", show(key))
    found: dict[str, Fraction] = {}
    for key, written in given.items():
        if PARAMETER.fullmatch(key) is None:
            raise Malformed("parameters", "a name ([A-Za-z_][A-Za-z0-9_]*)", show(key))
        found[key] = exact(settings.get(key, written), f"parameters.{key}", found, work)
    return found


class _Reader:
    """Reads the parts of a file; it knows the parameters and, from the servers on, their rates."""

    def __init__(self, parameters: Mapping[str, Fraction], work: Work) -> None:
        self.parameters = parameters
        self.work = work
        self.rates: dict[str, Fraction] = {}

    def number(self, value: object, place: str) -> Fraction:
        return exact(value, place, self.parameters, self.work)

    def rate(self, found: Mapping[str, object], place: str) -> Fraction | None:
        """The rate, or one over the mean; None if neither is given."""
        if "rate" in found and "mean" in found:
            raise Malformed(place, "rate or mean", "both")
        if "rate" in found:
            return self.number(found["rate"], f"{place}.rate")
        if "mean" not in found:
            return None
        mean = self.number(found["mean"], f"{place}.mean")
        if mean == 0:
            raise Malformed(f"{place}.mean", "a mean > 0", "0")
        return 1 / mean

    # ---- networks
    def servers(self, value: object) -> tuple[str, ...]:
        for key, inner in table(value, "servers").items():
            place = f"servers.{show(key)}"
            rate = self.rate(fields(inner, place, (), ("rate", "mean")), place)
            if rate is not None:
                self.rates[name(key, place)] = rate
        return tuple(name(key, "servers") for key in table(value, "servers"))

    def route_network(self, servers: object, classes: object) -> RouteNetwork:
        return RouteNetwork(self.servers(servers), items(classes, "classes", self.job_class))

    def job_class(self, value: object, place: str) -> JobClass:
        found = fields(value, place, ("name", "arrival_rate", "routes"))
        rate = self.number(found["arrival_rate"], f"{place}.arrival_rate")
        routes = mapping(found["routes"], f"{place}.routes", lambda inner, at: items(inner, at, self.visit))
        named = tuple(Route(name(key, f"{place}.routes"), visits) for key, visits in routes.items())
        return JobClass(name(found["name"], f"{place}.name"), rate, named)

    def visit(self, value: object, place: str) -> Visit:
        if not isinstance(value, str):
            found = fields(value, place, ("server",), ("rate", "mean"))
            server, rate = text(found["server"], f"{place}.server"), self.rate(found, place)
            return Visit(server, self.own_rate(server, place) if rate is None else rate)
        return Visit(value, self.own_rate(value, place))

    def own_rate(self, server: str, place: str) -> Fraction:
        """The rate that the server has itself."""
        if server not in self.rates:
            raise Malformed(place, "a rate or mean, here or at the server", show(server))
        return self.rates[server]

    def buffer_network(self, servers: object, buffers: object, activities: object) -> BufferNetwork:
        listed = self.servers(servers)
        read = items(buffers, "buffers", self.buffer)
        return BufferNetwork(listed, read, items(activities, "activities", self.activity))

    def buffer(self, value: object, place: str) -> Buffer:
        found = fields(value, place, ("name",), ("arrival_rate",))
        rate = self.number(found.get("arrival_rate", 0), f"{place}.arrival_rate")
        return Buffer(name(found["name"], f"{place}.name"), rate)

    def activity(self, value: object, place: str) -> Activity:
        found = fields(value, place, ("server", "buffer"), ("rate", "mean", "next"))
        server = text(found["server"], f"{place}.server")
        rate = self.rate(found, place)
        if rate is None:
            rate = self.own_rate(server, place)
        following = mapping(found.get("next", {}), f"{place}.next", self.number)
        positive = {key: probability for key, probability in following.items() if probability != 0}
        return Activity(server, text(found["buffer"], f"{place}.buffer"), rate, positive)
