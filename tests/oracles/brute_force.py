"""Does a certificate claim something true?  Re-decided from docs/theory.md by brute force, sharing nothing with checker or prover.

`objections` returns what is found wrong: nothing, for a correct certificate.  N is re-decided by its inequalities and by a
float program for the load; F and S on many points of many faces, once by asking whether any correction exists and once with
the correction that the certificate writes; H, U and corrected leaves on integer states; the drift of quadratic functions and the
balance of product form on integer states too.  Sampling cannot prove a claim, but
every objection is a definite one (float programs aside, which have a tolerance).
"""

from __future__ import annotations

import dataclasses
import json
import random
from collections.abc import Iterator
from dataclasses import dataclass, field

from . import capacity_claim, well_formed
from .cells import corrected_objections, growth_objections
from .chain import Chain, build
from .claimed import Json, Unreadable, load
from .drift_claim import Scene, claim_objections, evidence_objections, ground_objections, scene, work_objections
from .quadratic_claim import justified
from .spoken import sentence

_QUADRATIC = ("quadratic", "mean", "product-form")
_VERDICTS = {"capacity": "unstable", "growth": "unstable", "fluid": "stable", "strict": "stable", "corrected": "stable"}
_VERDICTS |= dict.fromkeys(_QUADRATIC, "stable")


@dataclass
class BruteForce:
    """``points``: faces per claim; ``seed`` fixes the sample.  Points of one network, policy and V are kept between calls."""

    points: int = 300
    seed: int = 1
    scenes: dict[str, Scene] = field(default_factory=dict)

    def objections(self, data: bytes) -> list[str]:
        """What is wrong with the certificate; the first few objections."""
        try:
            certificate = load(data)
            return list(self._all(certificate))
        except Unreadable as error:
            return [f"unreadable: {error}"]
        except Exception as error:  # whatever cannot be evaluated is objected to
            return [f"not of the form: {type(error).__name__}: {error}"]

    def _all(self, certificate: Json) -> Iterator[str]:
        yield from well_formed.objections(certificate)
        claim = certificate["claim"]
        condition = claim["condition"]
        if claim["verdict"] != _VERDICTS[condition]:
            yield f"verdict {claim['verdict']} under {condition}"
        if claim["words"] != sentence(certificate):
            yield f"the words should be: {sentence(certificate)}"
        rng = random.Random(self.seed)
        if condition == "capacity":
            yield from capacity_claim.objections(certificate)
            return
        if condition in _QUADRATIC:
            wrong = justified(certificate, side=4, most=20 * self.points)
            yield from [wrong] if wrong else []
            return
        chain = build(certificate["network"], certificate["policy"])
        if condition == "growth":
            yield from growth_objections(_under_witness(chain, certificate), certificate, rng, 3 * self.points)
        elif condition == "corrected":
            yield from work_objections(chain, certificate, rng)
            yield from corrected_objections(chain, certificate, rng, self.points)
        else:
            yield from self._drift(chain, certificate, rng)

    def _drift(self, chain: Chain, certificate: Json, rng: random.Random) -> Iterator[str]:
        key = json.dumps([certificate[name] for name in ("network", "policy", "test_function")], sort_keys=True)
        if key not in self.scenes:
            self.scenes[key] = scene(chain, certificate, rng, self.points)
        found = self.scenes[key]
        yield from ground_objections(chain, certificate, found.pieces, rng)
        yield from claim_objections(found, certificate, rng)
        yield from evidence_objections(found, certificate, rng)


def _under_witness(chain: Chain, certificate: Json) -> Chain:
    """One policy of the class: the static priority the certificate names, its server order, or both."""
    policy = dict(certificate["policy"])
    if "witness" in certificate:
        if policy["sequencing"] != "non-idling":
            raise Unreadable("a witness needs sequencing non-idling")
        policy |= {"sequencing": "priority", "priority": certificate["witness"]}
    if "witness_server_order" in certificate:
        given, more = policy.get("server_order", {}), certificate["witness_server_order"]
        if set(given) & set(more) or policy["sequencing"] == "fifo":
            raise Unreadable("the server order is not free")
        policy["server_order"] = {**given, **more}
    return dataclasses.replace(chain, policy=policy)
