"""Whose seat it is: proposals for somebody else, seats that are taken, and games that are played without this home."""

from __future__ import annotations

from pathlib import Path

import pytest

from .client import Client
from .conftest import Players

NEW = ("new", "westerplatte", "--as", "german")


def new_player(name: str, folder: Path, home: Path) -> Client:
    client = Client(home, folder)
    client.does("init", "--name", name, "--address", f"{name.lower()}@example.org", "--no-passphrase")
    return client


@pytest.fixture
def eve(joined_table: Players, tmp_path: Path) -> Client:
    """Somebody who has read the mails of a game that Anna and Bruno have begun."""
    return new_player("Eve", joined_table.anna.folder, tmp_path / "eve")


TAKEN = (
    "accept.seat_taken: expected a proposal whose seat of polish is free, got one that Bruno <bruno@example.org> has "
    "accepted in the same file\n"
    "hint: use the home that accepted it (PBEM_HOME), or ask the proposer for a proposal of your own\n"
)


@pytest.mark.parametrize("file", ["acc.txt", "all.pbem"])
@pytest.mark.parametrize("more", [(), ("--as", "polish", "--as-address", "bruno@example.org")], ids=["", "as Bruno"])
def test_a_seat_that_is_taken_in_the_same_file_is_not_taken_again(
    joined_table: Players, eve: Client, file: str, more: tuple[str, ...]
) -> None:
    joined_table.anna.does("archive", "-o", "all.pbem")
    assert eve.refused("accept", file, *more) == TAKEN
    said = eve.does("accept", file, "--show").out.splitlines()
    assert said[-2:] == [
        "  polish has accepted in this file: Bruno",
        "Do now: nothing, the seat is taken; `pbem import` takes in what belongs to a game of this home.",
    ]


def test_a_seat_that_the_same_home_has_taken_elsewhere_is_named(joined_table: Players, made: Players) -> None:
    """Bruno restores a home from before he accepted: its chain is another one, and would be lost."""
    bruno = Client(made.bruno.home, joined_table.bruno.folder)
    assert bruno.refused("accept", "acc.txt") == TAKEN.replace("Bruno <bruno@example.org>", "your own key")


OTHER = (
    "accept.other_address: expected a proposal to bruno@example.org, got one whose seat of polish is for "
    "dora@example.org\n"
    "hint: every turn of this game would be mailed there: ask the proposer for a proposal to your own address; if that "
    "one is yours too, say --as-address dora@example.org\n"
)


def test_a_proposal_for_somebody_else_is_not_joined_by_chance(new_table: Players) -> None:
    anna, bruno = new_table
    anna.does(*NEW, "--opponent", "dora@example.org", "-o", "inv.eml")
    assert bruno.refused("accept", "inv.eml") == OTHER
    assert bruno.refused("accept", "inv.eml", "--as-address", "doris@example.org").startswith(
        "accept.other_address: expected a proposal to doris@example.org, got one whose seat of polish is for dora@"
    )
    assert bruno.does("accept", "inv.eml", "--show").last == (
        "Do now: nothing, it is meant for somebody else; if dora@example.org is yours too, "
        "`pbem accept inv.eml --as-address dora@example.org -o acceptance.eml --eml` joins."
    )
    said = bruno.does("accept", "inv.eml", "--show", "--as-address", "Dora@Example.org").last
    assert said == (
        "Do now: to join, `pbem accept inv.eml --as-address Dora@Example.org -o acceptance.eml --eml`; else nothing."
    )


def test_another_address_of_the_same_player_joins_and_gets_the_mails(new_table: Players) -> None:
    anna, bruno = new_table
    anna.does(*NEW, "--opponent", "bruno@club.example", "-o", "inv.eml")
    bruno.does("accept", "inv.eml", "--as-address", "bruno@club.example", "-o", "acc.eml")
    assert bruno.read("acc.eml").startswith('From: "Bruno" <bruno@club.example>\nTo: "Anna" <anna@example.org>\n')
    anna.does("import", "acc.eml")
    assert "to Bruno <bruno@club.example>, with the subject" in anna.does("export", "-o", "turn.eml").last


def test_an_address_is_the_same_in_capitals(new_table: Players) -> None:
    anna, bruno = new_table
    anna.does(*NEW, "--opponent", "Bruno@Example.ORG", "-o", "inv.eml")
    assert "is not among the seats" not in bruno.does("accept", "inv.eml", "--show").out
    bruno.does("accept", "inv.eml", "-o", "acc.eml")


@pytest.fixture
def late(eve: Client) -> Client:
    """Eve, who has accepted the proposal as well, in Bruno's name."""
    eve.does("accept", "inv.txt", "--as-address", "bruno@example.org", "-o", "eve.txt")
    return eve


def test_a_game_that_is_played_without_this_home_is_one_line(joined_table: Players, late: Client) -> None:
    bruno = joined_table.bruno
    bruno.does("orders", "-o", "orders.txt")
    bruno.does("orders", "--submit", "orders.txt")
    bruno.does("archive", "-o", "all.pbem")
    for _ in range(2):
        done = late("import", "all.pbem")
        assert (done.code, done.out) == (1, "westerplatte: 0 new events, 1 known already.\n")
        assert done.err == (
            "refused: import.own_seat_taken: expected game westerplatte with your key in the seat of polish, got it "
            "with that of Bruno\n"
            "hint: it is played without this home: use the home that plays it (PBEM_HOME), or ask the proposer whom it "
            "took and put this one aside with `pbem forget westerplatte --anyway`\n"
        )
    late.does("forget", "westerplatte", "--anyway")


def test_everything_of_a_late_acceptance_is_one_line(joined_table: Players, late: Client) -> None:
    late.does("orders", "-o", "set-up.txt")
    late.does("orders", "--submit", "set-up.txt")
    late.does("export", "-o", "late.txt")
    done = joined_table.anna("import", "late.txt")
    assert (done.code, done.out.splitlines()[0]) == (1, "westerplatte: 0 new events, 1 known already.")
    assert done.err == (
        "refused: import.seat_taken: expected one acceptance of polish, got another one by another key\n"
        "hint: a stranger may have accepted first: compare the key words of polish that "
        "`pbem verify westerplatte --running` shows with your opponent by telephone\n"
    )


def test_a_bad_file_among_good_ones_is_told_and_no_failure(joined_table: Players, late: Client) -> None:
    """Exit status 1 when something was refused and nothing new was taken in."""
    anna, bruno = joined_table
    bruno.does("orders", "-o", "orders.txt")
    bruno.does("orders", "--submit", "orders.txt")
    bruno.does("export", "-o", "polish.txt")
    (anna.folder / "mails").mkdir()
    (anna.folder / "mails" / "eve.txt").write_text(late.read("eve.txt"))
    (anna.folder / "mails" / "acc.txt").write_text(anna.read("acc.txt"))
    assert anna("import", "mails").code == 1
    (anna.folder / "mails" / "polish.txt").write_text(anna.read("polish.txt"))
    done = anna("import", "mails")
    assert (done.code, done.err.count("refused: ")) == (0, 1)
    assert anna("import", "mails").code == 1
    (anna.folder / "mails" / "eve.txt").unlink()
    anna.does("import", "mails")


# ---------------------------------------------------------------------- names


@pytest.mark.parametrize(
    "name", ["", " ", "../x", "a/b", "a\\b", "-o", ".hidden", "my game", "a.pbem", "x" * 41, "$(x)"]
)
def test_a_game_has_a_name_that_can_be_typed(new_table: Players, joined: Players, name: str) -> None:
    anna, bruno = new_table
    expected = (
        f"game.name: expected a name for the game such as duel-2, got '{name}'\n"
        "hint: letters, digits, - and _, at most 40 of them, with a letter or a digit in front\n"
    )
    bruno.write("inv.txt", joined.anna.read("inv.txt"))
    assert anna.refused(*NEW, "--opponent", "bruno@example.org", "--name", name) == expected
    assert bruno.refused("accept", "inv.txt", "--name", name) == expected


def test_a_name_may_have_letters_of_any_language(new_table: Players) -> None:
    anna = new_table.anna
    anna.does(*NEW, "--opponent", "bruno@example.org", "--name", "Łódź_1939-a", "-o", "inv.eml")
    assert anna.status()["game"] == "Łódź_1939-a"


@pytest.mark.parametrize("name", ["", "  ", "\u200b", "--"])
def test_a_player_has_a_name_that_can_be_seen(tmp_path: Path, name: str) -> None:
    nobody = Client(tmp_path / "home", tmp_path)
    assert nobody.refused("init", f"--name={name}", "--address", "a@example.org", "--no-passphrase") == (
        f"init.name: expected a name that other players see, got '{name.encode('unicode_escape').decode()}'\n"
        "hint: with a letter or a digit, and at most 200 characters\n"
    )


def test_a_name_that_no_proposal_can_hold_is_refused(new_table: Players, tmp_path: Path) -> None:
    expected = (
        "init.name: expected a name that other players see, got one of 201 characters\n"
        "hint: with a letter or a digit, and at most 200 characters\n"
    )
    words = (*NEW, "--opponent", "bruno@example.org", "--opponent-name", "x" * 201)
    assert new_table.anna.refused(*words) == expected
    nobody = Client(tmp_path / "home", tmp_path)
    words = ("init", "--name", "x" * 201, "--address", "a@example.org", "--no-passphrase")
    assert nobody.refused(*words) == expected


# ---------------------------------------------------------------------- seats that are all taken, and offers


def test_a_stranger_who_imports_a_running_game_is_told_what_can_be_done(joined_table: Players, eve: Client) -> None:
    joined_table.anna.does("archive", "-o", "all game.pbem")
    known = joined_table.anna.status()["id"][:12]
    taken = f"A game whose seats are all taken (game {known}): this home has no part in it. Do now: "
    assert eve.does("import", "all game.pbem").out == (
        f"{taken}`pbem verify 'all game.pbem' --running` checks it; `pbem substitute 'all game.pbem' --as ROLE -o "
        "offer.json` offers to go on with it in a role\n"
    )
    assert eve.does("import", "acc.txt").out == (
        f"{taken}nothing; an archive of it (`pbem archive GAME -o FILE`) is what `pbem verify` checks\n"
    )
    assert eve.does("import", "inv.txt").out == (
        f"A proposal by german (game {known}). Do now: `pbem accept inv.txt --show`\n"
    )


@pytest.fixture
def offering(joined_table: Players, eve: Client) -> Client:
    """Eve, who has offered to take the Polish seat."""
    joined_table.anna.does("archive", "-o", "all.pbem")
    eve.does("substitute", "all.pbem", "--as", "polish", "-o", "offer.json")
    return eve


@pytest.mark.parametrize(
    ("role", "whom"),
    [
        ("polish", "whoever is polish now, for `pbem motion hand-over GAME --offer FILE`"),
        ("referee", "one of the players, for `pbem motion appoint GAME --offer FILE`"),
    ],
)
def test_an_offer_is_sent_to_who_moves_it(joined_table: Players, eve: Client, role: str, whom: str) -> None:
    joined_table.anna.does("archive", "-o", "all.pbem")
    said = eve.does("substitute", "all.pbem", "--as", role, "-o", "offer.json").out.splitlines()
    assert said[0] == f"Taken in as game westerplatte; you would be {role}. Wrote offer.json."
    assert said[1].partition(": ")[0] == "Your key in words"
    assert said[2:] == [
        "A backup that you made before does not have this game: make a new one, with `pbem backup -o FILE`.",
        f"Do now: send offer.json to {whom}; nothing is signed here before the seat is yours.",
    ]


def test_an_offer_is_written_again(joined_table: Players, offering: Client) -> None:
    first = offering.read("offer.json")
    assert offering.does("status").last == (
        "  do now: send your offer to whoever is polish now, and wait until that side has moved it and the other "
        "agreed; `pbem substitute FILE --as polish -o offer.json` writes it again"
    )
    (offering.folder / "offer.json").unlink()
    said = offering.does("substitute", "all.pbem", "--as", "polish", "-o", "offer.json").out.splitlines()
    assert (said[0], said[1].partition(": ")[0], said[2:]) == (
        "You have offered this before, in game westerplatte; you would be polish. Wrote offer.json.",
        "Your key in words",
        [
            "Do now: send offer.json to whoever is polish now, for `pbem motion hand-over GAME --offer FILE`; nothing "
            "is signed here before the seat is yours."
        ],
    )
    assert offering.read("offer.json") == first
    assert offering.refused("substitute", "all.pbem", "--as", "german", "-o", "other.json") == (
        "seat.known: expected a game that is new to this home, got game westerplatte, in which it has offered to be "
        "polish\nhint: say --as polish, or use another home (PBEM_HOME)\n"
    )
    assert joined_table.bruno.refused("substitute", "all.pbem", "--as", "polish", "-o", "mine.json") == (
        "seat.known: expected a game that is new to this home, got game westerplatte, which it plays or has played\n"
        "hint: `pbem status westerplatte` says what to do now\n"
    )
    assert offering.refused("substitute", "all.pbem", "--as", "russian", "-o", "other.json") == (
        "seat.role: expected one of german, polish, referee, got 'russian'\nhint: for example `--as german`\n"
    )


def test_a_seat_that_was_handed_over_is_named_with_who_takes_it(joined_table: Players, offering: Client) -> None:
    anna, bruno = joined_table
    bruno.does("motion", "hand-over", "--offer", "offer.json")
    bruno.does("export", "-o", "moved.txt")
    anna.does("import", "moved.txt")
    anna.does("motion", "agree")
    anna.does("export", "-o", "agreed.txt", "--all")
    bruno.does("import", "agreed.txt")
    line = anna.does("log").out.splitlines()[0]
    words = line.partition("words is '")[2].partition("'")[0]
    assert line == (
        "    3  polish signs with a new key of Eve <eve@example.org> from step 4 on; that key in words is "
        f"'{words}' (motion)"
    )
    assert bruno.does("status").last == (
        "  do now: nothing: another key holds the seat of polish; `pbem log westerplatte` goes on telling what happens"
    )
    assert bruno.does("status").out.splitlines()[0] == (
        "westerplatte: The Battle of the Westerplatte, you were polish until step 3 against Anna (german)"
    )
    for words in (("draw",), ("agree",), ("withdraw",), ("rotate",), ("take-back", "--to", "2", "--show")):
        assert bruno.refused("motion", *words) == (
            "game.seat_given: expected a home with the key that holds the seat of polish, got one without it: since "
            "step 4 Eve <eve@example.org> holds it\n"
            "hint: whoever has that key plays on; `pbem log westerplatte` goes on telling what happens here\n"
        )
    assert [line.split(" ")[0] for line in bruno.does("export", "-o", "last.txt").out.splitlines()] == [
        "Wrote",
        "Note:",
        "Do",
    ]
    offering.does("import", "agreed.txt")
    assert "decide: `pbem orders westerplatte -o orders.txt`" in offering.does("status").last
    for client in (bruno, offering):
        assert client.refused("substitute", "all.pbem", "--as", "polish", "-o", "again.json") == (
            "seat.known: expected a game that is new to this home, got game westerplatte, which it plays or has "
            "played\nhint: `pbem status westerplatte` says what to do now\n"
        )


def test_a_seat_that_goes_on_to_a_third_one_is_told_at_each_home(
    joined_table: Players, offering: Client, tmp_path: Path
) -> None:
    anna, bruno = joined_table
    dora = new_player("Dora", anna.folder, tmp_path / "dora")
    for giving, taking, offer in ((bruno, offering, "offer.json"), (offering, dora, "next.json")):
        if taking is dora:
            anna.does("archive", "-o", "later.pbem")
            dora.does("substitute", "later.pbem", "--as", "polish", "-o", offer)
        giving.does("motion", "hand-over", "--offer", offer)
        giving.does("export", "-o", "moved.txt", "--force")
        anna.does("import", "moved.txt")
        anna.does("motion", "agree")
        anna.does("export", "-o", "agreed.txt", "--all", "--force")
        for client in (bruno, offering, dora)[: 2 + (taking is dora)]:
            client.does("import", "agreed.txt")
    assert [client.does("status").out.splitlines()[0].partition("you ")[2] for client in (bruno, offering, dora)] == [
        "were polish until step 3 against Anna (german)",
        "were polish until step 5 against Anna (german)",
        "are polish against Anna (german)",
    ]


def test_an_offer_that_is_imported_is_named_as_one(joined_table: Players, offering: Client) -> None:
    offer = offering.read("offer.json")
    for text in (offer, offer.replace("\n", "\r\n"), f"Dear Bruno,\n{offer}"):
        assert joined_table.bruno.refused("import", joined_table.bruno.write("sent.json", text)) == (
            "import.offer: expected a turn file, got an offer to take the seat of polish in sent.json\n"
            "hint: `pbem motion hand-over GAME --offer FILE` moves that whoever made it takes the seat, at the home of "
            "polish\n"
        )
    referee = offer.replace('"polish"', '"referee"')
    assert joined_table.anna.refused("import", "-", stdin=referee.encode()) == (
        "import.offer: expected a turn file, got an offer to take the seat of referee in the standard input\n"
        "hint: `pbem motion appoint GAME --offer FILE` moves that whoever made it becomes the referee\n"
    )


@pytest.mark.parametrize("local", ["o'neil", "a=b", "a%b", "a&b", "!#$*+/^_{|}~-", "x" * 188])
def test_whoever_joins_with_an_address_can_sign_it_into_a_seat(new_table: Players, tmp_path: Path, local: str) -> None:
    address = f"{local}@example.org"
    player = Client(tmp_path / "player", new_table.anna.folder)
    player.does("init", "--name", "Neil", "--address", address, "--no-passphrase")
    new_table.anna.does(*NEW, "--opponent", address, "-o", "inv.txt")
    player.does("accept", "inv.txt", "-o", "acc.txt")
    assert player.does("motion", "rotate").out.startswith("Moved: ")


BARE = "type the bare address, without a name or angle brackets"


@pytest.mark.parametrize(
    ("address", "got", "hint"),
    [
        ("a?b@example.org", "a?b@example.org", BARE),
        ("a b@example.org", "a b@example.org", BARE),
        (f"{'x' * 189}@example.org", f"{'x' * 120}…", "an address has at most 200 characters"),
    ],
)
def test_no_home_is_made_for_an_address_that_no_seat_can_have(
    tmp_path: Path, address: str, got: str, hint: str
) -> None:
    player = Client(tmp_path / "player", tmp_path)
    assert player.refused("init", "--name", "Neil", "--address", address, "--no-passphrase") == (
        f"mail.address: expected your e-mail address such as anna@example.org, got '{got}'\nhint: {hint}\n"
    )


def test_an_offer_with_an_address_that_is_none_is_none(joined_table: Players, eve: Client) -> None:
    anna, bruno = joined_table
    anna.does("archive", "-o", "all.pbem")
    eve.does("substitute", "all.pbem", "--as", "polish", "-o", "offer.json")
    offer = (eve.folder / "offer.json").read_text().replace("eve@example.org", "Eve <eve@example.org>")
    assert bruno.refused("motion", "hand-over", "--offer", bruno.write("offer.json", offer)) == (
        "seat.offer: expected an offer as `pbem substitute` writes it, got something else\nhint: ask for it again\n"
    )
