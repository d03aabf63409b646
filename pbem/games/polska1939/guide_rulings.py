"""The rulings in short: how the program reads what the rulebook leaves open, or says in two ways.

Only `guide.py` loads them. Reasons and tests are in `RULINGS.md`, with the same numbers and questions.
"""

from __future__ import annotations

from typing import Final

RULINGS: Final = """
1-1 Which nations take part?
     Poles, Germans, Slovaks and Soviets; Lithuanians, Hungarians, Romanians and Latvians are not in it.
1-2 May a side hide its units?
     No: all units and SP are seen; secret until opened are intercepts, raids on trains and destinations.
2-1 Which brigade begins in Skierniewice?
     "Wileńska" CAV, with the code Wi.
2-2 Are VIII and XIII of the reserves one brigade?
     They are one, "XIII" INF-BR with 5 SP.
2-3 Is Dzisna national or frontier defence?
     Frontier defence: FD.
2-4 Is the Soviet 20 brigade MOT or ARM?
     20 MOT SU, with 3 SP.
2-5 What if lists give an area two codes or spellings?
     The set-up table counts: Gniezno is P38, Krajsk is S02.
2-6 What is meant by a name that two areas have?
     Zasław and Wołczyska are two areas each: write the code; the name alone is refused.
2-7 To which country does an area belong?
     P is Poland, G Germany, S the Soviet Union, but G45 to G50 are Slovakia.
2-8 Who begins in Stryj, Garwolin and Bielsk Podlaski?
     Nobody: they are named without a unit.
3-1 Must one order what only helps?
     No: digging in, fuel, growing and the end of an R come by themselves.
4-1 What takes all points: to enter a swamp, to cross it, or to leave it?
     Entering a swamp area, or crossing a swamp border; leaving one costs what lies beyond.
4-2 How do motorized units and HQs get into mountains, and out?
     They cross a mountain border, and enter a mountain area, only by a pass; they leave by any other border.
4-3 Who pays for rivers?
     Motorized units; units on foot never, CAV 1 MP at the Vistula.
4-4 What holds back an HQ?
     It pays 1 MP for every area, a swamp too, and the point of 4.1.8; what bars motorized units bars it.
4-5 When does the enemy border cost a point?
     On the step into an enemy country, if any enemy is in the region entered; never into anything fortified.
4-6 May one enter an area with HQs and loaded units alone?
     Yes, with a unit that is no HQ, and go on; who is there is eliminated.
4-7 Are moves made at once or in turn?
     In turn: an overrun opens the way for those that march after it.
4-8 How much may a unit do in a movement phase?
     One thing: move once, travel, or go aboard.
4-9 When is a shut node the only way?
     When neither a border nor an open node leads out of the area where the unit stands; not on its way.
4-10 Who is joined to 9 INF, and how strong is it?
     All regiments that are left, two at least, in one area, after the marches; SP are added, up to 15.
4-11 Which enemies keep a region from being free?
     Any counter: HQs and units on trains too.
4-12 How far go LARM, MINF, ND and FD?
     LARM 3 MP like ARM, the others 1 MP like INF.
4-13 Does the area where the movement begins count?
     Yes: beside an enemy in the same region nobody starts a free move.
5-1 Which units pass when more than 32 SP stand at a border?
     Those that are halved least.
5-2 What if a unit is halved for several reasons?
     Swamp, R and empty tank halve once each, within the 32 SP; a border is rounded up once, then support is added.
5-3 Which terrain modifies an attack across several borders?
     A river, mountain or line counts if more SP come across such borders; the area's own terrain is added.
5-4 What is armour?
     ARM and LARM, with all their SP; not what comes across the line, nor anything against a fortress of -3 or -4.
5-5 Is an area with units on trains alone a target?
     No: it is overrun in movement.
5-6 May a unit attack where it may not go?
     No.
5-7 May an attack depend on another?
     Yes, on an earlier one of the sheet, by 'if' or 'unless'; of two that exclude each other one is made.
5-8 When does a retreat go through a node?
     Only if no border is open; through one with a river only if no other node is, for 1 SP more.
5-9 Do units retreat together?
     Yes, to the first area of the plan that all can reach; else each to the first that it can reach.
5-10 Where does one retreat without orders?
     Into supply, then where it costs least, with fewest enemies beside it, at home.
5-11 Who pays on a retreat?
     Each unit by itself; an HQ pays nothing.
5-12 Are both prices of holding paid?
     The greater one: 1 SP a counter, or 1 SP for each full 12 SP of armour.
5-13 What if a counter has not the points that it should lose?
     The others of its group lose them; HQs fall if even then points are left.
5-14 Does an HQ count as a counter that pays?
     No, unless only HQs stay or are stuck: then the price destroys them.
5-15 Whose losses are doubled?
     The shares, and 5.3.4, of those who cannot retreat and may not stay; behind -2 or better all but Soviets stay.
5-16 Does an OFF that bombed leave room for another?
     Yes: one in an area counts within a phase.
5-17 When is an area left empty?
     When only trains, or HQs whose units are gone, are left. An HQ attacked alone holds like a unit.
5-18 May HQs advance?
     Those that supported, but not without a unit.
5-19 In which order is a result carried out?
     All dice; attacker's losses; defender's losses and the price of staying; retreat and its price; R; advance.
5-20 What if a shift leads past an end of a table?
     The row at that end is read.
5-21 When is the defender asked?
     Once in a phase, after all attacks are known, if he has anything to choose.
5-22 What if an example differs from a table?
     The table and the list count; strengths in examples are samples.
5-23 What of results that lead back two areas?
     No printed result does; a transcription's would: area after area, never back.
5-24 Once per turn: a unit, or an area?
     A unit attacks once in a phase, and an area is attacked once in a phase.
5-25 When are losses, retreats and advances decided?
     Before the dice: the attacker's in the order, the defender's in his plan.
5-26 Who loses if nobody is named?
     The strongest, point by point.
6-1 How are air units numbered?
     From the strongest of a side's list of the day; Germans before Soviets among equals.
6-2 How are radii counted?
     Across borders that can be crossed, from own and friendly countries and own HQs; Soviets are no friends in this.
6-3 Which modifiers add up for bombs?
     Forest and fortification; of several fortifications the best. A fortified line counts as field fortification.
6-4 What takes a half bomber with a 6?
     1 SP, as with a 5.
6-5 Who loses to bombs, and how, aboard a train?
     It is said before the dice; a point on a unit aboard takes 2 SP.
6-6 When is a bombardment successful?
     When it takes 1 SP or destroys an HQ; every unit in the area is disturbed in any case.
6-7 When are raids on trains noted?
     Right after the missions, with bombers that have none, and only if a train can travel. They are not intercepted.
6-8 Which bombers fly on which raid?
     The strongest left, in the order of the list; each attacks one train, each train once in a region.
6-9 When is a region in reach?
     When one of its areas is, as the raid is noted; raids go to the enemy's country.
6-10 How long does a raid wait?
     Until its side's next air phase; meanwhile the other side is not asked for raids.
6-11 What can a bomber defend, and is that a mission?
     Any area that a bomber of its side reaches. It is no mission.
6-12 Which bombers are turned back?
     As many as can be, one by each defender within 2 areas; among equals the last of the list.
6-13 When are intercepts and missions asked for?
     When something can be reached; intercepts are opened only if a bomber flies.
6-14 Does a bombardment in the area count as the one attack on a train?
     No: on the same day it can meet a raid in that region.
6-15 Who flies on a day that the lists leave out?
     Nobody. Poles and Soviets have no OFF at all.
7-1 Who digs in?
     Not HQs, nor units on trains; several units build one level together.
7-2 Does a unit dig in on the day on which it comes?
     No.
7-3 What of fortifications in an area that is overrun?
     They are gone, as those of a beaten defender.
7-4 When do fortifications vanish?
     At the end of either side's movement phase where no counter of any kind stands.
7-11 Do several fortifications add up?
     No: the best one counts, for 5.3.3 too.
7-12 What is the strength in a fortress?
     The SP of the defending units, all of them, without HQs and without who retreated into it.
7-13 What is a fortress with exactly 12 SP worth?
     -3.
7-14 Whose is the level that the set-up gives?
     The area's: HQs have it too; units that begin on a train bring none.
8-1 By which way does a train go?
     In its own country, past no enemy, by the fewest regions; among equals by the first in the alphabet.
8-2 May a unit stay where it was loaded?
     Yes: it names the area where it stands, and unloads there.
8-3 What if the goal cannot be reached any more?
     The unit unloads where it stands and can move on the next day.
8-4 Whom does an empty train serve?
     The unit that it was sent for, nobody else.
8-5 Who can go aboard?
     Not who attacked in the phase before or moves in this one; loading is no move.
8-6 What of an empty train in an area that the enemy holds?
     It is lost when its side's movement phase begins.
8-7 Is a trip a move?
     Yes, it ends growth, but takes no fuel; loading and unloading are none.
8-8 Must a loaded unit have a destination?
     Yes; by default it unloads. What changed before the opening is no breach.
8-9 To which cities do trains go?
     Those of the own side's countries: Poland; Germany, Slovakia and the Soviet Union.
8-10 How many trains are there?
     Those of the scenario, marked (K); each makes one trip, and an empty one waits until it is used or lost.
8-11 When do secret destinations and raids become known?
     Behind the moves: first the destinations, then the raids, and these only if a train goes.
8-12 Which units must a plan of destinations name?
     All that were loaded with it and no other, whatever becomes of them.
9-1 What if an enemy stands on or beside a base?
     It supplies nobody but a unit in it.
9-2 Do lakes carry or cut a supply line?
     Neither, as nodes.
9-3 Whom does a fortress supply?
     Units of the country where it stands.
9-4 Does a line of others pass through the Soviet Union?
     No.
9-5 Which units open an area beside the enemy, and which close one?
     Any counter of the own side opens: an ally, an HQ, a unit on a train. Any counter of the enemy closes.
9-6 In which order does a movement phase end?
     Digging in, fuel, losses without supply, empty fortifications, cities. Units on trains starve too, HQs do not.
10-1 What does an HQ with an R add to an attack?
     Half its attack factor, rounded up by itself.
10-2 Which HQ defends if none is named?
     The one with the best defence factor; it costs nothing.
10-3 Has an HQ that supports an attack fought?
     Yes: it stays in the phase after, may advance, and may get an R.
10-4 What are the factors of an HQ?
     House values, as `pbem tables polska1939 units` says.
11-1 What if the enemy holds the area of a reinforcement?
     It waits until the area is free; an empty train does not come at all.
11-2 Where does 60 INF come?
     To the Polesie HQ; without that HQ it is lost.
11-3 When does a unit of the set-up first grow?
     On 2 September: the set-up gives its strength on the first day.
11-4 May a reinforcement move at once?
     Yes: it comes at the beginning of the phase.
11-5 Does an attack or a train trip end growing?
     A trip does, for it is a move; an attack without an advance does not.
12-1 Where do the Slovaks begin?
     Where the German player puts them in Slovakia; without a word where the set-up file says.
12-2 Where do Slovaks go?
     In Slovakia; from 9 September into Polish areas that border it.
12-3 Where is the line, and when may Soviets pass it?
     Pisa, Narew, Bug, San; up to Vistula and San while no German has ended a movement phase east of it.
12-4 When is a unit surrounded?
     When it has no supply line at the end of the day; it leaves on the first day on which it has one.
12-5 When do Soviets come, and which wait?
     At the German movement phase of 17 September; 10 ARM and 38 ARM wait until the 24th.
12-6 Who may enter the Soviet Union?
     Soviets alone; and Slovaks do not enter Germany.
12-7 Where does a withdrawn unit go?
     Off the map, whatever place is named; 8 INF, due on 6 October, stays to the end.
13-1 When is the point of a city given?
     When its day has ended, to who holds it; Poles who take it back later have the point for good.
13-2 When does the destruction of all Poles end the game?
     When none is left or to come; cities whose day is still to come count as taken in time.
13-3 When is the National HQ captured?
     When it is destroyed, in whatever way.
13-4 Which cities count?
     Those with a historical day; in the short game those whose day has come.
13-5 Does an HQ, or a unit on a train, take or guard a city?
     Yes, like any unit.
13-6 Which condition holds for a unit in the city, and what is beside it?
     A unit in it takes it, whoever is near; to pass or stand beside it takes it with no enemy near, nodes aside.
"""
"""Number and question, and the answer in the line below."""
