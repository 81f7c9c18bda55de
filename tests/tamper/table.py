"""The table of lies: what each claims, what is true, the trick, and the rule that must stop it.

`python -m tamper.table` in `tests/` writes the certificates and the table to `tests/tamper/adversarial/`.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from checker import quadratic_changes as quadratic
from checker.quadratic_examples import shared_max_weight_without_slack

from . import lies
from .lies import Json, file_of_one_server

FOLDER = Path(__file__).resolve().parent / "adversarial"


@dataclass(frozen=True)
class Lie:
    """``claim`` in words, why it is false, the trick, the rule that must stop it; ``beside``: a network file (TOML)."""

    name: str
    claim: str
    truth: str
    trick: str
    rule: str
    make: Callable[[], Json | str]
    beside: str | None = None


EXITS = "diverges with exits first (virtual load 6/5)"
LAST = "diverges with last buffers first (virtual load 6/5)"
TWENTY_ONE = "the load is 21/20"
TWO = "the load is 2"
HALF = "it is stable (load 1/2)"
TANDEM = "a tandem of load 2 at its second server is stable"

# fmt: off
LIES = (
    Lie("wrong-domination-strict", "Rybko-Stolyar with an isolated station is stable under every non-idling policy (S)", EXITS,
        "each station's piece is dominated by the next one's, non-strictly (kappa 0); the next ones make no cycle through all",
        "exclusion-strict", lies.domination_strict),
    Lie("wrong-domination-fluid", "the same by F", EXITS,
        "strict domination on one side of a split; on the tie η of the difference is to do what it cannot",
        "bound", lies.domination_fluid),
    Lie("domination-not-there", "Rybko-Stolyar is stable under every non-idling policy", EXITS,
        "the workloads of the two stations are said to dominate each other, kappa 1/100",
        "exclusion", lies.domination_not_there),
    Lie("one-priority-for-all", "Lu-Kumar is stable under every non-idling policy", LAST,
        "the eight faces of first buffers first, all of which hold, in place of the three of non-idling",
        "faces-complete", lies.first_buffers_first_for_all),
    Lie("one-priority-in-other-words", "the same", LAST,
        "a true certificate of first buffers first; only the sentence says more",
        "words", lies.first_buffers_first_words),
    Lie("fifo-by-priority", "Lu-Kumar is stable under FIFO", "nothing was proved about FIFO",
        "the faces of first buffers first", "faces-complete", lies.fifo_by_first_buffers),
    Lie("bad-priority", "Lu-Kumar is stable with last buffers first", LAST,
        "the corrections of first buffers first, face by face", "bound", lies.last_buffers_first),
    Lie("priority-by-aliases", "Lu-Kumar is stable under an order", LAST,
        "the order names buffers as a network file may (`a.4`): two names for one buffer", "policy", lies.order_with_aliases),
    Lie("priority-without-one", "the same", LAST,
        "a buffer that is in no order, never served and never looked at", "policy", lies.order_without_the_last),
    Lie("priority-with-one-twice", "the same", LAST,
        "a buffer twice in the place of another", "policy", lies.order_with_one_twice),
    Lie("faces-with-a-flexible-server", "p at 9/10 and q at 1 are stable when A (rate 1) prefers q, and B (rate 1/2) has only q",
        "the load is 19/15", "faces take a buffer as empty at one server and as busy at another",
        "faces-policy", lies.flexible_servers),
    Lie("face-left-out", TANDEM, TWO, "the face on which it grows is not listed", "faces-complete", lies.missing_face),
    Lie("face-called-empty", "the same", TWO, "the face is called empty, with x2 > 0 as its multiplier",
        "exclusion", lies.empty_face),
    Lie("face-twice", "the same", TWO, "another face twice in its place: the number is right",
        "faces-complete", lies.face_twice),
    Lie("face-of-spillback", "the same under spillback", TWO, "on faces jobs are never held",
        "faces-policy", lies.face_of_spillback),
    Lie("correction-of-a-busy-buffer", "the same", TWO, "η on x2 where x2 > 0", "eta", lies.correction_of_a_busy_buffer),
    Lie("tie-left-out", "JSQ over two servers is stable", TWENTY_ONE, "V = max falls on both sides; the tie is no child",
        "children", lies.tie_left_out),
    Lie("tie-called-empty", "the same", TWENTY_ONE, "the tie is empty by kappa 0 and no multipliers",
        "exclusion-strict", lies.tie_called_empty),
    Lie("tie-contradicts-itself", "the same", TWENTY_ONE,
        "the difference of the queues has two names: the tie is split again by the other name, and all three are called empty",
        "exclusion-strict", lies.tie_contradicts_itself),
    Lie("tie-averaged", "the same", TWENTY_ONE, "η = −1/2 shares the arrivals; together they are too many all the same",
        "bound", lies.tie_averaged),
    Lie("tie-excluded-above", "the same", TWENTY_ONE,
        "joining the longer queue is excluded at the root, before the tie is split off, and used below",
        "exclusion-strict", lies.tie_excluded_above),
    Lie("tie-excluded", "the same", TWENTY_ONE, "joining one of two equal queues is excluded: V falls at rate 1",
        "exclusion-strict", lies.tie_excluded_again),
    Lie("tie-corrected", "the same", TWENTY_ONE, "a corrector on the difference of the queues", "bound", lies.tie_corrected),
    Lie("correction-without-a-tie", "the same", TWENTY_ONE, "η on the difference where it does not vanish",
        "eta", lies.correction_without_a_tie),
    Lie("open-signs-under-strict", "the same by S", TWENTY_ONE, "the signs of F, without =",
        "children", lies.open_signs_under_strict),
    Lie("correction-under-strict", "the same by S", TWENTY_ONE, "η under S", "eta", lies.correction_under_strict),
    Lie("active-piece-called-empty", "M/M/1 is stable", TWO,
        "V = max(x, 2x): the evidence that piece 0 is never active is used for piece 1",
        "exclusion-multiplier", lies.active_piece_called_empty),
    Lie("no-leaf-at-all", "M/M/1 is stable", TWO, "x > 0 is called empty as well: nothing has to fall",
        "exclusion", lies.no_leaf_at_all),
    Lie("tree-of-one-piece", TANDEM, TWO, "V = max(x1, x2) with a tree for x1 only", "trees", lies.tree_of_one_piece_missing),
    Lie("buffer-without-weight", "the same", TWO, "V = x1", "zero", lies.function_that_ignores_a_buffer),
    Lie("negative-weight", "the same", TWO, "V = x1 − x2", "function", lies.negative_weights_by_sign),
    Lie("negative-weight-by-template", "a tandem of load 3 is stable", "the load is 3", "alpha = −1",
        "function", lies.negative_weights_by_template),
    Lie("template-without-routes", "JSQ over two servers is stable", TWENTY_ONE,
        "the template of route expansions on the buffers of jsq", "function", lies.template_where_there_are_no_routes),
    Lie("dominance-with-a-gap", "an overloaded tandem is stable under dominant", TWO,
        "U weighs the second visit only, so that the first is no bottleneck", "function", lies.dominance_with_a_gap),
    Lie("spillback-never-holds", "the tandem is stable under spillback", TWO,
        "V = 4 x1 + x2 falls while server 1 works; that it holds is excluded by a multiplier of the wrong sign",
        "exclusion-multiplier", lies.spillback_never_holds),
    Lie("pressure-never-negative", "the tandem is stable under back-pressure", TWO,
        "that server 1 idles is excluded by its pressure, forgetting x2", "exclusion", lies.pressure_never_negative),
    Lie("preset-never-holds", "the tandem is stable under jsq-as", TWO, "held is excluded by x2 ≤ 0",
        "exclusion-multiplier", lies.preset_never_holds),
    Lie("server-never-idles", TANDEM, TWO, "server 1 idles only where x1 = 0: true, and no contradiction",
        "exclusion", lies.server_never_idles),
    Lie("idle-by-another-name", "the same", TWO, "`server 1 / idle` is excluded, which is nothing",
        "exclude-name", lies.idle_by_another_name),
    Lie("idle-left-out", "the same", TWO, "the leaf says nothing about idling", "bound", lies.idle_left_out),
    Lie("row-of-another-rule", "two classes at one server are stable", TWO,
        "serving the shorter queue is excluded by a row of longest-queue; the policy is non-idling",
        "exclusion-multiplier", lies.normal_of_another_rule),
    Lie("smallest-epsilon", "M/M/1 is stable", "the load is 1", "epsilon = 10^-3990", "bound", lies.smallest_epsilon),
    Lie("epsilon-0", "M/M/1 is stable", "the load is 1", "epsilon = 0", "epsilon", lies.epsilon_zero),
    Lie("other-digits", "M/M/1 is stable with epsilon 1/2", "the load is 1", "full-width digits, which Python reads as numbers",
        "malformed", lies.other_digits),
    Lie("longest-number", "M/M/1 is stable", "the load is 1", "an epsilon of 4003 characters", "malformed", lies.longest_number),
    Lie("rate-twice", "M/M/1 is stable", "the load is 2 for one who reads the first", "the key arrival_rate twice",
        "malformed", lies.rate_twice),
    Lie("name-of-an-alternative", "M/M/1 is stable", "the load is 1", "a class called like an alternative of a server",
        "malformed", lies.name_of_an_alternative),
    Lie("comes-back-for-ever", "a queue whose jobs always come back is stable", "no job leaves", "feedback with probability 1",
        "network", lies.comes_back_for_ever),
    Lie("goes-round-for-ever", "two queues that send everything to each other are stable", "no job leaves",
        "feedback in a circle", "network", lies.goes_round_for_ever),
    Lie("more-than-all-leave", "a queue is stable", "there is no such network", "a probability of −1/2",
        "network", lies.more_than_all_leave),
    Lie("arrivals-below-zero", "a queue is stable", "there is no such network", "arrival rate −1",
        "network", lies.arrivals_below_zero),
    Lie("two-routes-alone", "jsq with recombining routes is unstable (load 5/2)", "the load is 5/11",
        "the potential of B counts the way to C only", "N-activity", lies.two_routes_alone),
    Lie("recombination-hidden", "the same", "the load is 5/11 with the paths that jsq takes",
        "the other two paths are not listed as routes", "policy", lies.recombination_hidden),
    Lie("dearest-entry", "JSR over two servers is unstable", HALF, "arrivals are valued by the dearest entry",
        "N-load", lies.every_job_takes_the_first_route),
    Lie("prices-of-two", "the same", HALF, "prices that sum to 2", "N-prices", lies.prices_of_two),
    Lie("price-below-zero", "a tandem is unstable", HALF, "prices 2 and −1", "N-prices", lies.price_below_zero),
    Lie("nearly-critical", "M/M/1 at load 1 − 10^-12 is unstable", "it is stable", "the load is rounded",
        "N-load", lies.nearly_critical),
    Lie("below-one", "the same", "it is stable", "the load is not rounded", "N-load", lies.below_one),
    Lie("potential-of-a-stranger", "M/M/1 is unstable", HALF, "a potential of a buffer that is not there",
        "N-activity", lies.potential_of_a_stranger),
    Lie("preset-on-its-routes", "jsq-as is unstable", "it may send jobs to server 4 as well: the load is 1/3",
        "the potential counts the way to server 3 only", "N-activity", lies.preset_on_its_routes),
    Lie("grows-nevertheless", "M/M/1 grows", HALF, "V = x", "U-cell", lies.grows_nevertheless),
    Lie("grows-above-the-sky", "M/M/1 grows", HALF, "v0 = 10^50, as if nothing above it had to be checked",
        "U-cell", lies.grows_only_above_the_sky),
    Lie("grows-because-it-shrinks", "M/M/1 grows", HALF, "V = −x", "U-cell", lies.grows_because_it_shrinks),
    Lie("grows-by-a-bump", "M/M/1 grows", HALF, "h has a hill at x = 1, above v0 and V(0)", "U-cell", lies.grows_by_a_bump),
    Lie("nothing-left-to-grow", "M/M/1 grows", HALF, "V = −x and v0 = 0: every cell is skipped",
        "U-path", lies.nothing_left_to_grow),
    Lie("pieces-that-cross", "JSQ over two servers grows", HALF,
        "two pieces, either of which is the larger one somewhere in the same cell", "U-pieces", lies.pieces_that_cross),
    Lie("entries-first-grow", "Rybko-Stolyar grows with entries first", "it is stable with entries first",
        "what grows with exits first", "U-cell", lies.entries_first_grow),
    Lie("all-policies-grow", "Rybko-Stolyar grows under every non-idling policy", "it is stable with entries first",
        "what grows with exits first", "U-cell", lies.all_policies_grow),
    Lie("witness-without-a-server", "Rybko-Stolyar grows under a witness", "the witness is no policy",
        "a priority that says nothing about server 2", "U-witness", lies.witness_without_a_server),
    Lie("witness-of-another-class", "Rybko-Stolyar grows under longest-queue", "the witness is none of its policies",
        "a priority as witness for longest-queue", "U-witness", lies.witness_of_another_class),
    Lie("exempt-for-ever", TANDEM, TWO, "x2 is no feature, so that a cell with every x2 is exempt",
        "H-features", lies.exempt_for_ever),
    Lie("weight-below-zero-under-H", "the same", TWO, "w = (1, −1)", "H-weights", lies.weight_of_nothing),
    Lie("hill-that-ends", "M/M/1 is stable", "the load is 3/2", "h falls up to its last threshold",
        "H-cell", lies.hill_that_ends),
    Lie("falls-without-bound", "M/M/1 is stable by condition Q", TWO, "f = −x²/2 + x/2 falls everywhere, and is not bounded below",
        "Q-copositive", quadratic.falls_without_bound),
    Lie("zero-pivots", "two queues of load 2 are stable", TWO, "f = −x_a x_b: both pivots of Q are 0",
        "Q-copositive", quadratic.zero_pivots),
    Lie("one-queue-of-two", "two queues are stable, one of load 1/2 and one of load 2", TWO, "−x_b in f makes room for what is not bounded",
        "Q-sum", quadratic.one_queue_of_two),
    Lie("tie-forgotten", "jsq over two servers at load 1/2 has a mean of 1 at most", "it has 4/3 at least",
        "arrivals are bounded for strictly shorter queues", "Q-alternative", quadratic.tie_forgotten),
    Lie("square-of-the-mean", "M/M/1 at load 1/2 has a mean of 1/2 at most", "the mean is 1", "d'Qd in the place of the jumps' e'Qe",
        "Q-alternative", quadratic.square_of_the_mean),
    Lie("pair-as-one", "M/M/2 at load 1/2 has a mean of 1 at most", "the mean is 4/3", "a server that idles is said to see no job at all",
        "Q-multiplier", quadratic.pair_as_one),
    Lie("lower-by-the-upper", "a tandem has a mean of 2 at least", "the mean is 3/2", "the evidence of the upper bound",
        "Q-alternative", quadratic.signs_of_upper),
    Lie("weights-without-slack", "under max-weight at most 12/7 jobs on average at a buffer with two servers", "the drift passes the bound at K = L = 1",
        "a lone job of the other server counts as a job that is there to be served", "Q-alternative",
        shared_max_weight_without_slack),
    Lie("nothing-is-stable", "M/M/1 has a mean of 5 at least", "the load is 2, there is no mean",
        "the bound is right; stability is proved for load 1/2", "bound", quadratic.nothing_is_stable),
    Lie("light-network-beside-a-heavy-file", "the network of the file is stable", TWO,
        "a true certificate of a lighter network", "same-network", lies.true_claim, file_of_one_server(load="2")),
    Lie("other-policy-beside-the-file", "the network of the file is stable under its policy", "nobody asked about this policy",
        "a true certificate of non-idling for a file that says longest-queue", "same-policy", lies.true_claim,
        file_of_one_server("longest-queue")),
)
# fmt: on

HEAD = """# Certificates written to fool the checker

Each claims something false (the last two: something else than the network file beside them asks), with as much in order as the
trick allows. `tests/tamper/test_adversarial.py` asserts that exactly the rule in the last column stops it.
`python -m tamper.table` in `tests/` writes the files and this table.

| file | claims | in truth | trick | stopped by |
|---|---|---|---|---|
"""


def corpus() -> dict[str, str]:
    """All files of the folder."""
    rows = (f"| `{lie.name}` | {lie.claim} | {lie.truth} | {lie.trick} | **{lie.rule}** |\n" for lie in LIES)
    files = {"README.md": HEAD + "".join(rows)}
    for lie in LIES:
        made = lie.make()
        files[f"{lie.name}.json"] = made if isinstance(made, str) else json.dumps(made, indent=1) + "\n"
        if lie.beside is not None:
            files[f"{lie.name}.toml"] = lie.beside
    return files


def write() -> None:
    """Write the folder anew."""
    FOLDER.mkdir(exist_ok=True)
    for path in FOLDER.iterdir():
        path.unlink()
    for name, content in corpus().items():
        (FOLDER / name).write_text(content, encoding="utf-8")


if __name__ == "__main__":
    write()
