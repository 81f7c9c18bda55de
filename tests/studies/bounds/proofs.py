"""Networks of these tests, and their proofs by one condition."""

from __future__ import annotations

import functools

from catalogue.networks import case_text, line_text, single_text

from verify.conditions.criterion import Criterion
from verify.conditions.proof import Proof
from verify.decide import Request, decide
from verify.network_file.read import read_text

#: Two queues in series, λ = 1, rates 2 and 3, non-idling.
TANDEM = case_text("global-tandem2-0")
#: One server, every job served twice at rate 4, λ = 1; second services first.
PRIORITY = line_text("11", ["1/4", "1/4"], "priority", {"1": "21"})
#: M/M/2: one buffer, λ = 1, two servers of rate 1.
SHARED = """
servers = { A = {}, B = {} }
buffers = [{ name = "K", arrival_rate = "1" }]
activities = [{ server = "A", buffer = "K", rate = "1" }, { server = "B", buffer = "K", rate = "1" }]
[policy]
sequencing = "non-idling"
[test_function]
pieces = [{ K = 1 }]
"""


def with_pieces(text: str, pieces: str) -> str:
    return f"{text}\n[test_function]\npieces = [{pieces}]\n"


TANDEM_ONE_PIECE = with_pieces(TANDEM, '{ "a.r1.1" = 1, "a.r1.2" = "2/5" }')
#: V is the work: 1/2 for a job before its first service, 1/4 before its second.
PRIORITY_WORK = with_pieces(PRIORITY, '{ "a.r.1" = 2, "a.r.2" = 1 }')


def single(arrival_rate: str, rate: str) -> str:
    return with_pieces(single_text(arrival_rate, rate), '{ "a.r.1" = 1 }')


@functools.cache
def proof_of(text: str, criterion: Criterion) -> Proof:
    found = decide(read_text(text, format="toml"), Request(criterion=criterion, polish=False)).proof
    assert found is not None
    return found
