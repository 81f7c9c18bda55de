"""What the user may have meant by an unknown word of a policy: another name, what cannot be expressed, or a slip of the pen."""

from __future__ import annotations

from collections.abc import Iterable

from verify.network.hints import spelling_hint
from verify.network.inexpressible import inexpressible_word, normal
from verify.policies.registry import PRESETS, RULES

_ALONE = "without routing, sequencing and holding"
#: Keys at which words of other keys are often found.
_MIXED_UP = ("routing", "sequencing")


def word_hint(word: str, options: Iterable[str], choice: str) -> str:
    """What may have been meant by an unknown word.  Parameters: ``choice`` the key it stands at (``sequencing``, ...).

    >>> word_hint("fcfs", ["fbfs", "fifo"], "sequencing"), word_hint("JSQ", ["jsr", "jsq"], "routing")
    ('write "fifo"', "did you mean 'jsq'?")
    """
    known, asked = list(options), normal(word)
    if asked in map(normal, known):
        return spelling_hint(word, known)
    for rule in RULES.get(choice, {}).values():
        if asked in rule.synonyms:
            return rule.synonyms[asked] or f'write "{rule.word}"'
    missing = inexpressible_word(word, choice)
    if missing is not None:
        return missing.cure
    return (_elsewhere(asked, choice) if choice in _MIXED_UP else "") or spelling_hint(word, known)


def _elsewhere(word: str, choice: str) -> str:
    """A word that stands at the wrong key."""
    if word in PRESETS:
        return f'that is a preset: write preset = "{word}", {_ALONE}'
    for key, rules in RULES.items():
        if key != choice and (word in rules or any(word in rule.synonyms for rule in rules.values())):
            return f'that is a {key}: write {key} = "{word}"' if key == "holding" else f"that is a {key}"
    return ""
