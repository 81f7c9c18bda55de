"""The word ``max-weight`` with weights: how it is read, what it compares, and certificates beside their files."""

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
NETWORK = """
servers = { s = {} }
classes = [
    { name = "fast", arrival_rate = "5", routes = { r = [{ server = "s", rate = "10" }] } },
    { name = "slow", arrival_rate = "2/5", routes = { r = [{ server = "s", rate = "1" }] } },
]
[policy]
sequencing = "max-weight"
"""
WEIGHTS = '[policy.buffer_weights]\n"fast.1" = "1/7"\n'


def test_weights_left_out_are_1_and_none_is_as_before() -> None:
    assert stated(read_text(NETWORK + WEIGHTS, format="toml").policy).buffer_weights == {
        "fast.r.1": F(1, 7),
        "slow.r.1": F(1),
    }
    assert "buffer_weights" not in read_text(NETWORK, format="toml").policy.to_json()


def test_products_of_weight_and_rate_are_compared() -> None:
    chain = walk(read_text(NETWORK + WEIGHTS, format="toml"))
    assert chain.normals["weight(s: fast.r.1 - slow.r.1)"].form == {0: F(10, 7), 1: F(-1)}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (NETWORK + WEIGHTS.replace('"1/7"', "-1"), "expected a number > 0, got -1"),
        (NETWORK + WEIGHTS.replace("fast.1", "fsat.1"), "expected one of the buffers fast.r.1, slow.r.1"),
        (NETWORK + WEIGHTS + '"fast.r.1" = 1', "expected one weight for fast.r.1, got a second one"),
        (NETWORK.replace("max-weight", "fifo") + WEIGHTS, "expected no buffer_weights with sequencing fifo, got one"),
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
    other = check_bytes(data, NETWORK.encode())
    assert (other.accepted, other.rule) == (False, "same-policy")
    assert json.loads(data)["policy"]["buffer_weights"] == {"fast.r.1": "1/7", "slow.r.1": "1"}
