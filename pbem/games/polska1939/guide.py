"""The rules in short, in the program's own words: a line for every rule, in the order of the rulebook, then rulings.

No part of the ruleset's digest: these words explain the rules and decide nothing. `RULINGS.md` gives the reasons; the
rulings in short are in `guide_rulings.py`.
"""

from __future__ import annotations

from typing import Final, TypeAlias

from pbem.games.polska1939.guide_rulings import RULINGS
from pbem.rules.guide import guide_of
from pbem.rules.ruleset import GuideLine

Lines: TypeAlias = tuple[tuple[str, str], ...]
"""Rules by number, and what they say."""

_BASICS: Final[Lines] = (
    (
        "1.1",
        "Several areas make up a region, and only one side can be in an area. "
        "MP: movement points; SP: strength points. (ruling 1-2)",
    ),
    (
        "1.2",
        "A modifier moves the row in which a table is read: +1 is one row better for the attacker, "
        "-1 one row better for the defender. (ruling 5-20)",
    ),
    ("1.3", "Poles fight against Germans, Slovaks and, from 17 September, Soviets. (ruling 1-1)"),
    ("1.4", "What does not come out even is rounded up: half of 5 SP is 3."),
)
_UNITS: Final[Lines] = (
    (
        "2.0",
        'A name is number and type: 8 INF, "Kempf" ARM, I HQ. Motorized are ARM, MOT, LARM and HQ; on foot go INF, '
        "MINF, ND and FD; CAV rides; BOM and OFF fly. (rulings 2-1, 2-2, 2-3, 2-4, 2-5, 2-6, 2-8)",
    ),
)
_TURN: Final[Lines] = (
    ("3.1.1", "Each turn stands for a day: 1 September is the first, 5 October the last."),
    (
        "3.1.2",
        "Six phases a day: air, attacks and movement of the German player, then the same of the Polish player. "
        "(ruling 3-1)",
    ),
    (
        "3.1.2.phaseI",
        "German air missions. Before they are ordered, the Poles note in secret what their bombers defend; each turns "
        "back one German bomber that comes within 2 areas. (rulings 6-11, 6-12, 6-13)",
    ),
    ("3.1.2.phaseII", "German attacks, on areas beside those where Germans stand."),
    (
        "3.1.2.phaseIII",
        "German movement. Who attacked or supported in phase II stays: only an advance brings it forward. "
        "(rulings 4-7, 4-8, 9-6, 10-3)",
    ),
    ("3.1.2.phaseIV", "Polish air missions: phase I with the parts exchanged."),
    ("3.1.2.phaseV", "Polish attacks: as in phase II."),
    ("3.1.2.phaseVI", "Polish movement: as in phase III. Then the day is over: withdrawals, and points for cities."),
)
_MOVEMENT: Final[Lines] = (
    ("4.1.1", "One goes from area to area: over a border, or across a node, where areas meet at a point."),
    ("4.1.2", "A unit on foot has 1 MP, CAV 2, ARM, MOT and LARM 3, an HQ 6. (ruling 4-12)"),
    (
        "4.1.3",
        "Where no area of the whole way, its start included, lies in a region with enemies, every area costs 1 MP "
        "and units on foot have 2 MP. (rulings 4-11, 4-13)",
    ),
    ("4.1.3.exception", "Swamps take all points on such a way as well. (ruling 4-1)"),
    ("4.1.4", "That a border lies between them costs nothing."),
    ("4.1.5", "A node is shut to a unit while enemies stand in an area that touches it."),
    (
        "4.1.5.exception",
        "To a unit that could leave its area in no other way it is open, to move and to retreat. (rulings 4-9, 5-8)",
    ),
    ("4.1.6", "A node with a river in it is always shut to movement."),
    ("4.1.6.exception", "A retreat can lead through it when nothing else is open, for 1 SP more. (ruling 5-8)"),
    ("4.1.7", "Enemies in a fortress or a fortified area shut no node."),
    (
        "4.1.8",
        "The step over the border of an enemy country costs 1 MP more if the region behind it has enemies in it. "
        "(ruling 4-5)",
    ),
    ("4.1.9", "A fortress is a region by itself, and so is a fortified area."),
    ("4.1.10", "To enter one costs nothing extra, not even 4.1.8."),
    ("4.1.11", "An area has room for any number of units."),
)
_TERRAIN: Final[Lines] = (
    (
        "4.2.1",
        "1 MP for an area. ARM, MOT and LARM pay 0.5 more for a forest, 1 more for a river, 2 more for the Vistula; "
        "CAV pays 1 more for the Vistula. A swamp takes all. (rulings 4-1, 4-3)",
    ),
    ("4.2.2", "What terrain costs is added up: for a MOT a forest behind a river is 2.5 MP."),
    ("4.2.3", "One area can always be entered as the whole movement, whatever it costs, if it is not barred."),
    ("4.2.4", "A swamp border bars ARM, MOT, LARM and HQs; a swamp area does not."),
    ("4.2.5", "Mountains, as a border or an area, bar them too, except by a pass or road. (ruling 4-2)"),
    ("4.2.6", "An HQ pays 1 MP for any area, but 4.2.4 and 4.2.5 bar it. (ruling 4-4)"),
)
_COMBAT: Final[Lines] = (
    (
        "5.1.1",
        "Attack SP less defence SP give a row, modifiers move it, two dice give the column. Then two dice for the "
        "losses of each side. Choices come before dice. (rulings 5-19, 5-21, 5-22, 5-25)",
    ),
)
_WHO_FIGHTS: Final[Lines] = (
    ("5.2.1", "`pbem tables polska1939 combat_result` is the table of results."),
    ("5.2.2", "Nobody must attack: 'pass', or 'no attacks' with the air missions."),
    (
        "5.2.3",
        "A unit can attack any area across a border, and need not care for other enemies beside it. (rulings 5-5, 5-6)",
    ),
    ("5.2.4", "An attack is on one area; it can come from several at once."),
    (
        "5.2.5",
        "32 SP pass a border at most, before anything is halved; the defenders count 32 SP for each attacked border. "
        "(rulings 5-1, 5-2)",
    ),
    ("5.2.6", "Attacks do not go across nodes."),
    (
        "5.2.7",
        "In a phase a unit attacks once, and an area is attacked once. 'if Chojnice taken' and 'unless Chojnice taken' "
        "let an attack wait for another. (rulings 5-7, 5-24)",
    ),
    (
        "5.2.8",
        "Support is added above the 32 SP: 'support I HQ', one HQ for each attacking area, 'air 1', one OFF in all; "
        "the defender has one HQ.",
    ),
    ("5.2.9", "Who attacks out of a swamp, or across one, counts half. (ruling 5-2)"),
    ("5.2.10", "Every attack is named in the report before its dice, so no marker is needed."),
)
_RETREAT: Final[Lines] = (
    (
        "5.3.1",
        "D1: the defenders leave for an area without enemies, 1 area away; 'retreat' in their orders names it. "
        "(rulings 5-9, 5-10, 5-23)",
    ),
    (
        "5.3.2",
        "Who came into an area by retreat and is attacked there in the same phase adds no SP, "
        "but loses and retreats with the rest.",
    ),
    ("5.3.3", "Fortifications of -2, -3 or -4 give the choice to hold: 'stay'."),
    (
        "5.3.4",
        "Holding costs 1 SP a counter for every area that it should have gone back. (rulings 5-12, 5-13, 5-14)",
    ),
    ("5.3.5", "Who has to go and cannot loses twice as much, with the SP of 5.3.4 on top. (ruling 5-15)"),
    ("5.3.6", "Across a node: 1 SP for each unit."),
    ("5.3.7", "Across a river: 1 SP for each unit; across the Vistula: 2 SP. (ruling 5-11)"),
    (
        "5.3.8",
        "Against armour, ARM and LARM, holding costs 1 SP for each 12 SP of it, where that is more than 5.3.4. "
        "(rulings 5-4, 5-12)",
    ),
    ("5.3.9", "Armour behind fortifications of -3 or -4 is not counted for that. (ruling 5-4)"),
    (
        "5.3.10",
        "Attackers and the HQs that support them may move into an area that is left empty: 'advance'; "
        "unless the order says otherwise all do. (rulings 5-17, 5-18)",
    ),
)
_LOSSES: Final[Lines] = (
    ("5.4.1", "`pbem tables polska1939 combat_losses` tells what the SP of one side cost the other."),
    (
        "5.4.2",
        "The row is that of the SP that really fought, with HQ and air; 'losses' names who loses first. (ruling 5-26)",
    ),
    (
        "5.4.3",
        "What protects the defender lowers his losses and raises those of the attacker, a row for each. (ruling 5-3)",
    ),
)
_DISORDER: Final[Lines] = (
    ("5.5.1", "Results with R tire units, those of the winner too: D1AR those of the attacker."),
    ("5.5.2", "Such units have an R in the position until they are reorganized."),
    ("5.5.3", "With an R a unit attacks with half its SP. (ruling 10-1)"),
    ("5.5.4", "With an R it defends with all of them."),
    (
        "5.5.5",
        "The R is taken off when six whole phases have passed without move, fight, attack or bombs on the unit. "
        "(ruling 6-6)",
    ),
)
_BOMBERS: Final[Lines] = (
    ("6.1.1", "There is one bomber in an area at most, to bomb or to defend."),
    ("6.1.2", "A bomber bombs an area with enemy units or trains, or waits for trains on their way."),
    ("6.1.3", "It does so once a day. (ruling 6-11)"),
    (
        "6.1.4",
        "One die: 3, 4 take 1 SP, 5, 6 take 2 SP. Forest -1, field fortification or fortified line -1, fortress -3. "
        "The bombed side says who loses. (rulings 6-3, 6-5, 5-26)",
    ),
    ("6.1.5", "A bomber with 1 SP takes 1 SP from 5 on, and nothing below. (ruling 6-4)"),
    (
        "6.1.6",
        "Bombers without a mission can be sent to wait in regions, in secret: 'raid Kielce with 2'. A train that comes "
        "there is attacked at once. (rulings 6-7, 6-8, 6-9, 6-10, 8-11)",
    ),
    ("6.1.7", "A region is good for one attack on each train. (rulings 6-8, 6-14)"),
    ("6.1.8", "Raids on trains have no modifier."),
    (
        "6.1.9",
        "A bomber flies 9 areas from a friendly country, or 6 from an HQ of its nation in supply. (rulings 6-2, 6-9)",
    ),
)
_SUPPORT: Final[Lines] = (
    ("6.2.1", "One OFF in an area at most. (ruling 5-16)"),
    ("6.2.2", "An OFF bombs, or supports an attack; not both."),
    ("6.2.3", "Its bombs are those of 6.1.4, but take 1 SP from 4 on and never 2."),
    ("6.2.4", "In support it adds its SP to an attack: 'air 1'. It cannot help a defence."),
    ("6.2.5", "An OFF flies 4 areas from a friendly country, or 3 from an HQ of its nation in supply. (ruling 6-2)"),
    ("6.2.6", "Where bombs took at least 1 SP, the attack in the next phase has +1. (ruling 6-6)"),
)
_FORTRESSES: Final[Lines] = (
    ("7.1.1", "A fortified line is worth -3 to the area that it protects, against attacks across it."),
    (
        "7.1.2",
        "When only a part of an attack comes across the line, the line counts if that part has more SP than the rest. "
        "(ruling 5-3)",
    ),
    ("7.1.3", "In every other attack the area of a line has -2."),
    (
        "7.1.4",
        "A fortress: -4 with more than 12 SP in it, -3 with 5 to 12 SP, -2 with fewer. (rulings 7-11, 7-12, 7-13)",
    ),
    ("7.1.5", "Who holds a fortress of his country is in supply there; it supplies no other area. (ruling 9-3)"),
    ("7.1.6", "A fortress is a region by itself."),
)
_FIELD: Final[Lines] = (
    (
        "7.2.1",
        "Units other than HQs that have not attacked or moved for a day dig in when their movement phase ends; "
        "nothing is to be ordered. (rulings 3-1, 7-1, 7-2)",
    ),
    ("7.2.2", "There are 2 levels, one a day."),
    ("7.2.3", "A level is worth -1. (ruling 7-14)"),
    ("7.2.4", "They are gone where nobody stands when a movement phase ends. (ruling 7-4)"),
    ("7.2.5", "They are gone, too, when an attack has emptied their area. (ruling 7-3)"),
)
_RAIL: Final[Lines] = (
    (
        "8.1.1",
        "A train has room for one unit. One that came aboard is sent off with 'train 2 INF to Warszawa'. "
        "(rulings 8-4, 8-10, 8-12)",
    ),
    (
        "8.1.2",
        "'load 24 INF' in a city where its train waits, and a sealed 'destination'; it travels at the beginning of the "
        "next own movement phase and is free in the one after. "
        "(rulings 8-1, 8-2, 8-3, 8-5, 8-6, 8-7, 8-8, 8-9)",
    ),
    (
        "8.1.3",
        "Units aboard do not fight; an enemy unit, HQs apart, that enters their area destroys them. (ruling 4-6)",
    ),
    ("8.1.4", "Bombs cost a unit aboard twice as much. (ruling 6-5)"),
    ("8.1.5", "A train that waits in an area without units is destroyed by any loss from bombs."),
)
_SUPPLY: Final[Lines] = (
    ("9.1.1", "A unit is in supply if a line of areas leads from a base of its nation to it."),
    (
        "9.1.2",
        "The line passes no area with enemies, and none beside enemies unless units of the own side stand in it. "
        "(rulings 9-1, 9-4, 9-5)",
    ),
    ("9.1.3", "Nodes neither carry a line nor let an enemy cut it. (ruling 9-2)"),
    ("9.1.4", "Each nation has bases of its own, and they are of no use to its allies."),
    (
        "9.1.5",
        "Out of supply when its movement phase ends, a German unit loses 1 SP, a Polish or Slovak one 2 SP, "
        "a Soviet one 3 SP. (ruling 9-6)",
    ),
)
_FUEL: Final[Lines] = (
    ("9.2.1", "Fuel is counted for ARM, MOT and LARM of Germans and Soviets."),
    ("9.2.2", "They begin with a full tank: 4 for Germans, 3 for Soviets."),
    ("9.2.3", "A move, an advance or a retreat takes 1; an attack alone, or a defence, takes nothing. (ruling 8-7)"),
    ("9.2.4", "A day without attack, move or retreat gives 2 back, up to the full tank. (ruling 3-1)"),
    ("9.2.5", "It gives nothing back to a unit that is out of supply."),
    ("9.2.6", "At 0 a unit attacks with half its SP and goes nowhere, not even in an advance. (ruling 5-2)"),
    ("9.2.7", "At 0 it cannot retreat either: 5.3.5."),
)
_HEADQUARTERS: Final[Lines] = (
    ("10.1.1", "An HQ has an attack factor and a defence factor, both in SP. (rulings 10-2, 10-4)"),
    ("10.1.2", "It helps once in a phase. (ruling 10-3)"),
    ("10.1.3", "One HQ for each area from which an attack comes, one for an attacked area."),
    ("10.1.4", "An HQ without units is destroyed when an enemy unit, no HQ, enters. (rulings 4-6, 5-17)"),
    ("10.1.5", "An HQ does not attack; left alone it defends with its defence factor."),
    (
        "10.1.6",
        "It has no SP to lose: it is destroyed when more is lost in its area than its units have, and retreats "
        "like them. (rulings 5-11, 5-13, 5-14)",
    ),
    ("10.1.7", "It moves at 1 MP an area over any ground. (ruling 4-4)"),
    ("10.1.8", "Of the HQs that support an attack each one above 2 adds +1, those with attack factor 0 left out."),
)
_REINFORCEMENTS: Final[Lines] = (
    ("11.1.1", "Who comes on which day and where: `pbem tables polska1939 reinforcements`. (rulings 11-1, 11-2)"),
    ("11.1.2", "They come in the movement phase of their side. (ruling 11-4)"),
    ("11.1.3", "A unit comes with all its SP unless the list gives it fewer."),
    (
        "11.1.4",
        "Who came with fewer grows by 1 SP a day, up to its maximum, just before the enemy's air missions. "
        "(ruling 3-1)",
    ),
    ("11.1.5", "So does a unit that the set-up gives fewer. (ruling 11-3)"),
    ("11.1.6", "It stops for good when the unit moves. (ruling 11-5)"),
    ("11.1.7", "Every SP that it loses lowers what it can grow to by 1."),
)
_SOVIETS: Final[Lines] = (
    ("12.1.1", "Soviet units always retreat when the result says so. (ruling 5-15)"),
    ("12.1.2", "Each of them that retreats loses 2 SP more."),
)
_CITIES: Final[Lines] = (
    (
        "13.A",
        "A city is taken when a movement phase ends: by a unit in it, or by one that came through or stands beside it "
        "with no enemy in it or beside it. (rulings 13-5, 13-6)",
    ),
)
_SCENARIO: Final[Lines] = (
    ("scenario.initiative", "The German player is Player A and comes first in everything."),
    (
        "scenario.allies",
        "Slovaks are placed in Slovakia before the first day; from 9 September they can enter Polish areas that border "
        "it, no others. (rulings 2-7, 12-1, 12-2, 12-6)",
    ),
    (
        "scenario.soviet-line",
        "Soviets stay east of the rivers Pisa, Narew, Bug and San; up to Vistula and San they come only if no German "
        "has been east of that line. (ruling 12-3)",
    ),
    ("scenario.9inf-rejoin", "The regiments of the Polish 9 INF can become one counter: 'join'. (ruling 4-10)"),
    (
        "scenario.withdrawal",
        "On its day a listed unit leaves behind phase VI; one that is surrounded leaves later. (rulings 12-4, 12-7)",
    ),
    ("scenario.soviet-setup", "On 17 September the Soviets come. (ruling 12-5)"),
    (
        "scenario.soviet-late",
        "10 ARM SU and 38 ARM SU wait until 24 September to enter Poland, 124 INF SU never does. (ruling 12-5)",
    ),
    (
        "scenario.air",
        "Air units of a day: `pbem tables polska1939 air`. BOM 1 is the strongest of a side. (rulings 6-1, 6-15)",
    ),
    ("scenario.victory-auto", "When the Polish National HQ falls, the Germans win overwhelmingly. (ruling 13-3)"),
    (
        "scenario.victory-city",
        "Each city with a day on the map gives 1 VP: to the Germans if they have it when that day ends, else to the "
        "Poles, who can also win it back. (rulings 13-1, 13-4)",
    ),
    (
        "scenario.victory-destroy",
        "No Pole left: 10 VP up to 26 September, 1 VP less for each day after it. (ruling 13-2)",
    ),
    (
        "scenario.victory-short",
        "The short game ends on 8 September: 1 VP for 100 Polish SP lost, 1 VP for 50 German SP lost; those of ARM, "
        "MOT and LARM count twice. (ruling 13-4)",
    ),
    (
        "scenario.result",
        "After 5 October, German VP less Polish VP: below 0 the Poles win, 0 is a draw, from 1 a minor, "
        "from 4 a medium, from 7 a major, from 10 an overwhelming German victory.",
    ),
)
_CHAPTERS: Final[tuple[tuple[str, Lines], ...]] = (
    ("1 Basics", _BASICS),
    ("2 Units", _UNITS),
    ("3 Turns and phases", _TURN),
    ("4.1 Movement", _MOVEMENT),
    ("4.2 Terrain", _TERRAIN),
    ("5.1 Combat", _COMBAT),
    ("5.2 Who fights whom", _WHO_FIGHTS),
    ("5.3 Retreat", _RETREAT),
    ("5.4 Losses", _LOSSES),
    ("5.5 Reorganization", _DISORDER),
    ("6.1 Bombers", _BOMBERS),
    ("6.2 Offensive air support", _SUPPORT),
    ("7.1 Fortresses and fortified lines", _FORTRESSES),
    ("7.2 Field fortifications", _FIELD),
    ("8 Trains", _RAIL),
    ("9.1 Supply", _SUPPLY),
    ("9.2 Fuel", _FUEL),
    ("10 Headquarters", _HEADQUARTERS),
    ("11 Reinforcements", _REINFORCEMENTS),
    ("12 Soviets", _SOVIETS),
    ("13 Cities", _CITIES),
    ("Scenario: September 1st", _SCENARIO),
)


def guide() -> tuple[GuideLine, ...]:
    """Every rule by its number, then every ruling, as `ruling.5-3` with its question."""
    return guide_of(_CHAPTERS, RULINGS)
