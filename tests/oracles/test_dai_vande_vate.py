"""The oracle itself, against the criteria of the literature, an enumeration of its definition, and GLP[dm]."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from itertools import groupby, pairwise, product
from pathlib import Path

import pytest
from catalogue.files import PATHS

from verify.network.model import RouteNetwork
from verify.network_file.read import read_file

from .dai_vande_vate import NotApplicable, globally_stable, nominal_loads, work, worst_virtual_station
from .down_meyn import down_meyn
from .examples import fixed_routes, random_means

CASES = [path for name, path in PATHS.items() if name.startswith("global-") or name == "rybko-stolyar"]
Means = Sequence[Fraction]

#: shape: what must be below 1 besides the loads ([Dai & Vande Vate 2000]; m = (m1, m2, …) counted from 0)
CRITERIA: dict[str, Callable[[Means], list[Fraction]]] = {
    "1221": lambda m: [m[1] + m[3]],
    "12 21": lambda m: [m[1] + m[3]],
    "12121": lambda m: [m[1] + m[4]],
    "121212": lambda m: [m[1] + m[4], m[2] / (1 - m[0]) + m[5]],
    "11221": lambda m: [m[2] + m[4], m[4] / (1 - m[0]) + m[2]],
    "121 212": lambda m: [m[1] + m[4], m[2] / (1 - m[0]) + m[5] / (1 - m[3])],
    "121": lambda m: [],
    "1212": lambda m: [],
    "112": lambda m: [],
    "12": lambda m: [],
}


def network(shape: str, means: Means) -> RouteNetwork:
    types, start = [], 0
    for servers in shape.split():
        types.append((servers, means[start : start + len(servers)]))
        start += len(servers)
    return fixed_routes(*types)


def below_one(rng: random.Random, shape: str) -> list[Fraction]:
    return random_means(rng, shape.replace(" ", ""), Fraction(99, 100))


@pytest.mark.parametrize("shape", CRITERIA)
def test_dai_vande_vate_known_shape_gives_the_known_criterion(shape: str) -> None:
    rng, answers = random.Random(shape), set()
    for _ in range(150):
        means = below_one(rng, shape)
        answer = all(side < 1 for side in CRITERIA[shape](means))
        assert globally_stable(network(shape, means)) == answer, means
        answers.add(answer)
    assert answers == ({True, False} if CRITERIA[shape]([Fraction(0)] * 6) else {True})


#: The last mean that puts the last criterion at exactly ``side``, given the others.
LAST: dict[str, Callable[[Means, Fraction], Fraction]] = {
    "1221": lambda m, side: side - m[1],
    "12 21": lambda m, side: side - m[1],
    "12121": lambda m, side: side - m[1],
    "121212": lambda m, side: side - m[2] / (1 - m[0]),
    "11221": lambda m, side: (side - m[2]) * (1 - m[0]),
    "121 212": lambda m, side: (side - m[2] / (1 - m[0])) * (1 - m[3]),
}


@pytest.mark.parametrize("shape", LAST)
@pytest.mark.parametrize("off", [Fraction(0), -Fraction(1, 10**6), Fraction(1, 10**6)], ids=["at", "below", "above"])
def test_dai_vande_vate_virtual_load_at_the_boundary_is_exact(shape: str, off: Fraction) -> None:
    """The last criterion is exactly 1, or a millionth below or above it; the other conditions hold."""
    rng, found = random.Random(shape), 0
    while found < 15:
        means = below_one(rng, shape)
        means[-1] = LAST[shape](means, 1 + off)
        if means[-1] <= 0 or max(nominal_loads(network(shape, means)).values()) >= 1:
            continue
        if any(side >= 1 for side in CRITERIA[shape](means)[:-1]):
            continue
        found += 1
        assert CRITERIA[shape](means)[-1] == 1 + off
        assert globally_stable(network(shape, means)) is (off < 0)


def test_dai_vande_vate_line_1211_is_stable() -> None:
    """Without the condition on the predecessor the virtual load would be 11/10."""
    line = network("1211", [Fraction(1, 10), Fraction(4, 5), Fraction(3, 10), Fraction(1, 10)])
    assert worst_virtual_station(line).load == Fraction(4, 5)
    assert globally_stable(line)


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_dai_vande_vate_catalogue_case_gives_its_virtual_load(path: Path) -> None:
    found = read_file(path).network
    assert isinstance(found, RouteNetwork)
    printed = Fraction(path.read_text().split("worst virtual load ")[1].split()[0])
    load = max(nominal_loads(found).values())
    if load < 1:
        assert max(load, worst_virtual_station(found).load) == printed
    assert globally_stable(found) == (printed < 1)


def test_dai_vande_vate_gallery_example_is_stable() -> None:
    """Labelled unstable in a public gallery; virtual load 4/25."""
    gallery = fixed_routes(
        ("12", [Fraction(10), Fraction(1)]), ("21", [Fraction(10), Fraction(1)]), rate=Fraction(2, 25)
    )
    assert globally_stable(gallery)
    assert worst_virtual_station(gallery).load <= Fraction(22, 25)


def test_dai_vande_vate_other_networks_are_refused() -> None:
    with pytest.raises(NotApplicable):
        worst_virtual_station(fixed_routes(("123", [Fraction(1, 2)] * 3)))
    with pytest.raises(NotApplicable):
        worst_virtual_station(fixed_routes(("12", [Fraction(1)] * 2)))


# ---- the definition, without any shortcut ----------------------------------------------------------------------------
def sides(found: RouteNetwork) -> Iterator[Fraction]:
    """The left side of the criterion for all push starts and all sets S together."""
    types = [work(job_class) for job_class in found.classes]
    for pushed in product(*(range(len(steps) + 1) for steps in types)):
        first = [(s, r) for steps, n in zip(types, pushed, strict=True) for s, r in steps[:n]]
        options = [list(virtual(steps[n:])) for steps, n in zip(types, pushed, strict=True)]
        for chosen in product(*options):
            yield sum(
                (r / (1 - sum((q for t, q in first if t == s), Fraction(0))) for part in chosen for s, r in part),
                Fraction(0),
            )


def virtual(rest: Sequence[tuple[str, Fraction]]) -> Iterator[list[tuple[str, Fraction]]]:
    excursions = [list(run) for _, run in groupby(rest, key=lambda step: step[0])]
    for inside in product((False, True), repeat=len(excursions)):
        if inside and (inside[0] or any(a and b for a, b in pairwise(inside))):
            continue
        found: list[tuple[str, Fraction]] = []
        for e in range(1, len(excursions)):
            found += excursions[e] if inside[e] else [] if inside[e - 1] else excursions[e][:-1]
        yield found


def random_network(rng: random.Random, most: int = 5) -> RouteNetwork:
    types = ["".join(rng.choice("12") for _ in range(rng.randint(2, most))) for _ in range(rng.randint(1, 2))]
    means = below_one(rng, "".join(types))
    return network(" ".join(types), means)


def test_dai_vande_vate_random_networks_give_the_maximum_over_all_choices() -> None:
    rng = random.Random(7)
    for _ in range(150):
        found = random_network(rng)
        assert worst_virtual_station(found).load == max(sides(found))


def test_dai_vande_vate_random_networks_agree_with_down_meyn() -> None:
    """GLP[dm] is exact for two stations; its optimum is a float, so near 0 the exact side is asked instead."""
    rng, answers = random.Random(11), []
    for _ in range(150):
        found = random_network(rng, most=6)
        gamma = down_meyn(found)
        if abs(gamma) < 1e-7:
            assert not globally_stable(found) or worst_virtual_station(found).load > Fraction(999, 1000)
        else:
            assert globally_stable(found) == (gamma > 0)
        answers.append(globally_stable(found))
    assert answers.count(False) >= 25
