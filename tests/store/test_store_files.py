"""Files that are written whole or not at all (`pbem.store.files`)."""

from __future__ import annotations

import os
import threading
from pathlib import Path

import pytest

from pbem.errors import BadDisk, BadEvidence, BadRequest
from pbem.store.files import read_limited, write_atomically


def mode(path: Path) -> int:
    return path.stat().st_mode & 0o777


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


@pytest.mark.plan("C7")
def test_a_written_file_is_private_and_leaves_nothing_beside_it(tmp_path: Path) -> None:
    write_atomically(tmp_path / "turn.txt", b"new")
    assert (read_limited(tmp_path / "turn.txt", 3), mode(tmp_path / "turn.txt"), names(tmp_path)) == (
        b"new",
        0o600,
        ["turn.txt"],
    )


def test_a_wider_mode_is_narrowed_by_the_umask(tmp_path: Path) -> None:
    before = os.umask(0o027)
    try:
        write_atomically(tmp_path / "page.html", b"<p>", mode=0o644)
    finally:
        os.umask(before)
    assert mode(tmp_path / "page.html") == 0o640


def test_a_symbolic_link_stays_and_its_target_is_replaced(tmp_path: Path) -> None:
    (tmp_path / "real").write_bytes(b"old")
    (tmp_path / "link").symlink_to(tmp_path / "real")
    write_atomically(tmp_path / "link", b"new")
    assert ((tmp_path / "link").is_symlink(), (tmp_path / "real").read_bytes()) == (True, b"new")


def test_a_pipe_is_written_to_and_not_replaced(tmp_path: Path) -> None:
    pipe, got = tmp_path / "pipe", []
    os.mkfifo(pipe)
    reader = threading.Thread(target=lambda: got.append(pipe.read_bytes()))
    reader.start()
    write_atomically(pipe, b"new")
    reader.join(5)
    assert (got, pipe.is_fifo()) == ([b"new"], True)


def test_a_folder_in_the_place_of_the_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(BadDisk) as caught:
        write_atomically(tmp_path, b"new")
    assert (caught.value.code, caught.value.text, names(tmp_path)) == (
        "disk.is_a_folder",
        f"expected to write {str(tmp_path)!r}, but it is a folder",
        [],
    )


def test_a_missing_folder_is_named(tmp_path: Path) -> None:
    with pytest.raises(BadDisk) as caught:
        write_atomically(tmp_path / "none" / "turn.txt", b"new")
    assert caught.value.text == f"expected to write {str(tmp_path / 'none' / 'turn.txt')!r}, but it does not exist"


def test_a_file_over_the_limit_is_refused_and_one_at_the_limit_is_read(tmp_path: Path) -> None:
    (tmp_path / "mail").write_bytes(b"x" * 11)
    assert read_limited(tmp_path / "mail", 11) == b"x" * 11
    with pytest.raises(BadEvidence) as caught:
        read_limited(tmp_path / "mail", 10)
    assert (caught.value.code, caught.value.text, caught.value.hint) == (
        "file.too_large",
        f"expected a file of at most 10 bytes, got a longer one in {str(tmp_path / 'mail')!r}",
        "check that it is the file you mean",
    )


@pytest.mark.parametrize(("name", "found"), [("none", "nothing"), ("", "a folder"), ("mail/none", "nothing")])
def test_what_is_no_file_is_the_users_mistake(tmp_path: Path, name: str, found: str) -> None:
    (tmp_path / "mail").write_bytes(b"x")
    with pytest.raises(BadRequest) as caught:
        read_limited(tmp_path / name, 10)
    assert caught.value.text == f"expected a file, got {found} at {str(tmp_path / name)!r}"


def test_a_path_shows_its_control_characters(tmp_path: Path) -> None:
    with pytest.raises(BadRequest) as caught:
        read_limited(tmp_path / "a\x1b[2Jb", 10)
    assert "\x1b" not in caught.value.text
