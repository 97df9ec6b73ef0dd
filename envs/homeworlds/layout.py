"""The layout of a Homeworlds observation, part by part, in the order in which `observe` writes it."""

from overworlds.envs.core.game import Part
from overworlds.envs.homeworlds import phases
from overworlds.envs.homeworlds.pieces import KINDS
from overworlds.envs.homeworlds.state import LATELY, MANY_CAPTURES, MAX_PIECES_PER_KIND

PER_PLAYER = 4
PERCENT = 100


def observation_parts(players: int, slots: int, talk: bool) -> tuple[Part, ...]:
    """The parts of an observation with so many players and places for systems."""
    most = MAX_PIECES_PER_KIND
    statement = 2 + 2 * players
    parts = [
        Part("phase", phases.COUNT, 0, 1, "what is to be decided, one-hot, in the order of phases.py"),
        Part("actions_left", 1, 0, 3, "sacrifice actions left, this one included"),
        Part("sacrifice_colour", 4, 0, 1, "the colour of those actions (blue, green, red, yellow), one-hot"),
        Part("ship", KINDS, 0, 1, "the kind of ship the action being completed is about, one-hot"),
        Part("stash", KINDS, 0, most, "pieces of each kind in the stash: b1 b2 b3 g1 … y3"),
        Part("time", 1, 0, PERCENT, "how much of the turn limit is over, in percent; 0 without a limit"),
        Part(
            "players",
            PER_PLAYER * players,
            0,
            1,
            "for me and each player to my left: to move, alive, known to be Good, known to be Evil",
        ),
        Part("captures", players * players, 0, MANY_CAPTURES, "ships that the row's player took from the column's"),
    ]
    if talk:
        parts.append(
            Part(
                "statements",
                players * LATELY * statement,
                0,
                1,
                f"each player's last {LATELY} statements, newest first: "
                "claims Good, claims Evil, accuses …, vouches for … (one place a player)",
            )
        )
    parts.append(
        Part(
            "systems",
            slots * (2 + KINDS * (1 + players)),
            0,
            most,
            "for each system (my homeworld, those to my left, then discovered ones): is a living player's homeworld, "
            "is where the action being completed happens, its markers by kind, each player's ships by kind",
            blocks=slots,
            landmarks=players,
        )
    )
    return tuple(parts)
