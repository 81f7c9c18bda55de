"""`dominant`: all servers follow a largest piece of a function, and serve its bottlenecks first (FORMAT.md 3.3, 5, 8.6)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from verify.checker.core.components import Alternative, Branch, Component, Part
from verify.checker.core.data import Function, Orders
from verify.checker.core.forms import Form, dominance_pieces, piece_family
from verify.checker.core.phrases import by_server, function_phrase
from verify.checker.core.read import read_function
from verify.checker.core.state import State
from verify.checker.core.values import orders
from verify.checker.policies.key import AnyKey, Details, FileReader, Key, Need
from verify.checker.policies.orders import check_order
from verify.checker.policies.sequencing import Sequencing
from verify.checker.policies.walk import Walk


def _read_tie_order(reader: FileReader, found: Mapping[str, object]) -> Orders | None:
    """An empty one says nothing."""
    return reader.orders(found.get("tie_order", {}), "policy.tie_order") or None


def _read_function(reader: FileReader, found: Mapping[str, object]) -> Function | None:
    """It may be left open: then the certificate says it."""
    value = found.get("dominance_function")
    return None if value is None else reader.function(value, "policy.dominance_function")


TIE_ORDER = Key("tie_order", orders, _read_tie_order, Need.OPTIONAL)
DOMINANCE_FUNCTION = Key("dominance_function", read_function, _read_function, Need.WALKED)


@dataclass(frozen=True)
class Dominant(Sequencing):
    """A branch for each piece, a part for each server in it."""

    name: str = "dominant"
    keys: ClassVar[tuple[AnyKey, ...]] = (TIE_ORDER, DOMINANCE_FUNCTION)
    on_routes: ClassVar[bool] = True
    in_cells: ClassVar[bool] = False
    works_alone: ClassVar[bool] = False

    def check_details(self, details: Details, state: State) -> None:
        """The tie order; the function is judged by rule **function** (`pieces`)."""
        check_order("policy", "tie_order", TIE_ORDER.of(details) or {}, state)

    def pieces(self, details: Details, state: State) -> tuple[Form, ...]:
        """Those of the dominance function."""
        function = DOMINANCE_FUNCTION.of(details)
        return () if function is None else dominance_pieces(function, state)

    # ---- the walk
    def components(self, walk: Walk) -> list[Component]:
        """One component for all servers: they follow one dominant piece."""
        pieces, numbers = walk.pieces, range(len(walk.pieces))
        family = piece_family("dominance", pieces, walk.guards.normals)
        after = {k: walk.state.successor(k) for k in range(len(walk.state.names))}
        branches = []
        for i in numbers:
            guard = tuple(family.at_least(i, j) for j in numbers if j != i)
            ends = _bottlenecks(pieces[i], after)
            parts = tuple(self.part(walk, f"dominant {i}", ends, server) for server in walk.state.busy_servers())
            branches.append(Branch(f"dominant {i}", guard, parts))
        return [Component("dominant", tuple(branches))]

    def part(self, walk: Walk, branch: str, ends: set[int], server: str) -> Part:
        """A server serves a ready bottleneck of the piece (in its tie order, else free), else any ready buffer.

        Sound because every bottleneck that should have come before what is served is then empty or held.
        """
        prefix, state = f"{branch} / server {server} / ", walk.state
        names, services = state.names, state.services_of(server)
        bottlenecks = [service.buffer for service in services if service.buffer in ends]
        order = {name: place for place, name in enumerate((TIE_ORDER.of(walk.details) or {}).get(server, ()))}
        found: list[Alternative] = []
        for service in services:
            if service.buffer not in ends:
                first = bottlenecks
            elif not order:
                first = []
            else:
                first = [k for k in bottlenecks if order[names[k]] < order[names[service.buffer]]]
            found += walk.serve(prefix, service, walk.unready(server, first))
        return Part(server, (*found, walk.idle(prefix, walk.unready(server, state.buffers_of(server)))))

    # ---- words and files
    def addition(self, details: Details, state: State) -> str:
        """The dominance function and the tie order."""
        function = DOMINANCE_FUNCTION.of(details)
        if function is None:
            return ""
        ties = by_server(state, TIE_ORDER.of(details) or {}) or "free"
        return f"dominance function {function_phrase(state, function)}, tie order {ties}"

    def completed(self, asked: Details, claimed: Details) -> Details:
        """A function that the file leaves open is the certificate's, and then the tie order too."""
        left_open = DOMINANCE_FUNCTION.of(asked) is None and DOMINANCE_FUNCTION.of(claimed) is not None
        return {**claimed, **asked} if left_open else asked


def _bottlenecks(piece: Form, after: Mapping[int, int | None]) -> set[int]:
    """The buffers in which a job weighs more than where it goes next (0 after the last)."""
    weight = piece.entries
    return {k for k, j in after.items() if weight.get(k, 0) > (0 if j is None else weight.get(j, 0))}


DOMINANT = Dominant()
