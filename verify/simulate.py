"""Simulation of the chain in continuous time: evidence, never a verdict (``conditions/`` and ``search/`` do not import this).

A free choice is made by a :class:`Rule`, so that a run is one policy of the class.  States, guards, ties and the choice of the
next jump are integers (``policy/integers.py``); only holding times are floats.  Means over time, growth and their intervals come
from independent replications: a run that starts empty may look stable for very long and not be, or the other way round.
"""

from __future__ import annotations

import itertools
import math
from bisect import bisect_right
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from fractions import Fraction
from operator import add

import numpy as np

from verify.errors import InputError, NotWalked
from verify.network.model import Instance, Sequencing
from verify.network.names import buffer_aliases
from verify.policy.compose import Walk, walk
from verify.policy.integers import Changes, IntegerChain
from verify.rational import student_quantile

LABEL = "simulation: evidence, never a verdict"
