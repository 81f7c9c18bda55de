"""Results: a verdict is never without its claim, nothing is true by accident; HTML is escaped."""

from __future__ import annotations

import pickle
from fractions import Fraction
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

import queueproof
from front_door.asked import EXAMPLES, QUICK, single_server, undecided


def test_undecided_does_not_look_like_a_verdict(tmp_path: Path) -> None:
    result = undecided()
    for text in (str(result), repr(result), result.claim, result._repr_html_()):
        assert "UNDECIDED" in text
        assert "STABLE" not in text
    assert (result.certificate, result.epsilon, result.scope, result.criterion) == (None,) * 4
    for use in (lambda: result.save(tmp_path / "c"), lambda: queueproof.check(result)):
        with pytest.raises(queueproof.InputError, match="UNDECIDED, which has none"):
            use()
    assert not list(tmp_path.iterdir())
    (attempt,) = result.attempts
    assert attempt.obstacle is not None and isinstance(attempt.obstacle.drift, Fraction) and attempt.obstacle.drift > 0


@pytest.mark.parametrize("name", QUICK)
def test_verdict_is_never_without_its_claim(name: str) -> None:
    result = queueproof.certify(queueproof.read(EXAMPLES / f"{name}.toml"))
    assert result.claim.startswith(f"{result.verdict.value.upper()}: ")
    assert "the network of this certificate" in result.claim
    assert result.claim in str(result) and result.claim in repr(result)
    assert result.claim in words_of(result._repr_html_())


def test_results_and_answers_are_neither_true_nor_false() -> None:
    result = queueproof.certify(single_server())
    for found in (result, undecided(), queueproof.check(result), queueproof.bounds(single_server(), simulation=False)):
        with pytest.raises(TypeError, match="neither true nor false"):
            bool(found)


def test_results_are_immutable_and_survive_pickle() -> None:
    question = single_server()
    found: list[Any] = [
        queueproof.certify(question), queueproof.check(queueproof.certify(question)), queueproof.regimes(question),
        queueproof.compare(question), queueproof.expand(question), queueproof.simulate(question, jumps=100),
        queueproof.bounds(question, jumps=100),
        queueproof.equilibria(EXAMPLES / "equilibria" / "two-single-servers.toml"),
    ]  # fmt: skip
    for one in found:
        document = one.to_dict()
        document.clear()
        assert one.to_dict()
        with pytest.raises(AttributeError):
            one.extra = 1
        restored = pickle.loads(pickle.dumps(one))
        assert (restored.to_dict(), str(restored)) == (one.to_dict(), str(one))
        assert restored._repr_html_() == one._repr_html_()


def test_bounds_that_are_none_have_no_certificate(tmp_path: Path) -> None:
    found = queueproof.bounds(single_server(servers={"A": "1/2"}))
    assert (found.lower, found.upper, found.claim, found.certificate, found.verdict) == (*[None] * 4, "unstable")
    assert found.reason is not None and found.reason in repr(found) and found.reason in words_of(found._repr_html_())
    for use in (lambda: found.save(tmp_path / "c"), lambda: queueproof.check(found)):
        with pytest.raises(queueproof.InputError, match=r"none, as nothing was bounded|no bound, which has none"):
            use()
    assert not list(tmp_path.iterdir())


# HTML


class Page(HTMLParser):
    """Tags that are closed in order, and the words between them."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: set[str] = set()
        self.words: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.open.append(tag)
        self.tags.add(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.words.append(data)


def words_of(text: str) -> str:
    """The words of a page whose tags are in order and are those of small tables."""
    page = Page()
    page.feed(text)
    page.close()
    assert not page.open
    assert page.tags <= {"div", "p", "strong", "table", "thead", "tbody", "tr", "th", "td"}
    return "".join(page.words)


def test_html_of_every_result_is_escaped() -> None:
    nasty = '</p><script>alert("x")</script> & <b>\x1b[31m'
    question = single_server(title=nasty, source=nasty)
    two = {"arrival_rate": 1, "title": nasty, "queues": [{"type": "M/M/1", "service_rate": rate} for rate in (2, 3)]}
    found: list[Any] = [
        question, queueproof.certify(question), queueproof.check(queueproof.certify(question)), queueproof.regimes(question),
        queueproof.compare(question), queueproof.expand(question), queueproof.simulate(question, jumps=100),
        queueproof.bounds(question, jumps=100), queueproof.bounds(single_server(servers={"A": "1/2"}), simulation=False),
        queueproof.equilibria(two), undecided(), queueproof.read(EXAMPLES / "jackson-feedback.toml"),
        queueproof.regimes(queueproof.read(EXAMPLES / "paper-1-jsr-longest.toml")),
    ]  # fmt: skip
    for one in found:
        text = one._repr_html_()
        assert words_of(text)
        assert "<script" not in text and "\x1b" not in text
    assert sum('alert("x")' in words_of(one._repr_html_()) for one in found) >= 5


def test_html_of_regimes_names_the_buffers_where_there_are_no_routes() -> None:
    found = queueproof.regimes(queueproof.read(EXAMPLES / "jackson-feedback.toml"))
    assert all(row.dominant_buffers and not row.dominant_routes for row in found.rows)
    assert "></td>" not in found._repr_html_()


def test_html_begins_with_the_verdict() -> None:
    assert words_of(queueproof.certify(single_server())._repr_html_()).startswith("STABLE: the network")
    assert words_of(undecided()._repr_html_()).startswith("UNDECIDED: neither")
