"""The grammar of order lines: which words stand where. What names mean is said in `meaning.py`."""

from __future__ import annotations

from pbem.rules.phrases import Language

GRAMMAR = r"""
order: attack | move | bomb | intercept | raid | load | travel | join | defend | losses | place
     | pass | no | when | then
attack: ATTACK area (origin | fighters | backing | flown | first | entering | condition)*
move: MOVE units [origin] goal [way]
bomb: BOMB area fighters
intercept: INTERCEPT areas
raid: RAID area fighters
load: LOAD units
travel: (TRAIN | DESTINATION) units [goal]
join: JOIN [units] [goal]
defend: DEFEND area (stay | back | backing | first)*
losses: LOSSES units [goal]
place: PLACE units goal
pass: PASS
no: NO WORD
when: ATTACKS (NOW | LATER)
then: THEN ASK
origin: FROM areas
fighters: WITH (ALL | units)
backing: (SUPPORT | HQ) units
flown: AIR units
first: LOSSES units
entering: ADVANCE (ALL | NONE | NOBODY | units)
condition: (IF | UNLESS) area IS? NOT? TAKEN
goal: TO area
way: VIA areas
stay: STAY OR?
back: RETREAT TO? areas?
units: unit (("," | AND) unit)*
areas: area (("," | AND | OR) area)*
unit: (WORD | QUOTED | HQ)+
area: (WORD | QUOTED)+
ATTACK.5: /attack(?![\w-])/i
MOVE.5: /(move|march)(?![\w-])/i
BOMB.5: /(bomb|bombard)(?![\w-])/i
INTERCEPT.5: /intercept(?![\w-])/i
RAID.5: /raid(?![\w-])/i
LOAD.5: /load(?![\w-])/i
TRAIN.5: /(train|travel)(?![\w-])/i
DESTINATION.5: /destination(?![\w-])/i
JOIN.5: /join(?![\w-])/i
DEFEND.5: /defend(?![\w-])/i
PLACE.5: /place(?![\w-])/i
PASS.5: /pass(?![\w-])/i
NO.5: /no(?![\w-])/i
ATTACKS.5: /attacks(?![\w-])/i
NOW.5: /now(?![\w-])/i
LATER.5: /later(?![\w-])/i
THEN.5: /then(?![\w-])/i
ASK.5: /ask(?![\w-])/i
FROM.5: /from(?![\w-])/i
WITH.5: /with(?![\w-])/i
ALL.5: /all(?![\w-])/i
NONE.5: /none(?![\w-])/i
NOBODY.5: /nobody(?![\w-])/i
SUPPORT.5: /support(?![\w-])/i
HQ.5: /hq(?![\w-])/i
AIR.5: /air(?![\w-])/i
LOSSES.5: /loss(es)?(?![\w-])/i
ADVANCE.5: /advance(?![\w-])/i
IF.5: /if(?![\w-])/i
UNLESS.5: /unless(?![\w-])/i
IS.5: /is(?![\w-])/i
NOT.5: /not(?![\w-])/i
TAKEN.5: /taken(?![\w-])/i
VIA.5: /via(?![\w-])/i
STAY.5: /(stay|stand)(?![\w-])/i
RETREAT.5: /retreat(?![\w-])/i
AND.5: /and(?![\w-])/i
"""
LANGUAGE = Language(GRAMMAR, single=("unit", "area"), several=("units", "areas"), free=("hq",))
"""`hq` may be a part of a unit's name."""
