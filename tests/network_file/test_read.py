"""Network files that are in order: what they mean."""

from __future__ import annotations

import subprocess
import sys
from fractions import Fraction
from pathlib import Path

import pytest
from catalogue.files import PATHS
from stated import Holding, Preset, Routing, Sequencing, stated

from verify.network.model import BufferNetwork, ExplicitTemplate, FreePieces, Route, RouteNetwork, Visit
from verify.network.names import coordinate_names, server_buffers
from verify.network_file.read import read_file, read_text

from .examples import BUFFERS, DOMINANT, JSQ, JSQ_AS, ROUTES, spoiled


def test_read_route_network_gives_exact_model() -> None:
    instance = read_text(ROUTES, format="toml")
    network = instance.network
    assert isinstance(network, RouteNetwork)
    assert instance.title == "two classes"
    assert network.servers == ("1", "2", "3")
    assert [job_class.arrival_rate for job_class in network.classes] == [Fraction(9, 20), Fraction(1, 4)]
    assert network.classes[1].routes == (
        Route("s1", (Visit("2", Fraction(2)), Visit("3", Fraction(5, 3)))),
        Route("s2", (Visit("1", Fraction(1)),)),
    )


def test_read_bernoulli_single_route_gets_probability_one() -> None:
    policy = stated(read_text(ROUTES, format="toml").policy)
    assert policy.routing is Routing.BERNOULLI
    assert policy.probabilities == {"a": {"r1": 1}, "b": {"s1": Fraction(1, 3), "s2": Fraction(2, 3)}}


def test_read_priority_gives_canonical_names_and_adds_single_buffers() -> None:
    policy = stated(read_text(ROUTES, format="toml").policy)
    assert policy.priority == {"1": ("b.s2.1", "a.r1.1"), "2": ("a.r1.2", "b.s1.1"), "3": ("b.s1.2",)}
    assert list(policy.priority) == ["1", "2", "3"]


def test_read_priority_leaves_out_servers_without_buffers() -> None:
    policy = stated(read_text(spoiled(ROUTES, "3 = {}", "0 = {}\n3 = {}"), format="toml").policy)
    assert list(policy.priority) == ["1", "2", "3"]


def test_read_buffer_network_gives_exact_model() -> None:
    instance = read_text(BUFFERS, format="toml")
    network = instance.network
    assert isinstance(network, BufferNetwork)
    assert [b.name for b in network.buffers] == ["q1", "q2"]
    assert [b.arrival_rate for b in network.buffers] == [1, 0]
    assert [(a.server, a.buffer) for a in network.activities] == [("A", "q1"), ("B", "q1"), ("B", "q2")]
    assert [a.rate for a in network.activities] == [3, 5, 7]
    assert network.activities[2].next == {"q1": Fraction(1, 2), "q2": Fraction(1, 4)}
    assert stated(instance.policy).routing is Routing.FIXED
    assert stated(instance.policy).priority == {"A": ("q1",), "B": ("q2", "q1")}
    assert instance.weighable == ("q1", "q2")


def test_read_jsq_names_buffers_by_class_and_server() -> None:
    instance = read_text(JSQ, format="toml")
    assert coordinate_names(instance.network, instance.policy.meeting(instance.network)) == (
        "c@1",
        "c@3",
        "c@4",
        "c@2",
        "d@1",
    )
    assert stated(instance.policy).priority == {"1": ("d@1", "c@1"), "2": ("c@2",), "3": ("c@3",), "4": ("c@4",)}
    assert server_buffers(instance.network, instance.policy.coordinates(instance.network))["1"] == ("c@1", "d@1")


def test_read_jsq_function_merges_subservers_of_one_buffer_by_name() -> None:
    function = read_text(JSQ + '[test_function]\npieces = [{ "c.r2.2" = 1, "c@4" = "1/2", "d.1" = 3 }]', format="toml")
    assert function.test_function == FreePieces(({"c@3": Fraction(1), "c@4": Fraction(1, 2), "d@1": Fraction(3)},))


def test_read_dominant_gives_template_lists_and_merged_pieces() -> None:
    instance = read_text(DOMINANT, format="toml")
    one = Fraction(1)
    assert instance.policy.dominance_function == ExplicitTemplate((one, Fraction(3, 4)), (one, Fraction(4, 5)), (one,))
    assert instance.policy.tie_order == {"2": ("a.r2.1", "a.r1.2")}
    assert instance.test_function == FreePieces(({"a.r1.1": one}, {"a.r2.1": Fraction(2)}))
    assert coordinate_names(instance.network, instance.policy.meeting(instance.network)) == (
        "a.r1.1",
        "a.r1.2",
        "a.r2.1",
    )


def test_read_scalars_of_a_template_become_powers() -> None:
    text = spoiled(DOMINANT, 'beta = ["1", "4/5"]', 'beta = "1/2"')
    function = read_text(text, format="toml").policy.dominance_function
    assert isinstance(function, ExplicitTemplate)
    assert function.beta == (Fraction(1, 2), Fraction(1, 4))


def test_read_preset_leaves_the_three_choices_open() -> None:
    instance = read_text(JSQ_AS, format="toml")
    assert (stated(instance.policy).preset, stated(instance.policy).routing, stated(instance.policy).holding) == (
        Preset.JSQ_AS,
        None,
        None,
    )
    assert coordinate_names(instance.network, instance.policy.meeting(instance.network)) == ("c@1", "c@2", "c@3")
    assert instance.weighable == ("c.r1.1", "c.r1.2", "c.r2.1", "c.r2.2")


def test_read_without_policy_takes_defaults() -> None:
    text = '[servers]\nA = {rate = 2}\n[[classes]]\nname = "a"\narrival_rate = 1\nroutes = {r = ["A"]}'
    policy = stated(read_text(text, format="toml").policy)
    assert (policy.routing, policy.sequencing, policy.holding) == (Routing.FIXED, Sequencing.NON_IDLING, Holding.NONE)


def test_read_visit_rate_replaces_the_rate_of_the_server() -> None:
    text = spoiled(ROUTES, 'r1 = ["1", "2"]', 'r1 = [{ server = "1", rate = "7" }, { server = "2" }]')
    network = read_text(text, format="toml").network
    assert isinstance(network, RouteNetwork)
    assert [visit.rate for visit in network.classes[0].routes[0].visits] == [7, 2]


def test_read_table_order_of_servers_and_routes_is_kept() -> None:
    text = spoiled(ROUTES, '1 = { rate = "1" }\n2 = { rate = "2" }', '2 = { rate = "2" }\n1 = { rate = "1" }')
    network = read_text(spoiled(text, 's2 = ["1"]', 's0 = ["1"]').replace("s2", "s0"), format="toml").network
    assert isinstance(network, RouteNetwork)
    assert network.servers == ("2", "1", "3")
    assert [route.name for route in network.classes[1].routes] == ["s1", "s0"]


def test_read_parameters_refer_to_earlier_ones() -> None:
    text = spoiled(ROUTES, 'load = "9/10"', 'half = "1/2"\nload = "half + 0.1"')
    assert _first_rate(text) == Fraction(3, 10)


def test_read_settings_override_parameters_and_what_follows_from_them() -> None:
    text = spoiled(ROUTES, 'load = "9/10"', 'half = "1/2"\nload = "half + 0.1"')
    assert _first_rate(text, {"half": "1/4"}) == Fraction(7, 40)
    assert _first_rate(text, {"load": "half * 3"}) == Fraction(3, 4)


def _first_rate(text: str, settings: dict[str, str] | None = None) -> Fraction:
    network = read_text(text, format="toml", settings=settings or {}).network
    assert isinstance(network, RouteNetwork)
    return network.classes[0].arrival_rate


@pytest.mark.parametrize("path", PATHS.values(), ids=lambda path: path.stem)
def test_read_catalogue_file_succeeds(path: Path) -> None:
    instance = read_file(path)
    assert instance.title
    assert len(set(coordinate_names(instance.network, instance.policy.meeting(instance.network)))) >= 1


def test_read_catalogue_is_complete() -> None:
    assert len(PATHS) == 80


def test_read_file_chooses_the_format_by_suffix(tmp_path: Path) -> None:
    (tmp_path / "a.JSON").write_text('{"servers": {"1": {"rate": 1}}, "classes": [{"name": "a", "arrival_rate": "0.5", '
                                     '"routes": {"r": ["1"]}}]}')  # fmt: skip
    (tmp_path / "a.network").write_bytes(ROUTES.replace("\n", "\r\n").encode())
    assert isinstance(read_file(tmp_path / "a.JSON").network, RouteNetwork)
    assert read_file(tmp_path / "a.network") == read_text(ROUTES, format="toml")


def test_read_import_is_cheap() -> None:
    code = "import sys, verify.network_file.read; print(sorted({'networkx', 'sympy', 'numpy'} & set(sys.modules)))"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "[]\n"
