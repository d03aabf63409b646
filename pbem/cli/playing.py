"""`pbem orders`: what a player decides."""

from __future__ import annotations

from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING

import click

from pbem.cli.frame import as_json, data_option, force_option, json_option, only_game, say, text_of, with_desk
from pbem.cli.printing import next_step

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pbem.app.desk import Desk
    from pbem.rules.ruleset import Remark


_file = click.Path(allow_dash=True, path_type=Path)
_SHOW = Path()
"""What `--standing` without a file stands for."""


@click.command()
@click.argument("game", required=False)
@click.option("--check", "to_check", type=_file, help="Read orders and say what is understood; nothing is changed.")
@click.option("--submit", "to_submit", type=_file, help="Sign the orders; they cannot be taken back.")
@click.option("--anyway", is_flag=True, help="Sign also orders that cannot succeed as things stand.")
@click.option(
    "--standing",
    "to_stand",
    metavar="[FILE]",
    type=_file,
    is_flag=False,
    flag_value=str(_SHOW),
    help="Keep the standing orders of FILE, which answer routine questions; without FILE, show those in force.",
)
@click.option("--now", is_flag=True, help="Let standing orders answer the question that is open now, too.")
@click.option("-o", "--output", type=click.Path(path_type=Path), help="The file to write the sheet to.")
@force_option
@json_option
@data_option
@with_desk
def orders(
    desk: Desk,
    game: str | None,
    to_check: Path | None,
    to_submit: Path | None,
    anyway: bool,
    to_stand: Path | None,
    now: bool,
    output: Path | None,
    force: bool,
    in_json: bool,
) -> None:
    """Write an order sheet to edit, with the legal choices as comments; check or submit one.

    FILE may be the sheet, or a whole mail with the sheet in it; - is the standard input. A sheet that was written by
    `pbem orders` says itself which game it is for. What the words of a sheet mean (`2/1`, `+0`, `oba`, `face`, `or`)
    is told by `pbem rules`, attack by attack by `pbem odds`.

    \b
    pbem orders westerplatte -o orders.txt
    pbem orders westerplatte --check orders.txt
    pbem orders westerplatte --submit orders.txt
    pbem orders westerplatte --standing               what is in force, and what can be said
    pbem orders westerplatte --standing standing.txt  a file with a line such as: pass at most 1
    """
    if sum(one is not None for one in (to_check, to_submit, to_stand)) > 1:
        raise click.UsageError("--check, --submit and --standing exclude each other")
    if in_json and (to_submit or output or to_stand not in (None, _SHOW)):
        raise click.UsageError("--json goes with --check, or with nothing for the sheet on stdout")
    if (anyway and not to_submit) or (now and to_stand in (None, _SHOW)):
        raise click.UsageError("--anyway goes with --submit, --now with --standing FILE")
    if to_check:
        _check(desk, game, to_check, in_json)
    elif to_submit:
        _submit(desk, game, to_submit, anyway=anyway)
    elif to_stand == _SHOW:
        _show_standing(desk, only_game(desk, game), in_json)
    elif to_stand:
        _stand(desk, only_game(desk, game), to_stand, now=now)
    else:
        _write_sheet(desk, only_game(desk, game), output, in_json, force=force)


def _write_sheet(desk: Desk, name: str, output: Path | None, in_json: bool, *, force: bool) -> None:
    from pbem.app.outputs import sheet_loss, write_output
    from pbem.app.sheets import written_sheet

    written = written_sheet(desk, name)
    if in_json:
        as_json({"game": name, "sheet": written.text.splitlines()})
        return
    if output is None:
        click.echo(written.text, nl=False)
        return
    loss = sheet_loss(written.game, written.step, written.text)
    write_output(output, written.text.encode("utf-8"), loss, force=force)
    say(f"Wrote {output}. Do now: edit it, then `pbem orders {name} --submit {quote(str(output))}`.")


def _game_and_text(desk: Desk, game: str | None, path: Path) -> tuple[str, str]:
    """The game that orders are for, which is that of the sheet where none was named, and what they say."""
    from pbem.app.sheets import game_of_sheet

    text = text_of(path)
    said = "" if game else game_of_sheet(text)
    here = {row.name.casefold(): row.name for row in desk.home.games()}
    return only_game(desk, game or here.get(said.casefold())), text


def _check(desk: Desk, game: str | None, path: Path, in_json: bool) -> None:
    from pbem.app.deciding import check_orders
    from pbem.app.moving import check_reply

    name, text = _game_and_text(desk, game, path)
    if reply := check_reply(desk, name, text):
        _say_reply(name, reply, path, in_json=in_json)
        return
    understood = check_orders(desk, name, text)
    if in_json:
        remarks = [{"order": one.order, "text": one.text, "vain": one.vain} for one in understood.remarks]
        as_json({"orders": understood.orders.splitlines(), "remarks": remarks})
        return
    say("Understood, and legal as things stand:")
    _say_orders(understood.orders, understood.remarks)
    for one in {one.order: one for one in understood.vain}.values():
        say(f"Note: '{one.order}' cannot succeed as things stand.")
    submit = f"pbem orders {name} --submit {quote(str(path))}"
    if understood.vain:
        say(f"Nothing was changed. Do now: change the sheet, or sign it as it is: `{submit} --anyway`.")
    else:
        say(f"Nothing was changed. Do now: `{submit}`.")


def _say_reply(name: str, reply: str, path: Path, *, in_json: bool) -> None:
    if in_json:
        as_json({"orders": [reply.split()[0]], "remarks": []})
        return
    say(f"Understood: {reply}.")
    say(f"Nothing was changed. Do now: `pbem orders {name} --submit {quote(str(path))}`.")


def _say_orders(orders: str, remarks: Sequence[Remark]) -> None:
    """Orders with what is remarked about each, then what is remarked about none of them."""
    by_order: dict[str, list[str]] = {}
    for remark in remarks:
        by_order.setdefault(remark.order, []).append(remark.text)
    for line in orders.splitlines():
        told = "; ".join(by_order.pop(line, ()))
        say(f"  {line}   # {told}" if told else f"  {line}")
    for texts in by_order.values():
        for text in texts:
            say(f"  # {text}")


def _submit(desk: Desk, game: str | None, path: Path, *, anyway: bool) -> None:
    from pbem.app.deciding import submit_orders
    from pbem.app.moving import submit_reply
    from pbem.cli.moving import say_moved

    name, text = _game_and_text(desk, game, path)
    replied = submit_reply(desk, name, text)
    if replied is not None:
        say_moved(replied, desk)
        return
    done = submit_orders(desk, name, text, anyway=anyway)
    say("Signed:")
    _say_orders(done.orders, done.warnings)
    for line in done.told:
        say(f"  > {line}")
    for answered in done.answered:
        say(f"  answered by itself, {answered}")
    next_step(done.opened, desk)


def _stand(desk: Desk, name: str, path: Path, *, now: bool) -> None:
    from pbem.app.standing_orders import set_standing_orders

    done = set_standing_orders(desk, name, text_of(path), now=now)
    say("Standing orders kept:" if done.kept.strip() else "Standing orders forgotten.")
    for line in done.kept.splitlines():
        say(f"  {line}")
    for line in done.answered:
        say(f"  answered by itself, {line}")
    if done.would_answer:
        would = f"`pbem orders {name} --standing {quote(str(path))} --now` would answer it: "
        say(
            "Note: the question that is open now is not answered by them; "
            + would
            + "; ".join(done.would_answer.splitlines())
        )
    next_step(done.opened, desk)


def _show_standing(desk: Desk, name: str, in_json: bool) -> None:
    from pbem.app.opened import open_game
    from pbem.app.standing_orders import standing_orders

    kept = standing_orders(desk, name).splitlines()
    forms = open_game(desk.home, name, desk.games).campaign.ruleset.standing_forms()
    if in_json:
        as_json({"game": name, "standing": kept, "forms": list(forms)})
        return
    say("Standing orders in force:" if kept else "No standing orders are in force.")
    for line in kept:
        say(f"  {line}")
    say("What can be said:")
    for line in forms:
        say(f"  {line}")
    say(f"Do now: to change them, write such lines into a file, then `pbem orders {name} --standing FILE`.")


COMMANDS = {"orders": orders}
