"""Which decisions somebody sees who does not make them, for whoever tells of a game."""

import numpy as np

from overworlds.envs.core.game import Telling
from overworlds.envs.core.kernel import OVER
from overworlds.envs.overpower import ops, phases
from overworlds.envs.overpower.piles import DRAW_PILE, IN_HAND, TO_HAND, TOP, destination_of, source_of
from overworlds.envs.overpower.state import NOBODY, RULES, STATE

UNDECLARED = (
    phases.USER, phases.PARTNER, phases.TYPE, phases.TARGET, phases.DEFENDER, phases.DEFEND_PARTNER, phases.SHIFT,
)  # fmt: skip
"""What is asked while a play is put together."""


def telling(rules: np.ndarray, before: np.ndarray, after: np.ndarray, viewer: int) -> Telling:
    """What the viewer is told of the decision that led from one state to the other, made by somebody else."""
    r, s, t = rules.view(RULES)[0], before.view(STATE)[0], after.view(STATE)[0]
    f = s.frames[s.depth - 1]
    side = int(f.side)
    is_open = any(e.op == ops.OPEN_HAND and e.side == side for e in s.effects[: s.effects_n])
    if f.what == phases.RESERVE:
        return Telling.NEVER if side == 0 else Telling.NOW  # player_0's lies on the table when both have chosen
    if f.what == phases.KEEP:
        return Telling.NOW if is_open else Telling.NEVER
    if f.what == phases.FETCH:
        o = r.decks[int(f.deck)].ops[int(f.at)]
        source, destination = source_of(o), destination_of(o)
        hidden = source in (DRAW_PILE, IN_HAND) and destination in (TO_HAND, TOP)
        return Telling.NEVER if hidden and int(f.target) != viewer and not is_open else Telling.NOW
    if t.concealed.kind != NOBODY and s.concealed.kind == NOBODY:
        return Telling.NEVER
    going_on = t.head.to_move != OVER and t.frames[t.depth - 1].what in UNDECLARED
    return Telling.LATER if going_on and t.head.to_move == side else Telling.NOW
