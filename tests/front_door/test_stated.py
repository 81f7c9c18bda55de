"""Networks stated in Python, and wrong use."""

from __future__ import annotations

import functools
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy
import pytest
import sympy

import queueproof
from front_door.asked import EXAMPLES, ROOT, single_server


def test_route_network_in_python_is_that_of_the_text() -> None:
    stated = queueproof.route_network(
        {"A": Fraction(3, 2), "B": None},
        [{"name": "a", "arrival_rate": 1, "routes": {"r": ["A", {"server": "B", "mean": Fraction(1, 4)}], "s": ["A"]}}],
        {"routing": "bernoulli", "sequencing": "priority", "priority": {"A": ["a.s.1", "a.r.1"]},
         "probabilities": {"a": {"r": Fraction(1, 3), "s": sympy.Rational(2, 3)}}},
        title="T",
    )  # fmt: skip
    text = """
        title = "T"
        [servers]
        A = { rate = "3/2" }
        B = {}
        [[classes]]
        name = "a"
        arrival_rate = 1
        routes = { r = ["A", { server = "B", rate = 4 }], s = ["A"] }
        [policy]
        routing = "bernoulli"
        sequencing = "priority"
        probabilities = { a = { r = "1/3", s = "2/3" } }
        priority = { A = ["a.s.1", "a.r.1"] }
    """
    assert stated == queueproof.read_text(text)
    assert stated.load == Fraction(2, 3)


def test_buffer_network_in_python_is_that_of_the_text() -> None:
    stated = queueproof.buffer_network(
        ["A"], [{"name": "q", "arrival_rate": numpy.int64(1)}, {"name": "p"}],
        [{"server": "A", "buffer": "q", "rate": 9, "next": {"p": Fraction(1, 2)}}, {"server": "A", "buffer": "p", "rate": 4}],
        {"sequencing": "priority", "priority": {"A": ["p", "q"]}},
    )  # fmt: skip
    text = """
        servers = { A = {} }
        buffers = [{ name = "q", arrival_rate = 1 }, { name = "p" }]
        activities = [{ server = "A", buffer = "q", rate = 9, next = { p = "1/2" } }, { server = "A", buffer = "p", rate = 4 }]
        policy = { sequencing = "priority", priority = { A = ["p", "q"] } }
    """
    assert stated == queueproof.read_text(text)
    assert queueproof.certify(stated).verdict is queueproof.Verdict.STABLE


@pytest.mark.parametrize(
    ("state", "words"),
    [
        (lambda: single_server(servers={"A": 0.5}), 'servers.A.rate: expected an exact number, got 0.5 (write "1/2" or "0.5")'),
        (lambda: single_server(servers={"A": numpy.float64(0.5)}), 'servers.A.rate: expected an exact number, got 0.5 (write "1/2" or "0.5")'),
        (lambda: single_server(servers={"A": Decimal("0.5")}), "servers.A.rate: expected an exact number, got Decimal('0.5')"),
        (lambda: single_server(servers={"A": True}), "servers.A.rate: expected an exact number, got true"),
        (lambda: single_server(servers={"A": Fraction(-1, 2)}), "servers.A.rate: expected a number > 0, got -1/2"),
        (lambda: single_server(servers=["A"]), "classes[0].routes.r[0].rate: expected a rate or mean, as server A has no rate, got nothing (write { server = \"A\", rate = \"1\" })"),
        (lambda: single_server(servers={"A": None}), "classes[0].routes.r[0].rate: expected a rate or mean, as server A has no rate, got nothing"),
        (lambda: single_server(servers=["A", "A"]), "servers[1]: expected a name that is not in use (a string), got 'A'"),
        (lambda: single_server(servers="A"), "servers: expected a table of servers, got 'A'"),
        (lambda: single_server(policy={"sequencing": "fastest"}), "policy.sequencing: expected one of the sequencings"),
        (lambda: single_server(policy={"sequencng": "fifo"}), "policy.sequencng: expected one of the keys"),
        (lambda: single_server(classes=[{"name": "a", "arrival_rate": 1, "routes": {"r": ["A", "A"]}}]), "policy.sequencing: expected one of the sequencings"),
        (lambda: queueproof.read("examples/lu-kumar-fbfs.toml", {"load": 1}), "examples/lu-kumar-fbfs.toml: settings: expected a file with parameters to set, got 'load'"),
        (lambda: queueproof.read("examples/jackson-feedback.toml", {"lod": 1}), "examples/jackson-feedback.toml: settings: expected one of the parameters load, got 'lod' (did you mean 'load'?)"),
        (lambda: queueproof.read("examples/jackson-feedback.toml", {"load": 0.5}), 'settings.load: expected an exact number, got 0.5 (write "1/2" or "0.5")'),  # type: ignore[dict-item]
        (lambda: queueproof.read("examples/jackson-feedback.toml", {"load": "1/0"}), "examples/jackson-feedback.toml: settings.load: expected a divisor other than 0 after character 2, got 0"),
        (lambda: queueproof.read("servers = {}\nclasses = []"), "path: expected the name of a file, got a text of several lines (queueproof.read_text reads texts)"),
        (lambda: queueproof.read(3), "path: expected the name of a file, got int"),  # type: ignore[arg-type]
        (lambda: single_server().write(3), "path: expected the name of a file, got int"),  # type: ignore[arg-type]
        (lambda: queueproof.certify(single_server()).save(b"x"), "path: expected the name of a file, got bytes"),  # type: ignore[arg-type]
        (lambda: queueproof.expand(single_server()).plot("a.pdf"), "plot: expected a file name that ends in .svg or .png, got a.pdf"),
        (lambda: queueproof.read("examples"), "examples: expected a readable file, got a folder"),
        (lambda: queueproof.read("examples/equilibria/taxi-and-shuttle.toml"), "examples/equilibria/taxi-and-shuttle.toml: expected a network file (TOML or JSON), got an equilibria file"),
        (lambda: queueproof.read_text("servers = {}", format="yaml"), "format: expected toml or json, got 'yaml'"),  # type: ignore[arg-type]
        (lambda: queueproof.certify("examples/lu-kumar-fbfs.toml"), "question: expected a queueproof.Question, got 'examples/lu-kumar-fbfs.toml' (queueproof.read reads files"),  # type: ignore[arg-type]
        (lambda: queueproof.certify(0.5), "question: expected a queueproof.Question, got 0.5"),  # type: ignore[arg-type]
        (lambda: queueproof.certify(single_server(), "linar"), "method: expected one of the methods auto, linear, quadratic, explicit, lp, down-meyn, corrected, got 'linar' (did you mean 'linear'?)"),  # type: ignore[arg-type]
        (lambda: queueproof.certify(single_server(), criterion="S"), "criterion: expected one of the criteria"),  # type: ignore[arg-type]
        (lambda: queueproof.certify(single_server(), time_limit=0), "time_limit: expected a number of seconds > 0, or None, got 0"),
        (lambda: queueproof.compare(), "questions: expected at least one question, got none"),
        (lambda: queueproof.simulate(single_server(), jumps=0.5), "jumps: expected a whole number, got 0.5"),  # type: ignore[arg-type]
        (lambda: queueproof.simulate(single_server(), jumps=10, horizon=1), "horizon, jumps: expected one of the two, got both"),
        (lambda: queueproof.simulate(single_server(), rule="best"), "rule: expected one of the rules first, last, random, got 'best'"),  # type: ignore[arg-type]
        (lambda: queueproof.simulate(single_server(), start={"b": 1}), "start: expected one of the buffers a.r.1, got 'b'"),
        (lambda: queueproof.check(b"{}"), "the certificate: expected"),
        (lambda: queueproof.check("none.json"), "none.json: expected a readable file, got no such file or directory"),
        (lambda: queueproof.check(3), "certificate: expected bytes, the name of a file, or a result, got int"),  # type: ignore[arg-type]
        (lambda: queueproof.equilibria({"arrival_rate": 0.5, "queues": []}), 'arrival_rate: expected an exact number, got 0.5 (write "1/2" or "0.5")'),
        (lambda: queueproof.equilibria("examples/lu-kumar-fbfs.toml"), "examples/lu-kumar-fbfs.toml: expected an equilibria file (TOML or JSON), got a network file"),
        (lambda: queueproof.from_networkx(3), "graph: expected a networkx.MultiDiGraph, got int"),
    ],
)  # fmt: skip
def test_wrong_use_is_refused_with_field_expected_and_found(
    state: Any, words: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(ROOT)
    with pytest.raises(queueproof.InputError) as refusal:
        state()
    assert str(refusal.value).startswith(words)


def test_progress_is_told_line_by_line() -> None:
    question = queueproof.read(EXAMPLES / "lu-kumar-fbfs.toml")
    for use in (queueproof.certify, queueproof.compare, functools.partial(queueproof.simulate, jumps=10)):
        lines: list[str] = []
        use(question, progress=lines.append)
        assert lines and all(isinstance(line, str) for line in lines)


def test_time_limit_stops_the_search_and_says_so() -> None:
    found = queueproof.certify(queueproof.read(EXAMPLES / "paper-1-jsr.toml"), time_limit=0.001)
    assert found.verdict is queueproof.Verdict.UNDECIDED
    assert "the time limit of 0.001 s was reached" in str(found)


def test_setting_that_changes_nothing_is_a_warning() -> None:
    text = 'parameters = {x = 1}\nservers = {A = {rate = 2}}\nclasses = [{name = "a", arrival_rate = 1, routes = {r = ["A"]}}]'
    with pytest.warns(queueproof.UnusedSetting, match="'x'"):
        queueproof.read_text(text, settings={"x": 2})
