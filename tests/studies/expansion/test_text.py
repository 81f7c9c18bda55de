"""The expansion in words, and the graphs of its pictures."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest
from catalogue.files import PATHS

from verify.drawing.graph import Arrow, Role
from verify.network_file.read import read_file, read_text
from verify.policies.instance import Instance
from verify.studies.expansion.graph import number, server_graph, short, state_graph
from verify.studies.expansion.text import expansion_lines

EXAMPLES = Path(__file__).parents[3] / "examples"

PAPER_1 = """\
Paper, example 1: JSR, dominant
route expansion: 2 classes, 4 routes, 5 servers, 6 subservers
policy: routing jsr, sequencing dominant, holding none

arrivals
  class c1, rate 1: the route with the fewest jobs of r1 (c1.r1.1), r2 (c1.r2.1)
  class c2, rate 1: the route with the fewest jobs of r3 (c2.r3.1), r4 (c2.r4.1)

subserver  server  rate  then
c1.r1.1    1       1     c1.r1.2
c1.r1.2    3       1/4   leaves
c1.r2.1    4       1     leaves
c2.r3.1    3       1/4   c2.r3.2
c2.r3.2    5       1     leaves
c2.r4.1    2       1     leaves

duplicates
  server 3: queue = c1.r1.2 + c2.r3.1
    imaginary transitions: c1.r1.2 ↔ c2.r3.1
servers with one subserver: 1, 2, 4, 5"""

FLEXIBLE = """
[servers]
A = {}
B = {}
[[buffers]]
name = "q1"
arrival_rate = "1"
[[buffers]]
name = "q2"
[[activities]]
server = "A"
buffer = "q1"
rate = "3"
next = { q2 = "1/2", q1 = "1/10" }
[[activities]]
server = "B"
buffer = "q1"
rate = "2"
[[activities]]
server = "A"
buffer = "q2"
rate = "4"
next = { q1 = "1" }
[policy]
sequencing = "longest-queue"
"""

LINE = """
[servers]
A = { rate = "2" }
B = { rate = "1" }
idle = { rate = "1" }
[[classes]]
name = "a"
arrival_rate = "1/5"
[classes.routes]
r = ["A", "B", { server = "A", mean = "1/3" }, "A"]
[policy]
sequencing = "non-idling"
"""


def case(name: str) -> Instance:
    return read_file(PATHS[name])


def lines(instance: Instance) -> list[str]:
    return list(expansion_lines(instance))


def test_lines_of_the_papers_first_example_are_as_printed() -> None:
    assert "\n".join(lines(read_file(EXAMPLES / "paper-1-jsr.toml"))) == PAPER_1


def test_lines_under_jsq_name_the_servers_that_are_compared() -> None:
    found = lines(case("paper-2-jsq"))
    assert found[1] == "union graph of the routes (jsq): 1 class, 3 routes, 5 servers, 5 buffers"
    assert "  class c, rate 1: the server with the shortest queue of 1 (c@1), 4 (c@4)" in found
    assert "c@1     1       3/4   the server with the shortest queue of 2 (c@2), 3 (c@3)" in found
    assert not any("imaginary" in line for line in found)


def test_lines_under_jsq_as_list_the_duplicates_a_job_may_move_to() -> None:
    found = lines(case("paper-2-jsq-as"))
    assert "  class c, rate 1: the first subserver with the fewest jobs of c.r1.1, c.r2.1, c.r3.1" in found
    assert "c.r3.1     4       3/4   c.r2.3 or c.r3.2" in found
    assert "  server 5: queue = c.r2.3 + c.r3.2" in found


def test_lines_under_bernoulli_give_the_probabilities() -> None:
    assert "  class a, rate 1: a.r1.1 with 1/2, a.r2.1 with 1/2" in lines(case("bernoulli-stable"))


def test_lines_of_a_buffer_network_have_a_row_for_each_activity() -> None:
    assert lines(read_text(FLEXIBLE, format="toml"))[3:] == [
        "arrivals",
        "  rate 1: q1",
        "",
        "buffer  server  rate  then",
        "q1      A       3     q2 with 1/2, q1 with 1/10, leaves with 2/5",
        "q1      B       2     leaves",
        "q2      A       4     q1",
        "",
        "servers with several buffers",
        "  server A: queue = q1 + q2",
        "servers with one buffer: B",
    ]


def test_lines_of_a_returning_line_count_the_pairs_and_name_the_idle_server() -> None:
    assert lines(read_text(LINE, format="toml"))[-5:] == [
        "duplicates",
        "  server A: queue = a.r.1 + a.r.3 + a.r.4",
        "    imaginary transitions: between any two of them (3 pairs, both ways)",
        "servers with one subserver: B",
        "servers without a subserver: idle",
    ]


def test_title_with_control_characters_stays_on_one_line() -> None:
    title = 'title = "a\\u001b[2J\\nb"\n'
    assert lines(read_text(title + LINE, format="toml"))[0] == "a[2J b"


@pytest.mark.parametrize("path", PATHS.values(), ids=lambda path: path.stem)
def test_lines_have_every_service_and_every_shared_queue(path: Path) -> None:
    instance = read_file(path)
    expansion, found = instance.expansion(), lines(instance)
    table = [line.split()[:3] for line in found]
    for service in expansion.services:
        assert [expansion.names[service.buffer], service.server, str(service.rate)] in table
    for server in expansion.busy_servers:
        members = list(dict.fromkeys(expansion.queue(server)))
        if len(members) > 1:
            assert f"  server {server}: queue = {' + '.join(expansion.names[k] for k in members)}" in found


@pytest.mark.parametrize("path", PATHS.values(), ids=lambda path: path.stem)
def test_state_graph_has_a_node_for_each_coordinate_and_a_chain_for_each_server(path: Path) -> None:
    instance = read_file(path)
    expansion, graph = instance.expansion(), state_graph(instance)
    assert [key for key, node in graph.nodes.items() if node.role is Role.BUFFER] == list(expansion.names)
    members = {server: set(expansion.queue(server)) for server in expansion.busy_servers}
    assert len(graph.links) == sum(len(here) - 1 for here in members.values())
    for ends in graph.links:
        assert any({expansion.index[key] for key in ends} <= here for here in members.values())


def test_state_graph_of_flexible_buffers_labels_arrows_with_servers_and_probabilities() -> None:
    graph = state_graph(read_text(FLEXIBLE, format="toml"))
    assert set(graph.arrows) == {
        Arrow("origin 0", "q1"),
        Arrow("q1", "q2", 0, "A: 1/2"),
        Arrow("q1", "q1", 0, "A: 1/10"),
        Arrow("q1", "exit 0", 0, "A: 2/5"),
        Arrow("q1", "exit 1", 1, "B"),
        Arrow("q2", "q1", 0),
    }
    assert graph.nodes["q1"].lines == ("q1", "server A, μ = 3", "server B, μ = 2")


def test_server_graph_of_the_papers_first_example_is_its_figure_1() -> None:
    graph = server_graph(read_file(EXAMPLES / "paper-1-jsr.toml").network)  # type: ignore[arg-type]
    between = {(a.tail, a.head, a.label) for a in graph.arrows if not {a.tail[0], a.head[0]} & {"o", "e"}}
    assert between == {("1", "3", "c1"), ("3", "5", "c2")}
    assert {a.head for a in graph.arrows if a.tail == "origin 0"} == {"1", "4"}
    assert graph.nodes["3"].lines == ("3", "μ = 1/4")


def test_server_graph_gives_no_rate_where_visits_differ() -> None:
    graph = server_graph(read_text(LINE, format="toml").network)  # type: ignore[arg-type]
    assert (graph.nodes["A"].lines, graph.nodes["B"].lines) == (("A",), ("B", "μ = 1"))
    assert Arrow("A", "A", 0) in graph.arrows
    assert "idle" not in graph.nodes


def test_short_keeps_both_ends_of_a_long_name() -> None:
    assert short("x" * 22) == "x" * 22
    assert short("assembly-station-in-the-north.r1.2") == "assembly-st…north.r1.2"


def test_number_beyond_floats_is_still_shown() -> None:
    assert number(Fraction(10) ** 900 / 7) == "≈ 1.429e+899"
