"""Questions survive being written, and write nothing over."""

from __future__ import annotations

import json
import pickle
import shutil
from fractions import Fraction
from pathlib import Path

import pytest

import queueproof
from front_door.asked import EVERY, EXAMPLES, single_server
from verify.network_file.read import read_text


@pytest.mark.parametrize("path", EVERY, ids=lambda path: path.stem)
def test_question_survives_toml_json_graph_file_and_pickle(path: Path, tmp_path: Path) -> None:
    question = queueproof.read(path)
    assert queueproof.read_text(question.to_toml()) == question
    assert queueproof.read_text(json.dumps(question.to_dict()), "json") == question
    assert queueproof.from_networkx(question.to_networkx()) == question
    restored = pickle.loads(pickle.dumps(question))
    assert (restored, hash(restored), restored.path) == (question, hash(question), question.path)
    target = tmp_path / "written.toml"
    assert question.write(target) == str(target)
    assert queueproof.read(target) == question
    assert question.write(target) == str(target)  # what queueproof has written may be replaced


def test_graph_with_fractions_is_read_and_left_as_it_was() -> None:
    question = queueproof.read(EXAMPLES / "jackson-feedback.toml")
    graph = question.to_networkx()
    rated = [data for *_, data in (*graph.edges(data=True), *graph.nodes(data=True)) if "rate" in data]
    for data in rated:
        data["rate"] = Fraction(data["rate"])
    assert queueproof.from_networkx(graph) == question
    assert all(isinstance(data["rate"], Fraction) for data in rated)
    for data in rated:
        data["rate"] = 1.5
    with pytest.raises(queueproof.InputError, match=r"expected an exact number, got 1\.5"):
        queueproof.from_networkx(graph)


def test_toml_of_nasty_titles_is_read_back() -> None:
    title = '"""\\ \x7f\x00 \n \u2028 é 𝛌 \t = [x]'
    question = single_server(title=title, source="'''")
    assert read_text(question.to_toml(), format="toml").title == title


def test_write_keeps_files_that_it_has_not_written(tmp_path: Path) -> None:
    own_file = tmp_path / "mine.toml"
    shutil.copy(EXAMPLES / "jackson-feedback.toml", own_file)
    before = own_file.read_bytes()
    with pytest.raises(queueproof.InputError, match="a new file, or one that queueproof has written"):
        queueproof.read(own_file).write(own_file)
    with pytest.raises(queueproof.InputError, match=r"ends in \.toml"):
        single_server().write(tmp_path / "mine.txt")
    assert own_file.read_bytes() == before
    assert [path.name for path in tmp_path.iterdir()] == ["mine.toml"]


def test_certificate_is_not_saved_over_the_network_file_or_without_a_verdict(tmp_path: Path) -> None:
    file = tmp_path / "a.toml"
    single_server().write(file)
    before = file.read_bytes()
    result = queueproof.certify(queueproof.read(file))
    with pytest.raises(queueproof.InputError, match="a file that is not read in the same run"):
        result.save(file)
    with pytest.raises(queueproof.InputError, match="the name of a file"):
        result.save("-")
    assert file.read_bytes() == before
