"""``import queueproof``: costs nothing, gives what the commands print, refuses what files refuse, and says what is in its way."""

from __future__ import annotations

import functools
import json
import pickle
import shutil
import subprocess
import sys
import venv
from collections.abc import Mapping
from decimal import Decimal
from fractions import Fraction
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import numpy
import pytest
import sympy
from imports import Source, modules_below, reached

import queueproof
from queueproof import own
from verify.cli import main
from verify.network.read import read_text

ROOT = Path(__file__).resolve().parent.parent
EXAMPLES = ROOT / "examples"
FRONT = sorted((ROOT / "queueproof").glob("*.py"))
QUICK = ["lu-kumar-fbfs", "jackson-feedback", "rybko-stolyar", "jsq-two-servers"]
EVERY = sorted(path for path in EXAMPLES.glob("*.toml"))
#: What two runs of a command do not have in common.
TIMES = ("seconds",)


def command(capsys: pytest.CaptureFixture[str], *arguments: object) -> str:
    """What a command prints."""
    capsys.readouterr()
    main([str(argument) for argument in arguments])
    return capsys.readouterr().out


def timeless(value: Any) -> Any:
    """An object of JSON without times."""
    if isinstance(value, Mapping):
        return {key: timeless(entry) for key, entry in value.items() if key not in TIMES}
    return [timeless(entry) for entry in value] if isinstance(value, list) else value


def single_server(**changes: Any) -> queueproof.Question:
    """One server, one class, load 1/2."""
    return queueproof.route_network(**{
        "servers": {"A": 1},
        "classes": [{"name": "a", "arrival_rate": "1/2", "routes": {"r": ["A"]}}],
        **changes,
    })  # fmt: skip


# The import ----------------------------------------------------------------------------------------------


def test_import_loads_no_other_module() -> None:
    code = "import sys; before = set(sys.modules); import queueproof; print(sorted(set(sys.modules) - before))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT)
    assert done.stdout.strip() == "['queueproof']"


def test_errors_are_caught_without_heavy_packages() -> None:
    heavy = "('sympy', 'numpy', 'highspy', 'networkx', 'matplotlib', 'rich', 'flint')"
    code = f"import sys, queueproof; queueproof.InputError; print([m for m in {heavy} if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT)
    assert done.stdout.strip() == "[]"


def test_public_names_are_all_there_and_no_others() -> None:
    assert all(getattr(queueproof, name) is not None for name in queueproof.__all__)
    assert set(queueproof.__all__) <= set(dir(queueproof))
    with pytest.raises(AttributeError, match="'certfy'"):
        queueproof.certfy  # type: ignore[attr-defined] # noqa: B018


def test_only_the_bridge_and_the_command_reach_the_packages_behind() -> None:
    house = modules_below(ROOT, "queueproof", *own.NAMES)
    behind = {path.name: reached(Source.of(path, ROOT), house).modules for path in FRONT}
    found = {name for name, modules in behind.items() if any(one.partition(".")[0] in own.NAMES for one in modules)}
    assert found == {"bridge.py", "__main__.py"}


# What comes out is what the commands print ----------------------------------------------------------------


@pytest.mark.parametrize("name", QUICK)
def test_certify_is_the_command(name: str, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file, target = EXAMPLES / f"{name}.toml", tmp_path / "found.json"
    printed = json.loads(command(capsys, "certify", file, "-o", target, "--json"))
    result = queueproof.certify(queueproof.read(file))
    assert timeless(result.to_dict()) == timeless({**printed, "certificate": None})
    assert result.certificate == target.read_bytes()
    result.save(target)
    text = command(capsys, "certify", file, "-o", target)
    assert text == f"{result}\ncertificate: {target} (the independent checker: ACCEPTED)\n"


def test_certify_overloaded_by_a_setting_is_the_command(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = EXAMPLES / "jackson-feedback.toml"
    printed = json.loads(command(capsys, "certify", file, "--set", "load=23/20", "-o", tmp_path / "c", "--json"))
    for load in ("23/20", "1.15", Fraction(23, 20), sympy.Rational(23, 20)):
        result = queueproof.certify(queueproof.read(file, {"load": load}))
        assert timeless(result.to_dict()) == timeless({**printed, "certificate": None})
    assert (result.verdict, result.load, result.scope) == ("unstable", Fraction(46, 45), "every policy of this routing")


def test_check_is_the_command(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file, other = EXAMPLES / "lu-kumar-fbfs.toml", EXAMPLES / "rybko-stolyar.toml"
    question = queueproof.read(file)
    result = queueproof.certify(question)
    certificate = tmp_path / "found.json"
    result.save(certificate)
    for beside in ((), (file,), (other,)):
        answer = queueproof.check(certificate, *beside)
        assert answer.to_dict() == json.loads(command(capsys, "check", certificate, *beside, "--json"))
        assert f"{answer}\n" == command(capsys, "check", certificate, *beside)
        assert answer.accepted == (beside != (other,))
    assert (
        queueproof.check(result, question).claim
        == queueproof.check(certificate.read_bytes(), file).claim
        == result.claim
    )
    refused = queueproof.check(result, queueproof.read(other))
    assert (refused.accepted, refused.rule, refused.claim) == (False, "same-network", None)


@pytest.mark.parametrize("name", ["lu-kumar-fbfs", "jackson-feedback", "paper-1-jsr-longest"])
def test_regimes_are_the_command(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    file = EXAMPLES / f"{name}.toml"
    found = queueproof.regimes(queueproof.read(file))
    printed = json.loads(command(capsys, "regimes", file, "--json"))
    assert found.to_dict() == printed
    assert f"{found}\n" == command(capsys, "regimes", file)
    assert [row.drift for row in found.rows] == [r["drift"] and Fraction(r["drift"]) for r in printed["regimes"]]
    assert (found.certified is None) == (printed["certified"] is None)
    if found.certified is not None:
        assert found.certified.to_dict() == printed["certified"]
        assert found.certified.holds and str(found).endswith(str(found.certified))


@pytest.mark.parametrize("name", ["rybko-stolyar", "jackson-feedback"])
def test_compare_is_the_command(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    file = EXAMPLES / f"{name}.toml"
    found = queueproof.compare(queueproof.read(file))
    printed = json.loads(command(capsys, "compare", file, "--json"))
    assert timeless(found.to_dict()) == timeless(printed)
    loads = [entry["largest_load"] for entry in printed["networks"][0]["methods"]]
    assert [row.largest_load for row in found.rows] == [None if load is None else Fraction(load) for load in loads]
    assert f"{found}".splitlines()[0] == command(capsys, "compare", file).splitlines()[0]
    assert found.loads == (queueproof.read(file).load,)
    assert found.unstable_for == (printed["networks"][0]["unstable_for"],)


def test_compare_of_two_questions_has_the_rows_of_both() -> None:
    one, two = single_server(), single_server(servers={"A": 2})
    found = queueproof.compare(one, two)
    assert found.loads == (Fraction(1, 2), Fraction(1, 4))
    assert [row.largest_load for row in found.rows if row.method == "linear"] == [Fraction(999, 1000)] * 2


@pytest.mark.parametrize("path", EVERY, ids=lambda path: path.stem)
def test_expand_is_the_command(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = queueproof.expand(queueproof.read(path))
    assert found.to_dict() == json.loads(command(capsys, "expand", path, "--json"))
    assert f"{found}\n" == command(capsys, "expand", path)


@pytest.mark.parametrize("name", QUICK)
def test_simulate_is_the_command(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    file = EXAMPLES / f"{name}.toml"
    options = ("--seed", 5, "--replications", 3, "--jumps", 300, "--warm-up", 0.1, "--rule", "random")
    found = queueproof.simulate(queueproof.read(file), seed=5, replications=3, jumps=300, warm_up=0.1, rule="random")
    assert found.to_dict() == json.loads(command(capsys, "simulate", file, *options, "--json"))
    assert f"{found}\n" == command(capsys, "simulate", file, *options)
    assert found.label == str(found).split("\n")[0] == "simulation: evidence, never a verdict"


def test_simulate_has_the_defaults_of_the_command(capsys: pytest.CaptureFixture[str]) -> None:
    file = EXAMPLES / "jsq-two-servers.toml"
    found = queueproof.simulate(queueproof.read(file), replications=2)
    assert found.to_dict() == json.loads(command(capsys, "simulate", file, "--replications", 2, "--json"))


def test_simulate_until_a_horizon_from_a_start_is_the_command(capsys: pytest.CaptureFixture[str]) -> None:
    file = EXAMPLES / "lu-kumar-fbfs.toml"
    options = ("--horizon", 20, "--start", "a.r1.2=7", "--confidence", 0.9)
    found = queueproof.simulate(queueproof.read(file), horizon=20, start={"a.r1.2": 7}, confidence=0.9)
    assert found.to_dict() == json.loads(command(capsys, "simulate", file, *options, "--json"))


@pytest.mark.parametrize("name", ["taxi-and-shuttle", "retrials-and-shuttle", "two-single-servers"])
def test_equilibria_are_the_command(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    file = EXAMPLES / "equilibria" / f"{name}.toml"
    found = queueproof.equilibria(file)
    printed = json.loads(command(capsys, "equilibria", file, "--json"))
    assert found.to_dict() == printed
    assert f"{found}\n" == command(capsys, "equilibria", file)
    assert [[share.text for share in e.shares] for e in found.equilibria] == [
        e["shares"] for e in printed["equilibria"]
    ]


# Networks stated in Python --------------------------------------------------------------------------------


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
        (lambda: queueproof.read("examples/jackson-feedback.toml", {"load": 0.5}), 'settings.load: expected an exact number, got 0.5 (write "1/2" or "0.5")'),
        (lambda: queueproof.read("examples/jackson-feedback.toml", {"load": "1/0"}), "examples/jackson-feedback.toml: settings.load: expected a divisor other than 0 after character 2, got 0"),
        (lambda: queueproof.read("servers = {}\nclasses = []"), "path: expected the name of a file, got a text of several lines (queueproof.read_text reads texts)"),
        (lambda: queueproof.read("examples"), "examples: expected a readable file, got a folder"),
        (lambda: queueproof.read("examples/equilibria/taxi-and-shuttle.toml"), "examples/equilibria/taxi-and-shuttle.toml: expected a network file (TOML or JSON), got an equilibria file"),
        (lambda: queueproof.read_text("servers = {}", format="yaml"), "format: expected toml or json, got 'yaml'"),  # type: ignore[arg-type]
        (lambda: queueproof.certify("examples/lu-kumar-fbfs.toml"), "question: expected a queueproof.Question, got 'examples/lu-kumar-fbfs.toml' (queueproof.read reads files"),  # type: ignore[arg-type]
        (lambda: queueproof.certify(0.5), "question: expected a queueproof.Question, got 0.5"),  # type: ignore[arg-type]
        (lambda: queueproof.certify(single_server(), "linar"), "method: expected one of the methods auto, linear, explicit, lp, down-meyn, corrected, got 'linar' (did you mean 'linear'?)"),  # type: ignore[arg-type]
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
        (lambda: queueproof.from_networkx(3), "graph: expected a networkx.MultiDiGraph, got int"),  # type: ignore[arg-type]
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


# Questions -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", EVERY, ids=lambda path: path.stem)
def test_question_survives_toml_json_graph_file_and_pickle(path: Path, tmp_path: Path) -> None:
    question = queueproof.read(path)
    assert queueproof.read_text(question.to_toml()) == question
    assert queueproof.read_text(json.dumps(question.to_dict()), "json") == question
    assert queueproof.from_networkx(question.to_networkx()) == question
    restored = pickle.loads(pickle.dumps(question))
    assert (restored, hash(restored), restored.path) == (question, hash(question), question.path)
    target = tmp_path / "written.toml"
    assert question.write(target) == str(target)
    assert queueproof.read(target) == question
    assert question.write(target) == str(target)  # what queueproof has written may be replaced


def test_toml_of_nasty_titles_is_read_back() -> None:
    title = '"""\\ \x7f\x00 \n \u2028 é 𝛌 \t = [x]'
    question = single_server(title=title, source="'''")
    assert read_text(question.to_toml(), format="toml").title == title


def test_write_keeps_files_that_it_has_not_written(tmp_path: Path) -> None:
    own_file = tmp_path / "mine.toml"
    shutil.copy(EXAMPLES / "jackson-feedback.toml", own_file)
    before = own_file.read_bytes()
    with pytest.raises(queueproof.InputError, match="a new file, or one that queueproof has written"):
        queueproof.read(own_file).write(own_file)
    with pytest.raises(queueproof.InputError, match=r"ends in \.toml"):
        single_server().write(tmp_path / "mine.txt")
    assert own_file.read_bytes() == before
    assert [path.name for path in tmp_path.iterdir()] == ["mine.toml"]


def test_certificate_is_not_saved_over_the_network_file_or_without_a_verdict(tmp_path: Path) -> None:
    file = tmp_path / "a.toml"
    single_server().write(file)
    before = file.read_bytes()
    result = queueproof.certify(queueproof.read(file))
    with pytest.raises(queueproof.InputError, match="a file that is not read in the same run"):
        result.save(file)
    with pytest.raises(queueproof.InputError, match="the name of a file"):
        result.save("-")
    assert file.read_bytes() == before


# Results -------------------------------------------------------------------------------------------------


def undecided() -> queueproof.Result:
    """Nothing proved."""
    found = queueproof.certify(queueproof.read(EXAMPLES / "rybko-stolyar.toml"), "explicit")
    assert found.verdict is queueproof.Verdict.UNDECIDED
    return found


def test_undecided_does_not_look_like_a_verdict(tmp_path: Path) -> None:
    result = undecided()
    for text in (str(result), repr(result), result.claim, result._repr_html_()):
        assert "UNDECIDED" in text
        assert "STABLE" not in text
    assert (result.certificate, result.epsilon, result.scope, result.criterion) == (None,) * 4
    for use in (lambda: result.save(tmp_path / "c"), lambda: queueproof.check(result)):
        with pytest.raises(queueproof.InputError, match="UNDECIDED, which has none"):
            use()
    assert not list(tmp_path.iterdir())
    (attempt,) = result.attempts
    assert attempt.obstacle is not None and isinstance(attempt.obstacle.drift, Fraction) and attempt.obstacle.drift > 0


@pytest.mark.parametrize("name", QUICK)
def test_verdict_is_never_without_its_claim(name: str) -> None:
    result = queueproof.certify(queueproof.read(EXAMPLES / f"{name}.toml"))
    assert result.claim.startswith(f"{result.verdict.value.upper()}: ")
    assert "the network of this certificate" in result.claim
    assert result.claim in str(result) and result.claim in repr(result)
    assert result.claim in words_of(result._repr_html_())


def test_results_and_answers_are_neither_true_nor_false() -> None:
    result = queueproof.certify(single_server())
    for found in (result, undecided(), queueproof.check(result)):
        with pytest.raises(TypeError, match="neither true nor false"):
            bool(found)


def test_results_are_immutable_and_survive_pickle() -> None:
    question = single_server()
    found: list[Any] = [
        queueproof.certify(question), queueproof.check(queueproof.certify(question)), queueproof.regimes(question),
        queueproof.compare(question), queueproof.expand(question), queueproof.simulate(question, jumps=100),
        queueproof.equilibria(EXAMPLES / "equilibria" / "two-single-servers.toml"),
    ]  # fmt: skip
    for one in found:
        document = one.to_dict()
        document.clear()
        assert one.to_dict()
        with pytest.raises(AttributeError):
            one.extra = 1
        restored = pickle.loads(pickle.dumps(one))
        assert (restored.to_dict(), str(restored)) == (one.to_dict(), str(one))
        assert restored._repr_html_() == one._repr_html_()


# HTML ----------------------------------------------------------------------------------------------------


class Page(HTMLParser):
    """Tags that are closed in order, and the words between them."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: set[str] = set()
        self.words: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.open.append(tag)
        self.tags.add(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.words.append(data)


def words_of(text: str) -> str:
    """The words of a page whose tags are in order and are those of small tables."""
    page = Page()
    page.feed(text)
    page.close()
    assert not page.open
    assert page.tags <= {"div", "p", "strong", "table", "thead", "tbody", "tr", "th", "td"}
    return "".join(page.words)


def test_html_of_every_result_is_escaped() -> None:
    nasty = '</p><script>alert("x")</script> & <b>\x1b[31m'
    question = single_server(title=nasty, source=nasty)
    two = {"arrival_rate": 1, "title": nasty, "queues": [{"type": "M/M/1", "service_rate": rate} for rate in (2, 3)]}
    found: list[Any] = [
        question, queueproof.certify(question), queueproof.check(queueproof.certify(question)), queueproof.regimes(question),
        queueproof.compare(question), queueproof.expand(question), queueproof.simulate(question, jumps=100),
        queueproof.equilibria(two), undecided(), queueproof.read(EXAMPLES / "jackson-feedback.toml"),
        queueproof.regimes(queueproof.read(EXAMPLES / "paper-1-jsr-longest.toml")),
    ]  # fmt: skip
    for one in found:
        text = one._repr_html_()
        assert words_of(text)
        assert "<script" not in text and "\x1b" not in text
    assert sum('alert("x")' in words_of(one._repr_html_()) for one in found) >= 5


def test_html_begins_with_the_verdict() -> None:
    assert words_of(queueproof.certify(single_server())._repr_html_()).startswith("STABLE: the network")
    assert words_of(undecided()._repr_html_()).startswith("UNDECIDED: neither")


# Other packages of the same names ------------------------------------------------------------------------


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """A folder with queueproof and what is behind it, as an installation has it."""
    for name in ("queueproof", *own.NAMES):
        shutil.copytree(ROOT / name, tmp_path / "site" / name, ignore=shutil.ignore_patterns("__pycache__"))
    return tmp_path / "site"


def python(site: Path, folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """A Python that finds this installation, run in a folder."""
    code = f"import sys; sys.path.insert(0, {str(site)!r}); sys.path.insert(0, {str(folder)!r}); " + arguments[0]
    return subprocess.run([sys.executable, "-c", code, *arguments[1:]], capture_output=True, text=True, cwd=folder)


USE = "import queueproof; queueproof.equilibria('none.toml')"


@pytest.mark.parametrize("file", ["verify.py", "proofs/__init__.py"])
def test_foreign_package_in_the_way_is_named_and_not_executed(site: Path, tmp_path: Path, file: str) -> None:
    other = tmp_path / "work" / file
    other.parent.mkdir(parents=True)
    other.write_text("print('executed')")
    done = python(site, tmp_path / "work", USE)
    name = file.partition("/")[0].removesuffix(".py")
    assert done.stdout == ""
    assert (
        f"ImportError: queueproof needs its own package '{name}': {site / name / '__init__.py'} is hidden by {other}"
        in done.stderr
    )


def test_package_imported_before_is_named(site: Path, tmp_path: Path) -> None:
    (tmp_path / "work").mkdir()
    code = "import types; sys.modules['verify'] = types.ModuleType('verify'); " + USE
    done = python(site, tmp_path / "work", code)
    assert "ImportError: queueproof needs its own package 'verify'" in done.stderr
    assert "is hidden by a module without a file" in done.stderr


def test_folder_of_the_same_name_without_python_files_is_no_obstacle(site: Path, tmp_path: Path) -> None:
    (tmp_path / "work" / "proofs").mkdir(parents=True)
    done = python(site, tmp_path / "work", "import queueproof; print(queueproof.Verdict.STABLE)")
    assert done.stdout == "stable\n", done.stderr


def test_package_overwritten_by_another_distribution_is_named(site: Path, tmp_path: Path) -> None:
    (tmp_path / "work").mkdir()
    (site / "verify" / "__init__.py").write_text('"""Verify things."""\nprint("executed")\n')
    done = python(site, tmp_path / "work", USE)
    assert "has been replaced by the file of another distribution" in done.stderr
    assert done.stdout == ""


def test_package_that_was_uninstalled_with_another_one_is_named(site: Path, tmp_path: Path) -> None:
    (tmp_path / "work").mkdir()
    (site / "verify" / "__init__.py").unlink()
    assert "__init__.py is missing (install queueproof again)" in python(site, tmp_path / "work", USE).stderr


def test_command_says_in_one_line_what_is_in_its_way(site: Path, tmp_path: Path) -> None:
    (tmp_path / "work").mkdir()
    (tmp_path / "work" / "verify.py").write_text("")
    done = python(site, tmp_path / "work", "from queueproof.__main__ import main; sys.exit(main())", "--version")
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (1, "", 1)
    assert done.stderr.startswith("queueproof needs its own package 'verify'")


def test_command_of_the_module_runs() -> None:
    done = subprocess.run([sys.executable, "-m", "queueproof", "--version"], capture_output=True, text=True, cwd=ROOT)
    assert (done.returncode, done.stderr) == (0, "") and done.stdout.startswith("queueproof ")


# Types ---------------------------------------------------------------------------------------------------

SCRIPT = """
from fractions import Fraction
import queueproof

network = queueproof.route_network(
    {"A": 2, "B": Fraction(3, 2)}, [{"name": "a", "arrival_rate": "1/2", "routes": {"r": ["A", "B"]}}]
)
result = queueproof.certify(network, method="linear", time_limit=10, progress=print)
if result.verdict is queueproof.Verdict.STABLE and result.epsilon is not None:
    margin: Fraction = result.epsilon
    print(margin, result.save("found.json"), queueproof.check(result, network).accepted)
drifts: list[Fraction | None] = [row.drift for row in queueproof.regimes(network).rows]
try:
    queueproof.read("none.toml", {"load": Fraction(9, 10)})
except queueproof.InputError as error:
    place: str = error.place
"""
#: Wrong lines, and what mypy says about them.
WRONG = {
    'queueproof.certify(network, method="linar")': "arg-type",
    'queueproof.read("a.toml", {"load": 0.5})': "dict-item",
    "queueproof.certfy(network)": "attr-defined",
    'queueproof.certify("a.toml")': "arg-type",
    "exact: int = result.load": "assignment",
}


def test_installed_package_is_typed_for_its_users(tmp_path: Path) -> None:
    venv.create(tmp_path / "env", with_pip=False, symlinks=True)
    (place,) = (tmp_path / "env").glob("lib/python*/site-packages")
    for name in ("queueproof", *own.NAMES):
        shutil.copytree(ROOT / name, place / name, ignore=shutil.ignore_patterns("__pycache__"))
    script = tmp_path / "script.py"
    script.write_text(SCRIPT + "\n".join(WRONG) + "\n")
    (tmp_path / "mypy.ini").write_text("[mypy]\n")
    interpreter = tmp_path / "env" / "bin" / "python"
    done = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", "--python-executable", str(interpreter), "script.py"],
        capture_output=True, text=True, cwd=tmp_path,
    )  # fmt: skip
    first = SCRIPT.count("\n") + 1
    found = [line for line in done.stdout.splitlines() if ": error: " in line]
    expected = [(f"script.py:{first + number}", f"[{code}]") for number, code in enumerate(WRONG.values())]
    assert [(line.partition(": ")[0], line[line.rindex("[") :]) for line in found] == expected, (
        done.stdout + done.stderr
    )


def test_marker_of_types_is_shipped_with_every_package() -> None:
    import tomllib

    shipped = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["setuptools"]["package-data"]
    for name in ("queueproof", *own.NAMES):
        assert "py.typed" in shipped[name] and (ROOT / name / "py.typed").is_file()
