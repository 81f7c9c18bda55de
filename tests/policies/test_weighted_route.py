"""The word ``weighted-route``: how it is read, what it compares, and certificates beside their files."""

from __future__ import annotations

import json
from fractions import Fraction

import pytest
from stated import stated

from verify.certificate import certificate_of
from verify.checker import check_bytes
from verify.conditions.condition import Verdict
from verify.decide import decide
from verify.errors import InputError
from verify.network_file.read import read_text
from verify.policies.compose import walk

F = Fraction
UNLIKE = "[policy.route_weights]\n" + "".join(f'"a.longer.{k}" = "1/{10**58 + k}"\n' for k in range(1, 9))
NETWORK = """
servers = { 1 = { rate = "1" }, 2 = { rate = "2" }, 3 = { rate = "1" } }
[[classes]]
name = "a"
arrival_rate = "3/2"
[classes.routes]
long = ["1", "2"]
short = ["3"]
[policy]
routing = "weighted-route"
"""
WEIGHTS = '[policy.route_weights]\n"a.long.2" = "3/4"\n"a.short.1" = "1/2"\n'


def test_weights_left_out_are_1() -> None:
    policy = stated(read_text(NETWORK + WEIGHTS, format="toml").policy)
    assert policy.route_weights == {"a.long.1": F(1), "a.long.2": F(3, 4), "a.short.1": F(1, 2)}


def test_lengths_are_compared_in_coprime_integers() -> None:
    chain = walk(read_text(NETWORK + WEIGHTS, format="toml"))
    assert chain.normals["work(a:long - short)"].form == {0: F(4), 1: F(3), 2: F(-2)}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (NETWORK, "policy.route_weights: expected a table like"),
        (NETWORK + WEIGHTS.replace('"3/4"', "0"), "expected a number > 0, got 0"),
        (NETWORK + WEIGHTS.replace('"3/4"', "0.75"), 'expected an exact number, got 0.75 (write "3/4" or "0.75")'),
        (NETWORK + WEIGHTS.replace("a.long.2", "a.long.3"), "expected one of the buffers a.long.1, a.long.2, a.short.1"),
        (NETWORK.replace("long =", "longer = " + str(list("12121212")) + "\nlong =") + 'sequencing = "fbfs"\n' + UNLIKE,
         "expected weights of class a that are multiples, up to 10^300, of one number"),
        (NETWORK.replace("weighted-route", "jsr") + WEIGHTS, "expected no route_weights with routing jsr, got one"),
        (NETWORK.replace("weighted-route", "least-expected-work"), 'write "weighted-route", with mean service times'),
    ],
)  # fmt: skip
def test_mistakes_are_refused_with_their_cure(text: str, message: str) -> None:
    with pytest.raises(InputError) as caught:
        read_text(text, format="toml")
    assert message in str(caught.value)


def test_certificate_is_of_these_weights_and_no_others() -> None:
    text = NETWORK + WEIGHTS
    decision = decide(read_text(text, format="toml"))
    data = certificate_of(decision)
    assert decision.verdict is Verdict.STABLE
    assert data is not None
    assert check_bytes(data, text.encode()).accepted
    assert check_bytes(data, text.replace('"3/4"', '"6/8"').encode()).accepted
    other = check_bytes(data, text.replace('"3/4"', '"1/4"').encode())
    assert (other.accepted, other.rule) == (False, "same-policy")
    assert json.loads(data)["policy"]["route_weights"] == {"a.long.1": "1", "a.long.2": "3/4", "a.short.1": "1/2"}


@pytest.mark.parametrize("weight", ["1/1000", "1", "1000"])
def test_parallel_servers_are_stable_inside_capacity_whatever_the_weights(weight: str) -> None:
    parallel = f"""
servers = {{ 1 = {{ rate = "1" }}, 2 = {{ rate = "1/4" }} }}
classes = [{{ name = "a", arrival_rate = "9/10", routes = {{ r1 = ["1"], r2 = ["2"] }} }}]
[policy]
routing = "weighted-route"
route_weights = {{ "a.r1.1" = "{weight}" }}
"""
    assert decide(read_text(parallel, format="toml")).verdict is Verdict.STABLE
