"""Sequencing ``dominant``: all servers follow the dominant piece of a dominance function U (theory 1.3 and 3.2)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import pairwise
from types import MappingProxyType
from typing import ClassVar

from verify.chain.components import Alternative, Branch, Component, Part
from verify.chain.pieces import maximal_piece
from verify.functions.piecewise import PiecewiseLinear
from verify.functions.words import function_words
from verify.network.expansion import Expansion
from verify.network.fields import Field, Table
from verify.network.model import FreePieces, FunctionSpec, Network
from verify.network.names import Coordinates, Subserver, coordinate_names
from verify.network.read_function import Piece, read_function, read_pieces
from verify.network.write import function_to_json
from verify.policies.orders import order_words, orders_to_json, read_orders
from verify.policies.rules import NO_ORDERS, Orders, SequencingRule, Setting
from verify.policies.serving import idle, serving


@dataclass(frozen=True)
class Dominant(SequencingRule):
    """``dominance_function``: U, None while it is left to the tool.  ``tie_order``: server -> buffers, the first of several
    bottlenecks first; a server left out chooses freely."""

    word = "dominant"
    keys: ClassVar[tuple[str, ...]] = ("tie_order", "dominance_function")
    defined_on: ClassVar[frozenset[Coordinates]] = frozenset({Coordinates.SUBSERVERS})
    follows_pieces: ClassVar[bool] = True

    dominance_function: FunctionSpec | None = None
    tie_order: Orders = field(default_factory=lambda: NO_ORDERS)

    @classmethod
    def read(cls, table: Table, network: Network, coordinates: Coordinates) -> Dominant:
        """Both details may be left out."""
        given = read_orders(table.get("tie_order", {}), network, coordinates)
        ties = MappingProxyType({server: given[server] for server in network.servers if server in given})
        stated = table.entries.get("dominance_function")
        return cls(None if stated is None else _read_dominance_function(stated, network, coordinates), ties)

    def details(self) -> dict[str, object]:
        """Those that are there."""
        form = orders_to_json("tie_order", self.tie_order)
        return (
            form
            if self.dominance_function is None
            else {**form, "dominance_function": function_to_json(self.dominance_function)}
        )

    def following(self, function: FunctionSpec, tie_order: Orders) -> Dominant:
        """The same with this U and tie order."""
        return Dominant(function, tie_order)

    def components(self, setting: Setting) -> tuple[Component, ...]:
        """One component for all servers, with one branch for each piece (its guard closed, so ties belong to all)."""
        if setting.dominance is None:
            raise ValueError("dominant sequencing needs its dominance function")
        branches = [self._branch(i, setting.dominance, setting) for i in range(len(setting.dominance))]
        return (Component("dominant", tuple(branches)),)

    def _branch(self, i: int, function: PiecewiseLinear, setting: Setting) -> Branch:
        name, marked = f"dominant {i}", bottlenecks(i, function, setting.expansion)
        parts = tuple(
            Part(label, tuple(self._follow(label, server, marked, setting)), server)
            for server in setting.expansion.busy_servers
            for label in (f"{name} / server {server}",)
        )
        return Branch(name, maximal_piece(i, function, setting.normals, "dominance"), parts, i)

    def _follow(self, name: str, server: str, marked: frozenset[int], setting: Setting) -> Iterator[Alternative]:
        """A ready bottleneck of the dominant piece first, in the tie order if there is one; then any ready duplicate."""
        services, expansion = setting.expansion.at(server), setting.expansion
        mine = [service.buffer for service in services if service.buffer in marked]
        order = [expansion.index[listed] for listed in self.tie_order.get(server, ())]
        for service in sorted(services, key=lambda service: service.buffer not in marked):
            if service.buffer not in marked:
                before = mine
            else:
                before = [k for k in order[: order.index(service.buffer)] if k in marked] if order else []
            yield from serving(name, "", service, setting.readiness.unready(before), setting)
        yield idle(name, setting.readiness.unready(service.buffer for service in services))

    def addition(self, network: Network) -> str:
        """U by its parameters or pieces, and the tie order."""
        if self.dominance_function is None:
            return ""
        names = coordinate_names(network, Coordinates.SUBSERVERS)
        ties = order_words(network.servers, self.tie_order) or "free"
        return f", dominance function {function_words(self.dominance_function, names)}, tie order {ties}"


def bottlenecks(i: int, function: PiecewiseLinear, expansion: Expansion) -> frozenset[int]:
    """Subservers k with w_k > w_{k_s} in piece i (0 after the last): the end of a dominant prefix."""
    weights: Mapping[int, Fraction] = function.pieces[i]
    zero = Fraction(0)
    found = []
    for k, weight in weights.items():
        after = expansion.successor(k)
        if weight > (zero if after is None else weights.get(after, zero)):
            found.append(k)
    return frozenset(found)


def _read_dominance_function(field: Field, network: Network, coordinates: Coordinates) -> FunctionSpec:
    """On each route the pieces of U are positive on an initial segment and 0 after.  Raises ``InputError``."""
    function = read_function(field, network, coordinates)
    if isinstance(function, FreePieces):
        for piece in read_pieces(field, network, coordinates):
            _check_initial(piece, network)
    return function


def _check_initial(piece: Piece, network: Network) -> None:
    for job_class in network.classes:
        for route in job_class.routes:
            visits = enumerate(route.visits, 1)
            names = [Subserver(job_class.name, route.name, i, visit.server).name for i, visit in visits]
            positive = [bool(piece.weights.get(name)) for name in names]
            if any(later and not earlier for earlier, later in pairwise(positive)):
                gap = names[positive.index(False)]
                raise piece.field.refused(
                    "weights positive on an initial segment of each route and 0 after it",
                    found=f"0 for {gap} and more than 0 after it",
                )
