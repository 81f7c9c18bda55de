"""Who may import whom (CONTRIBUTING, "The house"): names are followed to their modules by ``imports``."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest
from imports import Reached, Source, modules_below, reached, strings

ROOT = Path(__file__).resolve().parent.parent
#: The rooms of ``verify``: each may import those before it.
ROOMS = [
    "errors", "files", "rational", "linear_form", "budget", "lp", "network", "functions", "chain", "policies", "network_file",
    "conditions", "methods", "decide", "verdict", "certificate", "papers", "drawing", "studies", "cli",
]  # fmt: skip
#: The rooms of ``proofs``: each may import those before it.
PROOF_ROOMS = ["equilibria", "claims"]
#: What ``proofs`` may use of ``verify``: its errors, its files, and how it reads numbers and tables; nothing of networks.
SHARED_WITH_PROOFS = {"verify.errors", "verify.files"} | {
    f"verify.network.{module}" for module in ("decode", "expression", "fields", "grid", "messages", "parameters")
}
#: Rooms with shelves: each shelf may import those before it.
SHELVES = {
    "proofs.equilibria": [
        "roots", "algebraic", "downs_thomson", "state_dependent", "retrial", "file", "report", "sweep", "text", "plot", "figures", "progress",
    ],
    "proofs.claims": ["claim", "downs_thomson", "state_dependent", "retrial", "registry"],
    "verify.papers": ["publication", "xie_jin"],
    "verify.studies": ["tables", "at_hand", "regimes", "comparison", "simulation", "expansion", "bounds"],
}  # fmt: skip
#: Rooms that know no queues, and what they may use beside themselves.
NO_QUEUES = {"lp", "drawing"}
SHARED_WITH_ALL = {"errors", "files", "rational", "linear_form", "budget"}
#: Who may call the checker.
CALLERS_OF_THE_CHECKER = {"certificate", "cli"}
#: What the answers of ``tests/naive`` and ``tests/oracles`` may rest on: the network as it was read, the policy in words, nothing
#: computed from them; oracles besides on the naive step functions.
SHARED_WITH_ORACLES = {"verify.network.model", "stated"}
#: Packages that are slow to load, and the rooms or modules that may import them.
HEAVY = {
    "sympy": {"verify.studies.regimes.drift"},
    "matplotlib": {"verify.studies.expansion", "verify.studies.bounds", "verify.drawing"},
    "networkx": {"verify.network_file.importers"},
    "rich": {"verify.studies.tables"},
    "highspy": {"verify.lp"},
    "flint": {"verify.lp"},
}

#: The front door: its names are loaded when they are asked for, and foreign packages of the same names are looked for.
LOAD_BY_NAME = {"queueproof", "queueproof.own"}

HOUSE = modules_below(ROOT, "queueproof", "verify", "proofs")
TESTS = modules_below(ROOT, "tests") | {path.stem for path in (ROOT / "tests").iterdir()} - {"proofs"}


def sources(*folders: str, root: Path = ROOT) -> list[Source]:
    return [Source.of(path, root) for folder in folders for path in sorted((root / folder).rglob("*.py"))]


VERIFY, PROOFS = sources("verify"), sources("proofs")
DOOR, OUTSIDE = sources("queueproof"), sources("examples", "benchmarks")
ORACLES = [
    s for s in sources("naive", "oracles", root=ROOT / "tests") if not s.module.split(".")[-1].startswith("test_")
]
every = pytest.mark.parametrize


def name_of(source: Source) -> str:
    return source.module


def rooms(modules: set[str], house: str) -> set[str]:
    """The rooms of ``house`` that ``modules`` stand in."""
    return {module.split(".")[1] for module in modules if module.startswith(f"{house}.")}


# ---- the rules: what is wrong with a source, "" if nothing ---------------------------------------------------------------
def wrong_in_verify(source: Source) -> set[str]:
    found = reached(source, HOUSE)
    here = source.module.partition(".")[2].partition(".")[0]
    if not here:
        return found.modules | found.refused
    used = rooms(found.modules, "verify")
    outer = {"queueproof"} if here == "cli" else {"queueproof", "proofs"}
    wrong = found.refused | {module for module in found.modules if module.partition(".")[0] in outer}
    if here == "checker":
        return wrong | used - {"checker"}
    if here in CALLERS_OF_THE_CHECKER:
        used -= {"checker"}
    return wrong | used - before(here, ROOMS) | private(found, f"verify.{here}")


def wrong_in_proofs(source: Source) -> set[str]:
    found = reached(source, HOUSE)
    here = source.module.partition(".")[2].partition(".")[0]
    used = rooms(found.modules, "proofs")
    lent = {module for module in found.modules if module.partition(".")[0] == "verify"}
    door = {module for module in found.modules if module.partition(".")[0] == "queueproof"}
    wrong = found.refused | door | lent - SHARED_WITH_PROOFS - {"verify", "verify.network"}
    return wrong | used - before(here, PROOF_ROOMS) | private(found, f"proofs.{here}")


def wrong_between_shelves(source: Source, room: str) -> set[str]:
    """``room`` is the dotted name of the source's own."""
    found = {module for module in reached(source, HOUSE).modules if module.startswith(f"{room}.")}
    here = source.module.removeprefix(f"{room}.").partition(".")[0]
    return {module.removeprefix(f"{room}.").partition(".")[0] for module in found} - before(here, SHELVES[room])


def before(room: str, order: list[str]) -> set[str]:
    """The rooms that ``room`` may use; none for one that is not in the list."""
    return set(order[: order.index(room) + 1]) if room in order else set()


def private(found: Reached, home: str) -> set[str]:
    """Names with an underscore from modules outside ``home``."""
    taken = {(module, name) for module, name in found.names if name.startswith("_") and not name.startswith("__")}
    return {f"{module}.{name}" for module, name in taken if not f"{module}.".startswith(f"{home}.")}


def wrong_outside(source: Source) -> set[str]:
    """Examples and benchmarks use what is public, of the checker its first page only, and nothing of the tests."""
    found = reached(source, HOUSE)
    inside = {module for module in found.modules if module.startswith("verify.checker.")}
    of_tests = {module for module in found.modules if module.partition(".")[0] in TESTS}
    paths = {text for text in strings(ast.parse(source.text)) if "tests" in text.split("/")}
    return found.refused | inside | of_tests | paths | private(found, "nothing")


def wrong_in_door(source: Source) -> set[str]:
    """The front door calls the checker as ``cli`` does, and takes nothing private; two of its modules load others by name."""
    found = reached(source, HOUSE)
    hidden = set() if source.module in LOAD_BY_NAME else found.refused
    return (
        hidden
        | {module for module in found.modules if module.partition(".")[0] in TESTS}
        | private(found, "queueproof")
    )


def wrong_in_oracles(source: Source) -> set[str]:
    """A naive answer rests on the network and on its own folder, an oracle on naive answers too."""
    found = reached(source, HOUSE | TESTS)
    own = source.module.partition(".")[0]
    ours = {
        module
        for module in found.modules
        if module in HOUSE or module.partition(".")[0] in TESTS | {"verify", "proofs"}
    }
    folders = {own, "naive"} if own == "oracles" else {own}
    return found.refused | {module for module in ours if module.partition(".")[0] not in folders} - SHARED_WITH_ORACLES


@every("source", VERIFY, ids=name_of)
def test_imports_go_up_the_list_of_rooms(source: Source) -> None:
    assert wrong_in_verify(source) == set()


@every("source", PROOFS, ids=name_of)
def test_imports_of_proofs_go_up_their_list(source: Source) -> None:
    assert wrong_in_proofs(source) == set()


@every("room", SHELVES)
def test_imports_go_up_the_shelves_of_a_room(room: str) -> None:
    inside = [source for source in [*VERIFY, *PROOFS] if source.module.startswith(f"{room}.")]
    assert {source.module.split(".")[2] for source in inside} == set(SHELVES[room])
    assert {source.module: wrong for source in inside if (wrong := wrong_between_shelves(source, room))} == {}


@every("room", sorted(NO_QUEUES))
def test_imports_of_rooms_that_know_no_queues(room: str) -> None:
    inside = [source for source in VERIFY if source.module.startswith(f"verify.{room}.")]
    used = {used for source in inside for used in rooms(reached(source, HOUSE).modules, "verify")}
    assert used <= {room} | SHARED_WITH_ALL


@every("source", DOOR, ids=name_of)
def test_imports_of_the_front_door_are_public(source: Source) -> None:
    assert wrong_in_door(source) == set()


@every("source", OUTSIDE, ids=name_of)
def test_imports_of_examples_and_benchmarks_are_public(source: Source) -> None:
    assert wrong_outside(source) == set()


@every("source", ORACLES, ids=name_of)
def test_imports_of_naive_answers_and_oracles_share_nothing_but_the_network(source: Source) -> None:
    assert wrong_in_oracles(source) == set()


@every(("house", "listed"), [("verify", {*ROOMS, "checker"}), ("proofs", {*PROOF_ROOMS})], ids=["verify", "proofs"])
def test_rooms_listed_are_those_on_the_disk(house: str, listed: set[str]) -> None:
    assert rooms(set(HOUSE), house) == listed


@every("source", VERIFY, ids=name_of)
def test_imports_of_heavy_packages_stay_in_their_room(source: Source) -> None:
    for module in reached(source, HOUSE).modules:
        allowed = HEAVY.get(module.partition(".")[0], {"verify"})
        assert any(f"{source.module}.".startswith(f"{place}.") for place in allowed), module


# ---- the ways around them -------------------------------------------------------------------------------------------
AROUND = [
    "from verify.checker import check_bytes",
    "from verify import checker",
    "from verify import checker as c",
    "import verify.checker as c",
    "import verify.checker.core.model",
    "import verify.errors\nverify.checker.check_bytes(b'')",
    "import verify as v\nv.checker.check_bytes(b'')",
    "import verify\nc = getattr(verify, 'checker')",
    "import verify\nvars(verify)['checker']",
    "import verify\nverify.__dict__['checker']",
    "import verify.errors as e\nv = e\nv.x",
    "from verify import *",
    "from ..checker import check_bytes",
    "from .. import checker",
    "from ..checker.core import model as m",
    "from ....above import x",
    "def f():\n    from verify.checker import check_bytes",
    "if TYPE_CHECKING:\n    from verify.checker import Answer",
    "import importlib\nimportlib.import_module('verify.checker')",
    "import importlib\nimportlib.import_module(name='verify.checker')",
    "import importlib as i\ni.import_module('verify.checker')",
    "from importlib import import_module as f\nf('verify.checker')",
    "from importlib import import_module\nimport_module('..checker', __package__)",
    "from importlib import import_module\nimport_module('.checker', 'verify')",
    "from importlib import import_module\nimport_module('verify.' + 'checker')",
    "import importlib\nf = importlib.import_module",
    "import importlib.util\nimportlib.util.spec_from_file_location('c', 'verify/checker/__init__.py')",
    "from importlib import util\nutil.module_from_spec(1)",
    "__import__('verify.checker')",
    "__import__('ver' + 'ify')",
    "import builtins\nbuiltins.__import__('verify.checker')",
    "import sys\nsys.modules['verify'].checker",
    "from sys import modules as m\nm['verify']",
    "import sys\nsys.path.insert(0, 'verify')",
    "import runpy\nrunpy.run_module('verify.checker')",
    "import runpy\nrunpy.run_path('verify/checker/__main__.py')",
    "import pkgutil\npkgutil.resolve_name('verify.checker:check_bytes')",
    "import subprocess, sys\nsubprocess.run([sys.executable, '-m', 'verify.checker'])",
    "eval('x')",
    "exec('import verify.checker')",
    "from verify.studies import simulation",
    "from ..cli.run import run",
    "import proofs.claims",
    "from proofs import claims",
    "import queueproof",
    "from queueproof import certify",
    "from verify.network_file.read import _private",
    "import verify.network_file.read as e\ne._private",
]


@every("text", AROUND)
def test_rules_of_rooms_cannot_be_walked_around(text: str) -> None:
    assert wrong_in_verify(Source("verify.methods.trial", False, text))


@every(
    "text",
    [
        "from verify.errors import InputError",
        "from verify import errors\nraise errors.InputError('x')",
        "from ..conditions.evaluate import evaluate",
        "from .plain import _private",
        "from . import plain\nplain.candidates",
        "import verify.conditions.evaluate as e\ne.evaluate",
        "from importlib import import_module\nimport_module('verify.errors')",
        "from importlib.metadata import version",
        "import re\nre.compile('x')",
        "'''Says verify.checker in passing.'''",
    ],
)
def test_rules_of_rooms_allow_what_is_right(text: str) -> None:
    assert wrong_in_verify(Source("verify.methods.trial", False, text)) == set()


@every(
    ("module", "text"),
    [
        ("verify", "from verify.errors import InputError"),
        ("verify", "import json"),
        ("verify.checker.trial", "from verify.errors import InputError"),
        ("verify.checker.trial", "from ..rational import exact"),
        ("verify.checker.core", "from ... import rational"),
        ("verify.new_room.trial", "from verify.new_room import other"),
        ("verify.new_room.trial", "from verify.errors import InputError"),
    ],
)
def test_rules_of_rooms_hold_for_the_checker_and_the_first_page(module: str, text: str) -> None:
    assert wrong_in_verify(Source(module, module in ("verify", "verify.checker.core"), text))


@every(
    "text",
    [
        "from verify.lp.exact import solve",
        "from ..claims.registry import all_claims",
        "from proofs import claims",
        "import queueproof",
        "from queueproof import certify",
        "import proofs.claims.claim as c",
        "from verify import checker",
        "from verify.network import expansion",
        "import verify.network.model",
        "eval('1')",
    ],
)
def test_rules_of_proofs_cannot_be_walked_around(text: str) -> None:
    assert wrong_in_proofs(Source("proofs.equilibria.trial", False, text))


def test_rules_of_shelves_cannot_be_walked_around() -> None:
    for text in ("from proofs.equilibria import retrial", "from ..retrial.waiting import Rates", "from .. import plot"):
        trial = Source("proofs.equilibria.state_dependent.trial", False, text)
        assert wrong_between_shelves(trial, "proofs.equilibria")


@every("text", ["from catalogue.networks import case", "from verify.lp.exact import _private", "eval('1')"])
def test_rules_of_the_front_door_cannot_be_walked_around(text: str) -> None:
    assert wrong_in_door(Source("queueproof.trial", False, text))


@every(
    "text",
    [
        "from tests.checker.adversaries import FAMILIES",
        "from oracles.brute_force import BruteForce",
        "from catalogue import networks",
        "import imports",
        "p = ROOT / 'tests' / 'catalogue'",
        "p = open('tests/catalogue/cases/x.toml')",
        "from verify.checker.core import model",
        "from verify.lp.approx import _highs_lp",
        "import sys\nsys.path.insert(0, '..')",
    ],
)
def test_rules_of_examples_cannot_be_walked_around(text: str) -> None:
    assert wrong_outside(Source("examples.trial", False, text))


@every(
    "text",
    [
        "from verify.policies.compose import walk",
        "from verify import policies",
        "from verify.network.expansion import expand",
        "from verify.checker import check_bytes",
        "from proofs.roots import isolate",
        "from oracles.chain import Chain",
        "from ..oracles.chain import Chain",
        "from catalogue.networks import case",
        "from importlib import import_module\nimport_module('verify.policies.compose')",
    ],
)
def test_rules_of_oracles_cannot_be_walked_around(text: str) -> None:
    assert wrong_in_oracles(Source("naive.trial", False, text))


def test_rules_of_oracles_allow_naive_answers() -> None:
    assert wrong_in_oracles(Source("oracles.trial", False, "from naive.step import components")) == set()
    assert wrong_in_oracles(Source("oracles.trial", False, "from catalogue.networks import case"))


# ---- what stands in one place only ---------------------------------------------------------------------------------------
@every("source", [*VERIFY, *PROOFS], ids=name_of)
def test_no_assert_outside_tests(source: Source) -> None:
    assert not any(isinstance(node, ast.Assert) for node in ast.walk(ast.parse(source.text)))


#: What reads or writes a file or a standard stream, and who may: ``files``, ``cli/streams`` and the checker's own.
BARE = {"open", "print"}
METHODS = {"open", "write_text", "write_bytes", "read_text", "read_bytes", "fdopen", "rename", "unlink"}
MAY_TOUCH = {
    "verify.files", "verify.cli.streams", "verify.checker.network_file.files", "verify.checker.__main__", "verify.lp.approx"
}  # fmt: skip


@every("source", VERIFY, ids=name_of)
def test_files_and_streams_are_touched_in_one_place_only(source: Source) -> None:
    """Elsewhere a device might be read without end, a file destroyed, a closed stream met with a traceback."""
    calls = [node.func for node in ast.walk(ast.parse(source.text)) if isinstance(node, ast.Call)]
    found = {call.id for call in calls if isinstance(call, ast.Name)} & BARE
    found |= {call.attr for call in calls if isinstance(call, ast.Attribute)} & METHODS
    if source.module not in MAY_TOUCH:
        assert not found


def test_command_line_starts_without_heavy_packages() -> None:
    code = "import sys, verify.cli; print([m for m in ('sympy', 'numpy', 'cvxpy', 'matplotlib', 'networkx', 'rich') if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
