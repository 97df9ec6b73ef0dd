"""Homeworlds positions as text, such as ``H0:b3+r1|0g3 H1:b2+y1|1g3 S:g2|0g1,1y2``.

One line, systems separated by blanks: ``H<seat>:`` for the homeworld of a living player and ``S:`` for any other
system, markers joined by ``+``, ``|``, ships as owner and piece joined by commas. Everything is sorted, so that
equal boards have equal text. The stash is what is missing.
"""

import re
from collections.abc import Mapping
from typing import Any

import numpy as np

from overworlds.envs.core.game import Variant
from overworlds.envs.core.kernel import ELIMINATED
from overworlds.envs.homeworlds import phases
from overworlds.envs.homeworlds.pieces import KINDS, PIECE_NAMES, count
from overworlds.envs.homeworlds.state import STATE

RESET_OPTIONS = {
    "position": "a board to start from instead of the set-up, as text: ``H0:b3+r1|0g3 H1:b2+y1|1g3 S:g2|0g1,1y2``",
    "to_move": "with a position: the seat whose turn it is (default 0)",
    "alignments": "a letter a seat, G or E, such as 'GE' (default: dealt by the seed)",
}

SYSTEM_PATTERN = re.compile(r"(?:H(\d)|S):([bgry][123])(?:\+([bgry][123]))?\|(\d[bgry][123](?:,\d[bgry][123])*)")


def pieces_in(pile: int) -> list[str]:
    """The names of all pieces of a pile, sorted."""
    return [name for piece, name in enumerate(PIECE_NAMES) for _ in range(int(count(pile, piece)))]


def pile_of(names: list[str]) -> int:
    """The pile of these pieces."""
    return sum(1 << 4 * PIECE_NAMES.index(name) for name in names)


def position(variant: Variant, state: np.ndarray) -> str:
    """The canonical text of the board."""
    s = state.view(STATE)[0]
    alive, ships = s.alive.tolist(), s.ships.tolist()
    systems = []
    for slot, markers in enumerate(s.markers.tolist()):
        if not markers:
            continue
        name = f"H{slot}" if slot < variant.players and alive[slot] else "S"
        fleet = [f"{owner}{piece}" for owner in range(variant.players) for piece in pieces_in(ships[slot][owner])]
        systems.append(f"{name}:{'+'.join(pieces_in(markers))}|{','.join(fleet)}")
    return " ".join(sorted(systems))


def arrange(variant: Variant, state: np.ndarray, options: Mapping[str, Any]) -> None:
    """Apply the reset options to a freshly dealt game."""
    s = state.view(STATE)[0]
    if "to_move" in options and "position" not in options:
        raise ValueError("the option 'to_move' needs a 'position'; without one, seat 0 sets up first")
    if "position" in options:
        place_position(variant, s, options["position"], options.get("to_move", 0))
    if "alignments" in options:
        set_alignments(variant, s, options["alignments"])
    if "position" in options:
        check_goes_on(variant, s, given="alignments" in options)


def place_position(variant: Variant, s: Any, text: Any, to_move: Any) -> None:
    """Put the systems of a position on the table."""
    if not isinstance(text, str):
        raise ValueError(f"a position is text, not {text!r}")
    players = variant.players
    s.alive[:players] = 0
    following = players
    for part in text.split():
        if part.endswith("|"):
            raise ValueError(f"the system {part!r} of the position has no ships, so it is gone: leave it out")
        match = SYSTEM_PATTERN.fullmatch(part)
        if match is None:
            raise ValueError(f"cannot read the system {part!r} of the position; write it like 'S:g2|0g1,1y2'")
        home, marker, second, ships = match.groups()
        if home is None:
            slot, following = following, following + 1
        else:
            slot = int(home)
            if slot >= players:
                raise ValueError(f"the position has a homeworld of player {slot}, but there are {players} players")
            if s.alive[slot]:
                raise ValueError(f"the position has two homeworlds of player {slot}")
            s.alive[slot] = 1
        if slot < len(s.markers):
            s.markers[slot] = pile_of([marker, second] if second else [marker])
            for ship in ships.split(","):
                place_ship(players, s, slot, ship, part)
    check_pieces(variant, s, text)
    for player in range(players):
        if s.alive[player] and not s.ships[player, player]:
            raise ValueError(f"player {player} has no ship in its homeworld, so it cannot be alive")
        s.revealed[player] = not s.alive[player]
        s.head.finished[player] = 0 if s.alive[player] else ELIMINATED
        s.head.returns[player] = 0 if s.alive[player] else -1
    if sum(s.alive) < 2:
        raise ValueError("the position has fewer than two living players, so the game is over")
    if isinstance(to_move, bool) or not isinstance(to_move, int | np.integer) or not 0 <= to_move < players:
        raise ValueError(f"to_move must be a seat from 0 to {players - 1}, not {to_move!r}")
    if not s.alive[to_move]:
        raise ValueError(f"player {to_move} cannot be to move: it has no homeworld in the position")
    s.head.to_move = to_move
    s.head.turn = players
    s.phase = phases.FREE


def place_ship(players: int, s: Any, slot: int, ship: str, system: str) -> None:
    """Put a ship, written as owner and piece, into a system."""
    owner = int(ship[0])
    if owner >= players:
        raise ValueError(f"the system {system!r} has a ship of player {owner}, but there are {players} players")
    s.ships[slot, owner] += pile_of([ship[1:]])


def check_pieces(variant: Variant, s: Any, text: str) -> None:
    """Take what is on the board from the stash, if there is so much of everything."""
    used = re.findall(r"[bgry][123]", text)
    per_kind = int(variant.values["pieces_per_kind"])
    for piece in range(KINDS):
        name = PIECE_NAMES[piece]
        if used.count(name) > per_kind:
            raise ValueError(f"the position has {used.count(name)} pieces {name}; there are only {per_kind}")
    s.stash -= pile_of(used)


def set_alignments(variant: Variant, s: Any, alignments: Any) -> None:
    """Give every seat the alignment of its letter."""
    players = variant.players
    evils = players // 2
    if not isinstance(alignments, str) or sorted(alignments) != sorted("E" * evils + "G" * (players - evils)):
        raise ValueError(
            f"alignments must have a letter for each of {players} players, {evils} of them E and the others G, "
            f"not {alignments!r}"
        )
    for player, letter in enumerate(alignments):
        s.evil[player] = letter == "E"


def check_goes_on(variant: Variant, s: Any, given: bool) -> None:
    """The game must not be over: somebody Good and somebody Evil must be alive."""
    living = [player for player in range(variant.players) if s.alive[player]]
    if len({int(s.evil[player]) for player in living}) == 2:
        return
    if given:
        raise ValueError("with these alignments the living players are all on one side, so the game is over")
    # The seed dealt one side to all the living; exchange a living player's card with a dead one's.
    dead = next(p for p in range(variant.players) if not s.alive[p] and s.evil[p] != s.evil[living[0]])
    s.evil[dead], s.evil[living[-1]] = int(s.evil[living[-1]]), int(s.evil[dead])
