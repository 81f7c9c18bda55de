"""Writing: the certificate's forms, and files that are read back to the same instance."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from catalogue.files import PATHS

from verify.network_file.read import read_document, read_file, read_text
from verify.network_file.write import instance_to_file_json, instance_to_json

from .examples import BUFFERS, DOMINANT, JSQ, JSQ_AS, NAMED, ROUTES

NUMBER = re.compile(r"-?(0|[1-9][0-9]*)(/[1-9][0-9]*)?")


@pytest.mark.parametrize("path", PATHS.values(), ids=lambda path: path.stem)
def test_write_catalogue_file_is_read_back_equal(path: Path) -> None:
    instance = read_file(path)
    form = instance_to_file_json(instance)
    assert read_document(form) == instance
    again = read_text(json.dumps(form), format="json")
    assert again == instance
    assert json.dumps(instance_to_file_json(again)) == json.dumps(form)


@pytest.mark.parametrize("name", NAMED)
def test_write_example_is_read_back_equal(name: str) -> None:
    instance = read_text(NAMED[name], format="toml")
    assert read_text(json.dumps(instance_to_file_json(instance)), format="json") == instance


def test_write_route_network_has_the_form_of_the_certificate() -> None:
    assert instance_to_json(read_text(ROUTES, format="toml")) == {
        "network": {"kind": "route", "servers": ["1", "2", "3"], "classes": [
            {"name": "a", "arrival_rate": "9/20", "routes": [
                {"name": "r1", "visits": [{"server": "1", "rate": "1"}, {"server": "2", "rate": "2"}]}]},
            {"name": "b", "arrival_rate": "1/4", "routes": [
                {"name": "s1", "visits": [{"server": "2", "rate": "2"}, {"server": "3", "rate": "5/3"}]},
                {"name": "s2", "visits": [{"server": "1", "rate": "1"}]}]}]},
        "policy": {"routing": "bernoulli", "sequencing": "priority", "holding": "none",
                   "probabilities": {"a": {"r1": "1"}, "b": {"s1": "1/3", "s2": "2/3"}},
                   "priority": {"1": ["b.s2.1", "a.r1.1"], "2": ["a.r1.2", "b.s1.1"], "3": ["b.s1.2"]}},
    }  # fmt: skip


def test_write_buffer_network_has_the_form_of_the_certificate() -> None:
    assert instance_to_json(read_text(BUFFERS, format="toml")) == {
        "network": {"kind": "buffer", "servers": ["A", "B"],
                    "buffers": [{"name": "q1", "arrival_rate": "1"}, {"name": "q2", "arrival_rate": "0"}],
                    "activities": [
                        {"server": "A", "buffer": "q1", "rate": "3", "next": {"q2": "1/2"}},
                        {"server": "B", "buffer": "q1", "rate": "5", "next": {}},
                        {"server": "B", "buffer": "q2", "rate": "7", "next": {"q1": "1/2", "q2": "1/4"}}]},
        "policy": {"routing": "fixed", "sequencing": "priority", "holding": "none",
                   "priority": {"A": ["q1"], "B": ["q2", "q1"]}},
    }  # fmt: skip


def test_write_functions_have_the_form_of_the_certificate() -> None:
    form = instance_to_json(read_text(DOMINANT, format="toml"))
    assert form["policy"] == {
        "routing": "jsr", "sequencing": "dominant", "holding": "none", "tie_order": {"2": ["a.r2.1", "a.r1.2"]},
        "dominance_function": {"template": "explicit", "alpha": ["1", "3/4"], "beta": ["1", "4/5"], "gamma": ["1"]},
    }  # fmt: skip
    assert form["test_function"] == {"pieces": [{"a.r1.1": "1"}, {"a.r2.1": "2"}]}


def test_write_preset_and_jsq_have_the_form_of_the_certificate() -> None:
    assert instance_to_json(read_text(JSQ_AS, format="toml"))["policy"] == {"preset": "jsq-as"}
    assert instance_to_json(read_text(JSQ, format="toml"))["policy"] == {
        "routing": "jsq", "sequencing": "priority", "holding": "none",
        "priority": {"1": ["d@1", "c@1"], "2": ["c@2"], "3": ["c@3"], "4": ["c@4"]},
    }  # fmt: skip


def test_write_file_keeps_the_significant_orders() -> None:
    text = ROUTES.replace('1 = { rate = "1" }\n2 = { rate = "2" }', '2 = { rate = "2" }\n1 = { rate = "1" }')
    form = instance_to_file_json(read_text(text, format="toml"))
    assert list(form["servers"]) == ["2", "1", "3"]  # type: ignore[call-overload]
    assert form["title"] == "two classes"
    assert "source" not in form


def test_write_file_keeps_source_and_leaves_out_an_empty_title() -> None:
    form = instance_to_file_json(read_text('source = "a paper"\n' + BUFFERS, format="toml"))
    assert form["source"] == "a paper"
    assert "title" not in form


@pytest.mark.parametrize("path", PATHS.values(), ids=lambda path: path.stem)
def test_write_numbers_are_canonical_strings(path: Path) -> None:
    form = json.dumps(instance_to_json(read_file(path)))
    for number in re.findall(r'"(?:rate|arrival_rate)": (\S+?)[,}]', form):
        assert NUMBER.fullmatch(json.loads(number))
