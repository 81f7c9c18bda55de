"""Speed is nowhere asserted: hypothesis gives its examples all the time they take."""

from __future__ import annotations

from hypothesis import settings

settings.register_profile("unhurried", deadline=None)
settings.load_profile("unhurried")
