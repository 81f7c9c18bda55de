"""What the tests of the front door ask about."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

import queueproof
from verify.cli import main

ROOT = Path(__file__).resolve().parent.parent.parent
EXAMPLES = ROOT / "examples"
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


def undecided() -> queueproof.Result:
    """Nothing proved."""
    found = queueproof.certify(queueproof.read(EXAMPLES / "rybko-stolyar.toml"), "explicit")
    assert found.verdict is queueproof.Verdict.UNDECIDED
    return found
