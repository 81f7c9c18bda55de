"""Reads a certificate at one state: the leaf, or face, that is responsible for it, and what naive step functions make of V there.

Written from verify/checker/FORMAT.md; neither the prover's components nor the checker are used.
"""

from __future__ import annotations

import functools
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from naive import components
from naive.dominant import pieces, template_pieces
from naive.step import tasks_of
from naive.types import State, Task
from stated import Sequencing, stated

from verify.network.model import ExplicitTemplate, FreePieces, FunctionSpec, RouteNetwork
from verify.policies.instance import Instance

Form = Mapping[str, Fraction]
SIGNS = {"<": (-1,), "=": (0,), ">": (1,), "<=": (-1, 0), ">=": (0, 1)}


def value(form: Form, state: State) -> Fraction:
    return sum((factor * state[name] for name, factor in form.items()), Fraction(0))


def minus(plus: Form, less: Form) -> Form:
    return {name: plus.get(name, Fraction(0)) - less.get(name, Fraction(0)) for name in {**plus, **less}}


@dataclass(frozen=True)
class Reading:
    """A certificate of condition F or S with the instance it speaks of, the dominance function filled in."""

    instance: Instance
    function: FunctionSpec
    certificate: Mapping[str, Any]

    @property
    def epsilon(self) -> Fraction:
        return Fraction(self.certificate["claim"]["epsilon"])

    @functools.cached_property
    def pieces(self) -> list[dict[str, Fraction]]:
        """The pieces of V."""
        if isinstance(self.function, ExplicitTemplate):
            assert isinstance(self.instance.network, RouteNetwork)
            return template_pieces(self.instance.network, self.function)
        assert isinstance(self.function, FreePieces)
        return [dict(piece) for piece in self.function.pieces]

    def active(self, state: State) -> list[int]:
        values = [value(piece, state) for piece in self.pieces]
        return [i for i, found in enumerate(values) if found == max(values)]

    # ---- normals ----
    def form(self, name: str) -> Form:
        """A normal by its name (FORMAT.md, section 8)."""
        kind, _, inside = name.removesuffix(")").partition("(")
        first, _, second = inside.partition(" - ")
        if kind == "x":
            return {inside: Fraction(1)}
        if kind == "length":
            return {first: Fraction(1), second: Fraction(-1)}
        if kind == "hold":  # x_K minus its successor
            (task,) = [task for task in self._everywhere if task.buffer == inside]
            ((_, target),) = task.destinations
            assert target is not None
            return {inside: Fraction(1), target: Fraction(-1)}
        if kind in ("weight", "pressure"):
            server, _, first = first.partition(": ")
            ranked = [self._rank(kind, server, buffer) for buffer in (first, second) if buffer]
            return ranked[0] if len(ranked) == 1 else minus(*ranked)
        if kind == "route":
            job_class, _, first = first.partition(":")
            return minus(self._route(job_class, first), self._route(job_class, second))
        if kind == "queue":
            return minus(self._queue(first), self._queue(second))
        if kind == "piece":
            return minus(self.pieces[int(first)], self.pieces[int(second)])
        assert kind == "dominance"
        assert isinstance(self.instance.network, RouteNetwork)
        assert self.instance.policy.dominance_function is not None
        listed = pieces(self.instance.network, self.instance.policy.dominance_function)
        return minus(listed[int(first)], listed[int(second)])

    @functools.cached_property
    def _everywhere(self) -> list[Task]:
        state = dict.fromkeys(self.certificate["potential"], 0)
        network, policy = self.instance.network, stated(self.instance.policy)
        return [task for server in network.servers for task in tasks_of(network, policy, state, server)]

    def _rank(self, kind: str, server: str, buffer: str) -> Form:
        """μ_K x_K, or the pressure μ_K (x_K − Σ p x_next)."""
        (task,) = [task for task in self._everywhere if (task.server, task.buffer) == (server, buffer)]
        total = {buffer: task.rate}
        for probability, target in task.destinations:
            if kind == "pressure" and target is not None:
                total[target] = total.get(target, Fraction(0)) - task.rate * probability
        return total

    def _route(self, job_class: str, route: str) -> Form:
        prefix = f"{job_class}.{route}."
        return {task.buffer: Fraction(1) for task in self._everywhere if task.buffer.startswith(prefix)}

    def _queue(self, server: str) -> Form:
        return {task.buffer: Fraction(1) for task in self._everywhere if task.server == server}

    # ---- evidence ----
    def corrections(self, piece: int, state: State) -> Iterable[Form | None]:
        """Σ η_g g of every leaf or face responsible for the state; None where a leaf has a corrector besides."""
        evidence = self.certificate["evidence"]
        if evidence["kind"] == "tree":
            return [self._eta(leaf) for leaf in self._leaves(evidence["trees"][piece], state)]
        return [self._eta(self._face(evidence["faces"][piece], state))]

    def _leaves(self, node: Mapping[str, Any], state: State) -> Iterable[Mapping[str, Any]]:
        assert "empty" not in node, f"a state in an empty node: {state}"
        if "leaf" in node:
            return [node]
        at = value(self.form(node["split"]), state)
        sign = (at > 0) - (at < 0)
        children = [child for name, child in node["children"].items() if sign in SIGNS[name]]
        assert children, f"no child for {node['split']} = {at}"
        return [leaf for child in children for leaf in self._leaves(child, state)]

    def _face(self, faces: Iterable[Mapping[str, Any]], state: State) -> Mapping[str, Any]:
        busy = {}
        for server in self.instance.network.servers:
            present = [task for task in self._everywhere if task.server == server and state[task.buffer]]
            if present:
                level = min(self._level(task) for task in present)
                group = [t.buffer for t in self._everywhere if t.server == server and self._level(t) == level]
                busy[server] = next(name for name in self.certificate["potential"] if name in group)
        (found,) = [face for face in faces if face["busy"] == busy]
        assert "empty" not in found
        return found

    def _level(self, task: Task) -> int:
        policy = stated(self.instance.policy)
        if policy.sequencing is Sequencing.PRIORITY:
            return policy.priority[task.server].index(task.buffer)
        position = task.position or 0
        return {Sequencing.FBFS: position, Sequencing.LBFS: -position}.get(policy.sequencing or Sequencing.FIFO, 0)

    def _eta(self, leaf: Mapping[str, Any]) -> Form | None:
        if "corrector" in leaf:
            return None
        named = leaf["leaf"] if "leaf" in leaf else {f"x({buffer})": y for buffer, y in leaf["eta"].items()}
        total: dict[str, Fraction] = {}
        for name, y in named.items():
            for buffer, factor in self.form(name).items():
                total[buffer] = total.get(buffer, Fraction(0)) + Fraction(y) * factor
        return total

    # ---- drift ----
    def drift(self, weights: Form, state: State) -> Fraction:
        """The largest drift of weights·x over the naive choices in this state."""
        total = Fraction(0)
        for outcomes in components(self.instance, state).values():
            drifts = []
            for outcome in outcomes:
                changes = [
                    (rate, {name: Fraction(target[name] - state[name]) for name in state}) for rate, target in outcome
                ]
                drifts.append(sum((rate * value_of(weights, change) for rate, change in changes), Fraction(0)))
            total += max(drifts)
        return total


def value_of(weights: Form, change: Form) -> Fraction:
    return sum((weights.get(name, Fraction(0)) * amount for name, amount in change.items()), Fraction(0))


def reading(instance: Instance, function: FunctionSpec, certificate: bytes) -> Reading:
    return Reading(instance, function, json.loads(certificate))
