"""Condition F for all rates: known answers, what must fail, and a replay of plain condition F at random rates of the set."""

from __future__ import annotations

import dataclasses
import random
from fractions import Fraction

import pytest
from catalogue.files import PATHS

from verify.all_rates import decide_for_all_rates, stated_rates
from verify.budget import Budget
from verify.certificate import certificate
from verify.chain.guards import Normal, Signs
from verify.chain.numeric import NumericWalk
from verify.conditions.all_rates import AllRatesProof, evaluate, proved
from verify.conditions.capacity import capacity
from verify.conditions.condition import Condition, Verdict
from verify.conditions.drift import evaluate as evaluate_drift
from verify.conditions.evidence.nodes import Empty, Leaf, Node, leaves
from verify.conditions.evidence.rate_flows import at_rates
from verify.errors import NotWalked
from verify.functions.explicit import build
from verify.network.model import FreePieces
from verify.network.rates import ONE, RateSet, arrival, arrivals, busy_servers, speed
from verify.network_file.read import read_file, read_text
from verify.policies.compose import walk
from verify.policies.instance import Instance

F = Fraction
ALL = RateSet()


def parallel(servers: int, routing: str) -> Instance:
    """One class, one route for each of the servers, whose rates are 1, 2, ..."""
    lines = [f'{n} = {{ rate = "{n}" }}' for n in range(1, servers + 1)]
    routes = [f'r{n} = ["{n}"]' for n in range(1, servers + 1)]
    text = ["[servers]", *lines, "[[classes]]", 'name = "a"', 'arrival_rate = "1/2"', "[classes.routes]", *routes]
    text += ["[policy]", f'routing = "{routing}"', 'sequencing = "non-idling"']
    return read_text("\n".join(text), format="toml")


def tandem(sequencing: str = "lbfs") -> Instance:
    return read_text(
        f"""
[servers]
1 = {{ rate = "1" }}
2 = {{ rate = "2" }}
[[classes]]
name = "a"
arrival_rate = "1/2"
[classes.routes]
r = ["1", "2"]
[policy]
sequencing = "{sequencing}"
""",
        format="toml",
    )


def two_classes(where: str = "") -> Instance:
    """One server that serves class b three times as fast as class a."""
    return read_text(
        f"""
[servers]
1 = {{ rate = "1" }}
[[classes]]
name = "a"
arrival_rate = "1/4"
routes = {{ r = ["1"] }}
[[classes]]
name = "b"
arrival_rate = "1/2"
routes = {{ r = [{{ server = "1", rate = "3" }}] }}
[policy]
sequencing = "non-idling"
[test_function]
pieces = [{{ "a.r.1" = "1", "b.r.1" = "1" }}]
{where}
""",
        format="toml",
    )


def jobs(instance: Instance) -> FreePieces:
    return FreePieces((dict.fromkeys(instance.weighable, F(1)),))


def found(instance: Instance, rates: RateSet = ALL) -> AllRatesProof:
    decision = decide_for_all_rates(instance, rates)
    assert decision.proof is not None, decision.attempts
    return decision.proof


@pytest.mark.parametrize("routing", ["jsq", "jsr"])
@pytest.mark.parametrize("servers", [2, 3])
def test_parallel_servers_are_stable_at_all_rates_by_the_number_of_jobs(servers: int, routing: str) -> None:
    proof = found(parallel(servers, routing))
    assert proof.function.words(proof.names) == "V = number of jobs"
    assert len(proof.bounded) == 2**servers - 1  # one for each set of servers that work
    assert certificate(proof)


@pytest.mark.parametrize("name", ["lu-kumar-lbfs", "tandem-nine-tenths", "paper-2-jsq-as"])
def test_networks_known_to_be_stable_at_all_rates(name: str) -> None:
    proof = found(read_file(PATHS[name]))
    assert proof.function.words(proof.names) == "V = number of jobs"
    assert certificate(proof)


@pytest.mark.parametrize("name", ["lu-kumar-bad-priority", "rybko-stolyar-exit-priority", "paper-1-jsq"])
def test_networks_that_grow_at_some_rates_are_undecided_with_such_rates(name: str) -> None:
    decision = decide_for_all_rates(read_file(PATHS[name]), ALL)
    assert decision.verdict is Verdict.UNDECIDED
    counters = [attempt.counter for attempt in decision.attempts if attempt.counter is not None]
    assert counters
    assert counters[0].verdict is Verdict.UNSTABLE
    assert counters[0].load < 1


def test_longest_duplicate_by_the_number_of_jobs_fails_at_rates_that_are_reported() -> None:
    """V falls at the rates of the file, the dual proposes others (theory 14: drift 0 at arrival rates 3 and 8)."""
    instance = read_file(PATHS["paper-1-jsr-longest"])
    (attempt,) = decide_for_all_rates(instance, ALL).attempts
    counter = attempt.counter
    assert counter is not None
    assert counter.obstacle.drift >= 0
    assert counter.rates != stated_rates(instance)
    assert min(counter.rates.values()) > 0
    there = dataclasses.replace(instance, network=at_rates(instance.network, counter.rates))
    assert capacity(there).load == counter.load < 1
    chain = walk(there)
    evaluation = evaluate_drift(
        chain, build(there.network, chain.expansion, jobs(there)), Condition.FLUID, Budget(2000)
    )
    assert evaluation.holds is False


def test_wrong_v_fails_where_another_one_holds() -> None:
    """In series, the first buffer must not weigh less than the second."""
    instance = tandem()
    chain = walk(instance)
    wrong = FreePieces(({"a.r.1": F(1), "a.r.2": F(2)},))
    assert evaluate(chain, wrong, ALL, Budget(1000)).holds is False
    assert evaluate(chain, jobs(instance), ALL, Budget(1000)).holds is True


def test_rows_hold_where_all_rates_do_not() -> None:
    """At λ_a + λ_b <= 9/10 μ any V does; at λ = (0, 2) jobs of a, which are served last, wait while more arrive than leave."""
    assert decide_for_all_rates(two_classes(), ALL).attempts[0].counter is not None
    instance = two_classes('[rates]\nwhere = ["lambda.a + lambda.b <= 9/10 * mu.1"]')
    assert instance.rates is not None
    proof = found(instance, instance.rates)
    assert any(rates.multipliers for leaf in proof.bounded for rates in (leaf.rates or {}).values())
    assert certificate(proof)


def test_row_with_the_number_one_does_not_prove_what_grows() -> None:
    """Without rule rates-one any bound on an arrival rate would prove everything."""
    instance = read_file(PATHS["lu-kumar-bad-priority"])
    bounded = RateSet(at_least_zero=({arrival("a"): F(-1), ONE: F(1, 100)},))
    assert decide_for_all_rates(instance, bounded).verdict is Verdict.UNDECIDED


@pytest.mark.parametrize("sequencing", ["max-weight", "back-pressure"])
def test_policies_that_look_at_rates_are_not_walked(sequencing: str) -> None:
    with pytest.raises(NotWalked, match="depend on rates"):
        decide_for_all_rates(tandem(sequencing), ALL)


def test_node_that_a_remembered_point_keeps_open_by_mistake_is_found_empty(monkeypatch: pytest.MonkeyPatch) -> None:
    """Points are remembered in floats: here every set seems to have one, also x = 0."""
    monkeypatch.setattr(NumericWalk, "known_point", lambda *_: True)
    proof = found(parallel(2, "jsr"))
    assert any(isinstance(leaf, Empty) for tree in proof.trees for leaf in leaves(tree))
    assert certificate(proof)


def test_time_limit_ends_the_search_undecided() -> None:
    decision = decide_for_all_rates(read_file(PATHS["paper-2-jsq-as"]), ALL, limit=0.01)
    assert decision.verdict is Verdict.UNDECIDED
    assert "time limit" in decision.attempts[0].reason


def small_dominant() -> Instance:
    """Two classes; class a chooses between two servers."""
    return read_text(
        """
servers = { 1 = { rate = "1" }, 2 = { rate = "1" } }
classes = [
  { name = "a", arrival_rate = "1/4", routes = { r1 = ["1"], r2 = ["2"] } },
  { name = "b", arrival_rate = "1/4", routes = { s = ["2"] } },
]
policy = { routing = "jsr", sequencing = "dominant" }
""",
        format="toml",
    )


def test_dominant_is_proved_up_to_a_load_with_branches_of_their_own() -> None:
    proof = found(small_dominant(), RateSet(load_at_most=F(9, 10)))
    assert proof.spec == proof.instance.policy.dominance_function
    assert any(len(leaf.rates or {}) > 1 for leaf in proof.bounded)
    assert {name.split()[0] for leaf in proof.bounded for name in leaf.rates or {}} == {"dominant"}
    assert certificate(proof)


# Replay ---------------------------------------------------------------------------------------------


def replayed(proof: AllRatesProof, there: Instance) -> Fraction:
    """The margin of the same trees under plain condition F at other rates: exact, by the names of normals and alternatives."""
    chain = walk(there)
    function = build(there.network, chain.expansion, proof.spec)
    normals: dict[str, Normal] = {normal.name: normal for normal in chain.normals_of(function)}
    worst: list[Fraction] = []

    def visit(node: Node, facts: dict[str, Signs], excluded: frozenset[str], piece: int) -> None:
        excluded |= frozenset(node.exclude)
        if isinstance(node, Empty):
            return
        if isinstance(node, Leaf):
            worst.append(bound(node, facts, excluded, piece))
            return
        for signs, child in node.children.items():
            visit(child, {**facts, node.normal.name: signs}, excluded, piece)

    def contradicts(guard: dict[Normal, Signs], facts: dict[str, Signs]) -> bool:
        return any(not facts.get(normal.name, Signs.ANY) & signs for normal, signs in guard.items())

    def bound(leaf: Leaf, facts: dict[str, Signs], excluded: frozenset[str], piece: int) -> Fraction:
        eta = {normal.name: y for normal, y in leaf.eta.items()}
        assert all(facts[name] is Signs.ZERO for name in eta)
        weights = function.pieces[piece]
        for name, y in eta.items():
            weights = weights + normals[name].form * y
        total = F(0)
        for component in chain.components:
            sums = []
            for branch in component.branches:
                if branch.name in excluded or contradicts(dict(branch.guard), facts):
                    continue
                tops = [
                    [
                        weights.at(a.mean_drift)
                        for a in part.alternatives
                        if a.name not in excluded and not contradicts({**branch.guard, **a.guard}, facts)
                    ]
                    for part in branch.parts
                ]
                sums.append(sum((max(top) for top in tops), F(0)))
            total += max(sums)
        return total

    for piece, tree in enumerate(proof.trees):
        start = dict.fromkeys((normal.name for normal in chain.coordinates), Signs.NOT_NEGATIVE)
        visit(tree, start, frozenset(), piece)
    return -max(worst)


def random_rates(instance: Instance, rates: RateSet, chance: random.Random) -> Instance:
    """Rates of the set, near the largest load as often as not."""
    network = instance.network
    values = {arrival(name): F(chance.randint(1, 40), 10) for name in arrivals(network)}
    values |= {speed(server): F(chance.randint(1, 60), 10) for server in busy_servers(network)}
    load = capacity(dataclasses.replace(instance, network=at_rates(network, values))).load
    wanted = rates.load_at_most * F(chance.choice([1, 50, 99, 100 if rates.load_at_most < 1 else 99]), 100)
    for name in arrivals(network):
        values[arrival(name)] *= wanted / load
    return dataclasses.replace(instance, network=at_rates(network, values))


@pytest.mark.parametrize(
    ("instance", "rates"),
    [
        (parallel(3, "jsr"), ALL),
        (parallel(2, "jsq"), RateSet(load_at_most=F(9, 10))),
        (tandem(), ALL),
        (small_dominant(), RateSet(load_at_most=F(9, 10))),
    ],
    ids=["jsr", "jsq", "tandem", "dominant"],
)
def test_replay_plain_condition_f_holds_at_a_hundred_random_rates(instance: Instance, rates: RateSet) -> None:
    proof, chance = found(instance, rates), random.Random(7)
    for _ in range(100):
        there = random_rates(proof.instance, rates, chance)
        assert rates.allows(capacity(there).load)
        assert replayed(proof, there) > 0


def test_replay_fails_beyond_the_load() -> None:
    """The replay is able to fail: at twice the load the same trees have no margin."""
    proof = found(tandem())
    heavy = at_rates(proof.instance.network, {arrival("a"): F(3), speed("1"): F(1), speed("2"): F(1)})
    assert replayed(proof, dataclasses.replace(proof.instance, network=heavy)) <= 0


def test_proof_without_the_ground_is_refused() -> None:
    """(0): a V that does not weigh a buffer."""
    instance = tandem()
    chain = walk(instance)
    light = FreePieces(({"a.r.1": F(1)},))
    assert "(0) fails" in evaluate(chain, light, ALL, Budget(100)).reason
    assert "(0) fails" in str(proved(chain, light, ALL, ()))
