"""Starting: what a reading command loads, shell completion, and how the process behaves among others."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from pbem.cli import printing
from pbem.log import event, verify

from .client import Client, command
from .conftest import Players

HEAVY = ["pydantic", "cryptography", "sqlite_utils", "lark", "rich", "orjson", "email", "mnemonic"]
PROBE = """
import io, json, sys
from pbem.cli.frame import run
sys.stdout, real = io.StringIO(), sys.stdout
code = run(sys.argv[1:])
print(json.dumps([code, sorted(name for name in %r if name in sys.modules)]), file=real)
"""


@pytest.mark.parametrize("words", [["status"], ["status", "--json"], ["--help"]], ids=" ".join)
def test_a_reading_command_loads_no_heavy_library(dealt: Players, words: list[str]) -> None:
    done = subprocess.run(
        [sys.executable, "-c", PROBE % HEAVY, *words],
        env=dealt.anna.variables(),
        capture_output=True,
        check=True,
        timeout=60,
    )
    assert json.loads(done.stdout) == [0, []]


def test_what_printing_knows_by_heart_is_what_the_protocol_says() -> None:
    """So that a reading command does not have to load the protocol."""
    assert (printing.REFEREE, printing.ADJUDICATOR) == (event.REFEREE, event.ADJUDICATOR)
    assert printing.GRACE_HOURS * 3600 == verify.GRACE


def test_shell_completion_is_there_and_completes(dealt: Players) -> None:
    script = dealt.anna.outside(_PBEM_COMPLETE="bash_source").stdout.decode()
    assert "_PBEM_COMPLETE=bash_complete" in script
    for shell in ("zsh", "fish"):
        assert b"_PBEM_COMPLETE" in dealt.anna.outside(_PBEM_COMPLETE=f"{shell}_source").stdout
    completed = dealt.anna.outside(_PBEM_COMPLETE="bash_complete", COMP_WORDS="pbem ver", COMP_CWORD="1")
    assert completed.stdout.decode().split() == ["plain,verify"]
    options = dealt.anna.outside(_PBEM_COMPLETE="bash_complete", COMP_WORDS="pbem orders --s", COMP_CWORD="2")
    assert options.stdout.decode().split() == ["plain,--submit", "plain,--standing"]


def test_a_reader_that_leaves_early_gets_no_traceback(dealt: Players) -> None:
    process = subprocess.Popen(
        command("map", "westerplatte"), env=dealt.anna.variables(), stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.close()
    assert (process.stderr.read(), process.wait(timeout=60)) == (b"", 1)


def test_a_terminal_without_polish_letters_is_no_error(dealt: Players) -> None:
    done = dealt.anna.outside("map", "westerplatte", "--area", "Wb", PYTHONIOENCODING="iso8859-1", PYTHONUTF8="0")
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout.startswith(b"Wb, Zakr\\u0119t ")


def test_without_pbem_home_the_usual_place_is_the_home(tmp_path: Path) -> None:
    client = Client(Path(), tmp_path)
    variables = client.variables(XDG_DATA_HOME=str(tmp_path / "share")) | {"HOME": str(tmp_path)}
    del variables["PBEM_HOME"]
    words = ("init", "--name", "Anna", "--address", "anna@example.org", "--no-passphrase")
    done = subprocess.run(command(*words), cwd=tmp_path, env=variables, capture_output=True, timeout=60)
    assert (done.returncode, done.stderr) == (0, b"")
    assert len(list(tmp_path.rglob("home.sqlite"))) == 1


def test_the_version_is_named(dealt: Players) -> None:
    assert dealt.anna.does("--version").out.startswith("pbem 1.")
