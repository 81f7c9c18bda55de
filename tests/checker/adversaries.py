"""Inputs made to keep the checker busy, by family and size: what each asks for grows much faster than its text.

`FAMILIES` has for each family a function of a size, which gives the certificate (and perhaps a network file beside it) and the
answers that are right: "accepted", "malformed", or names of rules. Everything is made from the size alone.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

from .cell_examples import corrector, falls, feature, grows, growth, u_crossed, u_mm1
from .examples import (
    FIXED,
    Json,
    certificate,
    drift,
    faces,
    job_class,
    mm1_faces,
    mm1_tree,
    n_buffer,
    n_fixed,
    policy,
    put,
    route_network,
    stable,
    unstable,
)


@dataclass(frozen=True)
class Adversary:
    """The files and the right answers."""

    certificate: bytes
    answers: frozenset[str]
    beside: bytes | None = None
    network_format: str = "toml"


def adversary(value: Json | bytes, *answers: str, beside: str | None = None, network_format: str = "toml") -> Adversary:
    content = value if isinstance(value, bytes) else json.dumps(value).encode()
    return Adversary(content, frozenset(answers), None if beside is None else beside.encode(), network_format)


# ---- numbers ---------------------------------------------------------------------------------------------------------
def long_numbers(size: int) -> list[str]:
    """Fractions with denominators of some 1900 digits that have few divisors in common."""
    return [f"2/{3 ** (4000 + i % 150) * (6 * i + 1) + 2}" for i in range(size)]


def queues(size: int, rate: str = "1", mean: str = "1/2", servers: int = 0) -> Json:
    """Independent queues, or all of them at a few servers."""
    names = [str(i % (servers or size)) for i in range(size)]
    return route_network(
        " ".join(dict.fromkeys(names)), *(job_class(f"c{i}", rate, [(names[i], mean)]) for i in range(size))
    )


def buffers(network: Json) -> list[str]:
    return [f"{c['name']}.r1.{i}" for c in network["classes"] for i, _ in enumerate(c["routes"][0]["visits"], 1)]


def long_potentials(size: int) -> Adversary:
    network = queues(size)
    potentials = dict(zip(buffers(network), long_numbers(size), strict=False))
    value = certificate(
        unstable("routing fixed", "1"), network, policy("fixed", "fifo"), prices={"0": "1"}, potentials=potentials
    )
    return adversary(value, "size")


def long_probabilities(size: int) -> Adversary:
    names, small = [f"q{i}" for i in range(size)], long_numbers(size)
    first = {"server": "A", "buffer": "q0", "rate": "1", "next": dict(zip(names, small, strict=False))}
    rest = [{"server": "A", "buffer": name, "rate": "1", "next": {}} for name in names[1:]]
    network = {"kind": "buffer", "servers": ["A"], "buffers": [{"name": n, "arrival_rate": "1"} for n in names]}
    return adversary(put(n_buffer, "network", network | {"activities": [first, *rest]})(), "size")


def long_rates(size: int) -> Adversary:
    network = queues(size)
    for one, rate in zip(network["classes"], long_numbers(size), strict=False):
        one["routes"][0]["visits"][0]["rate"] = rate
    return adversary(faces_of(network, [BUSY]), "size")


def long_weights(size: int) -> Adversary:
    network = queues(size)
    return adversary(faces_of(network, [BUSY], long_numbers(size)), "size")


def long_h(size: int) -> Adversary:
    h = {f"c{i % 50}": value for i, value in enumerate(long_numbers(size))}
    return adversary(put(u_mm1, "corrector", corrector(feature("x(a.r1.1)", 0, 50), **h))(), "size")


BUSY: Json = {"busy": {"0": "c0.r1.1"}, "eta": {}}


# ---- faces and trees ---------------------------------------------------------------------------------------------------
def faces_of(network: Json, listed: list[Json], weights: list[str] | None = None, how: Json | None = None) -> Json:
    names = buffers(network)
    piece = dict(zip(names, weights or ["1"] * len(names), strict=False))
    phi = {name: str(len(names) - i) for i, name in enumerate(names)}
    return drift(
        stable(FIXED, "1"),
        network,
        how or policy("fixed", "non-idling"),
        [piece],
        ({"0": "1"}, "1"),
        phi,
        faces(listed),
    )


def faces_of_priorities(size: int) -> Adversary:
    """One server, as many faces as buffers, each with all guards: size^3."""
    network = queues(size, "1", str(2 * size), servers=1)
    names = buffers(network)
    how = policy("fixed", "priority", priority={"0": names})
    value = faces_of(network, [{"busy": {"0": name}, "eta": {}} for name in names], None, how)
    words = f"routing fixed, sequencing priority 0: {' > '.join(names)}, holding none"
    return adversary(value | {"claim": stable(words, str(size))}, "accepted" if size < 200 else "work")


def idle_faces(size: int) -> Adversary:
    """2^size faces are missing."""
    return adversary(faces_of(queues(size), [BUSY]), "faces-complete")


def comparing(size: int) -> Adversary:
    """size^2 rows of guards, and a tree."""
    network = queues(size, servers=1)
    value = faces_of(network, [], None, policy("fixed", "longest-queue"))
    return adversary(value | {"evidence": {"kind": "tree", "trees": [{"leaf": {}}]}}, "bound", "work")


def many_leaves(size: int) -> Adversary:
    """A long tree over many coordinates and pieces."""
    network = queues(size)
    names = buffers(network)
    tree: Json = {"leaf": {}}
    for name in names[:150]:
        tree = {"split": f"x({name})", "children": {"=": tree, ">": {"leaf": {f"x({name})": "1"}}}}
    pieces = [{name: str(i) for name in names[: 2 + i % 7]} for i in range(2, 41)] + [dict.fromkeys(names, "1")]
    value = faces_of(network, []) | {"evidence": {"kind": "tree", "trees": [tree] * 40}}
    value |= {"test_function": {"pieces": pieces}, "lower_bound": {"theta": {"39": "1"}, "c": "1"}}
    return adversary(value, "eta", "bound", "work")


def dominant_pieces(size: int) -> Adversary:
    """size^2 rows of guards at each of size leaves."""
    network = queues(2)
    pieces = [{"c0.r1.1": str(i + 1), "c1.r1.1": str(size - i)} for i in range(size)]
    how = policy("fixed", "dominant", dominance_function={"pieces": pieces})
    value = faces_of(network, [], None, how) | {"test_function": {"pieces": pieces}}
    value |= {"lower_bound": {"theta": {"0": "1"}, "c": "1"}}
    return adversary(value | {"evidence": {"kind": "tree", "trees": [{"leaf": {}}] * size}}, "bound", "work")


def template(size: int) -> Adversary:
    """More than 1000 pieces in one line."""
    function = {"template": "explicit", "alpha": ["1"], "beta": ["1"], "gamma": [str(i + 1) for i in range(size)]}
    return adversary(faces_of(queues(size), []) | {"test_function": function}, "function", "zero")


# ---- networks and routing ------------------------------------------------------------------------------------------------
def long_line(size: int) -> Adversary:
    """Only the last buffer has a way out; the buffers are listed against the stream."""
    listed = [{"server": "A", "buffer": f"q{i}", "rate": "1", "next": {f"q{i + 1}": "1"}} for i in range(size)]
    listed.append({"server": "A", "buffer": f"q{size}", "rate": "1", "next": {}})
    names = [{"name": f"q{i}", "arrival_rate": "1"} for i in range(size + 1)]
    network = {"kind": "buffer", "servers": ["A"], "buffers": names, "activities": listed}
    value = certificate(
        unstable("random routing", "1"), network, policy("fixed", "fifo"), prices={"A": "1"}, potentials={}
    )
    return adversary(value, "N-load")


def ladder(size: int) -> Adversary:
    """Layers of two servers, two routes: 2^size paths."""
    routes = [[(f"{layer}{side}", "1") for layer in range(size)] for side in "ab"]
    crossed = [[*routes[0][:i], *routes[1][i:]] for i in range(1, size)] + [
        [*routes[1][:i], *routes[0][i:]] for i in range(1, size)
    ]
    one = job_class("c", "1", *routes, *crossed)
    servers = " ".join(f"{layer}{side}" for layer in range(size) for side in "ab")
    value = certificate(
        unstable("routing jsq", "1"), route_network(servers, one), policy("jsq", "fifo"), prices={}, potentials={}
    )
    return adversary(value, "policy")


def long_jsq_route(size: int) -> Adversary:
    one = job_class("c", "1", [(str(i), "1") for i in range(size)])
    network = route_network(" ".join(map(str, range(size))), one)
    value = certificate(unstable("routing jsq", "1"), network, policy("jsq", "fifo"), prices={"0": "1"}, potentials={})
    return adversary(value, "N-load")


def preset_routes(size: int) -> Adversary:
    one = job_class("c", "1", *([("0", "1"), (str(i), "1"), ("z", "1")] for i in range(1, size + 1)))
    network = route_network("0 z " + " ".join(map(str, range(1, size + 1))), one)
    value = certificate(unstable("preset jsq-as", "1"), network, {"preset": "jsq-as"}, prices={"0": "1"}, potentials={})
    return adversary(value, "N-load")


def preset_duplicates(size: int) -> Adversary:
    """Many subservers at two servers, each a source and a target of each: size^3 alternatives."""
    network = route_network("0 1", job_class("c", "1", *([("0", "1"), ("1", "1")] for _ in range(size))))
    names = [f"c.r{i + 1}.{j}" for i in range(size) for j in (1, 2)]
    phi, one = {name: str(3 - int(name[-1])) for name in names}, [dict.fromkeys(names, "1")]
    tree, claim = {"kind": "tree", "trees": [{"leaf": {}}]}, stable("preset jsq-as", "1")
    return adversary(drift(claim, network, {"preset": "jsq-as"}, one, ({"0": "1"}, "1"), phi, tree), "bound", "work")


def jsr_routes(size: int) -> Adversary:
    """size^2 comparisons of routes."""
    one = job_class("c", "1", *([("0", str(2 * size))] for _ in range(size)))
    names = [f"c.r{i + 1}.1" for i in range(size)]
    tree, phi = {"kind": "tree", "trees": [{"leaf": {}}]}, dict.fromkeys(names, "1")
    claim = stable("routing jsr, sequencing non-idling, holding none", "1")
    return adversary(
        drift(claim, route_network("0", one), policy("jsr", "non-idling"), [phi], ({"0": "1"}, "1"), phi, tree),
        "bound",
        "work",
    )


def spillback_servers(size: int) -> Adversary:
    """6 buffers at each server, 32 sets of held ones for each."""
    classes = [job_class(f"c{i}", "1", [(str(i // 6), "20"), ("z", "200")]) for i in range(6 * size)]
    network = route_network("z " + " ".join(map(str, range(size))), *classes)
    how = policy("fixed", "longest-queue", holding="spillback")
    value = faces_of(network, [], None, how) | {"evidence": {"kind": "tree", "trees": [{"leaf": {}}]}}
    return adversary(value, "policy")  # server z has more than 6


# ---- pattern cells -------------------------------------------------------------------------------------------------------
def many_cells(size: int) -> Adversary:
    """12 coordinates, size values each."""
    network = queues(12, "1", "1/2")
    names = buffers(network)
    cells = corrector(*(feature(f"x({name})", 0, size) for name in names))
    one = dict.fromkeys(names, "1")
    value = growth(grows(FIXED, "6"), network, policy("fixed", "non-idling"), [one], cells, [{names[0]: "1"}])
    return adversary(value, "features" if size > 50 else "work")


def h_cells(size: int) -> Adversary:
    network = queues(12, "1", "2")
    names = buffers(network)
    cells = corrector(*(feature(f"x({name})", 0, size) for name in names))
    phi = dict.fromkeys(names, "1")
    value = certificate(
        falls(FIXED, "1"), network, policy("fixed", "non-idling"), weights=phi, corrector=cells, potential=phi
    )
    return adversary(value, "H-cell", "features", "work")


def wide_targets(size: int) -> Adversary:
    """A jump from the ends of 12 combinations leads nearly everywhere."""
    network = queues(4, "1", "1/2")
    names = buffers(network)
    forms = [f"combination({100 + i} {names[i % 3]} - {7 + i} {names[3]})" for i in range(12)]
    cells = corrector(*(feature(form, -size, size) for form in forms))
    one = dict.fromkeys(names, "1")
    value = growth(grows(FIXED, "2"), network, policy("fixed", "non-idling"), [one], cells, [{names[0]: "1"}])
    return adversary(value, "features" if size > 50 else "U-cells")


def many_pieces(size: int, seed: int = 1) -> Adversary:
    """Pieces of which none is the largest all over a cell, in the last cell that is met; size^2 comparisons in each."""
    source, network = random.Random(seed), queues(4, "2", "1")
    names = buffers(network)
    pieces = [{name: str(source.randint(1, 9999)) for name in names} for _ in range(size)]
    cells = corrector(*(feature(f"x({name})", 0, 4) for name in names))
    value = growth(grows(FIXED, "1"), network, policy("fixed", "non-idling"), pieces, cells, [{names[0]: "1"}])
    return adversary(value, "U-pieces")


def dominated_pieces(size: int) -> Adversary:
    """Each piece is above all before it: size^2 comparisons in each cell, if all are compared in turn."""
    network = queues(4, "2", "1")
    names = buffers(network)
    others = [dict.fromkeys(names, "1") | {names[0]: str(Fraction(i, size + 1))} for i in range(1, size + 1)]
    cells = corrector(*(feature(f"x({name})", 0, 3) for name in names))
    pieces = [*others, dict.fromkeys(names, "2")]
    value = growth(grows(FIXED, "8"), network, policy("fixed", "non-idling"), pieces, cells, [{names[0]: "1"}])
    return adversary(value, "accepted")


def tied_pieces(size: int) -> Adversary:
    """Pieces that differ in a buffer that stays empty only."""
    network = queues(3, "2", "1")
    names = buffers(network)
    pieces = [{names[0]: "1", names[1]: "1", names[2]: str(-i)} for i in range(1, size + 1)]
    cells = corrector(feature(f"x({names[0]})", 0, 9), feature(f"x({names[1]})", 0, 9), feature(f"x({names[2]})", 0, 1))
    value = growth(grows(FIXED, "1"), network, policy("fixed", "non-idling"), pieces, cells, [{names[0]: "1"}])
    return adversary(value, "U-cell", "work")


def long_path(size: int) -> Adversary:
    """100000 steps in one line, compared with all buffers of the server."""
    network = queues(size, "2", "1", servers=1)
    names = buffers(network)
    path = [{"change": {name: "1"}, "times": str(100000 // size)} for name in names]
    one, claim = (
        dict.fromkeys(names, "1"),
        grows("routing fixed, sequencing longest-queue, holding none", str(2 * size - 1)),
    )
    value = growth(claim, network, policy("fixed", "longest-queue"), [one], corrector(), path)
    return adversary(value, "accepted" if size < 300 else "work")


def many_steps(size: int) -> Adversary:
    """A path written step by step."""
    value = u_crossed() | {"path": [{"a.r1.1": "1"}] * size}
    return adversary(value, "accepted")


def mixtures(size: int) -> Adversary:
    """8 options of jsq for each of size classes, in a corrected leaf."""
    classes = [job_class(f"c{i}", "1", *([("0", "100"), (f"m{j}", "100")] for j in range(8))) for i in range(size)]
    network = route_network("0 " + " ".join(f"m{j}" for j in range(8)), *classes)
    names = [f"c{i}@{server}" for i in range(size) for server in ("0", *(f"m{j}" for j in range(8)))]
    how, one = policy("jsq", "non-idling"), dict.fromkeys(names, "1")
    claim = grows("routing jsq, sequencing non-idling, holding none", "1")
    value = growth(claim, network, how, [one], corrector(feature(f"x({names[0]})", 0, 2)), [{names[0]: "1"}])
    return adversary(value, "U-cell", "work")


# ---- text -----------------------------------------------------------------------------------------------------------------
def long_name(size: int) -> Adversary:
    """One name in the names of many buffers."""
    one = job_class("n" * (size + 100), "1", [("1", "1")] * size)
    value = put(n_fixed, "network", route_network("1", one))()
    return adversary(value, "malformed")


def deep(size: int) -> Adversary:
    return adversary(b'{"format": ' + b'{"a":' * (10 * size), "malformed")


def corrected_leaves(size: int) -> Adversary:
    """Many leaves, each with its own cells."""
    network = queues(9, "1", "2")
    names = buffers(network)
    cells = corrector(*(feature(f"x({name})", 0, 2) for name in names[:8]))
    tree: Json = {"leaf": {}, "corrector": cells}
    for name in names[:size]:
        tree = {"split": f"x({name})", "children": {"=": tree, ">": {"leaf": {}, "corrector": cells}}}
    return adversary(faces_of(network, []) | {"evidence": {"kind": "tree", "trees": [tree]}}, "bound", "work")


def bracket_towers(size: int) -> Adversary:
    tree: Json = mm1_tree()["evidence"]["trees"][0]
    for _ in range(min(size, 190)):
        tree = {"split": "x(a.r1.1)", "children": {">": tree}}
    return adversary(put(mm1_tree, "evidence|trees", [tree])(), "children", "normal")


# ---- a network file beside ----------------------------------------------------------------------------------------------------
HEAD = '[servers]\n1 = { rate = 1 }\n[[classes]]\nname = "a"\narrival_rate = "1/2"\n[classes.routes]\nr1 = ["1"]\n'


def beside(text: str, *answers: str, network_format: str = "toml") -> Adversary:
    return adversary(mm1_faces(), *answers, beside=text, network_format=network_format)


def long_sums(size: int) -> Adversary:
    """Sums of long fractions, again and again."""
    number = f"{7**1000}/{3**1700}"
    lines = [f'p{i} = "{"+a-a" * 600}"'.replace('"+', '"a+') for i in range(size)]
    return beside(
        f'[parameters]\na = "{number}"\n' + "\n".join(lines) + "\n" + HEAD, "malformed" if size > 20 else "accepted"
    )


def products(size: int) -> Adversary:
    return beside(f'[parameters]\na = "{"*".join(["2"] * min(size, 1900))}"\n' + HEAD, "accepted")


def towers(size: int) -> Adversary:
    lines = ['a0 = "2"', *(f'a{i + 1} = "a{i} * a{i}"' for i in range(size))]
    return beside("[parameters]\n" + "\n".join(lines) + "\n" + HEAD, "malformed" if size > 13 else "accepted")


def powers(size: int) -> Adversary:
    """The powers of a long scalar, one for each position of a long route."""
    visits = ", ".join(['"1"'] * size)
    how = '[policy]\nsequencing = "dominant"\n[policy.dominance_function]\ntemplate = "explicit"\nalpha = "3"\nbeta = "1"\ngamma = "1"\n'
    return beside(HEAD.replace('["1"]', f"[{visits}]") + how, "malformed" if size > 9000 else "same-network")


def dotted(size: int) -> Adversary:
    return beside("a." * (10 * size) + "a = 1\n" + HEAD, "malformed")


def brackets(size: int) -> Adversary:
    return beside("a = " + "[" * (50 * size), "malformed")


def hexadecimal(size: int) -> Adversary:
    return beside(HEAD + f"[parameters]\na = 0x{'f' * (10 * size)}\n", "malformed" if size > 332 else "accepted")


def equal_pieces(size: int) -> Adversary:
    how = '[policy]\nsequencing = "dominant"\n[policy.dominance_function]\n'
    pieces = ", ".join(f'{{ "a.r1.1" = {i} }}' for i in range(1, size + 1))
    return beside(HEAD + how + f"pieces = [{pieces}]\n", "same-policy")


def many_buffers_beside(size: int) -> Adversary:
    visits = ", ".join(['"1"'] * size)
    return beside(HEAD.replace('["1"]', f"[{visits}]"), "malformed", "same-network")


FAMILIES: dict[str, Callable[[int], Adversary]] = {
    function.__name__: function
    for function in (
        *(long_potentials, long_probabilities, long_rates, long_weights, long_h),
        *(faces_of_priorities, idle_faces, comparing, many_leaves, dominant_pieces, template),
        *(long_line, ladder, long_jsq_route, preset_routes, preset_duplicates, jsr_routes, spillback_servers),
        *(
            many_cells,
            h_cells,
            wide_targets,
            many_pieces,
            dominated_pieces,
            tied_pieces,
            long_path,
            many_steps,
            mixtures,
            corrected_leaves,
        ),
        *(long_name, deep, bracket_towers),
        *(long_sums, products, towers, powers, dotted, brackets, hexadecimal, equal_pieces, many_buffers_beside),
    )
}

# ---- for the corpus ----------------------------------------------------------------------------------------------------
REJECTED: dict[str, Callable[[], Adversary]] = {
    "size": lambda: long_potentials(5),
    "size--probabilities": lambda: long_probabilities(5),
    "size--rates": lambda: long_rates(5),
    "size--weights": lambda: long_weights(5),
    "size--h": lambda: long_h(5),
    "work": lambda: many_cells(3),
    "work--pieces": lambda: tied_pieces(150),
    "work--routes": lambda: jsr_routes(700),
}
MALFORMED: dict[str, Callable[[], Adversary]] = {"too-long-name": lambda: long_name(1)}
