"""Inputs made to keep the rules of quadratic functions and of product form busy, as in `adversaries`."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from fractions import Fraction

from .adversaries import Adversary, adversary, buffers, long_numbers, queues
from .examples import FIXED, Json, policy
from .quadratic_examples import (
    NON_IDLING,
    bounded,
    empty,
    function,
    mean,
    means,
    product,
    q_proof,
    quadratic,
    written,
)


def dense(size: int) -> Json:
    """Independent queues of rates 1 and 2, Q = 1 on the diagonal and a small number beside it, q = 1/2."""
    network, small = queues(size, "1", "2"), Fraction(1, 3 * size)
    names = buffers(network)
    square = {k: {j: "1" if j == k else str(small) for j in names[i:]} for i, k in enumerate(names)}
    evidence: Json = {}
    for i, name in enumerate(names):
        form = {j: "1" if j == name else str(small) for j in names}
        evidence[f"class c{i}"] = bounded(form, "1")
        evidence[f"server {i}"] = bounded({name: "-2"}, "0", empty(str(i), name, "-2"))
    epsilon, f = 1 - (size - 1) * small, function(square, dict.fromkeys(names, "1/2"))
    claim = quadratic(FIXED, str(epsilon), str(size))
    return q_proof(claim, network, NON_IDLING, f, evidence, dict.fromkeys(names, "1"))


def dense_square(size: int) -> Adversary:
    return adversary(dense(size), "accepted")


def many_squares(size: int) -> Adversary:
    """As many squares as buffers, all of all buffers, with numbers of a hundred digits."""
    value = dense(size)
    form = dict.fromkeys(value["potential"], f"1/{3**200}")
    value["squares"] = [{"weight": f"1/{7 ** (20 + i % 3)}", "form": form} for i in range(size)]
    return adversary(value, "accepted", "work")


def long_function(size: int) -> Adversary:
    value = dense(size)
    value["function"]["linear"] = dict(zip(value["potential"], long_numbers(size), strict=True))
    return adversary(value, "size", "Q-alternative")


def long_multipliers(size: int) -> Adversary:
    """Multipliers whose denominators have nothing in common."""
    value = dense(size)
    for i, (name, y) in enumerate(zip(value["potential"], long_numbers(size), strict=True)):
        value["evidence"][f"server {i}"]["alternatives"][f"server {i} / (idle)"] = {f"x({name})": f"-{y}"}
    return adversary(value, "Q-alternative")


def wide_server(size: int) -> Adversary:
    """Every service of one server is compared with all others, and has a multiplier."""
    network = queues(size, "1", str(2 * size), servers=1)
    names = buffers(network)
    f = function({k: dict.fromkeys(names[i:], "1") for i, k in enumerate(names)}, dict.fromkeys(names, "1/2"))
    ones, rate = dict.fromkeys(names, "1"), str(-2 * size)
    serves = {f"server 0 / {name}": {"serves": "1/1000"} for name in names}
    idle = {"server 0 / (idle)": {f"x({name})": rate for name in names}}
    evidence = {f"class c{i}": bounded(ones, "1") for i in range(size)}
    evidence["server 0"] = bounded(dict.fromkeys(names, rate), "0", serves | idle)
    how = policy("fixed", "longest-queue")
    claim = quadratic("routing fixed, sequencing longest-queue, holding none", str(size), str(size))
    return adversary(q_proof(claim, network, how, f, evidence, ones), "Q-alternative", "work")


def many_places(size: int) -> Adversary:
    """Two queues, both cut, each cell with terms of its own, and bounds that are generous."""
    value, cut = dense(2), min(size, 50)
    names = list(value["potential"])
    cells = [
        {"at": dict(zip(names, map(str, m), strict=True)), "linear": dict.fromkeys(names, "1"), "constant": "1"}
        for m in itertools.product(range(cut + 1), repeat=2)
    ]
    square = {k: {k: "2"} for k in names}
    f = function(square, dict.fromkeys(names, "1"), *cells, **dict.fromkeys(names, str(cut)))
    evidence = []
    for levels in itertools.product(range(cut + 2), repeat=2):
        components: Json = {}
        for i, (name, n) in enumerate(zip(names, levels, strict=True)):
            free = {name: "100"} if n > cut else {}
            components |= {f"class c{i}": bounded(free, "1000"), f"server {i}": bounded(free, "1000")}
        evidence.append({"at": dict(zip(names, map(str, levels), strict=True)), "components": components})
    spoken = f"-1000 {names[0]} - 1000 {names[1]}"
    claim = mean(FIXED, dict.fromkeys(names, "-1000"), spoken, upper="4000")
    return adversary(means(claim, value, upper={"function": f, "evidence": evidence}), "accepted", "work")


def long_throughputs(size: int) -> Adversary:
    network = queues(size, "1", "2")
    names = buffers(network)
    throughputs = dict(zip(names, long_numbers(size), strict=True))
    claim = product(FIXED, throughputs, "the number of jobs", "1")
    return adversary(written(claim, network, NON_IDLING, throughputs=throughputs), "product-traffic")


def long_product_rates(size: int) -> Adversary:
    """Means whose denominators have nothing in common."""
    network = queues(size, "1", "2")
    rates = [str(1 + Fraction(number)) for number in long_numbers(size)]
    for job_class, rate in zip(network["classes"], rates, strict=True):
        job_class["arrival_rate"], job_class["routes"][0]["visits"][0]["rate"] = "1/2", rate
    names = buffers(network)
    claim = product(FIXED, dict.fromkeys(names, "1"), "the number of jobs", "1")
    value = written(claim, network, NON_IDLING, throughputs=dict.fromkeys(names, "1/2"))
    return adversary(value, "size", "product-mean")


#: For the corpus.
REJECTED: dict[str, Callable[[], Adversary]] = {
    "size--function": lambda: long_function(5),
    "size--means": lambda: long_product_rates(5),
}
FAMILIES: dict[str, Callable[[int], Adversary]] = {
    family.__name__: family
    for family in (
        *(dense_square, many_squares, long_function, long_multipliers, wide_server, many_places),
        *(long_throughputs, long_product_rates),
    )
}
