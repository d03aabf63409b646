"""The rules in short, in the program's own words: one line for every rule, then the rulings that it plays by.

No part of the ruleset's digest: these words explain the rules and decide nothing. `RULINGS.md` gives the reasons.
"""

from __future__ import annotations

from typing import Final

from pbem.rules.ruleset import GuideLine

_SETUP: Final = (
    "The Poles begin, on their strong side, in any land area but A and B, which stay closed to them. (ruling 13)",
    "The German ground units wait in the east, on their strong side and off the map.",
    "From turn 1 on, a German unit in the east that is activated may enter A or B; that is its move. (ruling 9)",
    "The ship starts at full strength in Wa, Wb, Wc or Wd, once the Poles stand. (ruling 14)",
    "An area holds two ground units of one side at most.",
)
_TURN: Final = (
    "Each turn has a freshly shuffled deck: 52 cards and one joker.",
    "Cards are turned up one by one, and the colour says whose card it is.",
    "Black is a German card: pass, or activate units, half its number of them rounded up, each once; "
    "those of earlier cards too. (rulings 3, 12, 18)",
    "An ace is a 1. A face card (J, Q, K) activates the units of one area, "
    "or turns one weak unit strong again instead. (rulings 8, 9)",
    "Red is a Polish card, used by the same rules.",
    "An activated unit moves to a neighbouring area or stays and fires, never both. (ruling 17)",
    "No unit moves into an area where an enemy stands. (ruling 17)",
    "Land units stay out of the water.",
    "The ship stays out of the land.",
    "The ship moves from one water area to the next; Wd and We are neighbours. (ruling 19)",
    "An enemy nearby never stops or slows a move.",
    "The turn is over at the joker, also in combat, or at the last card; "
    "a joker before each side has had a card is set aside. (rulings 2, 3, 5, 15)",
)
_COMBAT: Final = (
    "Nobody has to fire.",
    "A unit fires at a target one or two areas away, over land or water. (ruling 20)",
    "A unit off the map neither fires nor is fired at.",
    "Nothing in between hides a target.",
    "A unit fires with the strength of the face that shows: '2/1' is 2 while strong, 1 while weak.",
    "One attack: one or two units fire at one target; after 'or' come the targets to take if it is gone. (ruling 17)",
    "The attacker draws a card from the same deck; its colour is of no account. (ruling 24)",
    "The card counts 1 more unless every firing unit is next to the target. (rulings 4, 10)",
    "The card counts 1 more when Polish guns fire at the ship. (rulings 10, 26)",
    "Polish infantry and mortars cannot fire at the ship. (ruling 26)",
    "A Pole under German fire is covered by the ground: the card counts the area's bonus more, "
    "'+1' on the map, say; '+0' is none. Germans have no cover. (ruling 6)",
    "A hit: the card with all additions is no higher than the strengths that fire, added up. "
    "A strong target becomes weak.",
    "A higher card does nothing.",
    "A weak unit that is hit is gone.",
    "A face card in combat is no number: 'face redraw' draws again, 'face miss' lets it miss, "
    "'face ask' waits for the card and asks. (rulings 5, 16)",
    "After the attacks of a card the next card is turned up. (ruling 22)",
)
_SUPPORT: Final = (
    "The Germans have two markers, air and artillery ('oba'); each can be used once in a turn.",
    "A black ace, 3, 5, 7, 9 or jack offers air in place of all activation. (ruling 7)",
    "Every other black card (2, 4, 6, 8, 10, queen, king) offers artillery in place of all activation. (ruling 7)",
    "A marker reaches any Pole, wherever it stands; range costs nothing, cover counts. (ruling 6)",
    "Artillery fires with strength 3.",
    "Air fires with strength 4, or hinders one area ('air suppress'): "
    "until the turn ends the card counts 1 more when Poles fire from there. (rulings 10, 21, 27)",
)
_END: Final = (
    "There are six turns, one shuffle of the deck for each.",
    "The Germans start with 9 points.",
    "A point is lost at each shuffle after the first, and at the end for each German unit weak or gone. "
    "(rulings 1, 23)",
    "The Germans win with no Pole left on the map and a point or more left; else the Poles win. (ruling 11)",
)
_UNITS: Final = (
    "The symbols on the counters:",
    "Infantry: a filled box is a company, an open box a platoon.",
    "Engineers: a company, with a symbol of its own in the box.",
    "Mortars: a platoon.",
    "Guns: an anti-tank gun (ATG) and a field gun (FG).",
    "The rest: the ship (BB), and the markers air and artillery (oba).",
    "A counter tells its name, its kind, its strength, and whether it is weak.",
    "Strengths of the weak faces: the ship 2; a MAS company 2; DSS HW, the platoons PL and the mortar 1. (ruling 25)",
)
_RULINGS: Final = (
    "The shuffle before turn 1 costs no point: a game of six turns costs five.",
    "A joker that came too early is out until the next shuffle; such a turn runs to its last card.",
    "A side has had its chance when it has had a card, even if it passed or had nobody to use.",
    "One firing unit that is not next to the target is enough for the addition.",
    "An attack that draws the joker misses, and the rest of the sheet lapses; a joker too early is drawn past.",
    "A marker pays nothing for range; the cover of the target's area counts.",
    "A card used for a marker activates nobody, not even the ship.",
    "A face card that turns a unit strong activates nobody, and helps one unit only.",
    "A unit in the east can only enter A or B, and only on a card with a number.",
    "An addition counts once for an attack, however many of its units it applies to.",
    "The game stops when the last Pole falls, if the Germans have a point left; else it goes on.",
    "On one card a unit acts once; on a later card it may act again.",
    "Set-up is open, and the Poles go first.",
    "The ship is placed last, when the Poles are seen.",
    "With no card left to draw, an attack misses; the card in play is finished.",
    "The plan for a face card stands in the order; only 'face ask' stops play. Without a plan it is drawn again.",
    "Orders are carried out from top to bottom. One that has become impossible is skipped, "
    "or stops the sheet with 'if blocked ask'.",
    "With 'then ask' the rest of the card is ordered when the results are known.",
    "Water areas in order: Wa, Wb, Wc, Wd, We; the ship goes to the one before or after.",
    "Distance is counted in areas, land and water alike.",
    "Air hinders the area: who leaves it is free, who comes is hindered.",
    "Attacks do not use up a card: all units that it activates may act.",
    "The ship counts as a German unit when points are lost.",
    "Combat uses up cards of the turn's own deck.",
    "The figures in the list of counters are strengths, not numbers of counters.",
    "Polish guns are the field gun and the anti-tank gun.",
    "Air may hinder any land area where a Pole could be, an empty one too.",
)
_CHAPTERS: Final = (
    ("setup", "Set-up", _SETUP),
    ("turn", "Turn", _TURN),
    ("combat", "Combat", _COMBAT),
    ("support", "Air and artillery", _SUPPORT),
    ("end", "End of the game", _END),
    ("units", "Counters", _UNITS),
    ("ruling", "Rulings: how the program reads what the rules leave open", _RULINGS),
)


def guide() -> tuple[GuideLine, ...]:
    """Every rule by its number, in the order of the rules card, then every ruling as `ruling.N`."""
    return tuple(
        GuideLine(f"{chapter}.{number}", heading, text)
        for chapter, heading, texts in _CHAPTERS
        for number, text in enumerate(texts, 1)
    )
