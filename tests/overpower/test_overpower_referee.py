"""The kernels of OverPower against an independent referee, which has read only the rule text.

Both play the same games in lockstep: before every decision the legal actions are compared, after it the whole table.
"""

import json
import random
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

import numba
import numpy as np
import overpower_referee as referee
import pytest

from overworlds.envs.core.game import Variant
from overworlds.envs.core.kernel import OVER
from overworlds.envs.overpower import GAME, decks_of
from overworlds.envs.overpower.cards import cards, characters, missions
from overworlds.envs.overpower.decks import MOST_POINTS, may_use
from overworlds.envs.overpower.hits import venture_total
from overworlds.envs.overpower.state import HIT_CURRENT, NOBODY, STATE

COMPILED = not numba.config.DISABLE_JIT
GAMES = 120 if COMPILED else 2
MANY_GAMES = 1_500
SMALLEST = 51

# ---------------------------------------------------------------- decks

POWERS = {
    "mixed": (1, 2, 3, 4, 4, 5, 5, 6, 6, 7, 7, 8),
    "small": (1, 1, 2, 2, 3, 3, 4, 4, 5),
    "great": (4, 5, 5, 6, 6, 7, 7, 8),
}


def random_team(rng: random.Random, sum_rule: bool) -> list:
    """Four characters, often of both codes and without."""
    everybody = [c for c in characters().values() if referee.understands_gift(c.inherent)]
    if rng.random() < 0.3:
        everybody = [c for c in everybody if c.has_inherent]
    if rng.random() < 0.5:
        everybody = [c for c in everybody if c.ranks == 4]
    while True:
        team = rng.sample(everybody, 4)
        ranks, points = sum(c.ranks for c in team), sum(c.points for c in team)
        if len({c.character for c in team}) == 4 and (not sum_rule or points <= MOST_POINTS[ranks]):
            return team


def random_deck(rng: random.Random, folder: Path, rules: dict) -> str:
    """A file with a deck that the referee knows: few cards more than needed, with more or less of every class."""
    team = random_team(rng, rules["sum_rule"])
    pool = [
        card
        for card in cards().values()
        if card.card_class in referee.CLASSES
        and (card.card_class != 32 or referee.understands(card.effect))
        and any(may_use(character, card, rules["code_rule"]) for character in team)
    ]
    counts: Counter[str] = Counter()

    def add(choices: list, number: int) -> None:
        for _ in range(number):
            free = [c for c in choices if len(counts) < 62 and not (c.one_per_deck and counts[c.name])]
            if free:
                counts[rng.choice(free).name] += 1

    def of(kind: str) -> list:
        return [card for card in pool if referee.CLASSES[card.card_class] == kind]

    size = SMALLEST + rng.choice((0, 0, 1, 4, 9))
    for kind, most in (("basic", 8), ("training", 6), ("teamwork", 6), ("special", 20), ("ally", 4)):
        add(of(kind), rng.choice((0, most // 2, most)))
    powers = of("power")
    several = [card for card in powers if card.name.startswith("Multi")]
    if rng.random() < 0.3:
        add(several, 14)
    add([card for card in powers if card.name.startswith("Any")], rng.choice((0, 1)))
    values = rng.choice(list(POWERS.values()))
    while counts.total() < size:
        value = rng.choice(values)
        add([card for card in powers if card.value == value] or powers, 1)
    text = f"characters = {json.dumps([c.name for c in team])}\n"
    text += f"mission = {json.dumps(rng.choice(sorted(missions())))}\n[cards]\n"
    text += "".join(f"{json.dumps(name)} = {count}\n" for name, count in counts.items() if count)
    path = folder / f"deck-{rng.getrandbits(64):016x}.toml"
    path.write_text(text)
    return str(path)


def random_rules(rng: random.Random) -> dict:
    """Mostly the usual rules, but every rule to choose is chosen now and then."""
    return {
        "code_rule": rng.random() < 0.7,
        "sum_rule": rng.random() < 0.5,
        "events": False,
        "ladder": rng.choice(("also", "instead")),
        "hand_size": rng.choice((8, 8, 8, 4, 6, 12)),
        "ko_limit": rng.choice((20, 20, 12, 8, 30)),
        "spectrum_types": rng.choice((3, 3, 3, 2, 4)),
        "battle_limit": rng.choice((40, 40, 12, 5)),
    }


# ---------------------------------------------------------------- two tables


class FromTheKernel:
    """The dice: orders of piles, and the cut, as the compiled game has them."""

    def __init__(self, variant: Variant, state: np.ndarray):
        self.s = state.view(STATE)[0]
        self.decks = decks_of(variant.values)
        self.at_first: list[list[str] | None] = [self.pile(0), self.pile(1)]

    def pile(self, side: int) -> list[str]:
        p = self.s.players[side]
        return [self.decks[side].kinds[kind].name for kind in p.draw[: p.draw_n]]

    def first_player(self) -> int:
        return int(self.s.first)

    def shuffled(self, side: int, cards: list[referee.Card]) -> list[referee.Card]:
        """The order that is known, on top of it in any order what has been drawn since."""
        order, self.at_first[side] = self.at_first[side] or self.pile(side), None
        by_name = {card.name: card for card in cards}
        drawn = Counter(card.name for card in cards)
        drawn.subtract(order)
        assert min(drawn.values(), default=0) >= 0, f"cards in the new Draw Pile that were not to be shuffled: {drawn}"
        return [by_name[name] for name in [*order, *sorted(drawn.elements())]]


def names(cards) -> list[str]:
    return sorted(card.name for card in cards)


def difference(ours, theirs) -> str:
    """What only one of the tables has."""
    if not isinstance(ours, list) or sorted(ours) == sorted(theirs):
        return f"kernel {ours}, referee {theirs}"
    one, two = Counter(ours), Counter(theirs)
    return f"only the kernel has {list((one - two).elements())}, only the referee {list((two - one).elements())}"


def table_of_referee(game: referee.Referee) -> dict:
    """All that lies on the referee's table."""
    table: dict = {"first": game.first, "battle": game.battle_number}
    for side, player in enumerate(game.players):
        table[side, "hand"] = names(player.hand)
        table[side, "draw pile"] = [card.name for card in player.draw_pile]
        table[side, "power pack"] = names(player.power_pack)
        table[side, "dead pile"] = names(player.dead_pile)
        table[side, "removed"] = []
        table[side, "missions"] = (player.reserve, player.completed, player.defeated)
        table[side, "ventured"] = (player.ventured_reserve, player.ventured_completed)
        table[side, "passed"] = player.passed
        table[side, "total"] = game.venture_total(side)
        table[side, "last total"] = player.last_total
        for i, character in enumerate(player.team):
            where = (side, character.name)
            table[(*where, "stands")] = (character.alive, i in player.front_line())
            table[(*where, "placed")] = names(character.placed)
            table[(*where, "hits")] = sorted((h.card.name, h.value, h.current) for h in character.hits)
    return table


def table_of_kernel(variant: Variant, state: np.ndarray) -> dict:
    """The same as the kernels have it."""
    s, decks = state.view(STATE)[0], decks_of(variant.values)
    table: dict = {"first": int(s.first), "battle": int(s.battle)}
    for side in range(2):
        p, kinds = s.players[side], [card.name for card in decks[side].kinds]

        def pile(counts, kinds=kinds) -> list[str]:
            return sorted(name for name, count in zip(kinds, counts[: len(kinds)], strict=True) for _ in range(count))

        table[side, "hand"] = pile(p.hand)
        table[side, "draw pile"] = [kinds[kind] for kind in p.draw[: p.draw_n]]
        table[side, "power pack"] = pile(p.pack)
        table[side, "dead pile"] = pile(p.dead)
        table[side, "removed"] = pile(p.removed)
        table[side, "missions"] = (int(p.reserve), int(p.completed), int(p.defeated))
        table[side, "ventured"] = (int(p.risk_reserve), int(p.risk_completed))
        table[side, "passed"] = bool(p.passed)
        table[side, "total"] = int(venture_total(s, side))
        table[side, "last total"] = int(p.total)
        foes = decks[1 - side].kinds
        for i, character in enumerate(decks[side].team):
            where = (side, character.name.rpartition(" (")[0])
            table[(*where, "stands")] = (bool(p.alive[i]), bool(p.alive[i] and p.front[i]))
            table[(*where, "placed")] = sorted(kinds[kind] for kind in p.placed[i] if kind != NOBODY)
            hits = [h for h in s.hits[: s.hits_n] if h.side == side and h.on == i]
            table[(*where, "hits")] = sorted(
                (foes[h.kind].name, int(h.value), bool(h.marks & HIT_CURRENT)) for h in hits
            )
    return table


# ---------------------------------------------------------------- games

STYLES = {
    "any": {"concede": 0.3},
    "fighter": {"concede": 0.02, "pass": 0.1, "take it": 0.5, "done": 0.3},
    "reckless": {"concede": 0.01, "pass": 0.05, "take it": 5.0, "done": 0.2, "fight": 5.0},
    "gambler": {"concede": 0.5, "pass": 2.0, "venture": 1.0},
    "careful": {"concede": 0.1, "pass": 0.3, "take it": 0.05, "place": 3.0, "venture 0": 4.0},
}
"""How gladly a player makes a choice, by the beginning of its name; 1 for all others."""


def choose(rng: random.Random, style: dict[str, float], options: list[str]) -> str:
    weights = [next((w for start, w in style.items() if name.startswith(start)), 1.0) for name in options]
    return rng.choices(options, weights)[0]


class Lockstep:
    """The same game at two tables."""

    def __init__(self, variant: Variant, seed: int):
        self.variant, self.k = variant, GAME.kernels
        self.state = np.zeros(variant.state_bytes, np.uint8)
        self.ids = np.zeros(variant.num_actions, np.int32)
        self.k.reset(variant.rules, self.state, seed)
        self.head = self.state.view(STATE)[0].head
        self.referee = referee.Referee(
            decks_of(variant.values), FromTheKernel(variant, self.state), dict(variant.values)
        )
        self.game = self.referee.game()
        self.question: referee.Question | None = next(self.game)
        self.decisions = 0
        self.log: list[str] = []

    def where(self) -> str:
        return "\n".join(self.log[-25:])

    def legal(self) -> list[str]:
        """What may be chosen now, at both tables."""
        n = self.k.legal(self.variant.rules, self.state, self.ids)
        ours = self.variant.action_names(int(self.head.to_move))
        found = [ours[i] for i in self.ids[:n]]
        assert self.question is not None, f"the game is over, but the kernel asks for {found}\n{self.where()}"
        assert int(self.head.to_move) == self.question.side, f"{found} or {self.question}\n{self.where()}"
        kernel_only = sorted(set(found) - self.question.options)
        referee_only = sorted(self.question.options - set(found))
        assert set(found) == self.question.options, (
            f"player_{self.question.side}: only the kernel allows {kernel_only}, only the referee {referee_only}; "
            f"both {sorted(set(found) & self.question.options)}\n{self.where()}"
        )
        return found

    def step(self, name: str) -> None:
        side = int(self.head.to_move)
        self.log.append(f"{self.decisions}: player_{side} {name}")
        self.decisions += 1
        self.k.step(self.variant.rules, self.state, self.variant.action_id(name, side))
        try:
            self.question = self.game.send(name)
        except StopIteration:
            self.question = None
        if self.question is None:
            self.compare_ends()
        else:
            assert self.head.to_move != OVER, f"only the kernel says that the game is over\n{self.where()}"
            self.compare()

    def compare(self) -> None:
        ours, theirs = table_of_kernel(self.variant, self.state), table_of_referee(self.referee)
        wrong = [f"{key}: {difference(ours[key], theirs[key])}" for key in ours if ours[key] != theirs[key]]
        assert not wrong, "\n".join([*wrong, self.where()])

    def compare_ends(self) -> None:
        assert self.head.to_move == OVER, f"only the referee says that the game is over\n{self.where()}"
        assert self.head.returns[:2].tolist() == list(self.referee.returns or ()), self.where()
        assert bool(self.head.truncated) == self.referee.truncated, self.where()
        if all(player.survivors() for player in self.referee.players):
            self.compare()

    def play(self, rng: random.Random) -> None:
        """To the end, each player in a style of his own."""
        styles = [rng.choice(list(STYLES.values())) for _ in range(2)]
        while self.question is not None:
            options = self.legal()
            self.step(choose(rng, styles[self.question.side], options))


def play_games(seeds: Iterable[int], folder: Path) -> tuple[Counter, set[str]]:
    """Games with decks, rules and players of all sorts: what happened in them, and which Specials were played."""
    happened: Counter[str] = Counter()
    specials: set[str] = set()
    for seed in seeds:
        rng = random.Random(seed)
        rules = random_rules(rng)
        decks = {"deck0": random_deck(rng, folder, rules), "deck1": random_deck(rng, folder, rules)}
        table = Lockstep(Variant(GAME, 2, rules | decks), seed)
        try:
            table.play(rng)
        except Exception as error:
            raise AssertionError(f"game {seed}, {rules}: {error}") from error
        happened.update(table.referee.happened)
        happened.update(games=1, decisions=table.decisions)
        specials |= table.referee.specials
    return happened, specials


COMMON = (
    "duplicate", "duplicate of a placed card", "unusable", "penalty draw", "concession before a battle", "concession",
    "power", "power with basic", "power with training", "teamwork", "follow-up", "second follow-up", "ally", "special",
    "defence", "defence with Universe", "avoid", "shift", "further attack", "cumulative KO", "spectrum KO",
    "spectrum KO with MultiPower", "placed card of the fallen", "Reserve moves up", "reshuffle", "drawn battle",
    "ladder", "ladder by pairs", "victory by KO", "victory by Mission", "forfeit", "truncated",
)  # fmt: skip
"""What happens in a hundred games."""
RARE = (
    "KO of a Reserve", "KO by both", "special with power", "special that helps in defence", "shield in answer",
    "on_ko_venture", *(verb for verb in referee.LASTING if verb != "lifted"), "draw", "heal", "mill", "discard_hand",
    "discard_placed", "mission", "on_hit", "reveal", "peek",
)  # fmt: skip
"""What needs more of them."""


def test_games_are_played_as_the_referee_says(tmp_path):
    happened, _ = play_games(range(GAMES), tmp_path)
    assert not COMPILED or not [name for name in COMMON if not happened[name]]


@pytest.mark.slow
@pytest.mark.skipif(not COMPILED, reason="too many games for plain Python")
def test_many_games_are_played_as_the_referee_says(tmp_path):
    happened, specials = play_games(range(1_000, 1_000 + MANY_GAMES), tmp_path)
    assert not [name for name in COMMON + RARE if not happened[name]]
    known = {card.name for card in cards().values() if card.card_class == 32 and referee.understands(card.effect)}
    assert specials <= known
    assert len(specials) > len(known) * 0.9


def test_the_referee_refuses_what_it_does_not_know():
    strange = [card for card in cards().values() if card.card_class == 32 and not referee.understands(card.effect)]
    for card in [*strange, next(card for card in cards().values() if card.card_class == 64)]:
        with pytest.raises(ValueError, match="does not know"):
            referee.card_from(card)
