"""networkx graphs: nothing is lost on the way there and back, and contradictions are refused."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import networkx
import pytest
from catalogue.files import PATHS

from verify.errors import InputError
from verify.network_file.importers.graph_document import EXIT
from verify.network_file.importers.networkx_graph import from_networkx, to_networkx
from verify.network_file.read import read_file, read_text
from verify.policies.instance import Instance

from .examples import BUFFERS, JSQ, NAMED, ROUTES


def graph_of(text: str) -> Any:
    return to_networkx(read_text(text, format="toml"))


def same(left: Instance, right: Instance) -> bool:
    """Equal, the order of the tables included."""
    return left == right and list(left.policy.orders) == list(right.policy.orders)


@pytest.mark.parametrize("path", PATHS.values(), ids=lambda path: path.stem)
def test_networkx_round_trip_of_catalogue_file_keeps_everything(path: Path) -> None:
    instance = read_file(path)
    assert same(from_networkx(to_networkx(instance)), instance)


@pytest.mark.parametrize("name", NAMED)
def test_networkx_round_trip_of_example_keeps_everything(name: str) -> None:
    instance = read_text(NAMED[name], format="toml")
    assert same(from_networkx(to_networkx(instance)), instance)


def test_networkx_round_trip_through_pickled_or_copied_graph_keeps_everything() -> None:
    instance = read_text(ROUTES, format="toml")
    assert from_networkx(graph_of(ROUTES).copy()) == instance
    assert from_networkx(networkx.node_link_graph(networkx.node_link_data(graph_of(ROUTES)))) == instance


def test_networkx_route_nodes_carry_rates_and_priorities() -> None:
    graph = graph_of(ROUTES)
    assert graph.nodes["a.r1.1"] == {
        "kind": "buffer", "class": "a", "route": "r1", "position": 1, "buffer": "a.r1.1", "server": "1", "rate": "1",
        "priority": 2, "arrival_rate": "9/20", "probability": "1",
    }  # fmt: skip
    assert graph.edges["a.r1.1", "a.r1.2", "r1"] == {"class": "a", "route": "r1", "probability": "1"}
    assert list(graph.successors("b.s1.2")) == [EXIT]
    assert list(graph)[-1] == EXIT


def test_networkx_buffer_edges_carry_activities() -> None:
    graph = graph_of(BUFFERS)
    assert graph.nodes["q2"] == {"kind": "buffer", "arrival_rate": "0", "server": "B", "rate": "7"}
    assert graph.edges["q1", EXIT, "B"] == {
        "server": "B", "rate": "5", "activity": 1, "priority": 2, "probability": "1",
    }  # fmt: skip
    assert graph.edges["q2", EXIT, "B"]["probability"] == "1/4"


def test_networkx_jsq_nodes_name_the_coordinate_they_belong_to() -> None:
    graph = graph_of(JSQ)
    assert graph.nodes["c.r2.2"]["buffer"] == "c@3"
    assert graph.nodes["c.r1.1"]["priority"] == 2


def test_networkx_changed_priority_changes_the_instance() -> None:
    graph = graph_of(ROUTES)
    graph.nodes["a.r1.1"]["priority"], graph.nodes["b.s2.1"]["priority"] = 1, 2
    assert from_networkx(graph).policy.orders["1"] == ("a.r1.1", "b.s2.1")


def _set_node(node: str, key: str, value: Any) -> Callable[[Any], None]:
    return lambda graph: graph.nodes[node].__setitem__(key, value)


def _set_edge(start: str, end: str, edge: str, key: str, value: Any) -> Callable[[Any], None]:
    return lambda graph: graph.edges[start, end, edge].__setitem__(key, value)


@pytest.mark.parametrize(
    ("text", "change", "message"),
    [
        (ROUTES, lambda g: g.graph.pop("kind"), "graph.kind: expected an attribute of this name, got nothing"),
        (ROUTES, lambda g: g.graph.update(kind="routes"),
         "graph.kind: expected one of route, buffer, got 'routes' (did you mean 'route'?)"),
        (ROUTES, lambda g: g.graph.update(servers="123"), "graph.servers: expected a list of server names, got '123'"),
        (ROUTES, lambda g: g.graph.update(policy=None), "graph.policy: expected a table, got null"),
        (ROUTES, lambda g: g.graph["policy"].update(priority={}) or g.graph["policy"].update(probabilities={}),
         "graph.policy.priority: expected no priority beside the attributes of nodes or edges, got one"),
        (ROUTES, lambda g: g.nodes["a.r1.2"].pop("rate"),
         "nodes['a.r1.2'].rate: expected an attribute of this name, got nothing"),
        (ROUTES, _set_node("a.r1.2", "position", "2"), "nodes['a.r1.2'].position: expected an integer, got '2'"),
        (ROUTES, _set_node("a.r1.2", "class", ["a"]), "nodes['a.r1.2'].class: expected a string, got a list"),
        (ROUTES, _set_node("a.r1.2", "position", 3),
         "nodes of route 'r1' of class 'a': expected the positions 1 to 2, got 1, 3"),
        (ROUTES, _set_node("a.r1.2", "position", 1),
         "nodes['a.r1.2'].position: expected 'a.r1.1' as elsewhere in the graph, got 'a.r1.2'"),
        (ROUTES, _set_node("b.s2.1", "arrival_rate", "1"),
         "nodes['b.s2.1'].arrival_rate: expected '1/4' as elsewhere in the graph, got '1'"),
        (ROUTES, _set_node("b.s2.1", "priority", 2),
         "nodes.priority 2 of server '1': expected 'a.r1.1' as elsewhere in the graph, got 'b.s2.1'"),
        (ROUTES, _set_node("b.s2.1", "rate", 0.5), "classes[1].routes.s2[0].rate: expected an exact number, got 0.5 "
         '(write "1/2" or "0.5")'),
        (ROUTES, lambda g: g.add_edge("a.r1.2", "b.s1.1"),
         "edge 'a.r1.2' -> 'b.s1.1': expected a move along a route, got another one"),
        (ROUTES, lambda g: g.remove_edge("a.r1.1", "a.r1.2"),
         "edge 'a.r1.1' -> 'a.r1.2': expected the move along the route, got no such edge"),
        (BUFFERS, _set_edge("q2", EXIT, "B", "rate", "8"),
         "edge 'q2' -> '(exit)'.rate: expected '7' as elsewhere in the graph, got '8'"),
        (BUFFERS, _set_edge("q2", EXIT, "B", "probability", "1/3"),
         "edge 'q2' -> '(exit)'.probability: expected 1/4, what is missing to 1, got 1/3"),
        (BUFFERS, lambda g: g.edges["q2", EXIT, "B"].pop("probability"),
         "edge 'q2' -> '(exit)'.probability: expected an attribute of this name, got nothing"),
        (BUFFERS, _set_edge("q2", EXIT, "B", "activity", None),
         "edge 'q2' -> '(exit)'.activity: expected an integer, got null"),
        (BUFFERS, _set_node("q2", "rate", "8"),
         "nodes['q2'].rate: expected '7' as elsewhere in the graph, got '8'"),
        (BUFFERS, _set_node("q1", "rate", "3"),
         "nodes['q1'].rate: expected no rate, as 2 activities serve the buffer, got one"),
        (BUFFERS, lambda g: g.add_node(7), "nodes[7]: expected a string as the name of the buffer, got 7"),
    ],
)  # fmt: skip
def test_networkx_contradiction_is_refused(text: str, change: Callable[[Any], object], message: str) -> None:
    graph = graph_of(text)
    change(graph)
    with pytest.raises(InputError) as refused:
        from_networkx(graph)
    assert str(refused.value) == message


def test_networkx_graph_of_another_class_is_refused() -> None:
    with pytest.raises(InputError) as refused:
        from_networkx(networkx.DiGraph())
    assert str(refused.value) == "graph: expected a networkx.MultiDiGraph, got DiGraph"
