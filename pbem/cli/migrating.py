"""`pbem migrate`: a home moved between SQLite and PostgreSQL."""

from __future__ import annotations

import time
from pathlib import Path

import click

from pbem.cli.frame import home_folder, say
from pbem.log.enumeration import counted


@click.command()
@click.option("--to", "url", metavar="URL", help="The PostgreSQL database to move to: postgresql://USER@HOST/DATABASE.")
@click.option("--schema", help="The schema in it that shall be this home's alone.  [default: pbem]")
@click.option("--to-sqlite", is_flag=True, help="Move back, into a file in the folder of the home.")
@click.option(
    "--home",
    type=click.Path(path_type=Path),
    help="The folder of the home; else PBEM_HOME, or this machine's usual place.",
)
def migrate(url: str | None, schema: str | None, to_sqlite: bool, home: Path | None) -> None:
    """Move your home between SQLite and PostgreSQL.

    One file is right for a player, and for an adjudicator with one worker. Several workers at many games share a
    PostgreSQL database: each on its machine, with a folder that holds the same file `database.toml`. A password is
    never given here: put it into ~/.pgpass, or into PGPASSWORD.

    Everything is copied and compared. The old home stays as it is, and no command plays on from it.

    \b
    pbem migrate --to postgresql:///pbem
    pbem migrate --to postgresql:///pbem --schema anna
    pbem migrate --to-sqlite
    """
    if bool(url) == to_sqlite or (schema and to_sqlite):
        raise click.UsageError("one of --to URL (with or without --schema) and --to-sqlite is needed")
    from pbem.store.moving import move

    done = move(home or home_folder(), url or "", schema or "", int(time.time()))
    rows = counted(done.rows, "row")
    say(f"Moved {counted(done.games, 'game')} from {done.old} to {done.new}: {rows}, all the same in both.")
    say("The old home is as it was, and is marked: no command plays on from it, so that you never sign in two places.")
    say("Do now: `pbem backup -o FILE`; when you have that, the old one may be deleted.")


COMMANDS = {"migrate": migrate}
