"""The package is typed for those who install it."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import venv
from pathlib import Path

from front_door.asked import ROOT
from queueproof import own
from verify.conditions.criterion import Criterion
from verify.methods import registry
from verify.policies.jumps import Rule

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


def test_words_known_to_type_checkers_are_those_of_the_commands() -> None:
    source = (ROOT / "queueproof" / "__init__.py").read_text()
    written = {
        name: re.findall(r'"(.*?)"', words)
        for name, words in re.findall(r"(\w+): TypeAlias = Literal\[(.*?)\]", source)
    }
    assert written == {
        "Method": [registry.AUTO, *registry.OFFERED],
        "Criterion": [word.value for word in Criterion],
        "Rule": [word.value for word in Rule],
    }


def test_marker_of_types_is_shipped_with_every_package() -> None:
    import tomllib

    shipped = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["setuptools"]["package-data"]
    for name in ("queueproof", *own.NAMES):
        assert "py.typed" in shipped[name] and (ROOT / name / "py.typed").is_file()
