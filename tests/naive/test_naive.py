"""The naive step functions against outcomes worked out by hand, and short simulations."""

from __future__ import annotations

import random
from collections.abc import Mapping
from fractions import Fraction
from statistics import fmean, stdev
from typing import Any

import pytest
from made import made
from stated import Holding, Preset, Routing, Sequencing

from verify.network.model import (
    Activity,
    Buffer,
    BufferNetwork,
    ExplicitTemplate,
    FreePieces,
    JobClass,
    Route,
    RouteNetwork,
    Visit,
)
from verify.policies.instance import Instance
from verify.policies.policy import Policy

from . import State, buffer_names, components, empty_state, jump_rates, simulate, transitions
from .assignment import shared_buffers
from .dominant import bottlenecks, dominant_piece, template_pieces
from .step import service

F = Fraction
ONE = F(1)
Described = dict[str, Fraction]  # "source>destination" (empty: outside) -> rate


def route(name: str, servers: str, rates: Mapping[str, Fraction]) -> Route:
    """A route through servers with one-letter names."""
    return Route(name, tuple(Visit(server, rates[server]) for server in servers))


def policy(routing: Routing, sequencing: Sequencing, holding: Holding = Holding.NONE, **more: Any) -> Policy:
    return made(routing=routing, sequencing=sequencing, holding=holding, **more)


def example_1(chosen: Policy, arrival_rate: Fraction = ONE) -> Instance:
    """Paper, example 1: class c1 takes 1-3 (r1) or 4 (r2), class c2 takes 3-5 (r3) or 2 (r4)."""
    rates = {"1": F(1), "2": F(1), "3": F(1, 4), "4": F(1), "5": F(1)}
    c1 = JobClass("c1", arrival_rate, (route("r1", "13", rates), route("r2", "4", rates)))
    c2 = JobClass("c2", arrival_rate, (route("r3", "35", rates), route("r4", "2", rates)))
    return Instance(RouteNetwork(tuple(rates), (c1, c2)), chosen)


def example_2(chosen: Policy, arrival_rate: Fraction = ONE) -> Instance:
    """Paper, example 2: one class, routes 1-2 (r1), 1-3-5 (r2), 4-5 (r3), all rates 3/4."""
    rates = {server: F(3, 4) for server in "12345"}
    routes = (route("r1", "12", rates), route("r2", "135", rates), route("r3", "45", rates))
    return Instance(RouteNetwork(tuple(rates), (JobClass("c", arrival_rate, routes),)), chosen)


def full(instance: Instance, **jobs: int) -> State:
    """A state from its non-empty buffers; in keywords ``__`` stands for ``@`` and ``_`` for a dot."""
    state = empty_state(instance)
    for name, number in jobs.items():
        key = name.replace("__", "@").replace("_", ".")
        assert key in state
        state[key] = number
    return state


def described(instance: Instance, state: State, key: str) -> list[Described]:
    """The outcomes of one component, each as {"source>destination": rate}; a server as if no other shared its buffers."""
    result = []
    alone = shared_buffers(instance) and key.startswith("server ")
    outcomes = service(instance, state, key.removeprefix("server ")) if alone else components(instance, state)[key]
    for outcome in outcomes or []:
        moves: Described = {}
        for rate, target in outcome:
            lost = [name for name in state if target[name] == state[name] - 1]
            gained = [name for name in state if target[name] == state[name] + 1]
            assert sum(abs(target[name] - state[name]) for name in state) == len(lost) + len(gained)
            moves["".join(lost) + ">" + "".join(gained)] = rate
        result.append(moves)
    return result


# ---------------------------------------------------------------- routing


def test_names_and_keys() -> None:
    jsr = example_1(policy(Routing.JSR, Sequencing.LONGEST_DUPLICATE))
    assert buffer_names(jsr) == ["c1.r1.1", "c1.r1.2", "c1.r2.1", "c2.r3.1", "c2.r3.2", "c2.r4.1"]
    jsq = example_1(policy(Routing.JSQ, Sequencing.NON_IDLING))
    assert buffer_names(jsq) == ["c1@1", "c1@3", "c1@4", "c2@2", "c2@3", "c2@5"]
    keys = ["class c1", "class c2", "server 1", "server 2", "server 3", "server 4", "server 5"]
    assert list(components(jsr, empty_state(jsr))) == list(components(jsq, empty_state(jsq))) == keys
    assert components(jsr, empty_state(jsr))["server 3"] == [[]]


def test_jsr() -> None:
    instance = example_1(policy(Routing.JSR, Sequencing.LONGEST_DUPLICATE))
    # c1: route 1-3 has 1 + 1 jobs, route 4 has 2: a tie.  c2: route 3-5 has 1, route 2 has 0.
    state = full(instance, c1_r1_1=1, c1_r1_2=1, c1_r2_1=2, c2_r3_1=1)
    assert described(instance, state, "class c1") == [{">c1.r1.1": F(1, 2), ">c1.r2.1": F(1, 2)}]
    assert described(instance, state, "class c2") == [{">c2.r4.1": F(1)}]
    # Three routes, all empty: a third each.
    instance = example_2(policy(Routing.JSR, Sequencing.LONGEST_DUPLICATE))
    third = F(1, 3)
    expected = [{">c.r1.1": third, ">c.r2.1": third, ">c.r3.1": third}]
    assert described(instance, empty_state(instance), "class c") == expected
    # Route 1-3-5 counts its last job too: 1-2 and 4-5 tie.
    expected = [{">c.r1.1": F(1, 2), ">c.r3.1": F(1, 2)}]
    assert described(instance, full(instance, c_r2_3=1), "class c") == expected


def test_weighted_route() -> None:
    weights = {
        "c.r1.1": F(1),
        "c.r1.2": F(1, 2),
        "c.r2.1": F(3),
        "c.r2.2": F(1),
        "c.r2.3": F(1),
        "c.r3.1": F(1),
        "c.r3.2": F(2),
    }
    instance = example_2(policy(Routing.WEIGHTED_ROUTE, Sequencing.LONGEST_DUPLICATE, route_weights=weights))
    # Two jobs of weight 1/2 on route 1-2, one of weight 1 on route 1-3-5, one of weight 2 on route 4-5: a tie of the first two.
    state = full(instance, c_r1_2=2, c_r2_3=1, c_r3_2=1)
    assert described(instance, state, "class c") == [{">c.r1.1": F(1, 2), ">c.r2.1": F(1, 2)}]
    assert described(instance, full(instance, c_r1_2=1, c_r2_1=1, c_r3_1=1), "class c") == [{">c.r1.1": F(1)}]


def test_jsq_arrival_looks_at_all_classes() -> None:
    instance = example_1(policy(Routing.JSQ, Sequencing.NON_IDLING))
    # c2 chooses between 3 (one job, of c1) and 2 (one job): a tie.  c1 between 1 and 4, both empty.
    state = full(instance, c1__3=1, c2__2=1)
    assert described(instance, state, "class c2") == [{">c2@3": F(1, 2), ">c2@2": F(1, 2)}]
    assert described(instance, state, "class c1") == [{">c1@1": F(1, 2), ">c1@4": F(1, 2)}]
    # One more c2 at 3: server 3 has two.
    state = full(instance, c1__3=1, c2__3=1, c2__2=1)
    assert described(instance, state, "class c2") == [{">c2@2": F(1)}]
    assert described(instance, state, "server 3") == [{"c1@3>": F(1, 4)}, {"c2@3>c2@5": F(1, 4)}]


def test_jsq_after_service() -> None:
    instance = example_2(policy(Routing.JSQ, Sequencing.NON_IDLING))
    state = full(instance, c__1=1, c__2=2, c__3=2, c__4=1)
    assert described(instance, state, "class c") == [{">c@1": F(1, 2), ">c@4": F(1, 2)}]
    assert described(instance, state, "server 1") == [{"c@1>c@2": F(3, 8), "c@1>c@3": F(3, 8)}]
    state["c@2"] = 3
    assert described(instance, state, "server 1") == [{"c@1>c@3": F(3, 4)}]
    assert described(instance, state, "server 2") == [{"c@2>": F(3, 4)}]
    assert described(instance, state, "server 3") == [{"c@3>c@5": F(3, 4)}]
    assert described(instance, state, "server 5") == [{}]


def test_bernoulli_and_fixed() -> None:
    probabilities = {"c1": {"r1": F(1, 3), "r2": F(2, 3)}, "c2": {"r3": F(0), "r4": F(1)}}
    instance = example_1(policy(Routing.BERNOULLI, Sequencing.NON_IDLING, probabilities=probabilities))
    state = full(instance, c1_r1_1=7)
    assert described(instance, state, "class c1") == [{">c1.r1.1": F(1, 3), ">c1.r2.1": F(2, 3)}]
    assert described(instance, state, "class c2") == [{">c2.r4.1": F(1)}]
    instance = lu_kumar(policy(Routing.FIXED, Sequencing.FBFS))
    assert described(instance, empty_state(instance), "class c") == [{">c.r.1": F(1)}]
    with pytest.raises(ValueError, match="2 routes"):
        wrong = example_1(policy(Routing.FIXED, Sequencing.NON_IDLING))
        components(wrong, empty_state(wrong))


# ---------------------------------------------------------------- sequencing, route networks


def lu_kumar(chosen: Policy) -> Instance:
    """One route A-B-B-A with means 1/10, 3/5, 1/10, 3/5."""
    visits = (Visit("A", F(10)), Visit("B", F(5, 3)), Visit("B", F(10)), Visit("A", F(5, 3)))
    return Instance(RouteNetwork(("A", "B"), (JobClass("c", F(1), (Route("r", visits),)),)), chosen)


def test_priority_fbfs_lbfs() -> None:
    order = {"A": ("c.r.4", "c.r.1"), "B": ("c.r.2", "c.r.3")}
    bad = lu_kumar(policy(Routing.FIXED, Sequencing.PRIORITY, priority=order))
    first = lu_kumar(policy(Routing.FIXED, Sequencing.FBFS))
    last = lu_kumar(policy(Routing.FIXED, Sequencing.LBFS))
    busy = dict.fromkeys(buffer_names(bad), 1)
    assert described(bad, busy, "server A") == [{"c.r.4>": F(5, 3)}]
    assert described(bad, busy, "server B") == [{"c.r.2>c.r.3": F(5, 3)}]
    assert described(first, busy, "server A") == [{"c.r.1>c.r.2": F(10)}]
    assert described(first, busy, "server B") == [{"c.r.2>c.r.3": F(5, 3)}]
    assert described(last, busy, "server A") == [{"c.r.4>": F(5, 3)}]
    assert described(last, busy, "server B") == [{"c.r.3>c.r.4": F(10)}]
    only_first = full(bad, c_r_1=3)
    assert described(bad, only_first, "server A") == [{"c.r.1>c.r.2": F(10)}]
    assert described(bad, only_first, "server B") == [{}]
    assert len(transitions(bad, busy)) == 1


def test_fbfs_tie_of_position_is_free() -> None:
    # Two classes: c on A-B-A, d on A only: positions at A are 1, 3 and 1.
    rates = {"A": F(2), "B": F(3)}
    classes = (JobClass("c", F(1), (route("r", "ABA", rates),)), JobClass("d", F(1), (route("r", "A", rates),)))
    network = RouteNetwork(("A", "B"), classes)
    first = Instance(network, policy(Routing.FIXED, Sequencing.FBFS))
    last = Instance(network, policy(Routing.FIXED, Sequencing.LBFS))
    busy = dict.fromkeys(buffer_names(first), 1)
    assert described(first, busy, "server A") == [{"c.r.1>c.r.2": F(2)}, {"d.r.1>": F(2)}]
    assert described(last, busy, "server A") == [{"c.r.3>": F(2)}]
    busy["c.r.3"] = 0
    assert described(last, busy, "server A") == [{"c.r.1>c.r.2": F(2)}, {"d.r.1>": F(2)}]
    assert len(transitions(last, busy)) == 2


def test_longest_duplicate_and_non_idling() -> None:
    longest = example_1(policy(Routing.JSR, Sequencing.LONGEST_DUPLICATE))
    anything = example_1(policy(Routing.JSR, Sequencing.NON_IDLING))
    state = full(longest, c1_r1_2=2, c2_r3_1=1)
    leave, go_on = {"c1.r1.2>": F(1, 4)}, {"c2.r3.1>c2.r3.2": F(1, 4)}
    assert described(longest, state, "server 3") == [leave]
    assert described(anything, state, "server 3") == [leave, go_on]
    state["c2.r3.1"] = 2
    assert described(longest, state, "server 3") == [leave, go_on]
    state["c1.r1.2"] = 0
    assert described(anything, state, "server 3") == [go_on]


# ---------------------------------------------------------------- dominant

G = F(3, 4)
TEMPLATE = ExplicitTemplate((F(1), G), (G, G**2), (G, G**2))
SECOND_CLASS_FIRST = {"3": ("c2.r3.1", "c1.r1.2")}


def dominant_1(tie_order: Mapping[str, tuple[str, ...]]) -> Instance:
    chosen = policy(Routing.JSR, Sequencing.DOMINANT, tie_order=tie_order, dominance_function=TEMPLATE)
    return example_1(chosen)


def test_template() -> None:
    instance = dominant_1({})
    assert isinstance(instance.network, RouteNetwork)
    pieces = template_pieces(instance.network, TEMPLATE)
    assert len(pieces) == 35 == len({tuple(piece.values()) for piece in pieces})
    # Route 1-3 to depth 2, route 3-5 to depth 1: two classes, one route each: gamma^2 beta = 27/64, times alpha_d.
    wanted = {"c1.r1.1": F(81, 256), "c1.r1.2": F(81, 256), "c2.r3.1": F(27, 64)}
    piece = {name: wanted.get(name, F(0)) for name in buffer_names(instance)}
    assert piece in pieces
    assert bottlenecks(instance.network, piece) == ["c1.r1.2", "c2.r3.1"]


def test_dominant_ties_between_bottlenecks() -> None:
    # One job in each subserver of 3.  Class 1 alone: at most gamma beta alpha = 27/64; class 2 alone: 9/16;
    # both: 27/64 (3/4 + 1) = 189/256, the largest: routes 1-3 (depth 2) and 3-5 (depth 1), two bottlenecks at 3.
    tied = dominant_1(SECOND_CLASS_FIRST)
    state = full(tied, c1_r1_2=1, c2_r3_1=1)
    assert described(tied, state, "server 3") == [{"c2.r3.1>c2.r3.2": F(1, 4)}]
    free = dominant_1({})
    assert described(free, state, "server 3") == [{"c1.r1.2>": F(1, 4)}, {"c2.r3.1>c2.r3.2": F(1, 4)}]
    reverse = dominant_1({"3": ("c1.r1.2", "c2.r3.1")})
    assert described(reverse, state, "server 3") == [{"c1.r1.2>": F(1, 4)}]


def test_dominant_only_one_class() -> None:
    # Route 1-3 holds (1, 4), c2 has one job at 3: class 1 alone 9/16 * 3/4 * 5 = 135/64 against both classes
    # 27/64 (15/4 + 1) = 513/256 = 128.25/64: server 3 serves class 1 whatever the tie order says.
    for instance in (dominant_1(SECOND_CLASS_FIRST), dominant_1({})):
        state = full(instance, c1_r1_1=1, c1_r1_2=4, c2_r3_1=1)
        assert described(instance, state, "server 3") == [{"c1.r1.2>": F(1, 4)}]
        # Server 1 has no bottleneck (depth 2 ends at server 3), and serves what it has.
        assert described(instance, state, "server 1") == [{"c1.r1.1>c1.r1.2": F(1)}]


def test_dominant_first_of_equal_pieces() -> None:
    # Route 1-3 holds (3, 1), c2 one job at 3.  Depth 1 counts 3, depth 2 counts 3/4 * 4 = 3; class 1 alone has
    # 9/16 * 3 = 108/64, both classes 27/64 (3 + 1) = 108/64: four pieces tie, the first has depths (1, 0, 0, 0):
    # no bottleneck at 3, so 3 is free and the tie order is not asked.
    instance = dominant_1(SECOND_CLASS_FIRST)
    state = full(instance, c1_r1_1=3, c1_r1_2=1, c2_r3_1=1)
    both = [{"c1.r1.2>": F(1, 4)}, {"c2.r3.1>c2.r3.2": F(1, 4)}]
    assert isinstance(instance.network, RouteNetwork)
    piece = dominant_piece(template_pieces(instance.network, TEMPLATE), state)
    assert piece == {name: F(9, 16) * (name == "c1.r1.1") for name in buffer_names(instance)}
    assert described(instance, state, "server 3") == both
    # The listed order decides: the same two pieces, given freely in both orders.
    one = {"c1.r1.1": F(1), "c1.r1.2": F(1)}
    two = {"c2.r3.1": F(4)}
    for pieces, expected in ((one, two), [both[0]]), ((two, one), [both[1]]):
        chosen = policy(Routing.JSR, Sequencing.DOMINANT, dominance_function=FreePieces(pieces))
        assert described(example_1(chosen), state, "server 3") == expected


def test_dominant_bottleneck_inside_a_prefix() -> None:
    # Decreasing weights along 1-3-5: every subserver of the route with a smaller one after it is a bottleneck.
    pieces = ({"c.r1.1": F(1), "c.r2.1": F(3), "c.r2.2": F(2), "c.r2.3": F(2)},)
    instance = example_2(policy(Routing.JSR, Sequencing.DOMINANT, dominance_function=FreePieces(pieces)))
    busy = dict.fromkeys(buffer_names(instance), 1)
    assert isinstance(instance.network, RouteNetwork)
    full_piece = {name: pieces[0].get(name, F(0)) for name in buffer_names(instance)}
    assert bottlenecks(instance.network, full_piece) == ["c.r1.1", "c.r2.1", "c.r2.3"]
    assert described(instance, busy, "server 1") == [{"c.r1.1>c.r1.2": F(3, 4)}, {"c.r2.1>c.r2.2": F(3, 4)}]
    assert described(instance, busy, "server 5") == [{"c.r2.3>": F(3, 4)}]
    # The only bottleneck of 5 is empty: whatever is there.
    busy["c.r2.3"] = 0
    assert described(instance, busy, "server 5") == [{"c.r3.2>": F(3, 4)}]
    # Under spillback r1.1 and r2.1 are held at equal lengths: server 1 idles although both are bottlenecks.
    chosen = policy(Routing.JSR, Sequencing.DOMINANT, Holding.SPILLBACK, dominance_function=FreePieces(pieces))
    assert described(example_2(chosen), busy, "server 1") == [{}]


# ---------------------------------------------------------------- holding


def test_spillback() -> None:
    instance = example_2(policy(Routing.JSR, Sequencing.LONGEST_DUPLICATE, Holding.SPILLBACK))
    # r2.1 (longest) is held by r2.2, server 1 turns to r1.1; the last visits are never held.
    state = full(instance, c_r1_1=1, c_r2_1=2, c_r2_2=2, c_r2_3=5)
    assert described(instance, state, "server 1") == [{"c.r1.1>c.r1.2": F(3, 4)}]
    assert described(instance, state, "server 3") == [{}]
    assert described(instance, state, "server 5") == [{"c.r2.3>": F(3, 4)}]
    state["c.r1.2"] = 1
    assert described(instance, state, "server 1") == [{}]
    assert described(instance, state, "server 2") == [{"c.r1.2>": F(3, 4)}]
    state["c.r2.2"] = 1
    assert described(instance, state, "server 1") == [{"c.r2.1>c.r2.2": F(3, 4)}]
    anything = example_2(policy(Routing.JSR, Sequencing.NON_IDLING, Holding.SPILLBACK))
    state["c.r1.2"] = 0
    expected = [{"c.r1.1>c.r1.2": F(3, 4)}, {"c.r2.1>c.r2.2": F(3, 4)}]
    assert described(anything, state, "server 1") == expected


# ---------------------------------------------------------------- jsq-as

JSQ_AS = made(preset=Preset.JSQ_AS)
HALF = F(3, 8)


def test_jsq_as_arrival() -> None:
    instance = example_2(JSQ_AS)
    third = F(1, 3)
    empty = empty_state(instance)
    assert described(instance, empty, "class c") == [{">c.r1.1": third, ">c.r2.1": third, ">c.r3.1": third}]
    # Only the first subservers count, not the routes: r2.3 = 9 does not matter.
    state = full(instance, c_r1_1=1, c_r2_3=9)
    assert described(instance, state, "class c") == [{">c.r2.1": F(1, 2), ">c.r3.1": F(1, 2)}]
    assert all(outcomes == [[]] for key, outcomes in components(instance, empty).items() if key != "class c")


def test_jsq_as_service() -> None:
    instance = example_2(JSQ_AS)
    # Longest at 1: r1.1.  (r1.1, r1.2): 1 < 2 allowed; (r2.1, r2.2): 1 < 1 not.
    state = full(instance, c_r1_1=2, c_r2_1=1, c_r1_2=1, c_r2_2=1)
    assert described(instance, state, "server 1") == [{"c.r1.1>c.r1.2": F(3, 4)}]
    # The longest loses the job, the move is that of its duplicate: (r2.1, r2.2) with 0 < 1 beats 1 < 2.
    state = full(instance, c_r1_1=2, c_r2_1=1, c_r1_2=1)
    assert described(instance, state, "server 1") == [{"c.r1.1>c.r2.2": F(3, 4)}]
    # Two longest (free) and two emptiest destinations (uniform).
    state = full(instance, c_r1_1=2, c_r2_1=2, c_r1_2=1, c_r2_2=1)
    expected = [{f"c.{s}>c.r1.2": HALF, f"c.{s}>c.r2.2": HALF} for s in ("r1.1", "r2.1")]
    assert described(instance, state, "server 1") == expected
    # Held: r1.2 is as long as r1.1, and r2.1 is empty, so r2.2 cannot be reached.
    assert described(instance, full(instance, c_r1_1=1, c_r1_2=1), "server 1") == [{}]
    # 4 feeds both subservers of 5; so does 3.
    state = full(instance, c_r3_1=2, c_r2_3=1, c_r2_2=1)
    assert described(instance, state, "server 4") == [{"c.r3.1>c.r3.2": F(3, 4)}]
    assert described(instance, state, "server 3") == [{"c.r2.2>c.r3.2": F(3, 4)}]
    state["c.r3.2"] = 1
    assert described(instance, state, "server 4") == [{"c.r3.1>c.r2.3": HALF, "c.r3.1>c.r3.2": HALF}]
    assert described(instance, state, "server 3") == [{}]
    # The exit is never held; the longest at 5 is free at a tie.
    assert described(instance, state, "server 5") == [{"c.r2.3>": F(3, 4)}, {"c.r3.2>": F(3, 4)}]
    assert len(transitions(instance, state)) == 2


def test_jsq_as_exit_is_a_destination() -> None:
    # Routes A-B (r1) and A (r2): A may let its job leave whenever r2.1 has one.
    rates = {"A": F(1), "B": F(1)}
    routes = (route("r1", "AB", rates), route("r2", "A", rates))
    instance = Instance(RouteNetwork(("A", "B"), (JobClass("c", F(1), routes),)), JSQ_AS)
    state = full(instance, c_r1_1=1, c_r2_1=1)
    half = F(1, 2)
    expected = [{f"c.{s}>c.r1.2": half, f"c.{s}>": half} for s in ("r1.1", "r2.1")]
    assert described(instance, state, "server A") == expected
    assert described(instance, full(instance, c_r1_1=1), "server A") == [{"c.r1.1>c.r1.2": F(1)}]
    assert described(instance, full(instance, c_r2_1=1), "server A") == [{"c.r2.1>": F(1)}]
    # (r1.1, r1.2): 1 < 2 allowed, (r2.1, exit): 0 < 1 emptier: r1.1 loses the job to the exit.
    state = full(instance, c_r1_1=2, c_r2_1=1, c_r1_2=1)
    assert described(instance, state, "server A") == [{"c.r1.1>": F(1)}]


# ---------------------------------------------------------------- buffer networks


def flexible(sequencing: Sequencing, priority: Mapping[str, tuple[str, ...]] | None = None) -> Instance:
    """A serves b1 (rate 2, then b2 or exit) and b2 (rate 3, exit); B serves b2 (rate 1, back to b1 or exit)."""
    buffers = (Buffer("b1", F(1)), Buffer("b2", F(0)))
    activities = (
        Activity("A", "b1", F(2), {"b2": F(3, 4)}),
        Activity("A", "b2", F(3), {}),
        Activity("B", "b2", F(1), {"b1": F(1, 2)}),
    )
    chosen = made(sequencing=sequencing, priority=priority or {})
    return Instance(BufferNetwork(("A", "B", "C"), buffers, activities), chosen)


def test_buffer_network() -> None:
    anything = flexible(Sequencing.NON_IDLING)
    assert list(components(anything, {"b1": 0, "b2": 0})) == ["arrival b1", "servers"]
    assert described(anything, {"b1": 0, "b2": 0}, "arrival b1") == [{">b1": F(1)}]
    go_on, leave = {"b1>b2": F(3, 2), "b1>": F(1, 2)}, {"b2>": F(3)}
    other = {"b2>b1": F(1, 2), "b2>": F(1, 2)}
    one_each = {"b1": 1, "b2": 1}
    assert described(anything, one_each, "server A") == [go_on, leave]
    assert described(anything, one_each, "server B") == [other]
    assert described(flexible(Sequencing.LONGEST_QUEUE), one_each, "server A") == [go_on, leave]
    assert described(flexible(Sequencing.LONGEST_QUEUE), {"b1": 2, "b2": 1}, "server A") == [go_on]
    # mu x: 2 * 3 = 3 * 2 ties, 2 * 3 < 3 * 3.
    assert described(flexible(Sequencing.MAX_WEIGHT), {"b1": 3, "b2": 2}, "server A") == [go_on, leave]
    assert described(flexible(Sequencing.MAX_WEIGHT), {"b1": 3, "b2": 3}, "server A") == [leave]
    order = {"A": ("b1", "b2"), "B": ("b2",)}
    assert described(flexible(Sequencing.PRIORITY, order), {"b1": 1, "b2": 9}, "server A") == [go_on]
    assert described(flexible(Sequencing.PRIORITY, order), {"b1": 0, "b2": 9}, "server A") == [leave]
    # Together: both want b2, which has one job.
    assert len(components(anything, one_each)["servers"]) == 2
    assert jump_rates(one_each, components(flexible(Sequencing.PRIORITY, order), one_each)["servers"][0]) == {
        (("b1", -1), ("b2", 1)): F(3, 2),
        (("b1", -1),): F(1, 2),
        (("b1", 1), ("b2", -1)): F(1, 2),
        (("b2", -1),): F(1, 2),
    }


def test_two_activities_on_one_buffer_are_a_free_choice() -> None:
    activities = (Activity("A", "b", F(1), {}), Activity("A", "b", F(2), {"b": F(1, 2)}))
    network = BufferNetwork(("A",), (Buffer("b", F(1, 2)),), activities)
    instance = Instance(network, made(sequencing=Sequencing.PRIORITY, priority={"A": ("b",)}))
    # The feedback into the buffer itself is kept with its rate (no job moves), and dropped by jump_rates.
    outcomes = components(instance, {"b": 1})["server A"]
    assert outcomes == [[(F(1), {"b": 0})], [(F(1), {"b": 1}), (F(1), {"b": 0})]]
    assert jump_rates({"b": 1}, outcomes[1]) == {(("b", -1),): F(1)}
    # Largest mu x: the faster activity.
    greedy = Instance(network, made(sequencing=Sequencing.MAX_WEIGHT))
    assert components(greedy, {"b": 1})["server A"] == [outcomes[1]]


def test_back_pressure() -> None:
    instance = flexible(Sequencing.BACK_PRESSURE)
    go_on, leave = {"b1>b2": F(3, 2), "b1>": F(1, 2)}, {"b2>": F(3)}
    # b1 at A: 2 (x1 - 3/4 x2); b2 at A: 3 x2; b2 at B: x2 - x1 / 2.
    assert described(instance, {"b1": 9, "b2": 4}, "server A") == [go_on, leave]  # 2 (9 - 3) = 12 = 3 * 4
    assert described(instance, {"b1": 8, "b2": 4}, "server A") == [leave]  # 10 < 12
    assert described(instance, {"b1": 8, "b2": 4}, "server B") == [{"b2>b1": F(1, 2), "b2>": F(1, 2)}]  # 0: works
    assert described(instance, {"b1": 9, "b2": 4}, "server B") == [{}]  # negative: idles
    # An empty buffer is no candidate.  A serves b1 (then b3 at B) and b2: at x1 = x3 the pressure of b1 is 0 and A
    # works on it, though the empty b2 has pressure 0 as well; at x1 < x3 it idles.
    activities = (Activity("A", "b1", F(2), {"b3": F(1)}), Activity("A", "b2", F(3), {}), Activity("B", "b3", F(4), {}))
    network = BufferNetwork(("A", "B"), (Buffer("b1", F(1)), Buffer("b2", F(1)), Buffer("b3", F(0))), activities)
    instance = Instance(network, made(sequencing=Sequencing.BACK_PRESSURE))
    assert described(instance, {"b1": 2, "b2": 0, "b3": 2}, "server A") == [{"b1>b3": F(2)}]
    assert described(instance, {"b1": 2, "b2": 0, "b3": 3}, "server A") == [{}]


def test_back_pressure_under_jsq_needs_a_unique_next_server() -> None:
    instance = example_2(policy(Routing.JSQ, Sequencing.BACK_PRESSURE))
    with pytest.raises(ValueError, match="choice of the next server"):
        components(instance, empty_state(instance))
    # Example 1 has none.  c1 at 3 leaves: 1/4 * 2; c2 at 3: 1/4 (3 - 1): a tie.
    instance = example_1(policy(Routing.JSQ, Sequencing.BACK_PRESSURE))
    state = full(instance, c1__3=2, c2__3=3, c2__5=1)
    assert described(instance, state, "server 3") == [{"c1@3>": F(1, 4)}, {"c2@3>c2@5": F(1, 4)}]


def test_refused() -> None:
    with pytest.raises(NotImplementedError):
        components(flexible(Sequencing.FIFO), {"b1": 0, "b2": 0})
    for rule in (Sequencing.FBFS, Sequencing.LBFS, Sequencing.LONGEST_DUPLICATE, Sequencing.DOMINANT):
        with pytest.raises(ValueError, match="needs"):
            components(flexible(rule), {"b1": 1, "b2": 1})
    with pytest.raises(ValueError, match="no priority"):
        components(flexible(Sequencing.PRIORITY), {"b1": 1, "b2": 1})
    with pytest.raises(ValueError, match="not a state"):
        components(flexible(Sequencing.NON_IDLING), {"b1": 1})


# ---------------------------------------------------------------- all together


def instances() -> list[Instance]:
    """One of everything."""
    simple = (Sequencing.NON_IDLING, Sequencing.LONGEST_QUEUE, Sequencing.MAX_WEIGHT)
    found = [example(policy(Routing.JSQ, rule)) for example in (example_1, example_2) for rule in simple]
    for holding in Holding:
        for rule in (*simple, Sequencing.FBFS, Sequencing.LBFS, Sequencing.LONGEST_DUPLICATE, Sequencing.BACK_PRESSURE):
            found += [example(policy(Routing.JSR, rule, holding)) for example in (example_1, example_2)]
            found.append(lu_kumar(policy(Routing.FIXED, rule, holding)))
        found.append(
            example_1(policy(Routing.JSR, Sequencing.DOMINANT, holding, dominance_function=TEMPLATE)),
        )
    found += [flexible(rule) for rule in (*simple, Sequencing.BACK_PRESSURE)]
    return [*found, dominant_1(SECOND_CLASS_FIRST), example_2(JSQ_AS)]


def test_every_move_is_one_job_from_a_non_empty_buffer() -> None:
    source = random.Random(1)
    for instance in instances():
        for _ in range(20):
            state = {name: source.choice((0, 0, 1, 1, 2, 3, 7)) for name in buffer_names(instance)}
            before = dict(state)
            for key, outcomes in components(instance, state).items():
                assert outcomes
                assert outcomes == [o for i, o in enumerate(outcomes) if o not in outcomes[:i]]
                for outcome in outcomes:
                    assert all(rate > 0 and min(target.values()) >= 0 for rate, target in outcome)
                    for jump in jump_rates(state, outcome):
                        changes = sorted(change for _, change in jump)
                        assert changes in ([[-1], [-1, 1]] if key.startswith("server") else [[1]])
            assert state == before


def test_mm1_mean() -> None:
    network = RouteNetwork(("A",), (JobClass("c", F(1), (Route("r", (Visit("A", F(2)),)),)),))
    instance = Instance(network, policy(Routing.FIXED, Sequencing.PRIORITY, priority={"A": ("c.r.1",)}))
    seen = simulate(instance, {"c.r.1": 0}, seed=1, jumps=60000)
    # Load 1/2: mean 1, empty half of the time.
    error = stdev(seen.batch_means) / len(seen.batch_means) ** 0.5
    assert len(seen.batch_means) == 20
    assert abs(fmean(seen.batch_means) - 1) < 5 * error < 0.5
    assert abs(seen.empty_fraction - 0.5) < 0.05
    assert seen.jumps == 60000
    assert abs(seen.time - 60000 / 2) < 1000  # total rate 1 + 2 * (1/2) = 2
    assert simulate(instance, {"c.r.1": 0}, seed=1, jumps=60000) == seen


def test_back_pressure_tandem_stays_bounded() -> None:
    activities = (Activity("A", "b1", F(2), {"b2": F(1)}), Activity("B", "b2", F(2), {}))
    network = BufferNetwork(("A", "B"), (Buffer("b1", F(1)), Buffer("b2", F(0))), activities)
    instance = Instance(network, made(sequencing=Sequencing.BACK_PRESSURE))
    seen = simulate(instance, {"b1": 0, "b2": 0}, seed=2, jumps=20000)
    assert 0 < seen.mean_total < 10
    assert seen.largest_total < 60


@pytest.mark.parametrize("rule", ["first", "last", "random"])
def test_paper_policies_stay_small(rule: str) -> None:
    # Example 2, jsq-as at load 2/3; example 1 with the dominant piece at load 8/9.
    seen = simulate(example_2(JSQ_AS), empty_state(example_2(JSQ_AS)), 3, 5000, rule)
    assert seen.largest_total < 60
    instance = dominant_1(SECOND_CLASS_FIRST)
    seen = simulate(instance, empty_state(instance), 4, 1000, rule)
    assert seen.largest_total < 150


def test_jsq_examples_grow() -> None:
    # Example 1 at lambda = 1: server 3; example 2 at lambda = 7/5 > 1: server 5.
    instance = example_1(policy(Routing.JSQ, Sequencing.LONGEST_QUEUE))
    seen = simulate(instance, empty_state(instance), 5, 6000)
    assert seen.final["c1@3"] + seen.final["c2@3"] > 100
    instance = example_2(policy(Routing.JSQ, Sequencing.NON_IDLING), F(7, 5))
    seen = simulate(instance, empty_state(instance), 6, 8000)
    assert seen.final["c@5"] > 100


def test_lu_kumar_priorities() -> None:
    order = {"A": ("c.r.4", "c.r.1"), "B": ("c.r.2", "c.r.3")}
    bad = lu_kumar(policy(Routing.FIXED, Sequencing.PRIORITY, priority=order))
    assert sum(simulate(bad, empty_state(bad), 7, 10000).final.values()) > 100
    good = lu_kumar(policy(Routing.FIXED, Sequencing.LBFS))
    assert simulate(good, empty_state(good), 7, 10000).largest_total < 100
