"""From the tables of a file to a network: servers, classes with routes, or buffers with activities."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from types import MappingProxyType

from verify.network.fields import Field, Table
from verify.network.messages import did_you_mean, listed, shown, shown_number
from verify.network.model import Activity, Buffer, BufferNetwork, JobClass, Network, Route, RouteNetwork, Visit
from verify.network.validate import check_leaving

_CLASS_KEYS = ("name", "arrival_rate", "routes")
#: Tables of a file that in TOML fall into the routes of the last class when they are written as a key below it.
_TABLES = ("policy", "parameters", "servers", "test_function", "rates")
_VISIT_KEYS = ("server", "rate", "mean")
_BUFFER_KEYS = ("name", "arrival_rate")
_ACTIVITY_KEYS = ("server", "buffer", "rate", "mean", "next")


def read_network(file: Table) -> Network:
    """The network of a file.

    Parameters: ``file`` the whole file, a table.  Returns a ``RouteNetwork`` if it has ``classes``, a
    ``BufferNetwork`` if it has ``buffers`` and ``activities``.  Raises ``InputError`` with the place of the mistake.
    """
    buffers = [key for key in ("buffers", "activities") if key in file]
    if "classes" in file and buffers:
        raise file.entries[buffers[0]].refused("either classes, or buffers and activities", "remove one kind", "both")
    if "classes" in file:
        return _route_network(file)
    if buffers:
        return _buffer_network(file)
    raise file.field.refused("[[classes]], or [[buffers]] and [[activities]]", found="neither")


def _servers(file: Table, keys: Sequence[str]) -> dict[str, Fraction | None]:
    """Server -> its own rate, if it has one."""
    field = file.need("servers", "a table of servers", 'write [servers] and a line like: 1 = { rate = "1" }')
    entries = field.entries("a table of servers")
    if not entries:
        raise field.refused("at least one server", found="none")
    rates: dict[str, Fraction | None] = {}
    for name, entry in entries.items():
        entry.named(name)
        if isinstance(entry.value, dict) and not keys and "rate" in entry.value:
            raise entry.child("rate", None).refused(
                "no rate at a server of a buffer network", "give each activity its rate or mean", "one"
            )
        rates[name] = entry.table(keys, 'a table like { rate = "1" }, or {}').rate()
    return rates


def _one_name(field: Field, seen: dict[str, str]) -> str:
    """A name used for the first time; ``seen``: name -> where."""
    name = field.name()
    if name in seen:
        raise field.refused("a name that is not in use", f"{seen[name]} has it")
    seen[name] = field.place
    return name


def _route_network(file: Table) -> RouteNetwork:
    rates = _servers(file, ("rate",))
    seen: dict[str, str] = {}
    classes = [_job_class(field, rates, seen) for field in file.entries["classes"].items("a list of classes")]
    return RouteNetwork(tuple(rates), tuple(classes))


def _job_class(field: Field, rates: Mapping[str, Fraction | None], seen: dict[str, str]) -> JobClass:
    table = field.table(_CLASS_KEYS, "a class with name, arrival_rate and routes")
    name = _one_name(table.need("name", "the name of the class"), seen)
    arrival_rate = table.need("arrival_rate", "the arrival rate of the class, a number > 0").positive()
    routes = table.need("routes", "a table of routes", 'write [classes.routes] and a line like: r1 = ["1", "2"]')
    entries = routes.entries("a table of routes")
    if not entries:
        raise routes.refused("at least one route", found="none")
    return JobClass(name, arrival_rate, tuple(_route(route, entry, rates) for route, entry in entries.items()))


def _route(name: str, field: Field, rates: Mapping[str, Fraction | None]) -> Route:
    field.named(name)
    if name in _TABLES and not isinstance(field.value, (list, tuple)):
        raise field.refused(
            "a route, a list of visits", f"it stands inside routes: write [{name}] as a table of its own"
        )
    return Route(name, tuple(_visit(visit, rates) for visit in field.items("a list of visits, at least one")))


def _visit(field: Field, rates: Mapping[str, Fraction | None]) -> Visit:
    if isinstance(field.value, dict):
        table = field.table(_VISIT_KEYS)
        server, rate = table.need("server", f"one of the servers {listed(rates)}"), table.rate()
    else:
        server, rate = field.child("server", field.value), None
    name = server.choice(tuple(rates), "the servers")
    rate = rates[name] if rate is None else rate
    if rate is None:
        raise field.child("rate", None).refused(
            f"a rate or mean, as server {name} has no rate", f'write {{ server = "{name}", rate = "1" }}', "nothing"
        )
    return Visit(name, rate)


def _buffer_network(file: Table) -> BufferNetwork:
    servers = tuple(_servers(file, ()))
    fields = file.need("buffers", "a list of buffers", "write [[buffers]]").items("a list of buffers")
    buffers = _buffers(fields)
    names = tuple(buffer.name for buffer in buffers)
    list_field = file.need("activities", "a list of activities", "write [[activities]]")
    activities = _activities(list_field.items("a list of activities"), servers, names)
    idle = [name for name in names if name not in {activity.buffer for activity in activities}]
    if idle:
        raise list_field.refused("an activity for every buffer", found=f"none for {listed(idle)}")
    network = BufferNetwork(servers, buffers, activities)
    check_leaving(network)
    return network


def _buffers(fields: Sequence[Field]) -> tuple[Buffer, ...]:
    seen: dict[str, str] = {}
    buffers = []
    for field in fields:
        table = field.table(_BUFFER_KEYS, "a buffer with name and arrival_rate")
        name = _one_name(table.need("name", "the name of the buffer"), seen)
        buffers.append(Buffer(name, table.get("arrival_rate", 0).non_negative()))
    if not any(buffer.arrival_rate for buffer in buffers):
        raise (
            fields[0].child("arrival_rate", None).refused("a buffer with arrival rate > 0", found="none in all buffers")
        )
    return tuple(buffers)


def _activities(fields: Sequence[Field], servers: Sequence[str], buffers: Sequence[str]) -> tuple[Activity, ...]:
    activities: dict[str, Activity] = {}
    for field in fields:
        table = field.table(_ACTIVITY_KEYS, "an activity with server, buffer, rate (or mean) and next")
        server = table.need("server", f"one of the servers {listed(servers)}").choice(servers, "the servers")
        buffer = table.need("buffer", f"one of the buffers {listed(buffers)}").choice(buffers, "the buffers")
        rate = table.rate()
        if rate is None:
            raise field.child("rate", None).refused("a rate or mean", found="nothing")
        pair = f"server {server} and buffer {buffer}"
        if pair in activities:
            raise field.refused("one activity for each server and buffer", found=f"a second one for {pair}")
        activities[pair] = Activity(server, buffer, rate, _next(table.get("next", {}), buffers))
    return tuple(activities.values())


def _next(field: Field, buffers: Sequence[str]) -> Mapping[str, Fraction]:
    chances: dict[str, Fraction] = {}
    for name, entry in field.entries('a table like { b2 = "3/4" }').items():
        if name not in buffers:
            raise entry.refused(f"one of the buffers {listed(buffers)}", did_you_mean(name, buffers), shown(name))
        chances[name] = entry.probability()
    total = sum(chances.values(), Fraction(0))
    if total > 1:
        raise field.refused("probabilities with sum <= 1", found=f"the sum {shown_number(total)}")
    return MappingProxyType(chances)
