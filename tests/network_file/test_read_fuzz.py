"""Any bytes and any mutated file: an instance or an ``InputError``, never another exception."""

from __future__ import annotations

import json
from pathlib import Path

from catalogue.files import PATHS
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from verify.errors import InputError
from verify.network.decode import FileFormat, decode_text
from verify.network_file.read import read_document, read_file, read_text
from verify.network_file.write import instance_to_file_json

from .examples import NAMED

TEXTS = [*NAMED.values(), *(path.read_text() for path in PATHS.values())]
FRAGMENTS = ["", "0", "-1", "0.5", '"', "[", "]", "{", "}", "=", ".", "\n", "é", "\ud800", "1e999999999", "true", "nan"]
FRAGMENTS += ['"1/0"', '"((("', "[policy]", "pieces = [{}]", "1979-05-27", "inf", '"a.r1.1"', "'", "\\", "\0"]
WORDS = st.sampled_from(["", "1/2", "x", "1", "r1"])
TABLES = st.dictionaries(st.sampled_from(["1", "a"]), st.integers())
SIMPLE = st.none() | st.booleans() | st.integers(-3, 3) | st.floats() | WORDS
LEAVES = SIMPLE | st.lists(st.integers(0, 2), max_size=2) | TABLES
BOUNDED = settings(max_examples=300, deadline=None, suppress_health_check=list(HealthCheck))


def survives(text: str, file_format: FileFormat) -> None:
    try:
        instance = read_text(text, format=file_format)
    except InputError as error:
        assert error.place
        str(error).encode("utf-8")
    else:
        assert read_text(json.dumps(instance_to_file_json(instance)), format="json") == instance


@given(st.binary(max_size=200), st.sampled_from([".toml", ".json", ""]))
@BOUNDED
def test_read_random_bytes_gives_instance_or_refusal(tmp_path_factory: object, data: bytes, suffix: str) -> None:
    path = Path(tmp_path_factory.getbasetemp()) / f"fuzz{suffix}"  # type: ignore[attr-defined]
    path.write_bytes(data)
    try:
        read_file(path)
    except InputError as error:
        assert str(error)


@given(
    st.sampled_from(TEXTS),
    st.lists(st.tuples(st.floats(0, 1), st.integers(0, 12), st.sampled_from(FRAGMENTS)), max_size=4),
)
@BOUNDED
def test_read_mutated_file_gives_instance_or_refusal(text: str, edits: list[tuple[float, int, str]]) -> None:
    for where, length, fragment in edits:
        start = int(where * len(text))
        text = text[:start] + fragment + text[start + length :]
    survives(text, "toml")


@given(st.sampled_from(TEXTS), st.integers(0, 10**6), LEAVES)
@BOUNDED
def test_read_mutated_document_gives_instance_or_refusal(text: str, choice: int, leaf: object) -> None:
    document = json.loads(json.dumps(instance_to_file_json(read_text(text, format="toml"))))
    spots: list[tuple[dict[str, object] | list[object], object]] = []
    waiting: list[object] = [document]
    while waiting:
        value = waiting.pop()
        if isinstance(value, (dict, list)):
            keys = list(value) if isinstance(value, dict) else list(range(len(value)))
            spots += [(value, key) for key in keys]
            waiting += [value[key] for key in keys]
    holder, key = spots[choice % len(spots)]
    holder[key] = leaf  # type: ignore[index,call-overload]
    try:
        read_document(document)
    except InputError as error:
        assert error.place
    survives(json.dumps(document), "json")


@given(st.binary(max_size=60))
@BOUNDED
def test_decode_random_bytes_gives_text_or_refusal(data: bytes) -> None:
    try:
        assert decode_text(data, "here").encode("utf-8") == data
    except InputError as error:
        assert error.place == "here"
