"""Homeworlds as somebody at the table sees it."""

import numpy as np

from overworlds.envs.core.game import Variant
from overworlds.envs.core.kernel import OVER
from overworlds.envs.homeworlds import phases
from overworlds.envs.homeworlds.names import system_name
from overworlds.envs.homeworlds.pieces import COLOUR_NAMES, PIECE_NAMES, count
from overworlds.envs.homeworlds.position import pieces_in
from overworlds.envs.homeworlds.state import SAID_ACCUSE, SAID_EVIL, SAID_GOOD, SAID_VOUCH, STATE
from overworlds.envs.homeworlds.table import System, Table

POWERS = ("trades", "constructions", "attacks", "moves")


def table(variant: Variant, state: np.ndarray, viewer: int | None) -> Table:
    """The table as ``viewer`` sees it; None knows only what is public."""
    s = state.view(STATE)[0]
    players = range(variant.players)
    over = s.head.to_move == OVER
    return Table(
        players=variant.players,
        pieces_per_kind=int(variant.values["pieces_per_kind"]),
        systems=tuple(system(variant, s, slot) for slot in range(len(s.markers)) if s.markers[slot]),
        stash={name: int(count(s.stash, piece)) for piece, name in enumerate(PIECE_NAMES)},
        turn=int(s.head.turn),
        to_move=None if over else int(s.head.to_move),
        alive=tuple(bool(s.alive[player]) for player in players),
        alignments=tuple(
            ("evil" if s.evil[player] else "good") if s.revealed[player] or player == viewer else None
            for player in players
        ),
        revealed=tuple(bool(s.revealed[player]) for player in players),
        viewer=viewer,
        decision="" if over else decision(variant, s),
        statements=tuple(statement(int(s.said[player, 0])) for player in players),
        result=result(s, variant.players) if over else None,
    )


def system(variant: Variant, s: np.record, slot: int) -> System:
    """One system with all that is in it."""
    return System(
        slot=slot,
        name=system_name(slot, variant.players),
        home_of=slot if slot < variant.players and s.alive[slot] else None,
        markers=tuple(pieces_in(s.markers[slot])),
        ships=tuple((owner, piece) for owner in range(variant.players) for piece in pieces_in(s.ships[slot, owner])),
    )


def decision(variant: Variant, s: np.record) -> str:
    """What is being decided, in words."""
    phase = int(s.phase)
    ship = f"{PIECE_NAMES[s.piece]} at {system_name(int(s.slot), variant.players)}" if s.piece >= 0 else ""
    if phase == phases.SACRIFICED:
        return f"up to {s.left} {POWERS[s.colour]} from the {COLOUR_NAMES[s.colour]} sacrifice"
    return {
        phases.SET_UP_STAR: "the first star of the homeworld",
        phases.SET_UP_SECOND_STAR: "the second star of the homeworld",
        phases.SET_UP_SHIP: "the first ship",
        phases.FREE: "a free action, a sacrifice, or pass",
        phases.TRADE_FOR: f"which colour does {ship} take?",
        phases.MOVE_TO: f"where does {ship} go?",
        phases.ATTACK_WHOSE: f"whose {ship} is attacked?",
        phases.CATASTROPHES: "trigger catastrophes, or end the turn",
        phases.TALK: "say something, or nothing",
    }[phase]


def statement(said: int) -> str | None:
    """A statement in words; None for silence."""
    if said >= SAID_VOUCH:
        return f"player_{said - SAID_VOUCH} is good"
    if said >= SAID_ACCUSE:
        return f"player_{said - SAID_ACCUSE} is evil"
    return {SAID_GOOD: "I am good", SAID_EVIL: "I am evil"}.get(said)


def result(s: np.record, players: int) -> str:
    """How the game ended."""
    if s.head.truncated:
        return "no winner: the turn limit was reached"
    winners = [f"player_{player}" for player in range(players) if s.head.returns[player] > 0]
    return f"{' and '.join(winners)} {'wins' if len(winners) == 1 else 'win'}"
