"""The command group, the one place where errors become exit codes, and what all commands share."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from pbem.errors import PbemError
from pbem.log.enumeration import counted, cut

if TYPE_CHECKING:
    from pbem.app.desk import Desk

F = TypeVar("F", bound=Callable[..., Any])
COMMANDS: Mapping[str, str] = {
    "accept": "joining",
    "agent": "agent",
    "archive": "files",
    "backup": "keeping",
    "current": "keeping",
    "certificate": "disputing",
    "demo": "showing",
    "dispute": "disputing",
    "doctor": "doctor",
    "export": "files",
    "forget": "keeping",
    "games": "rulebook",
    "import": "files",
    "init": "joining",
    "lab": "rulebook",
    "log": "looking",
    "luck": "disputing",
    "map": "rulebook",
    "migrate": "migrating",
    "motion": "moving",
    "new": "joining",
    "odds": "rulebook",
    "orders": "playing",
    "passphrase": "keeping",
    "restore": "keeping",
    "roll": "looking",
    "rules": "guide",
    "serve": "serving",
    "show": "looking",
    "status": "status",
    "substitute": "joining",
    "tables": "rulebook",
    "verify": "files",
}
TRACEBACK = "PBEM_TRACEBACK"
"""The environment variable that lets an error through that no command expects."""
MOST_REFUSALS = 8
"""A sheet that is no sheet at all has a refusal for every line."""
HELP: Mapping[str, str] = {
    "accept": "Join a game that somebody proposed to you.",
    "agent": "Let your home live on a mailbox: it takes in, answers and sends by itself.",
    "archive": "Write a whole campaign into one file.",
    "backup": "Write your whole home into one file.",
    "current": "Say whether something of yours may be missing in a restored game.",
    "certificate": "One page about a verified game: result, parties, disputes, checks.",
    "demo": "Two homes play a whole game by mail, then a third one verifies it.",
    "dispute": "Show a roll, an opening, a fork or a refusal to a stranger.",
    "doctor": "Look at what an agent or a service rests on.",
    "export": "Write the turn file to mail to the other side.",
    "forget": "Put a game aside that nobody accepted, or that is over.",
    "games": "List the games and what their data rest on.",
    "import": "Take in a turn file, a mail, a mailbox or a folder.",
    "init": "Make a home with your keys.",
    "lab": "Adjudicate a position with given orders and dice.",
    "log": "Tell what happened in a game.",
    "luck": "How each side's dice fell, beside the exact chances.",
    "map": "Draw the map of a game as text or SVG.",
    "migrate": "Move your home between SQLite and PostgreSQL.",
    "motion": "Take back, adjust, extend, pause, draw, concede, change rules; settle a fork, claim after a deadline.",
    "new": "Propose a game to somebody.",
    "odds": "Exact chances of an attack before it is ordered.",
    "orders": "Write an order sheet, check or submit one.",
    "passphrase": "Change the passphrase of your home.",
    "restore": "Make a home out of a backup.",
    "roll": "Show how a roll came about, as commands that anybody can run.",
    "rules": "The rules of a game in short, in plain words.",
    "serve": "Let a referee's home live on a mailbox: join games, keep deadlines, rule, answer commands.",
    "show": "Show the board.",
    "status": "Say what is awaited, from whom, and what to do now.",
    "substitute": "Take a running game into this home, and offer to take a seat in it.",
    "tables": "Every table of a game as data.",
    "verify": "Verify an archive or a game independently.",
}


OF_RULES = ("rulebook", "guide")
"""The modules whose commands take the name of a game's rules as well as a game of this home."""
_LEFT_OUT = "; it may be left out while this home has only one"


def explain_game(command: click.Command, *, rules_too: bool) -> None:
    """Say at the end of a command's help what its argument GAME may be; a group's commands are told one by one."""
    if isinstance(command, click.Group):
        for one in command.commands.values():
            explain_game(one, rules_too=rules_too)
    for parameter in command.params:
        if isinstance(parameter, click.Argument) and parameter.name == "game":
            alone = "; without it, all of them" if command.name == "status" else _LEFT_OUT
            may = "" if parameter.required or rules_too else alone
            rules = " or the name of a game's rules (`pbem games`), for which no home is needed" if rules_too else ""
            command.epilog = f"GAME is a game of this home (`pbem status`){rules}{may}."


class LazyGroup(click.Group):
    """Loads a command's module when the command is run: `pbem --help` and `pbem status` load next to nothing."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's signature
        return sorted(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        module = COMMANDS.get(cmd_name)
        if module is None:
            return None
        commands: Mapping[str, click.Command] = import_module(f"pbem.cli.{module}").COMMANDS
        explain_game(commands[cmd_name], rules_too=module in OF_RULES)
        return commands[cmd_name]

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        with formatter.section("Commands"):
            formatter.write_dl([(name, HELP[name]) for name in sorted(COMMANDS)])

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args and args[0] not in COMMANDS and not args[0].startswith("-"):
            import difflib

            near = difflib.get_close_matches(args[0], COMMANDS, n=1)
            hint = f"; did you mean '{near[0]}'?" if near else ""
            ctx.fail(f"no such command '{args[0]}'{hint}")
        return super().resolve_command(ctx, args)


@click.command(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 120})
@click.version_option(package_name="pbem", message="pbem %(version)s")
def pbem() -> None:
    """Play board wargames by e-mail, provably fair.

    Two people who do not trust each other exchange turn files; every roll, draw and secret can be checked by
    anybody from the archive alone.

    \b
    pbem demo                            see a whole game played and verified
    pbem init --name Anna --address anna@example.org
    pbem new westerplatte --as german --opponent bruno@example.org -o invitation.eml
    pbem status                          what to do now
    pbem rules westerplatte              the rules in short

    The home is the folder PBEM_HOME, or this machine's usual place for a program's data. PBEM_PASSPHRASE
    answers the question for a passphrase; NO_COLOR is honoured; PBEM_TRACEBACK=1 shows where a fault of the program
    itself comes from.
    """


def run(arguments: Sequence[str]) -> int:
    """Run a command line; the exit code: 0 done, 1 refused or not valid, 2 wrong usage."""
    try:
        result = pbem.main(list(arguments), prog_name="pbem", standalone_mode=False)
        return result if isinstance(result, int) else 0
    except PbemError as error:
        return _told(error)
    except click.ClickException as error:
        return _misused(error)
    except (click.exceptions.Abort, KeyboardInterrupt):
        return complain("interrupted: a change is whole or not made", _after_an_interrupt())
    except OSError as error:
        return _refused_by_the_disk(error)
    except MemoryError:
        return complain("memory: expected enough memory, got none left", "close other programs and repeat the command")
    except Exception as error:
        if os.environ.get(TRACEBACK):
            raise
        return _crashed(error)


def _crashed(error: Exception) -> int:
    """What no command expects: a fault of the program, or of a game's rules or data. What the error says is not shown:
    nobody knows what is in it."""
    import traceback

    place = traceback.extract_tb(error.__traceback__)[-1]
    return complain(
        f"program.fault: expected a program and rules without faults, got {type(error).__name__} in "
        f"{Path(place.filename).name}, line {place.lineno}",
        f"a change is whole or not made; `{TRACEBACK}=1` before the command shows where it comes from: report that",
    )


def _refused_by_the_disk(error: OSError) -> int:
    """What the machine refuses where no command expects it, in the words of what is expected."""
    if isinstance(error.filename, str | Path):
        from pbem.store.faults import disk_fault

        return _told(disk_fault(error, "use", Path(error.filename)))
    text = f"disk.error: expected to read and write files, got {error.strerror or error}"
    return complain(text, "check the disk and your rights there")


def _after_an_interrupt() -> str:
    from pbem.store.folder import holds_home

    made = holds_home(home_folder())
    return "`pbem status` says how things stand" if made else "there is no home yet: `pbem init` makes one"


def _misused(error: click.ClickException) -> int:
    """One line about wrong usage, or the whole help where nothing was asked for; exit code 2."""
    if error.format_message().startswith("Usage:"):
        click.echo(error.format_message(), err=True)
        return 2
    context = getattr(error, "ctx", None)
    command = context.command_path if context else "pbem"
    message = " ".join(error.format_message().split()).rstrip(".")
    complain(f"usage: {message[:1].lower()}{message[1:]}", f"`{command} --help` shows how")
    return 2


def _told(error: PbemError) -> int:
    from pbem.rules.refusal import reasons

    found = reasons(error)
    for sentence, hint in found[:MOST_REFUSALS]:
        complain(sentence, hint)
    if len(found) > MOST_REFUSALS:
        complain(f"and {len(found) - MOST_REFUSALS} more like these")
    return 1


def complain(text: str, hint: str = "") -> int:
    """One line about what is wrong and one with a hint, on stderr; the exit code 1."""
    click.echo(plain(text), err=True)
    if hint:
        click.echo(f"hint: {plain(hint)}", err=True)
    return 1


def plain(text: str) -> str:
    """Text of strangers on one line, without control and direction characters."""
    from pbem.mail.plain import printable

    return printable(text, 2000)


def say(text: str = "") -> None:
    """One line of output, safe to print whoever wrote what stands in it."""
    click.echo(plain(text) if not (text.isascii() and text.isprintable()) else text)


def as_json(value: Any) -> None:
    """A value as JSON, for programs; control and direction characters of strangers are written as JSON escapes."""
    import json
    import unicodedata

    text = json.dumps(value, ensure_ascii=False, indent=2)
    if not text.isascii() or "\x7f" in text:
        text = "".join(
            json.dumps(one)[1:-1] if one != "\n" and unicodedata.category(one)[0] == "C" else one for one in text
        )
    click.echo(text)


def home_folder() -> Path:
    """PBEM_HOME, or this machine's usual place."""
    named = os.environ.get("PBEM_HOME")
    if named:
        return Path(named)
    import platformdirs

    return Path(platformdirs.user_data_dir("pbem", appauthor=False))


def ask_passphrase() -> str | None:
    """PBEM_PASSPHRASE, or the answer to a prompt if somebody is there to answer."""
    given = os.environ.get("PBEM_PASSPHRASE")
    if given is not None:
        return given
    if not sys.stdin.isatty():
        return None
    answer: str = click.prompt("Passphrase of this home", hide_input=True, err=True)
    return answer


def with_desk(use: Callable[..., Any]) -> Callable[..., Any]:
    """A command that works with the desk of this home, opened for it and closed behind it.

    The command's option `data`, if it has one, is the desk's.
    """
    from functools import wraps

    @wraps(use)
    def command(*args: Any, **options: Any) -> Any:
        from pbem.app.desk import Desk
        from pbem.store.database import Home

        data: Path | None = options.pop("data", None)
        with Home.open(home_folder()) as home:
            return use(Desk(home, passphrase=ask_passphrase, data=data), *args, **options)

    return command


def text_of(path: Path) -> str:
    """The text of a file that a player wrote, or of the standard input for `-`."""
    from pbem.errors import BadRequest
    from pbem.rules.sheet import MAX_TEXT
    from pbem.store.files import read_limited

    limit = 4 * MAX_TEXT
    data: bytes = sys.stdin.buffer.read(limit) if str(path) == "-" else read_limited(path, limit)
    marked = data[:2] in (b"\xff\xfe", b"\xfe\xff")
    try:
        if b"\0" not in data or marked:
            return data.decode("utf-16" if marked else "utf-8-sig")
    except UnicodeDecodeError:
        pass
    raise BadRequest("text.encoding", f"expected UTF-8 text in {path}, got something else", "save it as UTF-8 text")


def only_game(desk: Desk, name: str | None) -> str:
    """The game that is named, or the only one that is listed in this home."""
    from pbem.app.aside import listed
    from pbem.errors import BadRequest

    if name:
        return name
    games = [game.name for game in listed(desk.home)]
    if len(games) == 1:
        return games[0]
    if not games:
        text = "expected a game in this home, got a home without any"
        aside = "; `pbem status --all` shows those put aside" if desk.home.games() else ""
        raise BadRequest("game.none", text, f"`pbem new GAME …` proposes one, `pbem accept FILE` joins one{aside}")
    text = f"expected the name of one of {counted(len(games), 'game')}, got none"
    raise BadRequest("game.which", text, f"say which: {cut(games)}")


def with_options(command: F, *options: Callable[[F], F]) -> F:
    """A command with several options, in this order."""
    for option in reversed(options):
        command = option(command)
    return command


data_option = click.option(
    "--data",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="A folder with your own transcription of the printed game's data.",
)
force_option = click.option("--force", is_flag=True, help="Write over a file of any content that is there already.")
json_option = click.option("--json", "in_json", is_flag=True, help="Print JSON for programs.")
