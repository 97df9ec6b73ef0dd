"""What one turn can lead to according to the kernels, in the words of the referee, and positions to try it on."""

import functools
import random
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from overworlds.envs.core.game import Variant
from overworlds.envs.core.kernel import OVER
from overworlds.envs.core.rng import mix
from overworlds.envs.homeworlds import GAME, phases
from overworlds.envs.homeworlds.state import STATE
from overworlds.envs.homeworlds.view import table

KERNELS = GAME.kernels
PIECES = tuple(colour + size for colour in "bgry" for size in "123")
COLOURS = {"blue": "b", "green": "g", "red": "r", "yellow": "y"}
SUB_DECISIONS = (phases.TRADE_FOR, phases.MOVE_TO, phases.ATTACK_WHOSE)
POLICIES = ("random", "scripted")


class TooMany(Exception):
    """This turn has more results than a test should look at."""


def of(state: np.ndarray) -> np.record:
    """The state record over the bytes."""
    return state.view(STATE)[0]


def arranged(variant: Variant, position: str, to_move: int = 0, seed: int = 0) -> np.ndarray:
    """The state of a position, as `reset` would arrange it."""
    state = np.zeros(variant.state_bytes, np.uint8)
    KERNELS.reset(variant.rules, state, seed)
    GAME.arrange(variant, state, {"position": position, "to_move": to_move})
    return state


def legal(variant: Variant, state: np.ndarray) -> list[int]:
    """The legal ids."""
    ids = np.zeros(variant.num_actions, np.int32)
    return ids[: KERNELS.legal(variant.rules, state, ids)].tolist()


def stepped(variant: Variant, state: np.ndarray, action: int) -> np.ndarray:
    """The state after an action."""
    after = state.copy()
    KERNELS.step(variant.rules, after, action)
    return after


def name(variant: Variant, state: np.ndarray, action: int) -> str:
    """The action in words."""
    return variant.action_names(int(of(state).head.to_move))[action]


def systems(variant: Variant, state: np.ndarray) -> dict[int, str]:
    """The text of every system, by slot."""
    texts = {}
    for system in table(variant, state, None).systems:
        home = "S" if system.home_of is None else f"H{system.home_of}"
        ships = ",".join(f"{owner}{piece}" for owner, piece in system.ships)
        texts[system.slot] = f"{home}:{'+'.join(system.markers)}|{ships}"
    return texts


# ---------------------------------------------------------------- walking through a turn


class End(NamedTuple):
    """One end of a turn: the last decision and what came of it."""

    before: np.ndarray
    action: int
    after: np.ndarray


def without_history(state: np.ndarray) -> bytes:
    """What lies on the table and what is to be decided, but not how often who did what before."""
    return state[BOARD].tobytes() + state[DECISION].tobytes()


BOARD = slice(STATE.fields["stash"][1], STATE.fields["captures"][1])
DECISION = slice(STATE.fields["phase"][1], None)


def ends(variant: Variant, start: np.ndarray, most: int = 1_000_000) -> Iterator[End]:
    """Every different end that the turn beginning at ``start`` can have, by trying every sequence of decisions."""
    turn = of(start).head.turn
    seen, waiting = set(), [start]
    while waiting:
        state = waiting.pop()
        actions = legal(variant, state)
        assert actions, f"a dead end: {board_text(variant, state)}"
        for action in actions:
            after = stepped(variant, state, action)
            key = without_history(after)
            if key in seen:
                continue
            seen.add(key)
            if len(seen) > most:
                raise TooMany
            if of(after).head.turn != turn:
                yield End(state, action, after)
            else:
                waiting.append(after)


def results_of_a_turn(variant: Variant, start: np.ndarray, most: int = 1_000_000) -> set[str]:
    """The texts of all boards with which this turn can end."""
    return {board_text(variant, end.after) for end in ends(variant, start, most)}


@functools.cache
def pieces(pile: int) -> list[str]:
    """The pieces of a pile."""
    return [piece for n, piece in enumerate(PIECES) for _ in range(pile >> 4 * n & 15)]


def board_text(variant: Variant, state: np.ndarray) -> str:
    """The same as ``env.position()``, written once more because these tests ask for it very often."""
    s = of(state)
    markers, ships, alive = s.markers.tolist(), s.ships.tolist(), s.alive.tolist()
    texts = []
    for slot, stars in enumerate(markers):
        if stars:
            home = f"H{slot}" if slot < variant.players and alive[slot] else "S"
            crowd = [f"{owner}{piece}" for owner, pile in enumerate(ships[slot]) if pile for piece in pieces(pile)]
            texts.append(f"{home}:{'+'.join(pieces(stars))}|{','.join(crowd)}")
    return " ".join(sorted(texts))


# ---------------------------------------------------------------- single steps, as the referee writes them


def steps(variant: Variant, state: np.ndarray) -> set[tuple]:
    """All that can be decided now, with what each step leaves open decided as well."""
    found = set()
    for action in legal(variant, state):
        after = stepped(variant, state, action)
        words = name(variant, state, action).split()
        if of(after).phase in SUB_DECISIONS:
            found |= {described(variant, state, words, stepped(variant, after, rest)) for rest in legal(variant, after)}
        else:
            found.add(described(variant, state, words, after))
    return found


def described(variant: Variant, before: np.ndarray, words: list[str], after: np.ndarray) -> tuple:
    """A step from what was chosen and what became of the board."""
    if words[0] in ("pass", "stop", "end"):
        return (words[0],)
    me, there = int(of(before).head.to_move), systems(variant, before)
    slot = next(slot for slot in range(len(of(before).markers)) if words[-1][1:] == str(slot))
    verb, what, here = words[0], words[1], there[slot]
    if verb in ("construct", "catastrophe"):
        return verb, here, COLOURS[what]
    if verb == "sacrifice":
        return verb, here, what
    old, new = of(before).ships, of(after).ships
    if verb == "trade":
        return verb, here, what, only_gain(old[slot, me], new[slot, me])[0]
    if verb == "attack":
        owner = next(p for p in range(variant.players) if p != me and old[slot, p] != new[slot, p])
        return verb, here, owner, what
    gaining = next(other for other in range(len(old)) if new[other, me] > old[other, me])
    if gaining in there:
        return "move", here, what, there[gaining]
    return "discover", here, what, systems(variant, after)[gaining].split(":")[1].split("|")[0]


def only_gain(old: int, new: int) -> str:
    """The one piece that the new pile has and the old one has not."""
    return next(piece for n, piece in enumerate(PIECES) if (new >> 4 * n) & 15 > (old >> 4 * n) & 15)


# ---------------------------------------------------------------- positions


def walk(variant: Variant, policy: str, seed: int, decisions: int = 1_000_000) -> Iterator[np.ndarray]:
    """The states of a game that this policy plays with itself, from the deal to the end; always the same array."""
    kernel = GAME.policy(policy).kernel
    state = np.zeros(variant.state_bytes, np.uint8)
    ids = np.zeros(variant.num_actions, np.int32)
    params = np.zeros(1, np.float32)
    KERNELS.reset(variant.rules, state, seed)
    head = of(state).head
    for _ in range(decisions):
        yield state
        if head.to_move == OVER:
            return
        n = KERNELS.legal(variant.rules, state, ids)
        action = kernel(params, variant.rules, state, ids, n, mix(seed, int(head.ply)))
        KERNELS.step(variant.rules, state, action)


def played(variant: Variant, policy: str, seed: int, turns: int) -> np.ndarray | None:
    """The state when so many turns have been played; None if the game is over before."""
    for state in walk(variant, policy, seed):
        if of(state).head.turn == turns:
            return state.copy() if of(state).head.to_move != OVER else None
    return None


def random_position(rng: random.Random, players: int, per_kind: int) -> tuple[str, int]:
    """Any position, however strange, with a few systems and a scarce or a full stash; and who is to move."""
    stash = list(PIECES) * per_kind
    rng.shuffle(stash)
    living = sorted(rng.sample(range(players), rng.randint(2, players)))
    texts = []
    for seat in living:
        ships = [f"{seat}{stash.pop()}"] + [f"{rng.randrange(players)}{stash.pop()}" for _ in range(rng.randint(0, 2))]
        texts.append(f"H{seat}:{'+'.join(stash.pop() for _ in range(rng.randint(1, 2)))}|{','.join(ships)}")
    for _ in range(rng.randint(0, 5)):
        needed = rng.randint(2, 6)
        if needed > len(stash):
            break
        markers = [stash.pop() for _ in range(2 if needed > 2 and rng.random() < 0.2 else 1)]
        crowd = rng.choices(range(players), k=needed - len(markers))
        texts.append(f"S:{'+'.join(markers)}|{','.join(f'{owner}{stash.pop()}' for owner in crowd)}")
    return " ".join(texts), rng.choice(living)
