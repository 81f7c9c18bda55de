"""What users ask for that files cannot say: named as such, with the nearest that can be said; and words of other tools."""

from __future__ import annotations

from collections.abc import Iterable

from verify.network.messages import did_you_mean

_NOT_YET = "cannot be expressed in this version"
_SERVERS = (
    f"several identical servers at a station {_NOT_YET}; nearest: a buffer network with several servers at one buffer"
)
_INFINITE = f"infinite servers {_NOT_YET}; nearest: leave the delay out, as it does not change the load"
_FINITE = f'finite buffers {_NOT_YET}: every buffer holds any number of jobs (holding = "spillback" is not a capacity)'
_BATCH = f"batches {_NOT_YET}: jobs arrive and are served one by one"
_LAW = f"other laws than exponential {_NOT_YET}; a rate or mean is all that is used, and verdicts are for exponential times"
_RATES = f"sets of rates {_NOT_YET}; nearest: parameters, and one certificate for each setting (--set)"
_CLOSED = f"closed networks {_NOT_YET}: with a fixed population nothing can grow"
_PREEMPTION = f"non-preemptive service {_NOT_YET}: all sequencing is preemptive-resume, and verdicts say so"
_SHARING = f"processor sharing {_NOT_YET}; nearest: non-idling, whose proofs hold for every work-conserving server"
_LEAVING = (
    f"abandonment {_NOT_YET}; nearest: a second activity of a server of its own that lets jobs of the buffer leave"
)
_SETUP = f"setup and switchover times {_NOT_YET}: a server changes buffers at no cost"
_BROKEN = f"breakdowns, vacations and schedules {_NOT_YET}; nearest: the mean rate, for which a verdict then speaks"
_TWO = f"power of d choices {_NOT_YET} as a word; nearest: routing jsq with one class for each pair of servers"
_WORK = f"joining the least work {_NOT_YET}; nearest: jsr or jsq, which count jobs"
_TURNS = (
    f"round robin {_NOT_YET}; nearest: bernoulli routing, or non-idling sequencing, which covers every order of service"
)
_ORDER = f"this order of service {_NOT_YET}; nearest: non-idling, whose proofs hold for every work-conserving order"
_SIZE = f"sequencing by size or remaining time {_NOT_YET}; nearest: non-idling, whose proofs hold for every work-conserving order"

#: Keys of tables.
KEYS = {
    "count": _SERVERS, "number_of_servers": _SERVERS, "num_servers": _SERVERS, "infinite": _INFINITE,
    "capacity": _FINITE, "buffer_size": _FINITE, "buffer_limit": _FINITE,
    "batch": _BATCH, "batch_size": _BATCH, "batches": _BATCH,
    "laws": _LAW, "law": _LAW, "distribution": _LAW, "scv": _LAW, "variance": _LAW, "cv": _LAW, "service_distribution": _LAW,
    "rates": _RATES, "population": _CLOSED, "closed": _CLOSED,
    "preemptive": _PREEMPTION, "preemption": _PREEMPTION, "non_preemptive": _PREEMPTION,
    "patience": _LEAVING, "abandonment": _LEAVING, "reneging": _LEAVING, "deadline": _LEAVING, "timeout": _LEAVING,
    "setup": _SETUP, "setup_time": _SETUP, "switchover": _SETUP, "changeover": _SETUP,
    "breakdowns": _BROKEN, "availability": _BROKEN, "vacation": _BROKEN, "schedule": _BROKEN, "mtbf": _BROKEN,
}  # fmt: skip
#: Words of policies.
WORDS = {
    "ps": _SHARING, "processor-sharing": _SHARING, "dps": _SHARING, "gps": _SHARING, "head-of-line-processor-sharing": _SHARING,
    "non-preemptive": _PREEMPTION, "npp": _PREEMPTION, "hol": _PREEMPTION,
    "po2": _TWO, "power-of-two": _TWO, "power-of-d": _TWO, "power-of-two-choices": _TWO, "jsq2": _TWO, "jsq-2": _TWO, "sq2": _TWO,
    "jsw": _WORK, "lwl": _WORK, "least-work": _WORK, "jsw-r": _WORK, "least-work-left": _WORK, "sed": _WORK,
    "round-robin": _TURNS, "rr": _TURNS, "cyclic": _TURNS, "polling": _TURNS,
    "srpt": _SIZE, "sjf": _SIZE, "spt": _SIZE, "ljf": _SIZE, "edf": _SIZE, "edd": _SIZE,
    "lcfs": _ORDER, "lifo": _ORDER, "siro": _ORDER, "ros": _ORDER, "random": _ORDER, "random-order": _ORDER,
    "blocking": _FINITE, "finite": _FINITE, "kanban": _FINITE, "drop": _FINITE,
    "deterministic": _LAW, "general": _LAW, "phase-type": _LAW,
}  # fmt: skip
#: Words of other tools for what can be said.
_SAME = {
    "fcfs": "fifo", "first-come-first-served": "fifo", "random": "bernoulli", "probabilistic": "bernoulli",
    "probability": "bernoulli", "split": "bernoulli", "shortest-queue": "jsq", "join-the-shortest-queue": "jsq",
    "shortest-route": "jsr", "join-the-shortest-route": "jsr", "static-priority": "priority", "hp": "priority",
    "work-conserving": "non-idling", "nonidling": "non-idling", "lqf": "longest-queue", "longest": "longest-queue",
    "maxweight": "max-weight", "mw": "max-weight", "backpressure": "back-pressure", "max-pressure": "back-pressure",
    "first-buffer-first-served": "fbfs", "last-buffer-first-served": "lbfs",
    "any": "non-idling", "one": "fixed", "deterministic-routing": "fixed",
}  # fmt: skip


def cure_of_word(word: object, options: Iterable[str]) -> str:
    """What to do about a word of a policy that is none of the options.

    >>> cure_of_word("fcfs", ["fbfs", "fifo"]), cure_of_word("JSQ", ["jsr", "jsq"]), cure_of_word("prioritty", ["priority"])
    ("write 'fifo'", "write 'jsq'", "did you mean 'priority'?")
    """
    listed = list(options)
    if not isinstance(word, str):
        return ""
    plain = word.strip().lower().replace("_", "-").replace(" ", "-")
    for known in (plain, _SAME.get(plain, "")):
        if known in listed:
            return f"write {known!r}"
    return WORDS.get(plain) or did_you_mean(word, listed)


def cure_of_key(key: object, options: Iterable[str]) -> str:
    """What to do about a key that is none of the options.

    >>> cure_of_key("arival_rate", ["arrival_rate"]), cure_of_key("capacity", ["rate"])[:28]
    ("did you mean 'arrival_rate'?", 'finite buffers cannot be exp')
    """
    listed = list(options)
    plain = str(key).strip().lower().replace("-", "_")
    if plain in listed:
        return f"write {plain!r}"
    return KEYS.get(plain) or did_you_mean(key, listed)
