"""What the documents promise works: every command of the README and of the help is run, every link leads somewhere.

The two long commands at the top of the README make environments of their own; they are run by the continuous
integration as they stand, and here only read.
"""

from __future__ import annotations

import re
import shlex
from dataclasses import replace
from pathlib import Path

import click
import pytest
from cli.client import Client, environment

from pbem.cli.frame import COMMANDS, HELP, pbem

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text()
PEOPLE = {"Anna": "anna", "Bruno": "bruno"}


def blocks() -> list[str]:
    """The shell blocks of the README that use an installed client."""
    found = re.findall(r"^```sh\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)
    return [block for block in found if block.startswith("pbem ")]


def inline() -> list[str]:
    """Commands in the running text and the tables of the README."""
    text = re.sub(r"^```.*?^```$", "", README, flags=re.MULTILINE | re.DOTALL)
    return sorted(set(re.findall(r"`(pbem [^`]+)`", text)))


def found_command(words: list[str]) -> tuple[click.Command, list[str]]:
    """The command that words name, and its arguments."""
    context = click.Context(pbem)
    command: click.Command | None = pbem
    rest = list(words)
    while isinstance(command, click.Group):
        command = command.get_command(context, rest.pop(0))
    assert command is not None, words
    return command, rest


def players(folder: Path) -> dict[str, Client]:
    return {name: Client(folder / home, folder, "a phrase") for name, home in PEOPLE.items()}


def test_the_blocks_of_the_readme_are_a_game_that_can_be_played(tmp_path: Path) -> None:
    """Each block belongs to who makes a home in it; the mails go over before the next one begins."""
    people, commands = players(tmp_path), 0
    for block in blocks():
        (name,) = re.findall(r"--name (\w+)", block) or ["Anna"]
        for line in block.splitlines():
            words = shlex.split(line, comments=True)
            if words:
                people[name].does(*words[1:])
                commands += 1
    assert commands >= 8
    assert people["Anna"].does("import", "acceptance.eml").code == 0
    assert people["Anna"].does("import", "turn.eml").last.startswith("Do now: decide: ")


@pytest.mark.parametrize("text", [one for one in inline() if "COMMAND" not in one])
def test_a_command_in_the_text_of_the_readme_can_be_given(text: str) -> None:
    """Its name and options exist; a whole one, with its arguments, is understood by the parser."""
    command, rest = found_command(shlex.split(re.sub(r" > \S+$", "", text))[1:])
    known = {flag for option in command.params for flag in (*option.opts, *option.secondary_opts)} | {"--help"}
    assert {word for word in rest if word.startswith("-")} <= known
    if len(rest) > 1 or any(not word.startswith("-") for word in rest):
        command.make_context("pbem", rest, **pbem.context_settings)


def examples() -> set[str]:
    """Every example of every help, without the remarks behind them and without the parts that are not ours."""
    found: list[str] = []
    for name in COMMANDS:
        command, _ = found_command([name]) if name != "motion" else (None, [])
        texts = [command.help] if command else [found_command(["motion", sub])[0].help for sub in ("resolve", "claim")]
        found += [line for text in texts for line in re.findall(r"^ *(?:.* \| )?(pbem .*)$", text or "", re.MULTILINE)]
    return {re.sub(r"  .*| [|>] .*", "", line) for line in found}


ANNA_BEGINS = [
    "pbem init --name Anna --address anna@example.org",
    "pbem new westerplatte --as german --opponent bruno@example.org -o invitation.eml --eml",
    "pbem new polska1939 --as polish --opponent bruno@example.org --referee rita@example.org --deadline-days 7",
    "pbem new westerplatte --as german --opponent bruno@example.org --deadline-days 7 --remedy worst",
    "pbem new westerplatte --as german --opponent bruno@example.org --adjudicator host@example.org --rollers all",
]
ANNA_KEEPS = [
    "pbem forget westerplatte",
    "pbem forget westerplatte --undo",
    "pbem passphrase",
    "pbem backup -o home.backup",
    "pbem restore home.backup --home recovered",
    "pbem passphrase --no-passphrase",
]
"""What can be done with a game that nobody has accepted, and with a home."""
BRUNO_JOINS = [
    "pbem accept invitation.eml --show",
    "pbem accept invitation.eml -o acceptance.eml --eml",
    "pbem status",
    "pbem orders westerplatte -o orders.txt",
    "pbem orders westerplatte --check orders.txt",
    "pbem orders westerplatte --submit orders.txt",
    "pbem orders westerplatte --standing",
    "pbem orders westerplatte --standing standing.txt",
    "pbem export westerplatte",
    "pbem export westerplatte -o turn.eml --eml",
]
ANNA_READS = ["pbem import ~/Downloads", "pbem import turn.eml", "pbem import -"]
UNDER_WAY = [
    "pbem archive westerplatte -o westerplatte.pbem",
    "pbem certificate westerplatte",
    "pbem certificate westerplatte -o certificate.html",
    "pbem dispute westerplatte refusal",
    "pbem dispute westerplatte roll 4:turn.2/turn-1/card-1 --text",
    "pbem dispute westerplatte roll 4:turn.2/turn-1/card-1 -o card.pbem",
    "pbem current westerplatte",
    "pbem games",
    "pbem games westerplatte --json",
    "pbem lab westerplatte --position position.txt --orders orders.txt --dice S3,joker",
    "pbem log westerplatte --delays",
    "pbem log westerplatte --from 40",
    "pbem luck westerplatte",
    "pbem luck westerplatte --json",
    "pbem luck westerplatte -o luck.html",
    "pbem map westerplatte",
    "pbem map westerplatte --area GH1",
    "pbem map westerplatte -o westerplatte.svg",
    'pbem odds westerplatte "fire MAS-1, MAS-2 at PL-1" "air at PL-1" --position position.txt',
    'pbem odds westerplatte "oba at PL-1"',
    "pbem roll westerplatte",
    "pbem roll westerplatte 4:turn.2/turn-1/card-1",
    "pbem rules westerplatte",
    "pbem rules westerplatte combat",
    "pbem rules westerplatte combat.8",
    "pbem show westerplatte",
    "pbem show westerplatte --at 40 --svg board.svg",
    "pbem show westerplatte --map",
    "pbem show westerplatte --position",
    "pbem status --all",
    "pbem status westerplatte",
    "pbem tables westerplatte",
    "pbem tables westerplatte units --json",
    "pbem verify westerplatte --running",
]
REFUSED_HERE = {
    "pbem dispute westerplatte fork -o fork.pbem": "dispute.fork: ",
    "pbem dispute westerplatte opening 12 german -o opening.html": "dispute.opening: ",
    "pbem current westerplatte --confirm": "current.known: ",
    "pbem substitute westerplatte.pbem --as polish -o offer.json": "seat.known: ",
    "pbem verify westerplatte.pbem": "verify.unfinished: ",
    "pbem migrate --to-sqlite": "migrate.there: ",
    "pbem migrate --to postgresql:///pbem": "database.",
    "pbem migrate --to postgresql:///pbem --schema anna": "database.",
    "pbem motion resolve westerplatte --keep 1f2e3d4c5b6a7988": "resolve.none: ",
}
"""Examples that need a game in trouble or at its end, or a database, with the reason that one without gives."""
POSITION = "stage cards\nturn 1\nreshuffles 0\ngerman could act\ndrawn S5\ncard S5\nleft 3\nunit PL-1 Wal\nunit BB Wa\n"
POSITION += "unit MAS-1 A\nunit MAS-2 A\n"
TOO_EARLY = {
    "pbem motion claim westerplatte": "lapse.nobody: ",
    "pbem motion claim westerplatte --dice S3,joker": "lapse.nobody: ",
}
"""Examples that are refused in a game that is being set up, with the reason."""
ON_A_MAILBOX = [
    "pbem agent",
    "pbem agent --bot good",
    "pbem agent --in imaps://anna@mail.example.org/INBOX --out smtps://anna@mail.example.org",
    "pbem agent --in maildir:/home/anna/Mail/pbem --out maildir:/home/anna/Mail/outgoing --once --make",
    "pbem agent --tell anna@example.org --zone Europe/Warsaw",
    "pbem doctor",
    "pbem serve --health",
    "pbem serve --in imaps://rita@mail.example.org/INBOX --out smtps://rita@mail.example.org --for any",
    "pbem serve --in maildir:/srv/mail/in --out maildir:/srv/mail/out --for anna@example.org --once --make",
    "pbem serve --status",
    "pbem serve --zone anna@example.org=Europe/Warsaw --grace 48 --rule by-hand",
]
"""Examples with servers and folders of other machines, or that would not end: they are read and not run."""
DEMOS = ["pbem demo", "pbem demo --turns 1", "pbem demo --seed 1 --verbose"]


def test_every_example_of_the_help_is_tried_here() -> None:
    tried = {*ANNA_BEGINS, *ANNA_KEEPS, *BRUNO_JOINS, *ANNA_READS, *UNDER_WAY, *REFUSED_HERE, *TOO_EARLY, *DEMOS}
    assert examples() == {*tried, *ON_A_MAILBOX}


@pytest.mark.parametrize("text", ON_A_MAILBOX)
def test_an_example_on_a_mailbox_is_understood(text: str) -> None:
    from pbem.mail.post.address import parse

    command, rest = found_command(shlex.split(text)[1:])
    found = command.make_context("pbem", list(rest), **pbem.context_settings).params
    assert all(parse(found[way]) for way in ("inbox", "outgoing") if found.get(way))


def test_the_examples_of_a_beginning_can_be_given(tmp_path: Path) -> None:
    people = players(tmp_path)
    anna, bruno = people["Anna"], people["Bruno"]
    for line in ANNA_BEGINS:
        give(anna, line)
    with environment({"PBEM_NEW_PASSPHRASE": "another phrase"}):
        give(anna, "pbem passphrase")
    anna = replace(anna, passphrase="another phrase")
    for line in (line for line in ANNA_KEEPS if line != "pbem passphrase"):
        give(anna, line)
    bruno.does("init", "--name", "Bruno", "--address", "bruno@example.org")
    bruno.write("standing.txt", "pass at most 1\n")
    for line in BRUNO_JOINS:
        give(bruno, line)
    (tmp_path / "Downloads").mkdir()
    (tmp_path / "Downloads" / "mail.eml").write_bytes((tmp_path / "acceptance.eml").read_bytes())
    for line in ANNA_READS:
        give(anna, line)
    for line, reason in TOO_EARLY.items():
        assert anna.refused(*shlex.split(line)[1:]).startswith(reason)


def test_the_examples_of_a_game_under_way_can_be_given(tmp_path: Path) -> None:
    nobody = Client(tmp_path / "nobody", tmp_path)
    nobody.does("demo", "--seed", "4", "--turns", "3", "--quiet", "--out", "demo")
    player = Client(tmp_path / "demo" / "home-german", tmp_path / "demo")
    player.write("position.txt", POSITION)
    player.write("orders.txt", "pass\n")
    for line in UNDER_WAY:
        give(player, line)
    for line, reason in REFUSED_HERE.items():
        assert player.refused(*shlex.split(line)[1:]).startswith(reason)


@pytest.mark.parametrize("line", DEMOS)
def test_the_examples_of_the_demo_can_be_given(tmp_path: Path, line: str) -> None:
    short = line if "--turns" in line else f"{line} --turns 1"
    give(Client(tmp_path / "nobody", tmp_path), f"{short} --out demo")


def give(player: Client, line: str) -> None:
    """Give an example as the shell would: with the home folder for ~, and a mail on the standard input for -."""
    words = [word.replace("~", str(player.folder)) for word in shlex.split(line)[1:]]
    mail = player.folder / "turn.eml"
    player.does(*words, stdin=mail.read_bytes() if words[-1] == "-" else b"")


def links(text: str) -> list[str]:
    """The targets of relative links."""
    return [link for link in re.findall(r"\]\(([^)#]+)", text) if "://" not in link]


def test_every_link_of_the_readme_leads_somewhere() -> None:
    assert links(README)
    assert [link for link in links(README) if not (ROOT / link).exists()] == []


def test_the_two_long_commands_name_what_is_there() -> None:
    found = re.findall(r"^python3 -m venv \.venv && .*$", README, re.MULTILINE)
    assert len(found) == 2
    assert found[0].endswith(".venv/bin/pbem demo --seed 1")
    assert "[test]" in found[1]
    assert found[1].endswith(".venv/bin/python -m pytest -n 2")


def test_the_readme_names_only_commands_that_there_are() -> None:
    named = set(re.findall(r"(?:`|^)pbem ([a-z]+)", README, re.MULTILINE))
    assert named <= set(HELP)
