"""Orders and functions in words (FORMAT.md section 25.2)."""

from __future__ import annotations

from collections.abc import Sequence

from verify.checker.core.data import Explicit, Function, Numbers, Orders
from verify.checker.core.state import State


def by_server(state: State, orders: Orders) -> str:
    """Orders of servers' buffers, in the network's order of servers."""
    return _orders(state.servers, orders)


def by_buffer(state: State, orders: Orders) -> str:
    """Orders of buffers' servers, in the order of coordinates."""
    return _orders(state.names, orders)


def _orders(keys: Sequence[str], orders: Orders) -> str:
    return "; ".join(f"{key}: {' > '.join(orders[key])}" for key in keys if key in orders)


def function_phrase(state: State, function: Function) -> str:
    """The template's parameters, or all pieces with their weights in the order of coordinates."""
    if isinstance(function, Explicit):
        lists = (("alpha", function.alpha), ("beta", function.beta), ("gamma", function.gamma))
        return "explicit " + " ".join(f"{name}=({', '.join(map(str, values))})" for name, values in lists)
    pieces = (" + ".join(f"{piece[name]} {name}" for name in state.names if name in piece) for piece in function.pieces)
    return f"max({', '.join(pieces)})"


def form_phrase(state: State, form: Numbers) -> str:
    """The number of jobs, or all coefficients in the order of coordinates."""
    if set(form) == set(state.names) and set(form.values()) == {1}:
        return "the number of jobs"
    terms = [f"{'-' if form[name] < 0 else '+'} {abs(form[name])} {name}" for name in state.names if name in form]
    first, *rest = terms
    return " ".join([first.removeprefix("+ ").replace("- ", "-", 1), *rest])
