"""What a file may ask for and this version cannot express, and what comes nearest: one table, consulted by every refusal.

An unknown key or word that is found here is no slip of the pen: the refusal names the thing, says why it is missing (the state is
the numbers of jobs in the buffers, all rates are constant on patterns of that state, and nothing else is remembered) and what
the nearest thing is that can be said.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType


@dataclass(frozen=True)
class Inexpressible:
    """One thing a queueing network may have and a file cannot say.

    ``what`` its name; ``why`` it is not there; ``nearest`` what can be said instead; ``keys`` the keys that ask for it in any
    table of a file, ``words`` those that ask for it as a policy (all in lower case, with ``-`` between parts).
    """

    what: str
    why: str
    nearest: str
    keys: tuple[str, ...] = ()
    words: tuple[str, ...] = ()

    @property
    def cure(self) -> str:
        """What a refusal says of it."""
        return f"{self.what}: not expressible in this version, as {self.why}; nearest: {self.nearest}"


_TABLE = (
    Inexpressible(
        "several identical servers at one station",
        "a server here works on one job at a time, and one server of their total rate is another network (it serves a lone job "
        "too fast)",
        "a buffer network with these servers by name, each with an activity on the same buffer",
        (
            "count", "servers", "c", "num-servers", "number-of-servers", "n-servers", "server-count",
            "parallel-servers", "multiplicity", "replicas",
        ),
    ),
    Inexpressible(
        "a station with infinitely many servers",
        "its rate grows with the number of jobs, and rates here are bounded",
        "leave the station out of the routes: it bounds no flow, so the load is the same, but it is another network",
        ("infinite", "infinite-servers", "delay", "delay-station", "think-time"),
        ("is", "infinite", "infinite-server", "delay"),
    ),
    Inexpressible(
        "a buffer of finite size, with blocking or loss",
        "every buffer here is unlimited, no job is lost and no server is blocked",
        'leave the limit out (a speed is written `rate`); holding = "spillback" stops a buffer while the next one holds at '
        "least as many jobs, which is no limit",
        (
            "capacity", "buffer-size", "buffer-capacity", "queue-capacity", "queue-size", "queue-limit", "size",
            "limit", "max-jobs", "max-queue", "finite", "waiting-room", "blocking", "loss", "drop",
        ),
        (
            "blocking", "bas", "bbs", "block", "blocking-after-service", "blocking-before-service", "loss", "drop",
            "finite",
        ),
    ),
    Inexpressible(
        "batches of jobs",
        "jobs arrive and are served one at a time",
        "single jobs at the same mean rate (batches per unit of time times their mean size): the load is the same; for the "
        "choice between two queues `queueproof equilibria` knows batch service",
        ("batch", "batches", "batch-size", "batch-arrivals", "batch-service", "bulk", "group-size"),
        ("batch", "bulk"),
    ),
    Inexpressible(
        "a law other than exponential (arrivals: Poisson)",
        "what has elapsed of an interarrival or service time would be part of the state",
        "the mean alone, as `rate` or `mean`: the load is the same, the verdict is then one for exponential times only",
        (
            "laws", "law", "distribution", "service-law", "arrival-law", "service-distribution",
            "arrival-distribution", "scv", "cv", "cv2", "variance", "phases", "phase-type", "deterministic",
            "general", "erlang", "interarrival",
        ),
        (
            "deterministic", "general", "erlang", "hyperexponential", "hyper-exponential", "phase-type", "coxian",
            "pareto", "lognormal", "uniform", "constant", "gamma", "weibull",
        ),
    ),
    Inexpressible(
        "a closed network (a fixed number of jobs that never leave)",
        "its number of jobs is bounded by itself, so that stability is no question there",
        "an open class whose arrival_rate is the throughput the network shall sustain",
        ("population", "closed", "closed-classes", "jobs", "number-of-jobs", "njobs"),
        ("closed",),
    ),
    Inexpressible(
        "service without preemption",
        "which job is in service would be part of the state",
        "the same order with preemption (preemptive-resume), which is what every word of sequencing means here",
        ("preemptive", "preemption", "non-preemptive", "nonpreemptive", "preempt"),
        ("non-preemptive", "nonpreemptive", "non-preemptive-priority", "np-priority"),
    ),
    Inexpressible(
        "processor sharing",
        "it splits the server in proportion to the numbers of jobs, a rate that changes from state to state",
        'sequencing = "non-idling", which speaks of all ways to keep the server busy',
        (),
        (
            "ps", "processor-sharing", "egalitarian", "dps", "gps", "discriminatory", "fair", "fair-sharing", "wfq",
            "drr",
        ),
    ),
    Inexpressible(
        "the power of d choices",
        "which servers a job has sampled is drawn anew for every job",
        "one class for each set of d servers, with its part of the arrival rate (d = 2: one class for each pair), and "
        'routing = "jsq"; '
        "the queues at the servers are then the same",
        ("d", "choices", "samples"),
        (
            "po2", "pod", "po-d", "power-of-d", "power-of-two", "power-of-two-choices", "power-of-d-choices",
            "two-choices", "jsq-2", "jsq-d", "jsq(2)", "jsq(d)", "jsq2", "jsqd", "sq2", "sq(2)", "sqd", "sq(d)",
            "supermarket",
        ),
    ),
    Inexpressible(
        "jobs that give up waiting (abandonment, reneging)",
        "each waiting job leaves at a rate of its own, so that the total rate grows with their number",
        "in a buffer network, one more server with an activity on the buffer that leads out: a constant rate while jobs wait",
        (
            "abandonment", "abandonment-rate", "reneging", "reneging-rate", "patience", "impatience", "balking",
            "timeout",
        ),
    ),
    Inexpressible(
        "setup or switchover times",
        "what a server is set up for would be part of the state",
        "leave them out: the load is then a lower bound for yours",
        (
            "setup", "setup-time", "setup-rate", "set-up", "switchover", "switchover-time", "switch-over",
            "switching-time", "changeover", "changeover-time", "startup", "warm-up",
        ),
        ("polling", "exhaustive", "gated"),
    ),
    Inexpressible(
        "servers that break down or take vacations",
        "whether a server is up would be part of the state",
        "the rate times the part of the time the server is up: the load is the same, the verdict is then one for that network",
        (
            "breakdown", "breakdowns", "breakdown-rate", "failure", "failure-rate", "repair", "repair-rate", "mtbf",
            "mttr", "availability", "vacation", "vacations", "vacation-rate", "uptime", "downtime",
        ),
    ),
    Inexpressible(
        "rates that change with time or at random",
        "the time of day or the state of an environment would be part of the state",
        "the rates averaged over time: the verdict is then one for that network",
        (
            "period", "schedule", "time-varying", "profile", "seasonal", "mmpp", "modulated", "environment",
            "rate-function",
        ),
        ("mmpp", "time-varying", "modulated"),
    ),
    Inexpressible(
        "jobs that split or wait for one another (fork and join)",
        "which parts belong together would be part of the state",
        "a class of its own for every part, with the arrival rate of the whole: the load is the same, but no part waits for "
        "another",
        ("fork", "join", "fork-join", "split", "siblings", "tasks", "assembly", "synchronise", "synchronize"),
        ("fork-join",),
    ),
    Inexpressible(
        "an order by size or by due date",
        "sizes, remaining times and due dates of single jobs are not part of the state (exponential times have no memory)",
        'sequencing = "priority" with the buffers in order of their mean times',
        (),
        ("srpt", "sjf", "spt", "sept", "serpt", "las", "fb", "foreground-background", "lrpt", "edf", "edd", "slack"),
    ),
    Inexpressible(
        "an order by time of arrival other than fifo",
        "the order in which jobs came is not part of the state",
        'sequencing = "non-idling", which speaks of all ways to keep the server busy',
        (),
        ("lifo", "lcfs", "lcfs-pr", "lifo-pr", "last-come-first-served", "last-in-first-out"),
    ),
    Inexpressible(
        "service in turn or at random",
        "whose turn it is is not part of the state",
        'sequencing = "non-idling", which speaks of all ways to keep the server busy',
        (),
        ("round-robin", "rr", "cyclic", "siro", "random", "random-order"),
    ),
)  # fmt: skip

#: Words that mean something else as a routing than as a sequencing.
_ROUTING = (
    Inexpressible(
        "routing in turn",
        "whose turn it is is not part of the state",
        'routing = "bernoulli" with equal probabilities',
        words=("round-robin", "rr", "cyclic", "weighted-round-robin"),
    ),
    Inexpressible(
        "routing by workload",
        "the work that jobs bring is not part of the state, only their number",
        'routing = "weighted-route" with mean service times as weights, by the expected work of the jobs on a route',
        words=(
            "jsw", "lwl", "least-work", "least-workload", "least-work-left", "join-the-shortest-workload", "shortest-workload",
        ),
    ),
    Inexpressible(
        "routing by expected delay",
        "the arriving job itself is not counted where jobs are compared",
        'routing = "weighted-route" with mean service times as weights: the expected work before the job, without its own',
        words=("sed", "shortest-expected-delay", "shortest-delay", "fastest-server-first", "fsf"),
    ),
    Inexpressible(
        "routing to idle servers",
        "it splits at random over the idle servers, and differently when there are none",
        'routing = "jsq", which sends a job to an idle server whenever there is one',
        words=("jiq", "join-idle-queue", "join-the-idle-queue", "idle-first"),
    ),
)  # fmt: skip


def _by(what: str, *tables: tuple[Inexpressible, ...]) -> Mapping[str, Inexpressible]:
    return MappingProxyType({name: entry for table in tables for entry in table for name in getattr(entry, what)})


_KEYS = _by("keys", _TABLE)
_WORDS = _by("words", _TABLE)
_ROUTING_WORDS = _by("words", _TABLE, _ROUTING)


def normal(word: str) -> str:
    """Lower case, ``-`` between the parts: how spellings are compared.

    >>> normal("Longest Queue"), normal("batch_size")
    ('longest-queue', 'batch-size')
    """
    return "-".join(word.lower().replace("_", " ").split())


def inexpressible_key(key: str) -> Inexpressible | None:
    """What an unknown key asks for, if it is something this version cannot express.

    >>> inexpressible_key("batch_size").what
    'batches of jobs'
    """
    return _KEYS.get(normal(key))


def inexpressible_word(word: str, choice: str = "") -> Inexpressible | None:
    """What an unknown word asks for.  Parameters: ``choice`` the key it stands at (``routing``, ``sequencing``, ...).

    >>> inexpressible_word("round-robin", "routing").what, inexpressible_word("round-robin", "sequencing").what
    ('routing in turn', 'service in turn or at random')
    """
    return (_ROUTING_WORDS if choice == "routing" else _WORDS).get(normal(word))
