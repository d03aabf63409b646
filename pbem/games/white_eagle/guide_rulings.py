"""The rulings in short: how the program reads what the rulebook leaves open, or says in two ways.

Only `guide.py` loads them. Reasons and tests are in `RULINGS.md`, with the same numbers and questions.
"""

from __future__ import annotations

from typing import Final

RULINGS: Final = """
1-1 Who is meant by German?
     All units of the German player; but 6.2, 7.3.b2, 10.0 and the advance by Blitzkrieg mean Germans alone.
2-1 Which chit activates the Slovak?
     German South.
2-2 Of which command is a fort?
     That of its region: the north of North, Katowice and Przemyśl of South, Brześć Litewski of Central.
2-3 How many chits are there of an event?
     One of each.
3-1 On which turn is a reduced Pole turned over?
     Wyszków and Karpaty when turn 2 begins, Polesie and Warszawa when turn 3 begins.
4-1 Does a command with a breakdown act?
     Yes, with 1 MP less and 1 less on each die, its Slovak unit too.
4-2 Who draws a chit?
     The program, by the seeds of both players; nobody is asked.
4-3 In which order do two late commands try?
     As the German names them; each acts before the next one throws, and he may leave either out.
5-1 Who says first which event he uses in a combat?
     The activated side, with its order. The event is used up when the combat is fought, whatever it brought.
5-2 Who may recover?
     Any reduced unit of two steps of the activated command; the other units act as usual, and it still defends.
5-3 How are orders counted in a reason against them?
     From 1: the recovery, the marches, the combats; in a sheet the line is named.
5-4 Where is an order judged that comes after others?
     Where those before it lead, refused marches included, so that every reason comes at once.
6-1 When is Soviet entry looked at?
     After the marker has moved on, from turn 5 on: so turn 5 can be the first with Soviets.
6-2 Is a city with a standing fort captured by entering it?
     No, only when the fort is destroyed and no Pole is there. Passing through an open city captures it.
6-3 What does a fort cost that falls when there is no point left?
     Nothing at once, since points are never below 0; it counts against the next city that is captured.
6-4 May Poles attack Soviets who have not entered yet?
     Yes, from the turn on which they may leave Poland.
7-1 When are stacks looked at?
     When all marches of an activation are over, in each box that a unit has come to.
7-2 Do the limits of a stack replace each other?
     No, all of them hold together.
7-3 Does an empty fort of the enemy stop movement?
     Yes, as units do.
7-4 May units leave a box with enemies?
     Who begins in a siege leaves by any line; the next box with enemies stops it.
7-5 Who supports whom, and from where?
     Who is ordered 'in support', all from one box; then the others come from one box too. Each group keeps the limits.
7-6 May nations attack together?
     No, they neither enter the same box with enemies nor besiege together.
7-7 Which units wait to be turned over?
     Wyszków and Polesie: they neither move nor attack until then, but defend and retreat.
7-8 Do the closed boxes of 7.3 bind retreats and advances?
     Yes, all of them.
7-9 Whom can units support?
     Who enters without support, besiegers of the activated command, and in a relief any unit in the fort.
7-10 May a march end where it began?
     Yes; what it came through is captured.
7-11 Who may leave a fort by the fort's chit?
     A unit of another command too, if the fort is besieged and was not activated in this turn.
7-12 May one order move units from different boxes?
     Yes, if the first box of the way lies beside each of them.
7-13 How are the two boxes of the Slovak counted?
     In lines from Prešov, whatever they cost.
7-14 Must Germans leave the east after Soviet entry?
     Nobody is made to; each of them costs a point in the check at the end.
8-1 Which combats can be left out?
     In the open none; at a fort all but that of the first entry.
8-2 Which hits are counted to see who lost?
     Those dealt to a side, also those that found nobody.
8-3 Who takes hits that no order names?
     Units at full strength before reduced ones; panzers, better factors and armor are spared.
8-4 How do units retreat together?
     To the first open box of the order; who finds no room goes to the next, and residents in the way are displaced.
8-5 What is toward home?
     To a box with fewer lines to the home country, at home to one at home; where none is open, anywhere.
8-6 When is a box to be avoided entered?
     Only if no free box is open, and only if a free box lies beyond; else the unit is eliminated.
8-7 What if attackers cannot go back to where they came from?
     If enemies hold the box they retreat as defenders; a siege that comrades keep up is a way back.
8-8 Which combat gets an event that the defender plans for several?
     The first of them that is fought; two that are both sure to be fought are refused.
8-9 How does a unit roll that cavalry has hit?
     With what is left of it, a panzer one die; when one side has nobody left, nobody else throws.
8-10 Where does one retreat that no order sends anywhere?
     Where most have room, fewest are displaced, fewest enemies are near, and home or Warszawa is nearest.
8-11 Who is displaced?
     As few residents as make room, the weakest; nobody where units of the same retreat have stopped.
8-12 What becomes of units that retreat into a combat to come?
     They take no hits; they leave when it is lost, and hold the box when it is won.
8-13 Does a city change hands through which units retreat?
     Yes, if nobody defends it.
8-14 Who can still fight after a retreat?
     Defenders, wherever they come to; of the activated side nobody attacks again.
8-15 Who is counted for three to one, and how far does an advance go?
     All attackers, supporting ones and a fort's steps too; an advance costs nothing but keeps 7.1 and 7.3.
8-16 What if comrades wait for their combat where units advance to?
     All fight together at once, by the order for that box.
8-17 What if supporting units cannot stay, or are the only ones left?
     They go back, even if they have won and nobody else is left.
8-18 What may an order wait for?
     For an earlier combat to be won or not; if it fails, a combat that must be fought comes last, without the event.
8-19 Do attackers who go back to an overfull set-up box displace those who never left it?
     Yes: who goes back keeps the limits, and the residents beyond them make room.
9-1 Which combats are sieges?
     All in a box with a standing fort, whoever attacks; a beaten sortie stays in the fort.
9-2 Who takes part in a sortie?
     Every unit in the fort, whatever its command, and who came in relief; or the fort's dice alone.
9-3 What uses a fort's activation up?
     A sortie, or units of another command that leave by its chit; who leaves makes the sortie impossible.
9-4 How is a besieged fort relieved?
     Up to two friends, who may fight or join quietly; more come only in support, and must fight.
9-5 What changes a fort's dice?
     The event of its side; not Allied Involvement, not a breakdown.
9-6 Who takes the hits of a sortie?
     The units, then the fort.
9-7 How is an empty fort counted?
     It defends itself, and each of its steps is a unit for three to one.
9-8 Does the chit of a relief activate the fort?
     No: the unit must have been in the fort before the movement.
9-9 Where does an attacker go who attacked from where he stood?
     A besieger, or a garrison that leaves, retreats as a defender would.
9-10 Who leaves first in a siege that goes on?
     The defender; then the winner, if enemies are still there. Supporting units go back in any case.
9-11 Does a relief that fights activate the fort?
     No, its units alone attack and take hits; but there is one combat in a box in an activation.
9-12 May supporting units join a siege quietly?
     No, they always fight.
9-13 May units leave a siege through a box to be avoided, or to nowhere?
     No, they stay where no free box is open to each of them.
9-14 On whom do hits fall when besiegers reply to a fort that fires alone?
     On units inside first, then on the fort.
"""
