"""Reading and writing files: what is refused, what stays as it was, what is kept of the file that is replaced."""

from __future__ import annotations

import os
import signal
import socket
import stat
import threading
from collections.abc import Callable
from pathlib import Path

import pytest
from alarm import within

from verify import files
from verify.errors import InputError
from verify.files import Output, read_bytes, write_whole


def test_printable_path_that_cannot_be_printed_is_escaped() -> None:
    assert files.printable_path("/tmp/é.toml") == "/tmp/é.toml"
    assert files.printable_path("a\0\udcff") == r"'a\x00\udcff'"
    assert files.printable_path("") == "(no name)"


# ---- reading -------------------------------------------------------------------------------------------------------
def test_read_bytes_reads_a_file_and_a_pipe_that_somebody_writes_to(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"text")
    assert read_bytes(tmp_path / "a") == b"text"
    os.mkfifo(tmp_path / "pipe")
    keeps_open = os.open(tmp_path / "pipe", os.O_RDWR)
    writer = threading.Thread(target=lambda: (tmp_path / "pipe").write_bytes(b"x" * 100_000))
    writer.start()
    threading.Timer(0.5, os.close, (keeps_open,)).start()
    assert read_bytes(tmp_path / "pipe") == b"x" * 100_000
    writer.join()


@pytest.mark.parametrize(
    ("make", "found"),
    [
        (lambda path: None, "no such file or directory"),
        (os.mkdir, "a folder"),
        (os.mkfifo, "a pipe that nobody writes to"),
        (lambda path: os.symlink("/dev/zero", path), "a device"),
        (lambda path: os.symlink(path, path), "too many levels of symbolic links"),
        (lambda path: socket.socket(socket.AF_UNIX).bind(path), "a socket"),
    ],
)
def test_read_bytes_refuses_what_is_no_file(make: Callable[[str], object], found: str, tmp_path: Path) -> None:
    make(str(tmp_path / "x"))
    with within(20), pytest.raises(InputError) as refused:
        read_bytes(tmp_path / "x")
    assert (refused.value.place, refused.value.found) == (str(tmp_path / "x"), found)


def test_read_bytes_refuses_a_file_that_is_too_long(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "LONGEST", 3)
    (tmp_path / "a").write_bytes(b"abc")
    assert read_bytes(tmp_path / "a") == b"abc"
    (tmp_path / "a").write_bytes(b"abcd")
    with pytest.raises(InputError, match="at most 3 bytes"):
        read_bytes(tmp_path / "a")


# ---- writing -------------------------------------------------------------------------------------------------------
def test_write_whole_replaces_the_file_and_leaves_nothing_else(tmp_path: Path) -> None:
    target = tmp_path / "c.json"
    target.write_bytes(b"old")
    write_whole(target, b"new")
    assert target.read_bytes() == b"new"
    assert os.listdir(tmp_path) == ["c.json"]


def test_write_whole_respects_the_umask(tmp_path: Path) -> None:
    before = os.umask(0o027)
    try:
        write_whole(tmp_path / "c.json", b"x")
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "c.json").stat().st_mode) == 0o640


def test_write_whole_keeps_the_rights_of_the_file_it_replaces(tmp_path: Path) -> None:
    target = tmp_path / "c.json"
    target.write_bytes(b"old")
    target.chmod(0o600)
    if os.geteuid() == 0:
        os.chown(target, 1234, 1234)
    before = target.stat()
    write_whole(target, b"new")
    after = target.stat()
    assert (after.st_mode, after.st_uid, after.st_gid) == (before.st_mode, before.st_uid, before.st_gid)


def test_write_whole_into_no_folder_leaves_nothing(tmp_path: Path) -> None:
    with pytest.raises(OSError, match="No such file"):
        write_whole(tmp_path / "none" / "c.json", b"x")
    (tmp_path / "folder").mkdir()
    with pytest.raises(OSError, match="directory"):
        write_whole(tmp_path / "folder", b"x")
    assert os.listdir(tmp_path) == ["folder"]


@pytest.mark.parametrize("step", ["fsync", "replace", "chmod"])
def test_write_whole_that_fails_leaves_the_old_file_alone(
    step: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*arguments: object) -> None:
        raise OSError(28, "No space left on device")

    (tmp_path / "c.json").write_bytes(b"old")
    monkeypatch.setattr(os, step, fail)
    with pytest.raises(InputError, match=r"^-o: expected a file that can be written, .*: no space left on device$"):
        Output("-o", str(tmp_path / "c.json")).save(b"new")
    assert os.listdir(tmp_path) == ["c.json"]
    assert (tmp_path / "c.json").read_bytes() == b"old"


def test_write_whole_on_a_file_system_without_fsync_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(handle: int) -> None:
        raise OSError(22, "Invalid argument")

    monkeypatch.setattr(os, "fsync", fail)
    write_whole(tmp_path / "c.json", b"new")
    assert (tmp_path / "c.json").read_bytes() == b"new"


def test_write_whole_interrupted_ends_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    replace = os.replace

    def interrupted(old: str, new: Path) -> None:
        signal.raise_signal(signal.SIGINT)
        replace(old, new)

    monkeypatch.setattr(os, "replace", interrupted)
    before = signal.signal(signal.SIGINT, signal.default_int_handler)  # a background job of a shell ignores interrupts
    try:
        with pytest.raises(KeyboardInterrupt):
            write_whole(tmp_path / "c.json", b"new")
        assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    finally:
        signal.signal(signal.SIGINT, before)
    assert (tmp_path / "c.json").read_bytes() == b"new"
    assert os.listdir(tmp_path) == ["c.json"]


def test_write_whole_from_another_thread_works(tmp_path: Path) -> None:
    thread = threading.Thread(target=write_whole, args=(tmp_path / "c.json", b"new"))
    thread.start()
    thread.join()
    assert (tmp_path / "c.json").read_bytes() == b"new"


# ---- what may be replaced ------------------------------------------------------------------------------------------
OLD = b'{\n "format": "queueproof-certificate-1",\n'


@pytest.mark.parametrize("old", [OLD, b""])
def test_output_through_links_replaces_what_they_point_at_and_keeps_them(old: bytes, tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "real").write_bytes(old)
    (tmp_path / "second").symlink_to("folder/real")
    (tmp_path / "first").symlink_to("second")
    Output("-o", str(tmp_path / "first")).save(b"new")
    assert (tmp_path / "first").is_symlink()
    assert (tmp_path / "second").is_symlink()
    assert (tmp_path / "folder" / "real").read_bytes() == b"new"
    assert os.listdir(tmp_path / "folder") == ["real"]


@pytest.mark.parametrize(("suffix", "old"), [("", b"thesis"), (".svg", OLD), (".png", b"<?xml"), (".pdf", b"x")])
def test_output_through_a_link_to_a_file_of_another_kind_is_refused(suffix: str, old: bytes, tmp_path: Path) -> None:
    (tmp_path / "real").write_bytes(old)
    (tmp_path / f"link{suffix}").symlink_to("real")
    with pytest.raises(InputError, match="a link to a file of another kind"):
        Output("-o", str(tmp_path / f"link{suffix}"), suffixes=(suffix,) if suffix else ()).save(b"new")
    assert (tmp_path / "real").read_bytes() == old


def test_output_through_a_link_to_nothing_makes_the_file(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to("real")
    Output("-o", str(tmp_path / "link")).save(b"new")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "real").read_bytes() == b"new"


def test_output_hard_linked_file_keeps_its_other_name(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"old")
    (tmp_path / "b").hardlink_to(tmp_path / "a")
    Output("-o", str(tmp_path / "a")).save(b"new")
    assert ((tmp_path / "a").read_bytes(), (tmp_path / "b").read_bytes()) == (b"new", b"old")


def test_output_is_checked_again_before_it_is_written(tmp_path: Path) -> None:
    target = tmp_path / "c.json"
    output = Output("-o", str(target), (tmp_path / "input",))
    output.check()
    (tmp_path / "input").write_bytes(b"input")
    target.symlink_to("input")
    with pytest.raises(InputError, match="which is read"):
        output.save(b"new")
    assert (tmp_path / "input").read_bytes() == b"input"


def test_output_where_standard_output_goes_is_refused(tmp_path: Path) -> None:
    kept = os.dup(1)
    handle = os.open(tmp_path / "log", os.O_WRONLY | os.O_CREAT)
    os.dup2(handle, 1)
    try:
        with pytest.raises(InputError, match="is standard output"):
            Output("-o", str(tmp_path / "log")).check()
    finally:
        os.dup2(kept, 1)
        os.close(kept)
        os.close(handle)


def test_output_deleted_file_without_a_name_is_refused(tmp_path: Path) -> None:
    handle = os.open(tmp_path / "x", os.O_WRONLY | os.O_CREAT)
    os.unlink(tmp_path / "x")
    try:
        if not os.path.exists(f"/dev/fd/{handle}"):
            pytest.skip("no /dev/fd here")
        with pytest.raises(InputError, match="expected"):
            Output("-o", f"/dev/fd/{handle}").check()
    finally:
        os.close(handle)
    assert os.listdir(tmp_path) == []


@pytest.mark.parametrize("name", ["-", "/dev/stdout", "/dev/fd/1"])
def test_output_names_of_standard_output(name: str) -> None:
    assert Output("-o", name).standard
    assert not Output("--plot", name, suffixes=(".svg",)).standard
    assert Output("-o", name).older() is None
