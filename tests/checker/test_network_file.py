"""The checker's own reader of network files: exact expressions, shorthands, and the comparison of FORMAT.md, section 26."""

from __future__ import annotations

import json
import tomllib
from fractions import Fraction
from pathlib import Path
from typing import Literal

import pytest
from catalogue.files import PATHS

from verify.certificate import certificate_of
from verify.checker import Malformed, check_bytes
from verify.checker.__main__ import main
from verify.checker.core.data import BufferNetwork, Explicit, Pieces, RouteNetwork
from verify.checker.core.work import Work
from verify.checker.network_file.expression import exact
from verify.checker.network_file.read import NetworkFile, read_network_file
from verify.checker.policies.compare import written
from verify.decide import Request, decide
from verify.network_file.read import read_text

from .examples import (
    MM1_FILE,
    Json,
    dominant,
    jsq_max,
    mm1_faces,
    n_buffer,
    n_jsr,
    n_jsr_tie_order,
    policy,
    put,
    reentrant_priority,
    stable,
)

PARAMETERS = {"load": Fraction(9, 10), "n": Fraction(3)}


@pytest.mark.parametrize(
    ("written", "value"),
    [
        (3, "3"), (-3, "-3"), ("6/4", "3/2"), ("0.45", "9/20"), ("load", "9/10"), ("1 - load", "1/10"),
        ("-load", "-9/10"), ("2*(1+n)/4", "2"), ("1/2/3", "1/6"), ("8-2-1", "5"), ("2*-n", "-6"), ("-(-(1))", "1"),
        (" 1 ", "1"), ("1-1/2*2", "0"),
    ],
)  # fmt: skip
def test_expression_is_exact(written: object, value: str) -> None:
    assert exact(written, "x", PARAMETERS, Work()) == Fraction(value)


@pytest.mark.parametrize(
    "written",
    [
        "", "1e3", "1_0", "٣", "1.", ".5", "1..2", "1/0", "1/(n-3)", "unknown", "1 2", "(1", "1)", "+1", "2**3", "n n",
        "1,5", "__import__('os')", "0x10", "1;", "-", "*1", "1\n", "(" * 60 + "1" + ")" * 60, "-" * 60 + "1",
        "9" * 5000, "n*" * 2000, 0.5, True, None, [], {}, "big*big*big*big*big",
    ],
    ids=lambda written: repr(written)[:20],
)  # fmt: skip
def test_expression_otherwise_is_malformed(written: object) -> None:
    with pytest.raises(Malformed):
        exact(written, "x", {**PARAMETERS, "big": Fraction(10**4000)}, Work())


def read(text: str, **settings: str) -> NetworkFile:
    return read_network_file(text.encode(), "toml", settings)


ROUTES = """
[parameters]
a = "1/2"
b = "a/2"
[servers]
1 = { mean = "1/4" }
A = {}
[[classes]]
name = "c"
arrival_rate = "b"
[classes.routes]
r1 = ["1", { server = "A", mean = "3/5" }, { server = "A", rate = "2" }]
[[classes]]
name = "d"
arrival_rate = 1
[classes.routes]
r1 = ["1"]
"""


def test_file_rates_and_means_are_written_out() -> None:
    network = read(ROUTES + '[policy]\nsequencing = "fbfs"').network
    assert isinstance(network, RouteNetwork)
    assert [visit.rate for visit in network.classes[0].routes[0].visits] == [Fraction(4), Fraction(5, 3), Fraction(2)]
    assert network.classes[0].arrival_rate == Fraction(1, 4)


def test_file_settings_override_parameters_and_nothing_else() -> None:
    network = read(ROUTES + '[policy]\nsequencing = "fbfs"', a="3").network
    assert isinstance(network, RouteNetwork)
    assert network.classes[0].arrival_rate == Fraction(3, 2)
    with pytest.raises(Malformed, match="parameter of the file"):
        read(ROUTES, load="1")


def test_file_names_are_resolved_and_single_buffers_added() -> None:
    text = ROUTES.replace('{ server = "A", mean = "3/5" }, ', "")
    policy = read(text + '[policy]\nsequencing = "priority"\n[policy.priority]\n1 = ["d.1", "c.r1.1"]').policy
    assert written(policy)["priority"] == {"A": ("c.r1.2",), "1": ("d.r1.1", "c.r1.1")}


def test_file_under_jsq_a_subserver_is_its_buffer() -> None:
    text = ROUTES.replace('r1 = ["1"]', 'r1 = ["1"]\nr2 = ["A"]'.replace('["A"]', '[{ server = "A", rate = 1 }]'))
    order = '[policy]\nrouting = "jsq"\nsequencing = "priority"\n[policy.priority]\n'
    order += 'A = ["d.r2.1", "c@A"]\n1 = ["c.1", "d@1"]'
    assert written(read(text + order).policy)["priority"] == {"A": ("d@A", "c@A"), "1": ("c@1", "d@1")}


def test_file_scalars_of_a_template_are_powers() -> None:
    text = ROUTES + '[policy]\nsequencing = "dominant"\n[policy.dominance_function]\ntemplate = "explicit"\n'
    found = read(text + 'alpha = "1/2"\nbeta = ["a"]\ngamma = "1/3"')
    expected = (Fraction(1), Fraction(1, 2), Fraction(1, 4)), (Fraction(1, 2),), (Fraction(1, 3), Fraction(1, 9))
    assert written(found.policy)["dominance_function"] == Explicit(*expected)


def test_file_pieces_leave_zeros_out_and_are_merged() -> None:
    text = ROUTES + '[policy]\nsequencing = "dominant"\n[policy.dominance_function]\n'
    found = read(text + 'pieces = [{ "c.1" = 1, "d.1" = 0 }, { "c.r1.1" = "2/2" }]')
    assert written(found.policy)["dominance_function"] == Pieces(({"c.r1.1": Fraction(1)},))


def test_file_of_a_buffer_network() -> None:
    text = '[servers]\nA = {}\n[[buffers]]\nname = "q"\narrival_rate = 1\n[[buffers]]\nname = "p"\n'
    text += '[[activities]]\nserver = "A"\nbuffer = "q"\nmean = "1/2"\nnext = { p = "3/4", q = "1/4 - 1/4" }\n'
    network = read(text).network
    assert isinstance(network, BufferNetwork)
    assert [buffer.arrival_rate for buffer in network.buffers] == [1, 0]
    assert (network.activities[0].rate, network.activities[0].next) == (Fraction(2), {"p": Fraction(3, 4)})


@pytest.mark.parametrize(
    "change",
    [
        ("b = \"a/2\"", "b = 0.5"), ("b = \"a/2\"", "b = true"), ("b = \"a/2\"", "b = 2020-01-01"), ('"a/2"', '"c"'),
        ('name = "c"', 'name = "c d"'), ('name = "c"', 'name = 1'), ('r1 = ["1"]', 'r1 = ["2"]'),
        ('r1 = ["1"]', 'r1 = ["A"]'), ('r1 = ["1"]', 'r1 = ["1"]\nr2 = ["1"]'),
        ('r1 = ["1"]', 'r1 = "1"'), ('mean = "3/5"', 'mean = "0"'), (', rate = "2"', ', rate = "2", mean = "1"'),
        (', rate = "2"', ""), ("[parameters]", "[parameter]"), ("[servers]", "[[servers]]"),
        ("A = {}", "A = {}\n[[buffers]]\nname = 'x'"), ("A = {}", "A = { speed = 1 }"), ("A = {}", "A B = {}"),
    ],
)  # fmt: skip
def test_file_unusable_is_malformed(change: tuple[str, str]) -> None:
    assert change[0] in ROUTES
    with pytest.raises(Malformed):
        read(ROUTES.replace(*change, 1) + '[policy]\nsequencing = "fbfs"')


@pytest.mark.parametrize(
    "policy",
    [
        "", 'sequencing = "fbfs"\n[policy.priority]\nA = []', 'sequencing = "priority"\n[policy.priority]\nA = ["e.1"]',
        'preset = "jsq-as"\nrouting = "jsq"', 'sequencing = 1',
        'sequence = "fbfs"', 'sequencing = "fbfs"\n[policy.probabilities]\nc = { r1 = 1 }',
        'sequencing = "fbfs"\n[policy.tie_order]\nA = ["c.2"]',
    ],
)  # fmt: skip
def test_file_unusable_policy_is_malformed(policy: str) -> None:
    with pytest.raises(Malformed):
        read(f"{ROUTES}\n[policy]\n{policy}")


@pytest.mark.parametrize(
    "data", [b"\xff", b"\xef\xbb\xbf", b"a = [" * 5000, b"a = " + b"1" * 9000, b"a", b"", b"{}", b"servers = 1"]
)
@pytest.mark.parametrize("network_format", ["toml", "json"])
def test_file_of_any_bytes_is_malformed(data: bytes, network_format: str) -> None:
    with pytest.raises(Malformed):
        check_bytes(json.dumps(mm1_faces()).encode(), data, network_format=network_format)


def answer(value: Json, text: str, **settings: str) -> str:
    found = check_bytes(json.dumps(value).encode(), text.encode(), settings=settings)
    return (
        "\n".join(["ACCEPTED", *found.notes])
        if found.accepted
        else f"{found.rule}: {found.where}: {found.left}, {found.right}"
    )


def test_compare_same_file_is_accepted_and_settings_matter() -> None:
    assert answer(mm1_faces(), MM1_FILE) == "ACCEPTED"
    assert (
        answer(mm1_faces(), MM1_FILE, load="1/3")
        == "same-network: classes[0].arrival_rate: 1/2 in the certificate, 1/3 in the file"
    )
    assert (
        answer(put(mm1_faces, "network|servers", ["1", "2"])(), MM1_FILE)
        == "same-network: servers: (1, 2) in the certificate, (1) in the file"
    )
    assert (
        answer(mm1_faces(), MM1_FILE + '[policy]\nholding = "spillback"')
        == "same-policy: holding: none in the certificate, spillback in the file"
    )


def test_compare_json_file_is_accepted() -> None:
    import tomllib

    text = json.dumps(tomllib.loads(MM1_FILE)).encode()
    assert check_bytes(json.dumps(mm1_faces()).encode(), text, network_format="json").accepted


TWO_FILE = """
[servers]
1 = { rate = 1 }
[[classes]]
name = "a"
arrival_rate = "1/4"
routes = { r1 = ["1"] }
[[classes]]
name = "b"
arrival_rate = "1/4"
routes = { r1 = ["1"] }
[policy]
sequencing = "dominant"
"""
FUNCTION = '[policy.dominance_function]\ntemplate = "explicit"\nalpha = 1\nbeta = "3/4"\ngamma = [1, "1/2"]\n'
ORDER = '[policy.tie_order]\n1 = ["b.1", "a.1"]\n'


def test_compare_dominance_function_left_open_is_named() -> None:
    note = "dominance function explicit alpha=(1) beta=(3/4) gamma=(1, 1/2), tie order 1: b.r1.1 > a.r1.1"
    chosen = f"ACCEPTED\nnot in the network file, taken from the certificate: {note}"
    assert answer(dominant(), TWO_FILE) == chosen
    assert answer(dominant(), TWO_FILE + ORDER) == chosen
    assert answer(dominant(), TWO_FILE + FUNCTION + ORDER) == "ACCEPTED"


def test_compare_dominance_function_or_tie_order_of_the_file_binds() -> None:
    assert answer(dominant(), TWO_FILE + FUNCTION).startswith("same-policy: tie_order: ")
    other = ORDER.replace('"b.1", "a.1"', '"a.1", "b.1"')
    assert answer(dominant(), TWO_FILE + other).startswith(
        "same-policy: tie_order.1[0]: b.r1.1 in the certificate, a.r1.1"
    )
    assert answer(dominant(), TWO_FILE + FUNCTION.replace("3/4", "4/5") + ORDER).startswith(
        "same-policy: dominance_function.beta[0]"
    )


def test_compare_kind_of_network() -> None:
    assert (
        answer(n_buffer(), MM1_FILE)
        == "same-network: kind: a buffer network in the certificate, a route network in the file"
    )


def test_compare_class_with_one_route_has_probability_1() -> None:
    """It may be left out, and all of them if no class has several routes."""
    how = policy("bernoulli", "non-idling", probabilities={"a": {"r1": "1"}})
    words = "routing bernoulli (a: r1 1), sequencing non-idling, holding none"
    named = put(put(mm1_faces, "policy", how), "claim", stable(words, "1/2"))
    for more in ("", '[policy.probabilities]\na = { r1 = "1" }\n'):
        assert answer(named(), MM1_FILE + '[policy]\nrouting = "bernoulli"\n' + more) == "ACCEPTED"
    assert answer(mm1_faces(), MM1_FILE + '[policy]\nrouting = "bernoulli"\n').startswith("same-policy: routing: ")
    two = MM1_FILE.replace('r1 = ["1"]', 'r1 = ["1"]\nr2 = ["1"]') + '[policy]\nrouting = "bernoulli"\n'
    assert answer(named(), two + 'sequencing = "non-idling"\n').startswith("same-network: ")


def test_compare_tie_order_without_a_dominance_function_binds() -> None:
    """Under condition N the dominance function may be left to nobody; what the file says is compared all the same."""
    rows = ['[servers]\n1 = { rate = 1 }\n2 = { rate = 1 }\n[[classes]]\nname = "a"\narrival_rate = 2']
    text = "\n".join(
        [*rows, 'routes = { r1 = ["1"], r2 = ["2"] }', '[policy]\nrouting = "jsr"\nsequencing = "dominant"\n']
    )
    ordered = text + 'tie_order = { 1 = ["a.r1.1"] }\n'
    assert answer(n_jsr(), text) == answer(n_jsr_tie_order(), ordered) == "ACCEPTED"
    assert answer(n_jsr(), ordered).startswith("same-policy: tie_order")
    assert answer(n_jsr_tie_order(), text).startswith("same-policy: tie_order")


def test_compare_priority() -> None:
    text = '[servers]\n1 = { rate = 1 }\n[[classes]]\nname = "a"\narrival_rate = "1/4"\nroutes = { r1 = ["1", "1"] }\n'
    text += '[policy]\nsequencing = "priority"\npriority = { 1 = ["a.1", "a.r1.2"] }\n'
    assert answer(reentrant_priority(), text) == "ACCEPTED"
    swapped = text.replace('"a.1", "a.r1.2"', '"a.2", "a.1"')
    assert (
        answer(reentrant_priority(), swapped)
        == "same-policy: priority.1[0]: a.r1.1 in the certificate, a.r1.2 in the file"
    )


@pytest.mark.parametrize("path", PATHS.values(), ids=lambda path: path.stem)
def test_catalogue_case_is_read(path: Path) -> None:
    assert read(path.read_text(encoding="utf-8")).policy


def test_catalogue_case_jsq_max_below_is_certified() -> None:
    """The certificate of `jsq_max` speaks of exactly the catalogue's case."""
    path = PATHS["jsq-max-below"]
    assert answer(jsq_max(), path.read_text(encoding="utf-8")) == "ACCEPTED"


def test_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    certificate, file = tmp_path / "c.json", tmp_path / "n.toml"
    certificate.write_text(json.dumps(mm1_faces()))
    file.write_text(MM1_FILE)
    assert main([str(certificate), str(file), "--set", "load=2/4"]) == 0
    assert main([str(certificate), "--set=load=1", str(file)]) == 1
    wrong = [
        [],
        ["a", "b", "c"],
        ["--help"],
        [str(certificate), "--set", "load=1"],
        [str(certificate), str(file), "--set"],
    ]
    wrong += [
        [str(certificate), str(file), "--set", "load"],
        [str(tmp_path)],
        ["\0"],
        ["\udcff"],
        [str(certificate), "none"],
    ]
    for arguments in wrong:
        assert main(arguments) == 2
    captured = capsys.readouterr()
    accepted, compared, rejected = captured.out.splitlines()
    assert accepted.startswith("ACCEPTED: ")
    assert compared == f"compared with {file} (load=2/4): same network, same policy"
    assert rejected.startswith("REJECTED: ")
    assert len(captured.err.splitlines()) == len(wrong)
    assert all(line.startswith("MALFORMED: ") for line in captured.err.splitlines())
    assert "Errno" not in captured.err


# ---- every spelling the prover reads is one the checker reads -------------------------------------------------------
ROUTE = """
parameters = {{ load = "9/10" }}
servers = {{ A = {server}, B = {{ rate = 2 }} }}
classes = [{{ name = "a", arrival_rate = "load / 3", routes = {{ r = [{visit}, "B"] }} }}]
policy = {{ routing = "fixed", sequencing = "{word}" }}
"""
BUFFER = """
servers = {{ A = {{}} }}
buffers = [{{ name = "q", arrival_rate = "1/3" }}]
activities = [{{ server = "A", buffer = "q", {rate}, next = {{ q = "1/4" }} }}]
policy = {{ sequencing = "non-idling" }}
"""
SPELLINGS = [
    ROUTE.format(server="{ rate = 1 }", visit='"A"', word="fbfs"),
    ROUTE.format(server="{ rate = 1 }", visit='{ server = "A" }', word="back-pressure"),
    ROUTE.format(server="{ rate = 2 }", visit='{ server = "A" }', word="non-idling"),
    ROUTE.format(server="{}", visit='{ server = "A", mean = "0.5" }', word="lbfs"),
    ROUTE.format(server="{ rate = 1 }", visit='{ server = "A", rate = "2 * load" }', word="longest-queue"),
    BUFFER.format(rate="rate = 1"),
    BUFFER.format(rate='mean = "1/2"'),
]


@pytest.mark.parametrize("written", SPELLINGS, ids=range(len(SPELLINGS)))
@pytest.mark.parametrize("network_format", ["toml", "json"])
def test_network_file_certificate_is_accepted_beside_the_file_it_was_made_from(
    written: str, network_format: Literal["toml", "json"]
) -> None:
    data = written if network_format == "toml" else json.dumps(tomllib.loads(written))
    instance = read_text(data, format=network_format)
    certificate_ = certificate_of(decide(instance, Request()))
    assert certificate_ is not None
    assert check_bytes(certificate_, data.encode(), network_format=network_format).accepted


def test_network_file_that_is_malformed_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    instance = read_text(SPELLINGS[0], format="toml")
    found = certificate_of(decide(instance, Request()))
    assert found is not None
    (tmp_path / "c.json").write_bytes(found)
    (tmp_path / "n.toml").write_text(SPELLINGS[0].replace('"A"', '"C"'), encoding="utf-8")
    assert main([str(tmp_path / "c.json"), str(tmp_path / "n.toml")]) == 2
    file = tmp_path / "n.toml"
    assert capsys.readouterr().err.startswith(f"MALFORMED: {file}: classes[0].routes.r[0]: expected a rate or mean")
