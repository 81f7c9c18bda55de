"""What the user may have meant by an unknown key or word: another name, what cannot be expressed, or a slip of the pen."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from types import MappingProxyType

from verify.network.inexpressible import inexpressible_key, inexpressible_word, normal
from verify.network.messages import did_you_mean

#: Other names of keys -> the keys, the first that a table has.
_KEYS = MappingProxyType(
    {
        **dict.fromkeys(("mu", "speed", "service-rate", "service-rates"), ("rate",)),
        **dict.fromkeys(("service-time", "mean-service-time", "service-mean", "duration", "mean-time"), ("mean",)),
        **dict.fromkeys(("lambda", "lam", "arrival", "arrivals", "external-rate", "rate", "rates"), ("arrival_rate",)),
        **dict.fromkeys(("path", "paths", "visits", "route", "itinerary"), ("routes",)),
        **dict.fromkeys(("station", "stations", "node", "nodes", "machine", "machines"), ("servers", "server")),
        **dict.fromkeys(("queue", "queues"), ("buffers", "buffer")),
        **dict.fromkeys(("scheduling", "discipline", "service-discipline", "order"), ("sequencing",)),
        **dict.fromkeys(("dispatching", "dispatch", "load-balancing"), ("routing",)),
        **dict.fromkeys(("id", "label"), ("name",)),
        **dict.fromkeys(("to", "then", "destination", "destinations", "successor"), ("next",)),
        **dict.fromkeys(("constants", "params", "variables"), ("parameters",)),
        **dict.fromkeys(("job-classes", "types", "customers", "job-types"), ("classes",)),
        **dict.fromkeys(("lyapunov", "lyapunov-function", "function", "v"), ("test_function",)),
        **dict.fromkeys(("probability", "probs"), ("probabilities",)),
    }
)

#: Key of the choice -> other names of its words -> what to write.
_WORDS = MappingProxyType(
    {
        "sequencing": {
            **dict.fromkeys(("fcfs", "first-come-first-served", "first-in-first-out", "fifs"), 'write "fifo"'),
            **dict.fromkeys(("lqf", "longest", "longest-queue-first", "longest-first"), 'write "longest-queue"'),
            **dict.fromkeys(("static-priority", "preemptive-priority", "prio", "preemptive"), 'write "priority"'),
            **dict.fromkeys(("cmu", "c-mu", "cmu-rule"), 'write "priority", the buffers in order of cost times rate'),
            "first-buffer-first-served": 'write "fbfs"',
            "last-buffer-first-served": 'write "lbfs"',
            **dict.fromkeys(("work-conserving", "nonidling", "any", "all", "arbitrary"), 'write "non-idling"'),
            **dict.fromkeys(("max-pressure", "maxpressure"), 'write "back-pressure"'),
            **dict.fromkeys(("jsq", "jsr", "bernoulli"), "that is a routing"),
            "jsq-as": 'that is a preset: write preset = "jsq-as", without routing, sequencing and holding',
            "spillback": 'that is a holding: write holding = "spillback"',
        },
        "routing": {
            **dict.fromkeys(
                ("random", "probabilistic", "split", "markov"), 'write "bernoulli", with [policy.probabilities]'
            ),
            **dict.fromkeys(("shortest-queue", "join-the-shortest-queue", "join-shortest-queue"), 'write "jsq"'),
            **dict.fromkeys(("shortest-route", "join-the-shortest-route", "join-shortest-route"), 'write "jsr"'),
            "jsq-as": 'that is a preset: write preset = "jsq-as", without routing, sequencing and holding',
            **dict.fromkeys(("fifo", "fcfs", "priority", "fbfs", "lbfs", "non-idling", "dominant"), "that is a sequencing"),
            "spillback": 'that is a holding: write holding = "spillback"',
        },
    }
)  # fmt: skip


def key_hint(key: str, keys: Sequence[str]) -> str:
    """What may have been meant by an unknown key of a table that has ``keys``.

    >>> key_hint("mu", ["rate"]), key_hint("servers", ["server", "rate"])
    ("write 'rate'", "did you mean 'server'?")
    """
    if singular(key) in keys:
        return did_you_mean(key, keys)
    for target in _KEYS.get(normal(key), ()):
        if target in keys:
            return f"write {target!r}"
    missing = inexpressible_key(key)
    return did_you_mean(key, keys) if missing is None else missing.cure


def singular(key: str) -> str:
    """A key without the ``s`` of a plural, which is a slip of the pen."""
    return key.removesuffix("s")


def word_hint(word: str, options: Iterable[str], choice: str) -> str:
    """What may have been meant by an unknown word.  Parameters: ``choice`` the key it stands at (``sequencing``, ...).

    >>> word_hint("fcfs", ["fbfs", "fifo"], "sequencing"), word_hint("JSQ", ["jsr", "jsq"], "routing")
    ('write "fifo"', "did you mean 'jsq'?")
    """
    known = list(options)
    spelt = [option for option in known if normal(option) == normal(word)]
    if spelt:
        return f"did you mean {spelt[0]!r}?"
    written = _WORDS.get(choice, {}).get(normal(word))
    if written is not None:
        return written
    missing = inexpressible_word(word, choice) if choice in ("routing", "sequencing", "holding", "preset") else None
    return did_you_mean(word, known) if missing is None else missing.cure
