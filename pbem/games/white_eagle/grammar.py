"""The grammar of order lines: which words stand where. What names mean is said in `meaning.py`."""

from __future__ import annotations

from pbem.rules.phrases import Language

GRAMMAR = r"""
order: recover | move | attack | sortie | fire | defend | leave | stay
     | then | ask | use | keep | attempt | pass
recover: RECOVER unit
move: MOVE (ALL | units) [origin] goal [way] [aiding]
attack: ATTACK area (fighters | backing | versus | first | entering | back | leaving | staying | condition)*
sortie: SORTIE FROM? area (fighters | first | entering | back | leaving | staying | condition)*
fire: FIRE FROM? area (fighters | first | entering | back | leaving | staying | condition)*
defend: DEFEND area (fighters | first | back | leaving | staying)*
leave: LEAVE area (fighters | first | back)*
stay: STAY TO? area (fighters | first | back)*
then: THEN ASK
ask: ASK ME? BEFORE EACH? COMBAT
use: USE area?
keep: KEEP area?
attempt: ATTEMPT (NONE | areas)
pass: PASS
origin: FROM areas
goal: TO area
way: VIA areas
aiding: (TO | AS)? SUPPORT
fighters: WITH (EVERYTHING | units)
backing: SUPPORT units
versus: AGAINST unit
first: LOSSES units
entering: ADVANCE TO? (NONE | areas)
back: RETREAT TO? areas
leaving: LEAVE
staying: STAY
condition: (IF | UNLESS) area IS? NOT? WON
units: unit (("," | AND) unit)*
areas: area (("," | AND | OR) area)*
unit: (WORD | QUOTED)+
area: (WORD | QUOTED)+
RECOVER.5: /recover(?![\w-])/i
MOVE.5: /(move|march)(?![\w-])/i
ATTACK.5: /attack(?![\w-])/i
SORTIE.5: /sortie(?![\w-])/i
FIRE.5: /fire(?![\w-])/i
DEFEND.5: /defend(?![\w-])/i
LEAVE.5: /leave(?![\w-])/i
STAY.5: /(stay|stand)(?![\w-])/i
THEN.5: /then(?![\w-])/i
ASK.5: /ask(?![\w-])/i
ME.5: /me(?![\w-])/i
BEFORE.5: /before(?![\w-])/i
EACH.5: /(each|every)(?![\w-])/i
COMBAT.5: /combat(?![\w-])/i
USE.5: /use(?![\w-])/i
KEEP.5: /keep(?![\w-])/i
ATTEMPT.5: /(attempt|try)(?![\w-])/i
PASS.5: /pass(?![\w-])/i
ALL.5: /all(?![\w-])/i
NONE.5: /(none|nobody)(?![\w-])/i
EVERYTHING.5: /(everything|everybody)(?![\w-])/i
FROM.5: /from(?![\w-])/i
VIA.5: /via(?![\w-])/i
AS.5: /as(?![\w-])/i
SUPPORT.5: /support(ing)?(?![\w-])/i
WITH.5: /(with|using)(?![\w-])/i
AGAINST.5: /against(?![\w-])/i
LOSSES.5: /loss(es)?(?![\w-])/i
ADVANCE.5: /advance(?![\w-])/i
RETREAT.5: /retreat(?![\w-])/i
IF.5: /if(?![\w-])/i
UNLESS.5: /unless(?![\w-])/i
IS.5: /is(?![\w-])/i
NOT.5: /not(?![\w-])/i
WON.5: /(won|taken)(?![\w-])/i
AND.5: /and(?![\w-])/i
"""
LANGUAGE = Language(GRAMMAR, single=("unit", "area"), several=("units", "areas"))
