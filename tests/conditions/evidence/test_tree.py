"""Case trees: what is written into a node is what the checker finds there."""

from __future__ import annotations

from fractions import Fraction

import pytest
from catalogue.networks import EXAMPLE_1, FREE_TIES_1, MAXIMUM, case_text, decided, parallel_text, read

from conditions.faces import active_pieces, by_coordinate, question
from verify.budget import Budget, BudgetSpent
from verify.chain.guards import Signs
from verify.checker import check_bytes
from verify.conditions.condition import Condition, Verdict
from verify.conditions.drift import DriftProof
from verify.conditions.evidence.nodes import Empty, Leaf, Node, Split, leaves
from verify.conditions.evidence.sketch import Failure
from verify.conditions.evidence.tree import TreeSearch
from verify.functions.piecewise import PiecewiseLinear

F = Fraction
#: At some leaves an alternative contradicts the facts that is excluded higher up elsewhere.
HOLLOW = """
servers = { A = {}, 1 = {} }
[[classes]]
name = "c"
arrival_rate = "1/5"
[classes.routes]
r0 = [{ server = "1", rate = "1/2" }, { server = "1", rate = "1/2" }, { server = "A", rate = "7/5" }]
r1 = [{ server = "1", rate = "2" }, { server = "1", rate = "1/2" }, { server = "A", rate = "7/5" }]
[policy]
routing = "jsr"
sequencing = "dominant"
[policy.dominance_function]
template = "explicit"
alpha = ["1/2", "2", "1/2"]
beta = ["1/2", "1/2"]
gamma = ["1/2"]
"""


def grown(search: TreeSearch) -> tuple[Node, ...]:
    """The trees of a V for which the condition holds."""
    trees = search.trees()
    assert not isinstance(trees, Failure)
    return trees


def nodes(root: Node) -> list[Node]:
    below = [node for child in root.children.values() for node in nodes(child)] if isinstance(root, Split) else []
    return [root, *below]


def test_exclusion_dropped_above_does_not_come_back_where_it_is_contradictory() -> None:
    """Else a branch of a leaf seems to have an alternative left that the checker does not count."""
    found = decided(read(HOLLOW))
    assert found.decision.verdict is Verdict.STABLE
    assert check_bytes(found.certificate, HOLLOW.encode()).accepted


@pytest.mark.parametrize("text", [EXAMPLE_1, FREE_TIES_1, HOLLOW], ids=["example-1", "free-ties", "hollow"])
def test_trees_have_a_child_for_every_sign_that_is_possible(text: str) -> None:
    search = TreeSearch(*question(text), Condition.FLUID)
    for piece, root in enumerate(grown(search)):
        facts = search.root(piece)
        stack = [(root, {n: Signs(int(facts[i])) for i, n in enumerate(search.numeric.normals)})]
        while stack:
            node, known = stack.pop()
            if isinstance(node, Split):
                possible = [s for s in Condition.FLUID.signs if s & known[node.normal]]
                assert len(possible) > 1
                assert set(node.children) == set(possible)
                stack += [(child, {**known, node.normal: signs}) for signs, child in node.children.items()]
            elif isinstance(node, Leaf):
                assert all(known[normal] is Signs.ZERO for normal in node.eta)
                assert node.bound < 0


def test_trees_reach_the_epsilon_that_is_asked_for() -> None:
    """The slack of two servers at rate 3/2 is 1/2: the number of jobs falls at that rate, and not faster."""
    chain, function = question(parallel_text("jsq", "3/2", (1, 1), '{ "a@1" = 1, "a@2" = 1 }'))
    for target in (F(1, 3), F(1, 2)):
        (tree,) = grown(TreeSearch(chain, function, Condition.FLUID, target))
        bounds = [leaf.bound for leaf in leaves(tree) if isinstance(leaf, Leaf)]
        assert max(bounds) <= -target
    assert isinstance(TreeSearch(chain, function, Condition.FLUID, F(501, 1000)).trees(), Failure)


def test_failure_carries_the_signs_of_its_state() -> None:
    chain, function = question(parallel_text("jsq", "5/2", (1, 1), MAXIMUM))
    search = TreeSearch(chain, function, Condition.FLUID)
    failure = search.trees()
    assert isinstance(failure, Failure)
    state = by_coordinate(chain, failure.obstacle.state)
    assert failure.obstacle.piece in active_pieces(function, state)
    for n, normal in enumerate(search.numeric.normals):
        value = normal.at(state)
        sign = Signs.POSITIVE if value > 0 else Signs.NEGATIVE if value < 0 else Signs.ZERO
        assert failure.facts[n] == int(sign)


def test_search_stops_with_its_budget() -> None:
    with pytest.raises(BudgetSpent):
        TreeSearch(*question(EXAMPLE_1), Condition.FLUID, budget=Budget(20)).trees()


def test_piece_that_is_nowhere_active_is_one_empty_node() -> None:
    chain, _ = question(parallel_text("jsq", "1", (1, 1), MAXIMUM))
    function = PiecewiseLinear.of({0: F(1), 1: F(1)}, {0: F(1, 2), 1: F(1, 3)})
    first, second = grown(TreeSearch(chain, function, Condition.FLUID))
    assert isinstance(second, Empty)
    assert second.evidence.kappa > 0
    assert not isinstance(first, Empty)


def test_strict_trees_have_no_corrections_and_closed_signs() -> None:
    """One server, two classes, V its workload: every exclusion has κ > 0."""
    text = case_text("two-classes-visit-rates") + '[test_function]\npieces = [{ "a.1" = "1/10", "b.1" = 1 }]\n'
    chain, function = question(text)
    for root in grown(TreeSearch(chain, function, Condition.STRICT)):
        for node in nodes(root):
            assert all(evidence.kappa > 0 for evidence in node.exclude.values())
            if isinstance(node, Leaf):
                assert not node.eta


def test_proof_of_a_case_has_the_worst_leaf_as_epsilon() -> None:
    proof = decided(read(case_text("jsq-max-below"))).decision.proof
    assert isinstance(proof, DriftProof)
    bounds = [leaf.bound for tree in proof.trees for leaf in leaves(tree) if isinstance(leaf, Leaf)]
    assert proof.epsilon == -max(bounds) == F(1, 20)
