"""The rules in short, in the program's own words: a line for every rule, in the order of the rulebook, then rulings.

No part of the ruleset's digest: these words explain the rules and decide nothing. `RULINGS.md` gives the reasons; the
rulings in short are in `guide_rulings.py`, the rules of combat and of the end of the game in `guide_combat.py`.
"""

from __future__ import annotations

from typing import Final, TypeAlias

from pbem.games.white_eagle.guide_combat import COMBAT_CHAPTERS
from pbem.games.white_eagle.guide_rulings import RULINGS
from pbem.rules.guide import guide_of
from pbem.rules.ruleset import GuideLine

Lines: TypeAlias = tuple[tuple[str, str], ...]
"""Rules by number, and what they say."""

_BASICS: Final[Lines] = (
    (
        "1.0.p1",
        "The German player, who has the Slovaks and the Soviets too, takes Warszawa and other victory cities; the "
        "Pole holds out, and may destroy German forts in East Prussia. (ruling 1-1)",
    ),
    ("1.0.p2", "Ten turns of four days each, from 1 September to 10 October 1939."),
    ("2.0.p1", "All pieces are kept by the program: `pbem tables white_eagle` lists them, `pbem map` draws the map."),
)
_MAP: Final[Lines] = (
    ("2.1.p1", "The map is a net of boxes and lines; units stand in boxes and move along lines."),
    ("2.1.b1", "Victory cities bring points: ten boxes with twelve control markers, three of them for Warszawa."),
    ("2.1.b2", "Some boxes, cities among them, have a fort, and with it a siege when the enemy comes. (ruling 2-2)"),
    ("2.1.b3", "The German/Soviet Line parts the boxes of the east from all others; the tables say which those are."),
    ("2.1.p2", "The tracks of the printed map are facts of the position: turn, points, breakdowns, chits, recoveries."),
    (
        "2.1.p3",
        "Boxes have their Polish names; orders may leave the diacritics out, and Warsaw or Lemberg are known too.",
    ),
    ("2.1.p4", "The fort of Gdynia is that of Hel nearby, which finds the box as well."),
)
_UNITS: Final[Lines] = (
    (
        "2.2.p1",
        "Units are corps, groups and armies; each has a box, a side that is up, a type, a nation and a command.",
    ),
    ("2.2.p2", "The types: infantry (INF), cavalry (CAV), light armor (LARM), armor (ARM)."),
    ("2.2.b1", "Infantry has 2 movement points (MP)."),
    ("2.2.b2", "Cavalry has 4 MP; that of the Poles rolls first in combat (8.3.b1)."),
    ("2.2.b3", "Light armor has 4 MP."),
    ("2.2.b4", "Armor has 4 MP."),
    ("2.2.p3", "Each unit is of one of four nations; its id begins with the nation."),
    ("2.2.b5", "POL: Polish."),
    ("2.2.b6", "GER: German."),
    ("2.2.b7", "SOV: Soviet."),
    ("2.2.b8", "SLO: Slovak."),
    (
        "2.2.p4",
        "A unit acts when the chit of its command is drawn: North or South for Germans, North, Central or South for "
        "Poles, Belorussian or Ukrainian for Soviets. (ruling 2-1)",
    ),
    ("2.2.p5", "A unit with factor 4, written 4+, hits with 4 or more on its die; 6 always hits, 1 never does."),
    ("2.2.p6", "German armor at full strength, called panzers, throws two dice (8.3.b2)."),
    ("2.2.p7", "Units have two steps: the first hit reduces them, the second eliminates. Two Poles have one step."),
)
_PIECES: Final[Lines] = (
    ("2.3.p1", "Besides units there are markers and chits."),
    ("2.3.p2", "Markers show what the position text says in words."),
    ("2.3.b1", "'fort Modlin 2': a fort with two steps; 1 is a reduced one, 0 a destroyed one."),
    ("2.3.b2", "'turn 3' and 'breakdowns 1': the turn, and how often late commands have broken down."),
    ("2.3.b3", "The box of a combat is named in every line of the report that begins with 'combat in'."),
    ("2.3.b4", "'recovered german': the side has had its recovery in this turn."),
    ("2.3.b5", "'held Danzig, Poznan': the victory cities where German control markers are."),
    ("2.3.p3", "Chits are drawn out of the cup, one after the other, with dice that nobody can foresee."),
    ("2.3.b6", "An activation chit lets the units of one command act."),
    ("2.3.b7", "An event chit gives its side an event to use in this turn. (ruling 2-3)"),
    ("2.3.b8", "The four Turn End chits decide how long a turn is."),
)
_SETUP: Final[Lines] = (
    ("3.0.p1", "The program sets the game up; nobody chooses anything."),
    ("3.0.b1", "Play begins on turn 1, 1 to 4 September."),
    ("3.0.b2", "No breakdown has been counted."),
    ("3.0.b3", "Neither side has recovered a unit."),
    ("3.0.b4", "One control marker lies in Danzig, the other eleven on the track: 1 VP."),
    ("3.0.b5", "Every fort is at full strength."),
)
_FORCES: Final[Lines] = (
    ("3.1.b1", "3rd army: 3 units in Allenstein, of German North."),
    ("3.1.b2", "4th army: 3 units in Neustettin, of German North."),
    ("3.1.b3", "AGN: 2 reserve units in Neustettin, of German North."),
    ("3.1.b4", "8th army: 1 unit in Breslau, of German South."),
    ("3.1.b5", "10th army: 4 units in Neisse, of German South."),
    ("3.1.b6", "14th army: 3 units in Neutitschein, of German South."),
    ("3.1.b7", "AGS: 2 reserve units in Neisse, of German South."),
    ("3.1.p4", "The reserves of the two army groups, AGN and AGS, stay where they are until turn 2."),
    ("3.1.b8", "Belorussian front: 10 units in Mińsk, which wait for Soviet entry (6.3)."),
    ("3.1.b9", "Ukrainian front: 6 units in Proskurov (Płoskirów), which wait as well."),
    ("3.1.b10", "Bernolak: 1 Slovak unit in Prešov. (ruling 2-1)"),
    ("3.1.b11", "Pomorze: 2 units in Grudziądz, of Polish North."),
    ("3.1.b12", "Modlin: 2 units in Mława, of Polish North."),
    ("3.1.b13", "Narew: 2 units in Łomża, of Polish North."),
    ("3.1.b14", "Wyszków: 1 reduced unit in Wilno, of Polish North."),
    ("3.1.b15", "Poznań: 2 units in Poznań, of Polish Central."),
    ("3.1.b16", "Łódź: 2 units in Łódź, of Polish Central."),
    ("3.1.b17", "Prusy: 2 units in Radom, of Polish Central."),
    ("3.1.b18", "Polesie: 1 reduced unit in Pińsk, of Polish Central."),
    ("3.1.b19", "Warszawa: 2 reduced units in Warszawa, of Polish Central."),
    ("3.1.b20", "Kraków: 3 units in Kraków, of Polish South."),
    ("3.1.b21", "Karpaty: 1 reduced unit in Przemyśl, of Polish South."),
    (
        "3.1.p11",
        "Poles that begin reduced come to full strength when a certain turn begins, if they are still reduced then: "
        "Wyszków and Karpaty on turn 2, Polesie and Warszawa on turn 3. (ruling 3-1)",
    ),
)
_CUP: Final[Lines] = (
    ("3.2.b1", "The German North chit counts as drawn."),
    ("3.2.b2", "The two Soviet chits stay aside until the Soviets enter, turn 5 at the earliest."),
    ("3.2.p2", "All other chits are in the cup. German North acts before the first of them is drawn."),
)
_SEQUENCE: Final[Lines] = (
    ("4.0.p1", "A turn has three parts: chits are drawn, late German commands may try, then it is cleaned up."),
    ("4.1.p1", "Chit after chit is drawn and carried out, until the fourth Turn End is there. (ruling 4-2)"),
    (
        "4.2.p1",
        "A German command whose chit was not drawn may try with a die: 3 or less activates it as usual, 4 or more "
        "with a breakdown. 'attempt South, North' says who tries, and in which order. (rulings 4-1, 4-3)",
    ),
    ("4.2.b1", "After a breakdown its units have 1 MP less and 1 less on every die, in this activation."),
    ("4.2.b2", "Each breakdown is counted on the track."),
    ("4.2.p2", "The fifth breakdown of the game is a Polish victory at once."),
    ("4.3.b1", "The turn marker moves on."),
    ("4.3.b2", "All chits that were drawn go back into the cup, used events too."),
    ("4.3.b3", "Both sides may recover a unit again."),
    ("4.3.b4", "Poles whose turn has come are turned to full strength (3.1.p11)."),
    ("4.3.b5", "Then Soviet entry is looked at (6.3). (ruling 6-1)"),
)
_CHITS: Final[Lines] = (
    ("5.0.p1", "Each chit is carried out wholly before the next; turn 1 begins as if German North had been drawn."),
    (
        "5.1.p1",
        "An event that was drawn is ready until its turn ends and can be used once: before a movement or a combat, "
        "and in a combat only one by each side. (rulings 5-1, 8-8)",
    ),
    (
        "5.1.b1",
        "Luftwaffe: a Polish command has 1 MP less; or besiegers roll back at a fort that attacks alone (9.0.b7).",
    ),
    (
        "5.1.b2",
        "Blitzkrieg: 1 more on all dice of a German attack, and an advance without three to one (8.5.p6). Not against "
        "a fort. (ruling 1-1)",
    ),
    ("5.1.b3", "Ju 87 Stuka: 1 more on all German dice of a combat, in attack or defence."),
    ("5.1.b4", "Armored Train: 1 more on all Polish dice of a combat, only in defence and only in Poland."),
    ("5.1.b5", "Sabotage: a German, Slovak or Soviet command has 1 MP less."),
    ("5.1.b6", "PZL P.11: 1 more on all Polish dice of a combat, in attack or defence."),
    (
        "5.2.p1",
        "The units of the command may move, then fight. Once a turn a side may have one of them, if it is reduced, "
        "recover instead: 'recover XI Corps'. (rulings 5-2, 5-3, 5-4)",
    ),
    ("5.3.p1", "Turn End chits are kept; the fourth ends the drawing, and what is left in the cup stays there."),
)
_VICTORY: Final[Lines] = (
    ("6.0.p1", "Victory points (VP) are German: the control markers on the map less the forts lost. (ruling 6-3)"),
    ("6.1.p1", "A captured city brings the German its marker, a liberated one gives it back."),
    (
        "6.1.p2",
        "A city is captured when a unit of the German side enters it and no Pole and no Polish fort is there, or when "
        "a combat leaves only Germans. Passing through is enough. (ruling 6-2)",
    ),
    ("6.1.p3", "It is liberated in the same way, when only Poles are there."),
    ("6.1.p4", "Warszawa counts 3 VP."),
    ("6.1.p5", "The forts of Königsberg and Lötzen cost the German 1 VP each when they are destroyed. (ruling 6-3)"),
    (
        "6.2.p1",
        "From turn 3 on German units, not Slovaks or Soviets, have 1 less on their dice while there is 1 VP, and 2 "
        "less while there is none. The points at the moment of the throw count.",
    ),
    (
        "6.3.p1",
        "The Soviets enter with 6 VP or more when a turn is over, first when turn 5 is about to begin; from then on "
        "their chits are in the cup for good. (rulings 6-1, 6-4)",
    ),
)
_MOVEMENT: Final[Lines] = (
    ("7.0.p1", "'move XVI Panzer to Radom via Piotrków': along lines, for movement points. (rulings 7-10, 7-12)"),
    ("7.0.b1", "An easy line costs 1 MP."),
    ("7.0.b2", "A difficult line costs 2 MP."),
    ("7.0.p2", "What a unit has depends on its type."),
    ("7.0.b3", "Infantry has 2 MP."),
    ("7.0.b4", "All others have 4 MP."),
    ("7.0.p3", "Sabotage, Luftwaffe and breakdowns take points away; all of them count, down to none."),
    (
        "7.1.p1",
        "At most 4 units of a side in a box. Stacks are looked at when all have moved, wherever one has come to. "
        "(rulings 7-1, 7-2)",
    ),
    ("7.1.b1", "In a box with a standing fort of their own side at most 2; besiegers have the other limits."),
    ("7.1.b2", "At most 2 infantry units together."),
    ("7.1.b3", "At most 1 unit of each other type; light armor and armor are two types."),
    ("7.1.b4", "Units of one nation only, in combat and sieges too. (ruling 7-6)"),
    ("7.1.b5", "Who stands where the set-up put it keeps no limit, as long as nobody comes to the box."),
    ("7.1.p2", "One may pass through comrades, whoever they are."),
    ("7.2.p1", "Enemies, and their standing forts, end the movement of who enters. (rulings 7-3, 7-4, 7-5)"),
    ("7.2.b1", "Units that come from anywhere without 'in support' are the primary ones. (ruling 7-9)"),
    (
        "7.2.b2",
        "Up to 4 more may come 'in support', all from one other box; then the primary ones come from one box too. "
        "(ruling 7-5)",
    ),
    ("7.3.p1", "Some units are not free to go where they like."),
    ("7.3.b1", "AGN and AGS move from turn 2 on."),
    (
        "7.3.b2",
        "Germans may go anywhere. After Soviet entry each of them east of the line costs a point in the check of 10.0. "
        "(ruling 7-14)",
    ),
    ("7.3.b3", "Soviets never come west of the line, not even in retreat."),
    ("7.3.b4", "The Slovak stays within 2 lines of Prešov, in retreats and advances too. (rulings 7-8, 7-13)"),
    (
        "7.3.b5",
        "Poles leave Poland from turn 2 on. Wyszków and Polesie do not move before they are turned over. "
        "(rulings 7-7, 7-8)",
    ),
)
_CHAPTERS: Final[tuple[tuple[str, Lines], ...]] = (
    ("1 Introduction", _BASICS),
    ("2.1 Map", _MAP),
    ("2.2 Units", _UNITS),
    ("2.3 Markers and chits", _PIECES),
    ("3.0 Set-up", _SETUP),
    ("3.1 Forces", _FORCES),
    ("3.2 The cup", _CUP),
    ("4 Sequence of play", _SEQUENCE),
    ("5 Chits", _CHITS),
    ("6 Victory points", _VICTORY),
    ("7 Movement", _MOVEMENT),
    *COMBAT_CHAPTERS,
)


def guide() -> tuple[GuideLine, ...]:
    """Every rule by its number, then every ruling, as `ruling.5-3` with its question."""
    return guide_of(_CHAPTERS, RULINGS)
