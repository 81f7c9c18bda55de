"""Every word states its traits, carries its details under their keys, and is asked for by its name nowhere else."""

from __future__ import annotations

import ast
import dataclasses
import importlib
import pkgutil
from pathlib import Path

import pytest
from stated import Holding, Preset, Routing, Sequencing

import verify.policies
from verify.network.names import Coordinates
from verify.policies.composed import ComposedPolicy
from verify.policies.registry import HOLDINGS, PRESETS, ROUTINGS, RULES, SEQUENCINGS
from verify.policies.rules import Rule

ROOT = Path(verify.policies.__file__).parent.parent
WORDS = [*ROUTINGS, *SEQUENCINGS, *HOLDINGS, *PRESETS]
S, P, B = Coordinates.SUBSERVERS, Coordinates.PAIRS, Coordinates.BUFFERS
#: Traits in which a sequencing differs from one that is work-conserving and nothing else, and what the state may count.
TRAITS = {
    "dominant": ({"work_conserving", "follows_pieces"}, {S}),
    "priority": ({"work_conserving", "static"}, {S, P, B}),
    "fbfs": ({"work_conserving", "static"}, {S, P}),
    "lbfs": ({"work_conserving", "static"}, {S, P}),
    "non-idling": ({"work_conserving", "static", "free"}, {S, P, B}),
    "longest-queue": ({"work_conserving", "compares"}, {S, P, B}),
    "longest-duplicate": ({"work_conserving", "compares"}, {S}),
    "max-weight": ({"work_conserving", "compares", "rates"}, {S, P, B}),
    "back-pressure": ({"compares", "rates"}, {S, P, B}),
    "fifo": ({"work_conserving", "static", "remembers"}, {S, P, B}),
}
NAMES = ("work_conserving", "static", "compares", "follows_pieces", "free", "remembers")


def all_rules(base: type[Rule] = Rule) -> list[type[Rule]]:
    """The classes of this room that have a word."""
    for module in pkgutil.iter_modules(verify.policies.__path__):
        importlib.import_module(f"verify.policies.{module.name}")
    below = [rule for child in base.__subclasses__() for rule in (child, *all_rules(child))]
    return [rule for rule in below if hasattr(rule, "word")]


@pytest.mark.parametrize("word", SEQUENCINGS)
def test_sequencing_states_its_traits(word: str) -> None:
    traits, defined_on = TRAITS[word]
    rule = SEQUENCINGS[word]
    assert {name for name in NAMES if getattr(rule, name)} | (set() if rule.rate_free else {"rates"}) == traits
    assert rule.defined_on == defined_on


def test_routing_states_its_traits() -> None:
    assert {word for word, rule in ROUTINGS.items() if rule.by_state} == {"jsr", "jsq", "weighted-route"}
    assert {word for word, rule in ROUTINGS.items() if rule.one_route} == {"fixed"}
    assert {word for word, rule in ROUTINGS.items() if rule.coordinates is P} == {"jsq"}
    assert all(rule.chooses for rule in ROUTINGS.values() if rule.by_state)
    assert {word for word, rule in HOLDINGS.items() if rule.holds} == {"spillback"}


def test_policy_has_the_traits_of_its_words() -> None:
    for rule in SEQUENCINGS.values():
        policy = ComposedPolicy(sequencing=rule(*[{}] * len(rule.keys)))
        assert all(getattr(policy, name) == getattr(rule, name) for name in NAMES)


def test_registry_has_every_word_of_the_room() -> None:
    assert {rule.word for rule in all_rules()} == {word for rules in RULES.values() for word in rules}
    assert len(set(WORDS)) == len(WORDS)


def test_every_word_has_naive_answers_and_is_explained() -> None:
    """What ``stated`` lists, ``tests/naive`` walks and docs/network-file.md has an example of."""
    assert {*Routing, *Sequencing, *Holding, *Preset} == set(WORDS)
    for page in ("docs/theory.md", "verify/checker/FORMAT.md"):
        text = (ROOT.parent / page).read_text(encoding="utf-8")
        assert [word for word in WORDS if f"`{word}`" not in text] == [], page


@pytest.mark.parametrize("rule", all_rules(), ids=str)
def test_details_of_a_word_are_fields_called_as_their_keys(rule: type[Rule]) -> None:
    assert dataclasses.is_dataclass(rule)
    assert {field.name for field in dataclasses.fields(rule)} == set(rule.keys)


#: The published example is recognised by the words of its policy.
ASKS = {"papers/xie_jin.py"}


@pytest.mark.parametrize("path", sorted(ROOT.rglob("*.py")), ids=lambda path: str(path.relative_to(ROOT)))
def test_word_is_asked_for_by_its_name_in_its_own_file_only(path: Path) -> None:
    where = path.relative_to(ROOT)
    if where.parts[0] == "checker" or str(where) in ASKS:
        return
    compared = [n for n in ast.walk(ast.parse(path.read_text(encoding="utf-8"))) if isinstance(n, ast.Compare)]
    asked = {
        n.value for one in compared for n in ast.walk(one) if isinstance(n, ast.Constant) and isinstance(n.value, str)
    }
    assert not asked & (set(WORDS) - {"priority", "none", "fixed"})
