"""OverPower's table as text."""

import numpy as np

from overworlds.envs.core.kernel import OVER
from overworlds.envs.overpower import ops, phases
from overworlds.envs.overpower.decks import Deck
from overworlds.envs.overpower.icons import letters
from overworlds.envs.overpower.names import team_names
from overworlds.envs.overpower.state import HIT_CURRENT, NOBODY, STATE


def ansi(decks: tuple[Deck, Deck], state: np.ndarray, viewer: int | None) -> str:
    """The table as the viewer sees it; None knows only what is public."""
    s = state.view(STATE)[0]
    lines = [f"Battle {s.battle}, player_{s.first} goes first"]
    for side in (1, 0) if viewer in (None, 0) else (0, 1):
        lines += ["", *player_lines(decks, s, side, viewer)]
    lines += ["", attack_line(decks, s), decision_line(s)]
    return "\n".join(line for line in lines if line is not None)


def player_lines(decks: tuple[Deck, Deck], s: np.record, side: int, viewer: int | None) -> list[str]:
    """One player: Missions, piles, hand and team."""
    p, deck = s.players[side], decks[side]
    ventured = f", ventured {p.risk_reserve}+{p.risk_completed}" if p.risk_reserve or p.risk_completed else ""
    lines = [
        f"player_{side} ({deck.name}): Missions {p.completed} Completed, {p.reserve} Reserve, {p.defeated} Defeated"
        f"{ventured}",
        f"  Draw Pile {p.draw_n}, Power Pack {p.pack.sum()}, Dead Pile {p.dead.sum()}"
        + (", passed" if p.passed else ""),
        f"  hand: {hand(deck, s, side, viewer)}",
    ]
    hide = s.head.to_move != OVER and s.depth and s.frames[s.depth - 1].what == phases.RESERVE and viewer != side
    for i, name in enumerate(team_names(deck)):
        place = "KO     " if not p.alive[i] else "front  " if p.front[i] or hide else "reserve"
        grid = "/".join(str(rating) if rating else "-" for rating in p.grid[i])
        lines.append(f"  {place} {name:<24} {grid:<8}{character_details(decks, s, side, i)}")
    return lines


def hand(deck: Deck, s: np.record, side: int, viewer: int | None) -> str:
    """The cards a viewer may see, and how many others there are."""
    p = s.players[side]
    is_open = any(e.op == ops.OPEN_HAND and e.side == side for e in s.effects[: s.effects_n])
    seen = p.hand if viewer == side or is_open else p.known
    cards = [deck.kinds[k].name for k in range(len(deck.kinds)) for _ in range(seen[k])]
    hidden = int(p.hand.sum()) - len(cards)
    return ", ".join(cards + ([f"{hidden} hidden"] if hidden else [])) or "empty"


def character_details(decks: tuple[Deck, Deck], s: np.record, side: int, on: int) -> str:
    """Hits and placed cards."""
    text = ""
    hits = [h for h in s.hits[: s.hits_n] if h.side == side and h.on == on]
    if hits:
        shown = (f"{h.value}{letters(h.icons)}{'!' if h.marks & HIT_CURRENT else ''}" for h in hits)
        text += f" hits {sum(int(h.value) for h in hits)} ({' '.join(shown)})"
    placed = [decks[side].kinds[k].name for k in s.players[side].placed[on] if k != NOBODY]
    return text + (f" placed: {', '.join(placed)}" if placed else "")


def attack_line(decks: tuple[Deck, Deck], s: np.record) -> str:
    """What is being attacked with what."""
    if s.head.to_move == OVER or not s.depth:
        return ""
    if not phases.DEFEND <= s.frames[s.depth - 1].what <= phases.SHIFT:
        return ""
    a = s.attack
    cards = decks[a.side].kinds[a.kind].name
    if a.partner != NOBODY:
        cards += f" with {decks[a.side].kinds[a.partner].name}"
    user = team_names(decks[a.side])[a.user]
    target = team_names(decks[1 - a.side])[a.target] if a.target != NOBODY else "nobody in particular"
    value = f" for {a.value} {letters(a.types)}" if a.numeric else ""
    return f"{user} plays {cards} on {target}{value}"


def decision_line(s: np.record) -> str:
    """Who decides what, or how it ended."""
    if s.head.to_move == OVER:
        winners = [f"player_{side}" for side in range(2) if s.head.returns[side] > 0]
        return f"{winners[0]} wins" if winners else "no winner: the battle limit was reached"
    return f"player_{s.head.to_move} decides: {phases.NAMES[s.frames[s.depth - 1].what]}"
