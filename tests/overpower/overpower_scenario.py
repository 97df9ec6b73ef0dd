"""A table to set up, play at and look at: what the scenario tests are written with."""

import hashlib
import json
import tempfile
from pathlib import Path

import numpy as np

from overworlds.envs.core.game import Variant
from overworlds.envs.core.kernel import OVER
from overworlds.envs.overpower import GAME, decks_of, phases
from overworlds.envs.overpower.cards import find_card, find_character
from overworlds.envs.overpower.clearing import playable_kinds, usable_kinds
from overworlds.envs.overpower.decks import may_use
from overworlds.envs.overpower.hits import venture_total
from overworlds.envs.overpower.icons import FOUR
from overworlds.envs.overpower.names import team_names
from overworlds.envs.overpower.sight import ANY_KIND, join_unseen
from overworlds.envs.overpower.state import (
    HIT_CURRENT,
    KINDS,
    NOBODY,
    RULES,
    STATE,
    character_hit,
    note_hit,
    side_hit,
)

FOLDER = Path(tempfile.mkdtemp(prefix="overpower-decks-"))
HEROES = ("Batman (BS)", "Superman (BS)", "Robin (BS)", "Azrael (BS)")
VILLAINS = ("Joker (BS)", "Bane (BS)", "Two-Face (BS)", "Catwoman (BS)")
FILLER = ("Fighting 1", "Fighting 2", "MultiPower 1")


def heroes(*names):
    """These first, Batman, Superman and Robin behind them."""
    return (*names, *HEROES)[:4]


def villains(*names):
    """These first, Joker, Bane and Two-Face behind them."""
    return (*names, *VILLAINS)[:4]


def deck_file(team, names, mission):
    """A legal deck with these cards, filled up with small Power cards."""
    counts = {}
    for name in names:
        counts[find_card(name, "test").name] = counts.get(find_card(name, "test").name, 0) + 1
    people = [find_character(name, "test") for name in team]
    filler = [name for name in FILLER if any(may_use(c, find_card(name, "test"), True) for c in people)]
    missing = max(0, 56 - sum(counts.values()))
    for i in range(missing):
        counts[filler[i % len(filler)]] = counts.get(filler[i % len(filler)], 0) + 1
    text = f"characters = {list(team)!r}\nmission = {json.dumps(mission)}\n[cards]\n"
    text += "".join(f"{json.dumps(name)} = {count}\n" for name, count in counts.items())
    path = FOLDER / f"{hashlib.sha256(text.encode()).hexdigest()[:12]}.toml"
    path.write_text(text)
    return str(path)


class Table:
    """Two teams in the middle of a battle. The last of each four is the Reserve."""

    def __init__(
        self,
        hand0=(),
        hand1=(),
        team0=HEROES,
        team1=VILLAINS,
        placed0=None,
        placed1=None,
        turn=0,
        more0=(),
        more1=(),
        mission="Race Against Crime",
        **rules,
    ):
        hands, placed, teams = (hand0, hand1), (placed0 or {}, placed1 or {}), (team0, team1)
        more = (more0, more1)
        files = [
            deck_file(teams[i], [*hands[i], *(c for cs in placed[i].values() for c in cs), *more[i]], mission)
            for i in range(2)
        ]
        values = {"deck0": files[0], "deck1": files[1], "events": False, "sum_rule": False} | rules
        self.variant = Variant(GAME, 2, values)
        self.decks = decks_of(self.variant.values)
        self.k = GAME.kernels
        self.state = np.zeros(self.variant.state_bytes, np.uint8)
        self.k.reset(self.variant.rules, self.state, 0)
        self.s = self.state.view(STATE)[0]
        self.state_type = STATE
        self.s.battle = 1
        self.s.first = turn
        for side in range(2):
            self.s.players[side].front[3] = 0
            for name in hands[side]:
                self.deal(side, name)
            for owner, names in placed[side].items():
                for name in names:
                    self.place(side, owner, name)
            self.s.players[side].cleared = self.s.players[side].came
            rules = self.variant.rules.view(RULES)[0]
            self.s.players[side].useful = usable_kinds(rules, self.s, side) & playable_kinds(rules, self.s, side)
        self.ask(turn)

    # ---------------------------------------------------------------- setting up

    def ask(self, side, what=phases.TURN, stage=phases.BATTLE):
        """It is this side's turn."""
        s = self.s
        s.depth, s.stage, s.active = 1, stage, side
        f = s.frames[0]
        f.what, f.side, f.classes, f.targets, f.left = what, side, 127, FOUR, 1
        f.user = f.target = f.kind = NOBODY
        f.users = sum(1 << i for i in range(4) if s.players[side].alive[i] and s.players[side].front[i])
        f.types = f.bonus = f.next_bonus = f.marks = f.holds = f.chosen = f.serial = 0
        s.head.to_move = side

    def kind(self, side, name):
        """The number of a card in its deck."""
        return [card.name for card in self.decks[side].kinds].index(find_card(name, "test").name)

    def who(self, side, name):
        """The number of a character in its team."""
        return team_names(self.decks[side]).index(name)

    def draw_out(self, side, kind):
        """Take a card out of the Draw Pile."""
        p = self.s.players[side]
        at = [int(k) for k in p.draw[: p.draw_n]].index(kind)
        p.draw[at] = p.draw[p.draw_n - 1]
        p.draw_n -= 1

    def deal(self, side, name):
        """A card of the Draw Pile comes into the hand."""
        kind = self.kind(side, name)
        self.draw_out(side, kind)
        join_unseen(self.s.players[side], kind, ANY_KIND)

    def place(self, side, owner, name):
        """A card of the Draw Pile is placed on a character."""
        kind, on = self.kind(side, name), self.who(side, owner)
        self.draw_out(side, kind)
        p = self.s.players[side]
        slot = [int(k) for k in p.placed[on]].index(NOBODY)
        p.placed[on, slot] = kind

    def hit(self, side, on, name, current=False, by=0):
        """A card of the other side's Draw Pile has hit this character."""
        other = 1 - side
        kind = self.kind(other, name)
        self.draw_out(other, kind)
        card = self.decks[other].kinds[kind]
        h = self.s.hits[self.s.hits_n]
        self.s.hits_n += 1
        note_hit(h, side, self.who(side, on), by)
        h.kind, h.value, h.icons, h.damage, h.serial = kind, card.value, card.icons, 0, 0
        multi = card.card_class == 1 and card.icons & (card.icons - 1) != 0
        h.marks = int(current) * HIT_CURRENT + 2 * int(multi) + {1: 8, 32: 4}.get(card.card_class, 0)

    def stack(self, side, names):
        """These cards are drawn next, in this order."""
        p = self.s.players[side]
        kinds = [self.kind(side, name) for name in names]
        for kind in kinds:
            self.draw_out(side, kind)
        for kind in reversed(kinds):
            p.draw[p.draw_n] = kind
            p.draw_n += 1

    def next_battle(self, hand0, hand1):
        """The battle ends in a draw; these hands (eight cards each) are drawn for the next one."""
        self.stack(0, hand0)
        self.stack(1, hand1)
        return self.do("pass", "pass")

    # ---------------------------------------------------------------- playing

    @property
    def to_move(self):
        return int(self.s.head.to_move)

    @property
    def decision(self):
        return int(self.s.frames[self.s.depth - 1].what)

    def legal(self):
        """The names of what is legal now."""
        ids = np.zeros(self.variant.num_actions, np.int32)
        n = self.k.legal(self.variant.rules, self.state, ids)
        names = self.variant.action_names(self.to_move)
        return [names[i] for i in ids[:n]]

    def do(self, *names):
        """Make these choices, one after the other; each must be legal."""
        for name in names:
            assert name in self.legal(), f"{name!r} is not legal; legal are {self.legal()}"
            self.k.step(self.variant.rules, self.state, self.variant.action_id(name, self.to_move))
            self.check()
        return self

    def may(self, *names):
        """The same, leaving out what nobody is asked because there is no choice."""
        for name in names:
            if name in self.legal():
                self.do(name)
        return self

    def check(self):
        """No card is lost or doubled."""
        check_cards(self.variant, self.state)

    # ---------------------------------------------------------------- looking

    def hits(self, side, on):
        """The hits on a character: (card, value, in this battle)."""
        who = self.who(side, on)
        cards = self.decks[1 - side].kinds
        return sorted(
            (cards[h.kind].name, int(h.value), bool(h.marks & HIT_CURRENT))
            for h in self.s.hits[: self.s.hits_n]
            if (side_hit(h), character_hit(h)) == (side, who)
        )

    def hand(self, side):
        return self._pile(side, "hand")

    def dead(self, side):
        return self._pile(side, "dead")

    def pack(self, side):
        return self._pile(side, "pack")

    def removed(self, side):
        return self._pile(side, "removed")

    def _pile(self, side, pile):
        counts = self.s.players[side][pile]
        return sorted(card.name for k, card in enumerate(self.decks[side].kinds) for _ in range(counts[k]))

    def placed(self, side, owner):
        """What lies on a character."""
        row = self.s.players[side].placed[self.who(side, owner)]
        return sorted(self.decks[side].kinds[k].name for k in row if k != NOBODY)

    def alive(self, side):
        return [name for i, name in enumerate(team_names(self.decks[side])) if self.s.players[side].alive[i]]

    def front(self, side):
        p = self.s.players[side]
        return [name for i, name in enumerate(team_names(self.decks[side])) if p.alive[i] and p.front[i]]

    def missions(self, side):
        p = self.s.players[side]
        return int(p.reserve), int(p.completed), int(p.defeated)

    def total(self, side):
        return int(venture_total(self.s, side))

    @property
    def winner(self):
        if self.to_move != OVER:
            return None
        returns = self.s.head.returns[:2]
        return int(np.argmax(returns)) if returns.any() else "nobody"


def check_cards(variant, state):
    """Every card of both decks is in exactly one place, and there are seven Missions a player."""
    s, r = state.view(STATE)[0], variant.rules.view(RULES)[0]
    for side in range(2):
        p = s.players[side]
        seen = np.zeros(KINDS, int)
        np.add.at(seen, p.draw[: p.draw_n].astype(int), 1)
        for pile in (p.hand, p.dead, p.pack, p.removed):
            assert (pile >= 0).all()
            seen += pile
        aside = np.bincount(p.draw[p.draw_n - p.aside : p.draw_n], minlength=KINDS)
        assert ((p.known >= 0) & (p.known <= p.hand + aside)).all()
        np.add.at(seen, p.placed[p.placed != NOBODY].astype(int), 1)
        for h in s.hits[: s.hits_n]:
            seen[h.kind] += side_hit(h) != side
        for e in s.effects[: s.effects_n]:
            seen[e.kind] += e.holds and e.by_side == side
        for f in s.frames[: s.depth]:
            seen[f.kind] += f.what == phases.RUN and f.holds and f.side == side
        a = s.attack
        seen[a.kind] += a.holds and a.side == side
        if a.partner != NOBODY and a.side == side:
            seen[a.partner] += 1
        drafted = phases.USER <= s.frames[s.depth - 1].what <= phases.TARGET  # then they are still where they were
        for other in a.others[a.others != NOBODY] if a.side == side and not drafted else ():
            seen[other] += 1
        wrong = [(k, seen[k], r.decks[side].copies[k]) for k in range(KINDS) if seen[k] != r.decks[side].copies[k]]
        assert not wrong, f"player_{side}: (kind, seen, copies) {wrong}"
        assert p.reserve + p.completed + p.defeated + p.risk_reserve + p.risk_completed == 7
