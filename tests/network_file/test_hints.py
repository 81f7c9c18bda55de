"""What a refusal says of words that are usual elsewhere, and of what this version cannot express."""

from __future__ import annotations

import itertools
import warnings
from pathlib import Path

import pytest
from stated import Holding, Preset, Routing, Sequencing

from verify.cli import main
from verify.errors import InputError, UnusedSetting
from verify.network import inexpressible
from verify.network.hints import key_hint
from verify.network.inexpressible import inexpressible_key, inexpressible_word, normal
from verify.network_file.read import read_text
from verify.policies.hints import word_hint

from .examples import ROUTES, refusal, spoiled

SEQUENCINGS = [word.value for word in Sequencing]
ROUTINGS = ["bernoulli", "jsr", "jsq"]


@pytest.mark.parametrize(
    ("word", "hint"),
    [
        ("fcfs", 'write "fifo"'),
        ("First-Come-First-Served", 'write "fifo"'),
        ("FIFO", "did you mean 'fifo'?"),
        ("non_idling", "did you mean 'non-idling'?"),
        ("Longest Queue", "did you mean 'longest-queue'?"),
        ("LQF", 'write "longest-queue"'),
        ("jsq", "that is a routing"),
        ("jsq-as", 'that is a preset: write preset = "jsq-as", without routing, sequencing and holding'),
        ("dominent", "did you mean 'dominant'?"),
    ],
)
def test_sequencing_known_by_another_name_is_named(word: str, hint: str) -> None:
    assert word_hint(word, SEQUENCINGS, "sequencing") == hint


@pytest.mark.parametrize(
    ("word", "hint"),
    [
        ("JSQ", "did you mean 'jsq'?"),
        ("random", 'write "bernoulli", with [policy.probabilities]'),
        ("fifo", "that is a sequencing"),
        ("join-the-shortest-queue", 'write "jsq"'),
    ],
)
def test_routing_known_by_another_name_is_named(word: str, hint: str) -> None:
    assert word_hint(word, ROUTINGS, "routing") == hint


@pytest.mark.parametrize(
    ("choice", "word", "what"),
    [
        ("sequencing", "ps", "processor sharing"),
        ("sequencing", "lifo", "an order by time of arrival other than fifo"),
        ("sequencing", "LCFS", "an order by time of arrival other than fifo"),
        ("sequencing", "srpt", "an order by size or by due date"),
        ("sequencing", "round-robin", "service in turn or at random"),
        ("sequencing", "non_preemptive", "service without preemption"),
        ("sequencing", "random", "service in turn or at random"),
        ("routing", "round-robin", "routing in turn"),
        ("routing", "jsw", "routing by workload"),
        ("routing", "po2", "the power of d choices"),
        ("routing", "JSQ(2)", "the power of d choices"),
        ("routing", "jiq", "routing to idle servers"),
        ("holding", "blocking", "a buffer of finite size, with blocking or loss"),
    ],
)
def test_policy_that_cannot_be_expressed_is_named_with_reason_and_nearest(choice: str, word: str, what: str) -> None:
    options = {"sequencing": SEQUENCINGS, "routing": ROUTINGS, "holding": ["none", "spillback"]}[choice]
    hint = word_hint(word, options, choice)
    assert hint.startswith(f"{what}: not expressible in this version, as ")
    assert "; nearest: " in hint
    assert "did you mean" not in hint


@pytest.mark.parametrize(
    ("old", "new", "place", "what"),
    [
        ('{ rate = "2" }', '{ rate = "2", count = 3 }', "servers.2.count", "several identical servers at one station"),
        ('{ rate = "2" }', '{ rate = "2", servers = 2 }', "servers.2.servers", "several identical servers at one station"),
        ('{ rate = "2" }', "{ infinite = true }", "servers.2.infinite", "a station with infinitely many servers"),
        ('{ rate = "2" }', '{ rate = "2", buffer_size = 4 }', "servers.2.buffer_size", "a buffer of finite size, with blocking or loss"),
        ('{ rate = "2" }', '{ rate = "2", capacity = 4 }', "servers.2.capacity", "a buffer of finite size, with blocking or loss"),
        ('{ rate = "2" }', '{ rate = "2", setup_time = "1" }', "servers.2.setup_time", "setup or switchover times"),
        ('{ rate = "2" }', '{ rate = "2", mtbf = 9 }', "servers.2.mtbf", "servers that break down or take vacations"),
        ('{ rate = "2" }', '{ rate = "2", preemptive = false }', "servers.2.preemptive", "service without preemption"),
        ('name = "b"', 'name = "b"\npopulation = 5', "classes[1].population",
         "a closed network (a fixed number of jobs that never leave)"),
        ('name = "b"', 'name = "b"\nbatch_size = 5', "classes[1].batch_size", "batches of jobs"),
        ('name = "b"', 'name = "b"\npatience = 5', "classes[1].patience",
         "jobs that give up waiting (abandonment, reneging)"),
        ('name = "b"', 'name = "b"\nschedule = [1]', "classes[1].schedule", "rates that change with time or at random"),
        ('mean = "3/5"', 'mean = "3/5", scv = 2', "classes[1].routes.s1[1].scv",
         "a law other than exponential (arrivals: Poisson)"),
        ("[policy]\n", '[laws]\nservice = "general"\n[policy]\n', "laws", "a law other than exponential (arrivals: Poisson)"),
    ],
    ids=lambda value: str(value)[:30],
)  # fmt: skip
def test_key_that_cannot_be_expressed_is_refused_as_such_and_not_as_a_slip(
    old: str, new: str, place: str, what: str
) -> None:
    error = refusal(spoiled(ROUTES, old, new))
    assert error.place == place
    assert error.cure.startswith(f"{what}: not expressible in this version, as ")
    assert "; nearest: " in error.cure


def test_nearest_thing_to_the_power_of_two_choices_is_one_class_for_each_pair() -> None:
    entry = inexpressible_word("po2", "routing")
    assert entry is not None
    assert "one class for each pair" in entry.nearest


@pytest.mark.parametrize(
    ("key", "keys", "hint"),
    [
        ("mu", ["rate"], "write 'rate'"),
        ("service_time", ["server", "rate", "mean"], "write 'mean'"),
        ("lambda", ["name", "arrival_rate"], "write 'arrival_rate'"),
        ("rate", ["name", "arrival_rate"], "write 'arrival_rate'"),
        ("stations", ["servers", "classes"], "write 'servers'"),
        ("discipline", ["routing", "sequencing"], "write 'sequencing'"),
        ("rates", ["server", "rate"], "did you mean 'rate'?"),
        ("servers", ["server", "rate"], "did you mean 'server'?"),
        ("weights", ["route_weights", "buffer_weights"], "write 'route_weights' or 'buffer_weights'"),
        ("weights", ["routing", "route_weights"], "did you mean 'route_weights'?"),
    ],
)
def test_key_by_another_name_or_in_the_plural_is_named(key: str, keys: list[str], hint: str) -> None:
    assert key_hint(key, keys) == hint


def test_no_word_that_files_use_is_called_inexpressible() -> None:
    words = [word.value for kind in (Routing, Sequencing, Holding, Preset) for word in kind]
    assert [word for word in words if inexpressible_word(word, "routing") or inexpressible_word(word)] == []


def test_every_name_of_the_table_is_normal_and_stands_once() -> None:
    for table in ((inexpressible._TABLE), (inexpressible._ROUTING)):
        for names in ([name for e in table for name in e.keys], [name for e in table for name in e.words]):
            assert [name for name in names if normal(name) != name] == []
            assert len(set(names)) == len(names)
    assert inexpressible_key("Batch Size") is inexpressible_key("batch_size")


def test_word_of_a_law_in_place_of_a_number_is_named_as_such() -> None:
    error = refusal(spoiled(ROUTES, 'mean = "3/5"', 'mean = "deterministic"'))
    assert error.place == "classes[1].routes.s1[1].mean"
    assert "a law other than exponential" in error.cure


UNUSED = ROUTES.replace('load = "9/10"', 'load = "9/10"\nbase = 1\nspeed = "base + 1"\nother = "base"')


@pytest.mark.parametrize(
    ("setting", "unused"),
    [("load", False), ("other", True), ("speed", False), ("base", False)],
)
def test_setting_that_nothing_depends_on_is_a_warning(setting: str, unused: bool) -> None:
    text = UNUSED.replace('rate = "2"', 'rate = "speed"')
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        read_text(text, format="toml", settings={setting: "1"})
    assert [str(one.message) for one in seen] == (
        [f"parameter '{setting}' is set, but nothing in the file depends on it"] if unused else []
    )


def test_setting_that_replaces_the_only_use_of_another_leaves_that_one_unused() -> None:
    text = UNUSED.replace('rate = "2"', 'rate = "speed"').replace('other = "base"\n', "")
    with pytest.warns(UnusedSetting, match="'base'") as seen:
        read_text(text, format="toml", settings={"base": "7", "speed": "2"})
    assert len(seen) == 1


def test_setting_without_effect_is_a_note_on_standard_error_and_no_error(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "n.toml").write_text(UNUSED)
    assert main(["expand", str(tmp_path / "n.toml"), "--set", "speed=3", "--set", "load=1/2"]) == 0
    printed = capsys.readouterr()
    assert printed.err == "queueproof: note: parameter 'speed' is set, but nothing in the file depends on it\n"
    assert "speed" not in printed.out


def test_priority_without_sequencing_says_what_to_write() -> None:
    error = refusal(spoiled(ROUTES, 'sequencing = "priority"\n', ""))
    assert error.cure == 'as there is priority: write sequencing = "priority"'


def test_hints_are_never_a_reason_to_accept() -> None:
    for choice, word in itertools.product(("routing", "sequencing"), ("fcfs", "JSQ", "po2")):
        with pytest.raises(InputError):
            read_text(ROUTES.replace('"priority"', f'"{word}"') if choice == "sequencing" else
                      ROUTES.replace('"bernoulli"', f'"{word}"'), format="toml")  # fmt: skip
