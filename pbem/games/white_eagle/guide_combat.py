"""Combat, sieges and the end of the game in short: the second part of `guide.py`, which alone loads it."""

from __future__ import annotations

from typing import Final, TypeAlias

Lines: TypeAlias = tuple[tuple[str, str], ...]

_COMBAT: Final[Lines] = (
    (
        "8.0.p1",
        "Where both sides are there is combat, in the order of the sheet: 'attack Łódź'. What must be fought and is "
        "not named comes last. The command that acts attacks. (rulings 8-1, 8-18)",
    ),
    ("8.0.p2", "The report names who fights, who supports and who defends, before any die."),
    ("8.1.p1", "Units with one factor and the same additions throw together; each panzer throws for itself."),
    ("8.2.p1", "Events, Allied Involvement and a breakdown add to each die or take from it; all of them count."),
)
_DICE: Final[Lines] = (
    (
        "8.3.p1",
        "One die a unit: it hits with its factor or more, with 6 always, with 1 never. Both sides throw at the same "
        "time.",
    ),
    (
        "8.3.b1",
        "Polish cavalry throws first, in attack and defence, and its hits are taken before other dice. (ruling 8-9)",
    ),
    (
        "8.3.b2",
        "A panzer at full strength throws two dice: one hit if any of them hits, two hits if both do and are equal.",
    ),
)
_HITS: Final[Lines] = (
    (
        "8.4.p1",
        "A hit reduces a unit at full strength or eliminates a reduced one; its owner says which: 'losses XI Corps'. "
        "(rulings 8-2, 8-3)",
    ),
)
_RETREAT: Final[Lines] = (
    (
        "8.5.p1",
        "One round of dice. Then who is left alone has the box; else the side that took more hits leaves it, the "
        "attacker when both took as many.",
    ),
    ("8.5.b1", "Attackers go back to the box that they came from. (rulings 8-7, 8-14)"),
    (
        "8.5.b2",
        "Defenders leave for a box beside it that is nearer to home: Germany or East Prussia, Slovakia, the Soviet "
        "Union, for Poles abroad Poland. 'retreat' names it. (rulings 8-4, 8-5, 8-10)",
    ),
    (
        "8.5.b3",
        "A box where both sides are is open if it was friendly when the activation began and has room; who comes there "
        "takes no part in that combat. (ruling 8-12)",
    ),
    ("8.5.b4", "Who retreats has the right of way: residents beyond the limits retreat. (rulings 8-4, 8-11, 8-19)"),
    ("8.5.b5", "Four kinds of box are avoided while another is open. (ruling 8-6)"),
    ("8.5.b6", "A box with enemies alone."),
    ("8.5.b7", "A victory city that the enemy holds. (ruling 8-13)"),
    ("8.5.b8", "A standing fort of the enemy."),
    ("8.5.b9", "A box from which the attack came."),
    ("8.5.p2", "When nothing else is left, one goes through such a box. (ruling 8-6)"),
    ("8.5.b10", "The units enter it together."),
    ("8.5.b11", "Each of them takes a hit there."),
    ("8.5.b12", "Who survives that goes on at once to a free box beside it."),
    ("8.5.p3", "Who has no way at all is eliminated."),
)
_ADVANCE: Final[Lines] = (
    ("8.5.p4", "The victorious attacker may advance if three things are true."),
    (
        "8.5.b13",
        "First: he had three units or more for each defender; a step of a fort counts as one. (rulings 8-15, 9-7)",
    ),
    ("8.5.b14", "Second: all defenders are eliminated, none has retreated, and no fort stands."),
    ("8.5.b15", "Third: he took no hit."),
    ("8.5.p5", "'advance Łowicz, Rawa' leads to the first of these boxes that is open, next to the one just won."),
    ("8.5.b16", "All victorious units, but not the supporting ones, go together."),
    ("8.5.b17", "An advance into enemies is a new combat, fought at once. (ruling 8-16)"),
    ("8.5.b18", "There is no second advance behind it."),
    ("8.5.p6", "Germans with Blitzkrieg need not be three to one, but the rest holds. (ruling 1-1)"),
)
_SUPPORT: Final[Lines] = (
    ("8.6.b1", "A lost attack: each group goes back to its own box."),
    (
        "8.6.b2",
        "A won one without an advance: the primary units keep the box, the supporting ones go back. (ruling 8-17)",
    ),
    ("8.6.b3", "With an advance: the supporting units stay in the box."),
    ("8.6.b4", "A siege that goes on: the primary units stay, the supporting ones go back."),
    ("8.6.b5", "Hits fall on supporting units only when no primary one is left."),
    ("8.6.b6", "They are beyond the limits of a stack only until the combat is over."),
)
_SIEGE: Final[Lines] = (
    ("9.0.p1", "Whoever attacks a box with a standing fort fights the fort and the units in it. (ruling 9-1)"),
    ("9.0.b1", "The units inside take hits first; then one hit reduces the fort, a second destroys it."),
    ("9.0.b2", "In a siege cavalry does not throw first, and a panzer throws one die."),
    ("9.0.b3", "A fort throws 2 dice, a reduced one 1 die, and hits with 5 or more. (ruling 9-5)"),
    (
        "9.0.b4",
        "An attacker who took as many hits or more leaves. If the defender took more, both sides may stay or 'leave'. "
        "(rulings 9-9, 9-10, 9-13)",
    ),
    (
        "9.0.b5",
        "Either side may bring more units into a siege; who comes later need not fight, but the first who come to a "
        "fort must. (rulings 8-1, 9-4, 9-11, 9-12)",
    ),
    (
        "9.0.p2",
        "A besieged fort can be activated once a turn, by its own chit or that of a unit inside, in one of three ways. "
        "(rulings 7-11, 9-3, 9-8)",
    ),
    ("9.0.b6", "'sortie Modlin': the fort and all units in it attack the besiegers. (rulings 9-2, 9-6)"),
    (
        "9.0.b7",
        "'fire from Modlin': the fort attacks alone, and the besiegers roll back only with the Luftwaffe. "
        "(ruling 9-14)",
    ),
    ("9.0.b8", "'move Narew INF to Warszawa': units leave the fort, as far as they can move. (ruling 9-3)"),
)
_END: Final[Lines] = (
    ("10.0.p1", "The game can end before its time in two ways."),
    ("10.0.b1", "The fifth breakdown: Polish victory, at once."),
    ("10.0.b2", "12 VP when any turn is over: German victory."),
    (
        "10.0.p2",
        "From turn 8 on, when a turn is over: VP less 1 for each German unit, no Slovak or Soviet, east of the line, "
        "once the Soviets have entered. With 9 or more the game ends.",
    ),
    ("10.0.b3", "On turn 8 that is a German victory."),
    ("10.0.b4", "On turn 9 or 10 it is a draw."),
    ("10.0.p3", "With fewer than 9 at the end of turn 10 the Pole wins."),
)
COMBAT_CHAPTERS: Final[tuple[tuple[str, Lines], ...]] = (
    ("8.0 Combat", _COMBAT),
    ("8.3 Dice", _DICE),
    ("8.4 Hits", _HITS),
    ("8.5 Retreat", _RETREAT),
    ("8.5 Advance", _ADVANCE),
    ("8.6 Support", _SUPPORT),
    ("9 Sieges", _SIEGE),
    ("10 End of the game", _END),
)
