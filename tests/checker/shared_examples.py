"""Small certificates of buffers with several servers (FORMAT.md section 6), worked out by hand, and changes."""

from __future__ import annotations

from collections.abc import Callable

from .cell_examples import corrector, falls, feature, grows, growth, two
from .examples import Json, certificate, drift, evidence, policy, put, stable, trees


def shared(rates: dict[str, str], *activities: tuple[str, str], leads: Json | None = None) -> Json:
    """Buffers with arrival rates, activities (server, buffer) of rate 1; `leads`: server -> next."""
    listed = [{"server": n, "buffer": k, "rate": "1", "next": (leads or {}).get(n, {})} for n, k in activities]
    buffers = [{"name": name, "arrival_rate": rate} for name, rate in rates.items()]
    servers = list(dict.fromkeys(server for server, _ in activities))
    return {"kind": "buffer", "servers": servers, "buffers": buffers, "activities": listed}


# ---- A prefers K to D, B helps with K ------------------------------------------------------------------------------
HELPED = shared({"K": "1", "D": "9/20"}, ("A", "K"), ("B", "K"), ("A", "D"))
PREFERS = {"A": ["K", "D"], "B": ["K"]}
HELPED_WORDS = "routing fixed, sequencing priority A: K > D; B: K, holding none, server order"


def f_server_order() -> Json:
    """B takes a lone job, A is free for D while x_K <= 1.

    At x_K = 0 fluidly: w = (2/3, 1), h = 1/3, 0, 0. x_K = 0: 1/3 + 9/20 - 1. x_K = 1: 2/3 + 9/20 - 1/3 - 1, A at D, B at K.
    x_K >= 2: 2/3 + 9/20 - 4/3, both at K. Each is -13/60.
    """
    leaf = {"leaf": {"x(K)": "-1/3"}, "corrector": corrector(feature("x(K)", 0, 2), c0="1/3")}
    tree = {
        "exclude": {"server A / (idle)": evidence("1", {"x(K)": "-1", "x(D)": "-1"})},
        "split": "x(K)",
        "children": {"=": leaf, ">": {"leaf": {}}},
    }
    how = policy("fixed", "priority", priority=PREFERS, server_order={"K": ["B", "A"]})
    one, claim = {"K": "1", "D": "1"}, stable(f"{HELPED_WORDS} K: B > A", "13/60")
    return drift(claim, HELPED, how, [one], ({"0": "1"}, "1"), one, trees(tree))


def f_job_with_two_servers() -> Json:
    """What both servers working on one job would prove: -1/20 with h = 0, for every server order; D grows if A takes it."""
    leaf = {"leaf": {"x(K)": "-1/2"}, "corrector": corrector(feature("x(K)", 0, 2))}
    value = put(f_server_order, "evidence|trees|0|children|=", leaf)()
    value["policy"].pop("server_order")
    return value | {"claim": stable(f"{HELPED_WORDS} free", "1/20")}


# ---- N-model -------------------------------------------------------------------------------------------------------
N_MODEL = shared({"q1": "13/10", "q2": "2/5"}, ("1", "q1"), ("2", "q1"), ("2", "q2"))
N_WORDS = "routing fixed, sequencing priority 1: q1; 2: q1 > q2, holding none, server order"
N_CELLS = corrector(feature("x(q1)", 0, 1), feature("x(q2)", 0, 1))


def u_server_order() -> Json:
    """Server 2 takes a lone job of q1, so it is free only while q1 is empty; V = q1 / 2 + q2.

    x_1 >= 1: 13/20 + 2/5 - 1 (both at q1; server 1 may pass). x_1 = 0: 13/20 + 2/5 - 1. Each is at least 1/20.
    """
    how = policy("fixed", "priority", priority={"1": ["q1"], "2": ["q1", "q2"]}, server_order={"q1": ["2", "1"]})
    claim = grows(f"{N_WORDS} q1: 2 > 1", "1/20")
    return growth(claim, N_MODEL, how, [{"q1": "1/2", "q2": "1"}], N_CELLS, [{"q2": "1"}])


def u_server_order_witness() -> Json:
    """The same where the policy leaves it free who takes the job: a witness does."""
    value = put(u_server_order, "policy|server_order", None)() | {"witness_server_order": {"q1": ["2", "1"]}}
    return value | {"claim": grows(f"{N_WORDS} free", "1/20", "server order q1: 2 > 1")}


def u_both_witnesses() -> Json:
    """The class of all non-idling policies: the witness has a priority and a server order."""
    value = u_server_order_witness() | {"witness": {"1": ["q1"], "2": ["q1", "q2"]}}
    words = "sequencing priority 1: q1; 2: q1 > q2, server order q1: 2 > 1"
    claim = grows("routing fixed, sequencing non-idling, holding none, server order free", "1/20", words)
    return value | {"claim": claim, "policy": policy("fixed", "non-idling")}


def u_every_policy() -> Json:
    """What is claimed of every server order rests on two servers at one job: server 1 may take it, and then V falls."""
    value = put(u_server_order, "policy|server_order", None)()
    return value | {"claim": grows(f"{N_WORDS} free", "1/20")}


# ---- M/M/2 ---------------------------------------------------------------------------------------------------------
PAIR = shared({"K": "1"}, ("A", "K"), ("B", "K"))
PAIR_WORDS = "routing fixed, sequencing non-idling, holding none, server order free"


def h_pair() -> Json:
    """Two servers of rate 1 at arrivals 1: from two jobs on both work, and V = x falls by 1."""
    one = {"K": "1"}
    more = {"weights": one, "corrector": corrector(feature("x(K)", 0, 2)), "potential": one}
    return certificate(falls(PAIR_WORDS, "1"), PAIR, policy("fixed", "non-idling"), **more)


def u_pair() -> Json:
    """The same at arrivals 3: V = x grows by 3 - 2."""
    network = shared({"K": "3"}, ("A", "K"), ("B", "K"))
    how, path = policy("fixed", "non-idling"), [{"K": "1"}, {"K": "1"}, {"K": "-1"}]
    return growth(grows(PAIR_WORDS, "1"), network, how, [{"K": "1"}], corrector(), path)


ACCEPTED: dict[str, Callable[[], Json]] = {
    "f-server-order": f_server_order,
    "u-server-order": u_server_order,
    "u-server-order-witness": u_server_order_witness,
    "u-both-witnesses": u_both_witnesses,
    "h-pair": h_pair,
    "u-pair": u_pair,
}
REJECTED: dict[str, Callable[[], Json]] = {
    "bound--job-with-two-servers": f_job_with_two_servers,
    "bound--other-server-order": two(
        f_server_order,
        ("policy|server_order|K", ["A", "B"]),
        ("claim", stable(f"{HELPED_WORDS} K: A > B", "13/60")),
    ),
    "U-cell--job-with-two-servers": u_every_policy,
    "U-cell--other-server-order": put(u_server_order_witness, "witness_server_order|q1", ["1", "2"]),
    "H-cell--one-job-for-two-servers": put(h_pair, "corrector|features|0|high", "1"),
    "U-path--one-job-for-two-servers": put(u_pair, "path", [{"K": "1"}, {"K": "-1"}, {"K": "1"}]),
    "U-witness--server-order-given": put(u_server_order, "witness_server_order", {"q1": ["2", "1"]}),
    "U-witness--server-order-without-one": put(u_server_order_witness, "witness_server_order|q1", ["2"]),
    "U-witness--server-order-of-fifo": two(
        u_server_order_witness, ("policy|sequencing", "fifo"), ("policy|priority", None)
    ),
    "policy--server-order-of-one": put(u_server_order, "policy|server_order", {"q2": ["2"]}),
    "policy--server-order-twice": put(u_server_order, "policy|server_order|q1", ["2", "2", "1"]),
    "policy--server-order-empty": put(u_server_order, "policy|server_order", {}),
    "policy--server-order-of-a-stranger": put(u_server_order, "policy|server_order", {"q3": ["2", "1"]}),
    "shared-buffer": two(u_server_order, ("policy|sequencing", "longest-queue"), ("policy|priority", None)),
    "shared-buffer--under-H": put(h_pair, "policy|sequencing", "max-weight"),
    "shared-buffer--under-H-held": put(h_pair, "policy|holding", "spillback"),
    "shared-buffer--leaf": two(f_server_order, ("policy|sequencing", "longest-queue"), ("policy|priority", None)),
    "words--server-order": put(
        u_server_order_witness, "claim", grows(f"{N_WORDS} free", "1/20", "server order q1: 1 > 2")
    ),
    "words--server-order-said-to-be-free": put(f_server_order, "claim", stable(f"{HELPED_WORDS} free", "13/60")),
}
MALFORMED: dict[str, Callable[[], Json]] = {
    "server-order-of-N": put(f_server_order, "witness_server_order", {"K": ["A", "B"]}),
}
