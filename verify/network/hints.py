"""What the user may have meant by an unknown key: another name, what cannot be expressed, or a slip of the pen.

Unknown words of a policy are the business of :mod:`verify.policies.hints`."""

from __future__ import annotations

from collections.abc import Sequence
from types import MappingProxyType

from verify.network.inexpressible import inexpressible_key, normal
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


def key_hint(key: str, keys: Sequence[str]) -> str:
    """What may have been meant by an unknown key of a table that has ``keys``.

    >>> key_hint("mu", ["rate"]), key_hint("servers", ["server", "rate"])
    ("write 'rate'", "did you mean 'server'?")
    >>> key_hint("weights", ["route_weights", "buffer_weights"])
    "write 'route_weights' or 'buffer_weights'"
    """
    if singular(key) in keys:
        return did_you_mean(key, keys)
    for target in _KEYS.get(normal(key), ()):
        if target in keys:
            return f"write {target!r}"
    missing = inexpressible_key(key)
    if missing is not None:
        return missing.cure
    several = [name for name in keys if name.endswith(f"_{key}")]
    return f"write {' or '.join(map(repr, several))}" if len(several) > 1 else did_you_mean(key, keys)


def singular(key: str) -> str:
    """A key without the ``s`` of a plural, which is a slip of the pen."""
    return key.removesuffix("s")


def spelling_hint(word: str, options: Sequence[str]) -> str:
    """Which of the words may have been meant by an unknown one.

    >>> spelling_hint("JSQ", ["jsr", "jsq"])
    "did you mean 'jsq'?"
    """
    spelt = [option for option in options if normal(option) == normal(word)]
    return f"did you mean {spelt[0]!r}?" if spelt else did_you_mean(word, options)
