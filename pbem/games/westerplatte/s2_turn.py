"""Turn sequence: shuffling, activation draws, the joker, the end of a turn. Rulings 1 to 3, 11 and 24."""

from __future__ import annotations

from pbem.games.westerplatte import cards
from pbem.games.westerplatte.activation import activation, activations
from pbem.games.westerplatte.cards import DECK, JOKER, SET_ASIDE
from pbem.games.westerplatte.data_files import GameData, Side
from pbem.games.westerplatte.s5_victory import outcome_at_end, outcome_now
from pbem.games.westerplatte.state import State, adjective
from pbem.rules.play import Outcome, Rules, checkpoint, draw, report


def play_cards(data: GameData, state: State) -> Rules[Outcome]:
    """Card after card until the game is decided (end.1, end.4); play can be resumed between any two cards."""
    while (outcome := outcome_of(data, state)) is None:
        state = yield from one_card(data, state)
        if is_turn_over(state) and outcome_now(data, state) is None:
            yield from report("turn.12", "turn {turn} is over", turn=state.turn)
            if state.turn < data.number("game.turns"):
                state = next_turn(state)
        yield from checkpoint(state)
    yield from report(outcome.rule, "{result}", result=outcome.text)
    return outcome


def outcome_of(data: GameData, state: State) -> Outcome | None:
    """How the game has ended, None while it goes on (end.1, end.4, ruling 11)."""
    outcome = outcome_now(data, state)
    last_turn_over = state.turn == data.number("game.turns") and is_turn_over(state) and not state.card
    return outcome_at_end(data, state) if outcome is None and last_turn_over else outcome


def one_card(data: GameData, state: State) -> Rules[State]:
    """Draw a card and let its side act on it (turn.2 to turn.5); a card that lies open is gone on with."""
    if not state.card and not is_turn_over(state):
        state = yield from draw_card(data, state)
    if state.card:
        state = yield from activation(data, state)
    return state.changed(card="", left=0, face_area=None, acted=())


def draw_card(data: GameData, state: State) -> Rules[State]:
    """The next card of the turn; the first one is drawn from a shuffled deck (turn.1, turn.2)."""
    if state.drawn == 0:
        text = "turn {turn}: the deck of {cards} cards is shuffled"
        yield from report("turn.1", text, turn=state.turn, cards=len(DECK))
    card = yield from draw(f"turn.2/turn-{state.turn}/card-{state.drawn + 1}", state.deck, whole=DECK)
    if card == JOKER:
        return (yield from joker(state.without_card(card)))
    side = Side.GERMAN if cards.is_black(card) else Side.POLISH
    rule = "turn.3" if side is Side.GERMAN else "turn.5"
    yield from report(rule, "{card}: the {side} side may act", card=cards.title(card), side=adjective(side))
    return state.without_card(card).with_open_card(card, activations(data, card))


def joker(state: State) -> Rules[State]:
    """The joker ends the turn, unless it comes before both players could activate (turn.12, rulings 2 and 3)."""
    if state.both_could_act:
        yield from report("turn.12", "the joker is drawn")
        return state.changed(turn_over=True)
    yield from report("turn.12", SET_ASIDE)
    return state


def is_turn_over(state: State) -> bool:
    """The joker was drawn, or no card is left (turn.12)."""
    return state.turn_over or not state.deck


def next_turn(state: State) -> State:
    """A fresh deck and fresh support markers (turn.1, support.1); the first shuffle was no reshuffle (ruling 1)."""
    return State(
        stage=state.stage, turn=state.turn + 1, pieces=state.pieces, deck=DECK, reshuffles=state.reshuffles + 1
    )
