"""The front door of queueproof: what a notebook needs, typed; the import itself loads nothing else.

>>> import queueproof
>>> question = queueproof.read("examples/lu-kumar-fbfs.toml")
>>> result = queueproof.certify(question, criterion="fluid")
>>> result.verdict, result.load, result.epsilon
(<Verdict.STABLE: 'stable'>, Fraction(7, 10), Fraction(2, 13))
>>> queueproof.check(result, question).accepted
True

Exact numbers are ``int``, ``Fraction`` or strings ("9/10", "0.9"); floats are refused, as in files.  Rates are jobs per unit of
time.  Every fault of the input is an :class:`InputError` with ``place``, ``expected``, ``found`` and ``cure``.  The names in
``__all__`` are the public ones; docs/api.md explains them.
"""

from __future__ import annotations

TYPE_CHECKING = False  # type checkers take it for true; importing ``typing`` would be most of the cost of this module
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from fractions import Fraction
    from os import PathLike
    from typing import Any, Literal, TypeAlias

    import networkx

    from queueproof.bridge import InputError as InputError
    from queueproof.bridge import InternalError as InternalError
    from queueproof.bridge import NotWalked as NotWalked
    from queueproof.bridge import QueueproofError as QueueproofError
    from queueproof.bridge import UnusedSetting as UnusedSetting
    from queueproof.bridge import Verdict as Verdict
    from queueproof.parallel_queues import Equilibria as Equilibria
    from queueproof.question import Question as Question
    from queueproof.results import Answer as Answer
    from queueproof.results import Result as Result
    from queueproof.stationary import Bounds as Bounds
    from queueproof.studies import Comparison as Comparison
    from queueproof.studies import Expansion as Expansion
    from queueproof.studies import Regimes as Regimes
    from queueproof.studies import Simulation as Simulation

    Number: TypeAlias = int | Fraction | str
    Path: TypeAlias = str | PathLike[str]
    Progress: TypeAlias = Callable[[str], None]
    Method: TypeAlias = Literal["auto", "linear", "quadratic", "explicit", "lp", "down-meyn", "corrected"]
    Criterion: TypeAlias = Literal["auto", "fluid", "strict", "corrected", "quadratic", "paper"]
    Rule: TypeAlias = Literal["first", "last", "random"]
else:
    _HOMES = {
        **dict.fromkeys(("InputError", "InternalError", "NotWalked", "QueueproofError", "UnusedSetting"), "bridge"),
        **dict.fromkeys(("Answer", "Result"), "results"),
        **dict.fromkeys(("Comparison", "Expansion", "Regimes", "Simulation"), "studies"),
        "Bounds": "stationary",
        "Equilibria": "parallel_queues",
        "Question": "question",
        "Verdict": "bridge",
    }

    def __getattr__(name):
        """The classes, loaded when they are asked for."""
        if name not in _HOMES:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        from importlib import import_module

        return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)

    def __dir__():
        return [*__all__, "__doc__", "__file__", "__name__"]


__all__ = [
    "Answer",
    "Bounds",
    "Comparison",
    "Equilibria",
    "Expansion",
    "InputError",
    "InternalError",
    "NotWalked",
    "Question",
    "QueueproofError",
    "Regimes",
    "Result",
    "Simulation",
    "UnusedSetting",
    "Verdict",
    "bounds",
    "buffer_network",
    "certify",
    "check",
    "compare",
    "equilibria",
    "expand",
    "from_networkx",
    "read",
    "read_text",
    "regimes",
    "route_network",
    "simulate",
]  # fmt: skip


# Questions: a network, a policy, possibly a test function -------------------------------------------------


def read(path: Path, settings: Mapping[str, Number] | None = None) -> Question:
    """The question in a network file (docs/network-file.md): JSON if its name ends in ``.json``, TOML otherwise.

    Parameters: ``settings`` name -> exact number, in place of parameters of the file (``--set`` of the commands); one that
    nothing in the file depends on is an ``UnusedSetting``, a warning.  Raises ``InputError`` that names file and field.

    >>> read("examples/paper-1-jsr.toml").load
    Fraction(8, 9)
    >>> read("examples/jackson-feedback.toml", {"load": 0.9})
    Traceback (most recent call last):
    verify.errors.InputError: settings.load: expected an exact number, got 0.9 (write "9/10" or "0.9")
    """
    from queueproof import question

    return question.read(path, settings or {})


def read_text(
    text: str, format: Literal["toml", "json"] = "toml", settings: Mapping[str, Number] | None = None
) -> Question:
    """The question in the text of a network file; ``settings`` as for :func:`read`.  Raises ``InputError``."""
    from queueproof import question

    return question.read_text(text, format, settings or {})


def route_network(
    servers: Mapping[str, Number | Mapping[str, Any] | None] | Iterable[str],
    classes: Sequence[Mapping[str, Any]],
    policy: Mapping[str, Any] | None = None,
    *,
    test_function: Mapping[str, Any] | None = None,
    title: str = "",
    source: str = "",
) -> Question:
    """Classes of jobs that follow finite routes of visits to servers (theory 1.1), stated as in a network file.

    Parameters: ``servers`` name -> service rate (> 0; None, or a mere list of names: each visit states its own); ``classes``
    tables with ``name``, ``arrival_rate`` (> 0) and ``routes``, route -> list of visits, each the name of a server or a table
    with ``server`` and ``rate`` (or ``mean`` service time); ``policy`` and ``test_function`` tables as in a file.
    Raises ``InputError`` with the field, as the reader of files does.

    >>> tandem = route_network({"cut": 2, "paint": "3/2"}, [
    ...     {"name": "chair", "arrival_rate": 1, "routes": {"only": ["cut", "paint"]}}])
    >>> tandem.load
    Fraction(2, 3)
    """
    from queueproof import question

    tables = {"servers": servers, "classes": classes, "policy": policy, "test_function": test_function}
    return question.stated(tables, title, source)


def buffer_network(
    servers: Iterable[str],
    buffers: Sequence[Mapping[str, Any]],
    activities: Sequence[Mapping[str, Any]],
    policy: Mapping[str, Any] | None = None,
    *,
    test_function: Mapping[str, Any] | None = None,
    title: str = "",
    source: str = "",
) -> Question:
    """Buffers, and activities that move jobs between them at random (theory 1.1), stated as in a network file.

    Parameters: ``servers`` their names; ``buffers`` tables with ``name`` and ``arrival_rate`` (>= 0, left out: 0);
    ``activities`` tables with ``server``, ``buffer``, ``rate`` (or ``mean``) and ``next``, buffer -> probability, what is
    missing to 1 leaves.  Raises ``InputError``.

    >>> buffer_network(["A"], [{"name": "q", "arrival_rate": "1/2"}],
    ...     [{"server": "A", "buffer": "q", "rate": 1, "next": {"q": "1/4"}}]).load
    Fraction(2, 3)
    """
    from queueproof import question

    tables = {"servers": servers, "buffers": buffers, "activities": activities, "policy": policy}
    return question.stated({**tables, "test_function": test_function}, title, source)


def from_networkx(graph: networkx.MultiDiGraph) -> Question:
    """The question in a networkx graph of the form that :meth:`Question.to_networkx` makes.  Raises ``InputError``."""
    from queueproof import question

    return question.from_networkx(graph)


# Proofs ---------------------------------------------------------------------------------------------------


def certify(
    question: Question,
    method: Method = "auto",
    criterion: Criterion = "auto",
    *,
    time_limit: float | None = None,
    progress: Progress | None = None,
) -> Result:
    """Decide: STABLE, UNSTABLE or UNDECIDED; the first two with a certificate that the independent checker has accepted.

    Parameters: ``method`` and ``criterion`` as those of the command; ``time_limit`` in seconds, for everything (None: the
    budgets of the searches alone count, and the answer is the same everywhere); ``progress`` receives lines (``print``).
    Raises ``InputError``.

    >>> certify(read("examples/jackson-feedback.toml", {"load": "23/20"})).scope
    'every policy of this routing'
    """
    from queueproof import results

    return results.certify(question, method, criterion, time_limit, progress)


def check(
    certificate: bytes | Path | Result | Bounds,
    file: Path | Question | None = None,
    settings: Mapping[str, Number] | None = None,
) -> Answer:
    """Ask the independent checker about a certificate: is it accepted, and if a file or a question stands beside it, does it
    speak of exactly this network and policy?

    Parameters: ``certificate`` its bytes, its file, or the result or the bounds that have it; ``settings`` override
    parameters of ``file``.
    Raises ``InputError`` if a file cannot be read or is none of its kind.
    """
    from queueproof import results

    return results.check(certificate, file, settings or {})


# Studies --------------------------------------------------------------------------------------------------


def regimes(question: Question, *, time_limit: float | None = 20.0) -> Regimes:
    """The regimes of the test function at hand, with symbolic and exact mean drifts (theory 3 and 4).

    Parameters: ``time_limit`` in seconds for finding another V where condition F fails for it.  Raises ``InputError``.

    >>> regimes(read("examples/paper-1-jsr.toml")).largest_drift
    Fraction(-81, 1024)
    """
    from queueproof import studies

    return studies.regimes(question, time_limit)


def compare(*questions: Question, time_limit: float | None = None, progress: Progress | None = None) -> Comparison:
    """All methods side by side: pieces, scale-free epsilon, largest certified load.

    Parameters: ``time_limit`` in seconds for each single proof.  Raises ``InputError``.
    """
    from queueproof import studies

    return studies.compare(questions, time_limit, progress)


def expand(question: Question) -> Expansion:
    """The route expansion: subservers, duplicates, imaginary transitions (theory 1.2)."""
    from queueproof import studies

    return studies.expand(question)


def simulate(
    question: Question,
    *,
    seed: int = 1,
    replications: int = 10,
    horizon: float | None = None,
    jumps: int | None = None,
    warm_up: float = 0.2,
    start: Mapping[str, int] | None = None,
    rule: Rule = "first",
    confidence: float = 0.95,
    progress: Progress | None = None,
) -> Simulation:
    """Simulate the chain: evidence, never a verdict.

    Parameters: ``seed`` >= 0 of ``replications`` >= 2 runs; at most one of ``horizon`` (time) and ``jumps`` (default 20000),
    the length of each run; ``warm_up`` the part (0 <= . < 1) that means leave out; ``start`` buffer -> jobs at time 0; ``rule``
    for free choices of the policy; ``confidence`` of all intervals.  Raises ``InputError``.
    """
    from queueproof import studies

    plan = {"seed": seed, "replications": replications, "horizon": horizon, "jumps": jumps, "warm_up": warm_up}
    return studies.simulate(question, {**plan, "start": start or {}, "rule": rule, "confidence": confidence}, progress)


def bounds(
    question: Question,
    of: str | Mapping[str, Number] = "total",
    *,
    time_limit: float | None = None,
    effort: int | None = None,
    tails: bool = False,
    simulation: bool = True,
    seed: int = 1,
    replications: int = 10,
    jumps: int = 50_000,
    rule: Rule = "first",
    confidence: float = 0.95,
    progress: Progress | None = None,
) -> Bounds:
    """Upper and lower bounds on a mean in the stationary law, with a certificate that the independent checker has accepted.

    Parameters: ``of`` total, a buffer, a class, or weights buffer -> number; ``time_limit`` in seconds, for the proofs;
    ``effort``: entries of the largest linear program (None: 8000), more gives finer functions and takes longer; ``tails``: is a
    proof by condition S or H looked for, which says more (tails, times), if the one at hand does not?  ``simulation``: is one
    policy of the class simulated too (evidence, no bound), in ``replications`` runs of ``jumps`` from ``seed``, free
    choices made by ``rule``?  Raises ``InputError``.

    >>> found = bounds(read("examples/jackson-feedback.toml"), simulation=False)
    >>> found.lower, found.upper, found.by_work
    (Fraction(13, 1), Fraction(13, 1), Fraction(26, 3))
    """
    from queueproof import stationary

    plan = {"seed": seed, "replications": replications, "jumps": jumps, "rule": rule, "confidence": confidence}
    return stationary.bounds(question, of, time_limit, effort, tails, plan if simulation else None, progress)


def equilibria(source: Path | Mapping[str, Any], settings: Mapping[str, Number] | None = None) -> Equilibria:
    """User equilibria and social optimum of parallel queues, exactly.

    Parameters: ``source`` an equilibria file (docs/equilibria.md), or its tables; ``settings`` as for :func:`read`.
    Raises ``InputError``.

    >>> found = equilibria({"arrival_rate": 1, "queues": [{"type": "M/M/1", "service_rate": 2},
    ...                                                   {"type": "M/M/1", "service_rate": 3}]})
    >>> [share.rational for share in found.equilibria[0].shares]
    [Fraction(0, 1), Fraction(1, 1)]
    """
    from queueproof import parallel_queues

    return parallel_queues.equilibria(source, settings or {})
