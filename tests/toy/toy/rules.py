"""The rules of the toy, sections 1 to 3."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from pbem.log.event import Role
from pbem.rules.play import (
    Outcome,
    Question,
    Rules,
    ask,
    ask_together,
    checkpoint,
    draw,
    open_sealed,
    report,
    roll,
    seal,
    total,
)
from pbem.rules.refusal import Refusal
from toy.state import NORTH, SIDES, SOUTH, Army, Bet, Data, Plan, Reserve, Stage, State, other


def play(data: Data, state: State, holding: int = 0) -> Rules[Outcome]:
    """From any stage to the end; a side that holds counts `holding` more than its stake (2.4)."""
    if state.stage is Stage.RESERVES:
        state = yield from keep_reserves(data, state)
        yield from checkpoint(state)
    while state.stage is not Stage.OPENING:
        state = yield from turn(data, state, holding)
        yield from checkpoint(state)
    return (yield from open_reserves(data, state))


def keep_reserves(data: Data, state: State) -> Rules[State]:
    """Both sides seal a reserve (1)."""
    sealed = yield from seal(state, *(reserve_question(data, role) for role in SIDES))
    for one in sealed:
        state = state.with_army(replace(state.army(one.role), reserve=one))
        yield from report("1", "{side} keeps a reserve", side=one.role)
    return replace(state, stage=Stage.WEATHER)


def turn(data: Data, state: State, holding: int = 0) -> Rules[State]:
    """One turn (2.1 to 2.5), or what is left of it."""
    if state.stage is Stage.WEATHER:
        state = yield from weather(state)
    if state.stage is Stage.PLANS:
        state = yield from plans(state)
    bet = yield from ask(state, bet_question(data, state))
    state = yield from resolve(data, spend(state, state.initiative, bet.supply), bet.supply, holding)
    over = state.turn == state.turns
    north, south = (replace(state.army(role), do="", stake=0) for role in SIDES)
    stage = Stage.OPENING if over else Stage.WEATHER
    return replace(state, stage=stage, turn=state.turn + (not over), north=north, south=south, weather="")


def weather(state: State) -> Rules[State]:
    """A chit is drawn and stays out of the bag (2.1)."""
    chit = yield from draw(f"2.1/turn-{state.turn}/weather", state.bag)
    yield from report("2.1", "turn {turn}: {chit}", turn=state.turn, chit=chit)
    at = state.bag.index(chit)
    return replace(state, stage=Stage.PLANS, weather=chit, bag=state.bag[:at] + state.bag[at + 1 :])


def plans(state: State) -> Rules[State]:
    """Both sides plan at the same time (2.2)."""
    found = yield from ask_together(state, *(plan_question(state, role) for role in SIDES))
    for role, plan in zip(SIDES, found, strict=True):
        assert isinstance(plan, Plan)
        state = spend(state, role, plan.stake)
        state = state.with_army(replace(state.army(role), do=plan.do, stake=plan.stake))
        yield from report("2.2", "{side}: {do} with {stake}", side=role, do=plan.do, stake=plan.stake)
    return replace(state, stage=Stage.BETS)


def resolve(data: Data, state: State, bet: int, holding: int = 0) -> Rules[State]:
    """Assaults, then rain (2.4, 2.5)."""
    yield from report("2.3", "{side} bets {supply}", side=state.initiative, supply=bet)
    for role in SIDES:
        if state.army(role).do == "assault":
            bets = bet if role == state.initiative else 0
            state = yield from assault(data, state, role, bets, holding)
    if state.weather == "rain":
        state = yield from rain(data, state)
    return state


def assault(data: Data, state: State, role: Role, bet: int, holding: int = 0) -> Rules[State]:
    """Two dice, plus what was staked and bet, against what the other side holds with (2.4)."""
    dice = yield from roll(f"2.4/turn-{state.turn}/{role}", 2, 6, read=total, by=role)
    enemy = state.army(other(role))
    held = enemy.stake + holding if enemy.do == "hold" else 0
    fog = 1 if state.weather == "fog" else 0
    crossed = dice + state.army(role).stake + bet - held - fog >= data.figures["needed"]
    text = "{side} rolls {dice} and crosses the ford" if crossed else "{side} rolls {dice} and is thrown back"
    yield from report("2.4", text, side=role, dice=dice)
    army = state.army(role)
    return state.with_army(replace(army, points=army.points + crossed))


def rain(data: Data, state: State) -> Rules[State]:
    """Every 5 or 6 costs both sides one supply (2.5)."""
    lost = yield from roll(
        f"2.5/turn-{state.turn}", data.figures["rain dice"], 6, read=hits(data.figures["flood from"])
    )
    yield from report("2.5", "the flood takes {lost} supply of each side", lost=lost)
    for role in SIDES:
        state = spend(state, role, lost)
    return state


def open_reserves(data: Data, state: State) -> Rules[Outcome]:
    """The reserves are opened one after the other and count as points (3)."""
    for role in SIDES:
        sealed = state.army(role).reserve
        if sealed is not None:
            (reserve,) = yield from open_sealed(state, (sealed,), (reserve_question(data, role),))
            assert isinstance(reserve, Reserve)
            yield from report("3", "{side} opens a reserve of {strength}", side=role, strength=reserve.strength)
            army = state.army(role)
            opened = replace(army, reserve=None, opened=reserve.strength, points=army.points + reserve.strength)
            state = state.with_army(opened)
    return result(state.north, state.south)


def result(north: Army, south: Army) -> Outcome:
    """More points win (3)."""
    text = f"north has {north.points} points, south {south.points}"
    winner = "" if north.points == south.points else NORTH if north.points > south.points else SOUTH
    return Outcome(winner, "3", text)


def hits(least: int) -> Callable[[tuple[int, ...]], int]:
    """A roll read as the number of dice that show `least` or more."""
    return lambda faces: sum(face >= least for face in faces)


def spend(state: State, role: Role, supply: int) -> State:
    army = state.army(role)
    return state.with_army(replace(army, supply=max(0, army.supply - supply)))


def reserve_question(data: Data, role: Role) -> Question[Reserve]:
    """How much is kept back (1)."""
    most = data.figures["most reserve"]

    def check(answer: Reserve) -> Sequence[Refusal]:
        return _too_much("reserve", answer.strength, most, "1")

    options = tuple(Reserve(strength=strength) for strength in range(most + 1))
    return Question(role, Reserve, Reserve(), check, lambda: options)


def plan_question(state: State, role: Role) -> Question[Plan]:
    """Assault or hold, with no more than there is (2.2)."""
    supply = state.army(role).supply

    def check(answer: Plan) -> Sequence[Refusal]:
        return _too_much("supply", answer.stake, supply, "2.2")

    def options() -> list[Plan]:
        return [Plan(do=do, stake=stake) for do in ("hold", "assault") for stake in range(supply + 1)]

    return Question(role, Plan, Plan(), check, options)


def bet_question(data: Data, state: State) -> Question[Bet]:
    """Supply on the assault (2.3); there is one choice without any."""
    supply = state.army(state.initiative).supply
    most = min(data.figures["most bet"], supply)

    def check(answer: Bet) -> Sequence[Refusal]:
        return _too_much("supply", answer.supply, most, "2.3")

    return Question(
        state.initiative, Bet, Bet(), check, lambda: tuple(Bet(supply=supply) for supply in range(most + 1))
    )


def _too_much(what: str, got: int, most: int, rule: str) -> Sequence[Refusal]:
    if got <= most:
        return ()
    return (Refusal(f"toy.{what}", f"expected at most {most} {what}, got {got}", rule),)
