"""The independent certificate checker: standard library only, nothing of the rest of `verify`.

FORMAT.md says what holds; this is it, in the order in which to read it (about so many lines, comments included). Each
file uses only files above it. The core is an hour: with sections 1 to 14, `core/` and of `policies/` the words that one
meets. The cells are a second one: sections 15 to 18. Quadratic functions need the core alone, and half an hour: sections
20 to 23. A policy word is one file, and a line in `policies/registry.py`.
How all is put together says `check.py`, the last but one: skim it first, and read it at its place.

    core/errors.py                60  how a certificate fails: malformed, or a rule violated
    core/data.py                 220  the nouns: networks, functions, claims, evidence
    core/quadratics.py           110  more nouns: quadratic functions, product form
    core/values.py               160  strict JSON, exact numbers, names
    core/work.py                  70  counted steps, common denominators (section 27)
    core/network.py               90  rule network (2)
    core/state.py                240  coordinates, services, streams (4.1)
    core/forms.py                230  linear forms, functions (4.2), normals and facts (8.1, 8.2)
    core/components.py           100  branches, alternatives, mean drifts (8.3)
    core/guards.py                40  facts about buffers and queues
    core/policy.py                70  what the conditions ask of a policy
    core/phrases.py               40  orders, functions and forms in words
    core/read.py                 150  networks, functions, evidence of N, F, S from JSON
    core/model.py                 70  state, normals and components together
    core/evidence.py             350  exclusions, leaves, trees, faces (10 to 12)
    core/conditions.py           250  the rules of N, F and S (9, 13)
    core/words.py                120  the sentence (24)

    policies/key.py               80  keys of a policy, and when they are given
    policies/orders.py            20  orders of buffers
    policies/holding.py           90  none, spillback
    policies/sharing.py           90  several servers at one buffer (6)
    policies/walk.py              60  what the words build alternatives with (8.5)
    policies/routing.py           80  what a routing word says (8.4)
    policies/graphs.py           120  the routes of jsq and jsq-as
    policies/sequencing.py       160  what a sequencing word says; by groups, comparing (5, 8.5)
    policies/*.py                110  the words, a file each, at most so long; none uses another
    policies/registry.py          60  the words
    policies/by_words.py         170  a policy by its words: rules policy, shared-buffer, faces-policy
    policies/jsq_as.py           200  the preset (8.7)
    policies/read.py              20  a policy from JSON
    policies/compare.py           40  two policies side by side (25)

    cells/read_cells.py           60  correctors, evidence of H and U from JSON
    cells/features.py            170  features, cells, h (15.1)
    cells/cells.py               290  closures, intervals, target cells (15.2, 15.3)
    cells/mixtures.py            100  ties of routing (15.4)
    cells/cell_walk.py           220  drifts in cells
    cells/leaf.py                 40  a leaf with a corrector (16)
    cells/corrected.py            60  condition H (17)
    cells/path.py                120  rule U-path
    cells/growth.py              190  condition U (18)

    quadratic/read_quadratic.py  140  functions, evidence of Q, means and product form from JSON
    quadratic/function.py        160  functions with cuts, places (20.1, 20.2)
    quadratic/rows.py            100  what guards say on integer points (20.3)
    quadratic/drift.py           210  drifts in a place, their bounds (20.4)
    quadratic/condition.py        80  condition Q (21)
    quadratic/mean.py             80  bounds on means (22)
    quadratic/product_form.py     80  product form (23)

    network_file/expression.py   130  exact expressions
    network_file/policy.py       130  the policy of a network file (25)
    network_file/read.py         180  a network file
    network_file/kinds.py         90  what a file seems to be, for messages
    network_file/files.py         50  reading files

    read.py                      120  a certificate from bytes
    check.py                     210  the order of the rules, and the answer
    __main__.py                  140  the command
"""

from verify.checker.check import Answer, check_bytes
from verify.checker.core.errors import Malformed

__all__ = ["Answer", "Malformed", "check_bytes"]
