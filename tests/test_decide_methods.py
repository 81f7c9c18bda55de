"""How a decision goes through methods: what they yield counts, in order, and nothing is done after a proof."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from catalogue.networks import read, single_text

from verify.budget import TimeIsUp
from verify.conditions.condition import Verdict
from verify.conditions.proof import Proof
from verify.decide import Request, decide
from verify.errors import NotWalked
from verify.methods import registry
from verify.methods.method import Attempt, Method, Problem, Refusal, Settings, Why
from verify.verdict import obstacle_words

QUEUE = read(single_text("1/2"))
FIRST = Attempt("made up", "the first way fails")


class MadeUp(Method):
    """Fails once, then ends as it is told."""

    name, missing = "made up", "nothing"

    def __init__(self, end: Exception | None = None, refused: Refusal | None = None):
        self.end, self.refused = end, refused

    def refusal(self, problem: Problem) -> Refusal | None:
        return self.refused

    def search(self, problem: Problem, settings: Settings) -> Iterator[Proof | Attempt]:
        settings.report("the second way")
        yield FIRST
        if isinstance(self.end, TimeIsUp | NotWalked):
            raise self.end
        yield from registry.method("linear").search(problem, settings)
        if self.end is not None:
            raise self.end


def test_decide_keeps_what_failed_beside_the_proof_and_does_nothing_after_it() -> None:
    decision = decide(QUEUE, Request(MadeUp(AssertionError("the search went on"))))
    assert (decision.verdict, decision.method) == (Verdict.STABLE, "made up")
    assert decision.attempts == (FIRST,)


def test_decide_out_of_time_keeps_what_failed_before() -> None:
    decision = decide(QUEUE, Request(MadeUp(TimeIsUp()), time_limit=5))
    first, *others = decision.attempts
    assert (first.method, first.why, others) == ("made up", Why.TIME, [FIRST])
    assert first.reason == "the time limit of 5 s was reached, during: the second way"
    assert obstacle_words(decision.attempts) == first.reason


def test_decide_chain_that_cannot_be_walked_ends_the_search() -> None:
    decision = decide(QUEUE, Request(MadeUp(NotWalked("no walk"))))
    assert decision.attempts == (FIRST, Attempt("made up", "no walk"))


@pytest.mark.parametrize(
    ("refusal", "attempts"),
    [
        (Refusal("word", "a sentence"), (Attempt("made up", "a sentence", why=Why.UNFIT),)),
        (Refusal("word", "a sentence", Why.FAILED), (Attempt("made up", "a sentence"),)),
        (Refusal("word"), ()),
    ],
)
def test_decide_refused_method_is_not_tried(refusal: Refusal, attempts: tuple[Attempt, ...]) -> None:
    assert decide(QUEUE, Request(MadeUp(refused=refusal))).attempts == attempts


def test_obstacle_names_what_is_known_of_a_wider_class_first() -> None:
    wider = Attempt("growth", "another policy diverges", why=Why.WIDER)
    assert obstacle_words((FIRST, wider, FIRST)) == wider.reason
    assert obstacle_words((FIRST, Attempt("explicit", "not tried", why=Why.UNFIT))) == FIRST.reason
