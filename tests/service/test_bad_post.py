"""Whole games over a bad post end with the same digests as over a good one; only the program repairs what is lost.

A tenth of all copies of mails never comes, a tenth comes twice, a third comes up to forty minutes late (senders wait
twenty before they send once more), what waits in a box is read in any order, and of a quarter something is damaged, in
one of more than a hundred ways (`mangling`). The clock of the office goes on; nothing else is done from here but what
people do: they decide, and accept the proposal that they find.

What is compared is everything: the digest of every step at every home, and the bytes of every home's archive. Each
digest covers the one before it and all that was signed, and so do the dice; three things in it depend on when or how
often something is done, and are the same in both runs by other means:

- `at`, the author's clock, in every event, and `arrived`, the adjudicator's, in a receipt: homes date by a clock that
  counts what they have signed, not the hours (`sitting`);
- salts, keys and chains: drawn from the seed of a game, in the order in which a home signs;
- what is sealed to a judge (`chain` in a deposit, `escrow` in a sealed answer): HPKE draws a key of its own for each.
  So a game with a judge is joined once, over a bad post too, and both runs begin with copies of the same homes; and of
  a game in which answers are sealed to a judge only this is shown, that its homes come to one verified end.

What does not depend on the post is thus everything else: who is asked what, what is answered, by itself or not, what
closes a step, who rolls what, what is reported, the result, and that nothing was signed twice or left out.
"""

from __future__ import annotations

from collections import Counter
from itertools import cycle, islice
from pathlib import Path
from random import Random

import pytest
from attacks.sides import BEGIN
from mail.damage import OLD
from soak import soak

from pbem.app import catalogue
from pbem.app.verify import verify
from pbem.log.event import ADJUDICATOR, REFEREE, Role
from pbem.mail.reading import read_text
from service.bad_post import BadOffice, Deck, Tampered
from service.mangling import DAMAGES, taken_apart
from service.office import Office
from service.sitting import Match, Sitting, copied, homes, seated

MIX = (
    *(Match("toy", 0, "good" if number % 2 else "random") for number in range(6)),
    Match("westerplatte", 0),
    *(Match("westerplatte", 0, "good", turns=turns) for turns in (2, 3, 4)),
    Match("white_eagle", 0),
    Match("white_eagle", 0, "good"),
    Match("white_eagle", 0, turns=4),
    Match("polska1939", 0, scenario=1),
    Match("polska1939", 0, "good", scenario=1),
    Match("polska1939", 0, turns=2),
    Match("westerplatte", 0, bench=ADJUDICATOR, turns=1),
    Match("white_eagle", 0, bench=ADJUDICATOR, turns=3),
    Match("westerplatte", 0, bench=REFEREE, turns=3),
    Match("white_eagle", 0, bench=REFEREE, turns=3),
)
"""Twenty games; those with turns end when the first side concedes in that turn, the others at their own end."""
TROUBLE = frozenset(("poison", "broken", "stopped", "failed", "undeliverable", "alarm", "ruled", "flooded"))
"""What no program says of itself, however bad the post is."""


LOST = {
    *(f"{row}, of the {part} alone" for row in ("M22", "M32 encrypted", "M34") for part in ("text", "file")),
    "M35, of the text alone",
    "cut to a half",
    "cut to a tenth",
    "empty",
    "as EBCDIC",
    "both cut to a half",
    "both cut to a tenth",
    "both with a line lost",
    "both with lines swapped",
    "both with a letter changed",
    "attachment uuencoded",
    "attachment zipped",
    "attachment gzipped",
    "encrypted",
}
"""Damages after which a turn file cannot be read, or not always: it is sent again."""
TURN = Path(__file__).parents[2] / "fixtures" / "mail" / "turn.eml"


class Post:
    """One bad post for many games, which counts; and what the programs said."""

    def __init__(self) -> None:
        self.tampered, self.deck, self.told = Tampered(), Deck(Random(1939), sorted(DAMAGES)), Counter[str]()

    def office(self, match: Match, begin: int = BEGIN) -> BadOffice:
        return BadOffice(now=begin, random=Random(match.name), deck=self.deck, tampered=self.tampered)

    def hear(self, sitting: Sitting) -> None:
        for party in sitting.parties:
            self.told.update(what for what, _ in party.told)

    def lines(self) -> list[str]:
        said = ", ".join(f"{what} {count}" for what, count in sorted(self.told.items()))
        return [*self.tampered.lines(), f"told: {said}"]


def begun(match: Match, folder: Path, post: Post) -> int:
    """Homes of a match in two folders, `good` and `bad`; with a judge all have joined. When the match begins there."""
    if not match.bench:
        for name in ("good", "bad"):
            homes(match, folder / name)
        return BEGIN
    homes(match, folder / "good")
    office = post.office(match)
    with seated(match, folder / "good", office) as sitting:
        sitting.begin()
        post.hear(sitting)
    copied(folder / "good", folder / "bad", list(match.people()))
    return office.now


def played(match: Match, folder: Path, office: Office, begin: int, post: Post | None = None) -> tuple[list[str], bytes]:
    """The digest of every step and the archive of a whole game, which are the same at every home."""
    office.now = begin
    with seated(match, folder, office, begin) as sitting:
        if not match.bench:
            sitting.begin()
        sitting.play()
        (heads,) = {tuple(heads) for heads in sitting.heads().values()}
        (archive,) = set(sitting.archives())
        assert all(TROUBLE.isdisjoint(party.words()) for party in sitting.parties), match
        if post:
            post.hear(sitting)
    return list(heads), archive


def assert_the_same_over_a_bad_post(match: Match, folder: Path, post: Post) -> None:
    begin = begun(match, folder, post)
    heads, archive = played(match, folder / "good", Office(), begin)
    assert played(match, folder / "bad", post.office(match), begin, post) == (heads, archive), match
    verdict = verify(archive, catalogue.for_proposal())
    assert (verdict.finished, verdict.head, verdict.forks) == (True, heads[-1], [])


@pytest.mark.plan("M37")
@pytest.mark.parametrize(
    "match", [Match("toy", 1), Match("white_eagle", 1, bench=REFEREE, turns=2)], ids=lambda match: match.name
)
def test_a_game_is_the_same_over_a_bad_post(tmp_path: Path, match: Match) -> None:
    post = Post()
    assert_the_same_over_a_bad_post(match, tmp_path, post)
    tampered = post.tampered
    assert min(tampered.lost, tampered.repeated, tampered.overtaken, tampered.damaged.total()) > 0
    assert post.told["sent"] == tampered.mails
    assert set(tampered.aside) <= LOST


@pytest.mark.soak
@pytest.mark.plan("M37")
def test_games_are_the_same_over_a_bad_post(tmp_path: Path) -> None:
    """Twenty games at least, and every kind of damage."""
    post = Post()
    for number, match in enumerate(islice(cycle(MIX), soak(len(MIX))), start=1):
        assert_the_same_over_a_bad_post(match.with_seed(number), tmp_path / str(number), post)
    print(*post.lines(), sep="\n")
    assert set(post.tampered.damaged) == set(DAMAGES)
    assert set(post.tampered.aside) <= LOST
    assert min(post.tampered.lost, post.tampered.repeated, post.tampered.overtaken) > soak(len(MIX))
    assert {"lacking", "resent", "unreadable"} <= set(post.told)


@pytest.mark.soak
@pytest.mark.parametrize("judge", [REFEREE, ADJUDICATOR])
def test_a_game_sealed_to_a_judge_comes_to_one_verified_end(tmp_path: Path, judge: Role) -> None:
    """Each such game is another one, so that there is nothing to compare it with."""
    match, post = Match("toy", 1, bench=judge), Post()
    homes(match, tmp_path)
    with seated(match, tmp_path, post.office(match)) as sitting:
        sitting.begin()
        sitting.play()
        (heads,) = {tuple(heads) for heads in sitting.heads().values()}
        (archive,) = set(sitting.archives())
    verdict = verify(archive, catalogue.for_proposal())
    assert (verdict.finished, verdict.head) == (True, heads[-1])


def test_every_damage_is_one_and_is_survived_or_told() -> None:
    sent = TURN.read_bytes()
    (good,) = read_text(sent, "f").payloads
    mail, lost = taken_apart(sent, sent), set()
    assert mail is not None
    for name, damage in DAMAGES.items():
        for seed in range(3):
            data = damage(mail, Random(seed))
            assert data != sent
            reading = read_text(data, "f")
            found = {one.payload for one in reading.payloads}
            assert found <= {good.payload, OLD}
            assert found or reading.damaged
            lost |= set() if good.payload in found else {name}
    assert lost == LOST
