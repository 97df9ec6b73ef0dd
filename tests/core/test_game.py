"""Games, variants and rules as data."""

import numpy as np
import pytest

from overworlds.envs import Variant, find_game
from overworlds.envs.core.game import Rule, checked_seed, did_you_mean, fresh_seed
from overworlds.envs.core.kernel import HEADER
from overworlds.envs.core.registry import GAMES

from .games import EVERY_GAME, EVERY_TABLE, dealt, play_randomly


@EVERY_TABLE
def test_layouts_cover_everything(game, players):
    variant = Variant(find_game(game), players)
    assert variant.observation_size == sum(part.size for part in variant.parts)
    assert variant.num_actions == sum(group.size for group in variant.action_groups)
    assert len({part.name for part in variant.parts}) == len(variant.parts)
    assert all(part.meaning and part.size > 0 and -128 <= part.low < part.high <= 127 for part in variant.parts)
    assert all(group.meaning and group.size > 0 for group in variant.action_groups)
    low, high = variant.observation_bounds
    assert low.shape == high.shape == (variant.observation_size,)
    assert low.dtype == high.dtype == np.int8
    for seat in range(players):
        assert len(variant.action_names(seat)) == variant.num_actions


RULES_THAT_USE_ALL = {"overpower_v0": {"deck0": "justice_league", "deck1": "justice_league"}}
"""Where a part is for what not every deck does."""


@EVERY_TABLE
def test_every_part_of_an_observation_is_used(game, players):
    """A number that is never anything but one value in many games would be a mistake in the layout."""
    env = dealt(game, players, **RULES_THAT_USE_ALL.get(game, {}))
    seen = []
    for seed in range(25):
        env.reset(seed=seed)
        for step in range(300):
            if not env.agents:
                break
            play_randomly(env, seed=step + 1000 * seed, steps=1)
            seen.append(env.observe(env.possible_agents[step % players])["observation"])
    rows = np.array(seen)
    at = 0
    for part in env.variant.parts:
        column = rows[:, at : at + part.size]
        assert column.min() != column.max(), part.name
        at += part.size


@EVERY_GAME
def test_a_digest_is_of_the_game_the_players_and_all_rules(game):
    facts = find_game(game)
    digests = {Variant(facts, players).digest for players in facts.players}
    assert len(digests) == len(facts.players)
    default = Variant(facts)
    for rule in facts.rules:
        others = [value for value in rule.allowed if value != default.values[rule.name]][:3]
        for value in others:
            assert Variant(facts, rules={rule.name: value}).digest != default.digest, rule.name
    assert Variant(facts, rules=default.values).digest == default.digest


@EVERY_GAME
def test_states_begin_with_the_header(game):
    state = find_game(game).kernels.STATE
    assert state.names[0] == "head"
    assert state.fields["head"] == (HEADER, 0)


def test_versions():
    for game in GAMES:
        facts = find_game(game)
        assert facts.id == game == f"{facts.name}_v{facts.version}"
        assert find_game(facts) is facts


def test_rules_take_whole_numbers_of_numpy_and_nothing_else():
    rule = Rule("speed", range(1, 4), 2, "how fast")
    assert rule.check(np.int64(3)) == 3
    assert type(rule.check(np.int64(3))) is int
    for value in (0, 4, 2.0, "2", True, None):
        with pytest.raises(ValueError, match="rule 'speed' must be a whole number from 1 to 3"):
            rule.check(value)
    choice = Rule("mood", ("good", "bad"), "good", "how it is")
    assert choice.check("bad") == "bad"
    for value in ("Good", 0, None, ["good"]):
        with pytest.raises(ValueError, match="rule 'mood' must be 'good' or 'bad'"):
            choice.check(value)


def test_all_wrong_rules_are_named_at_once():
    wrong = {"tlak": True, "turn_limit": -1, "talk": 5}
    with pytest.raises(ValueError, match="\n") as caught:
        Variant(find_game("homeworlds_v0"), None, wrong)
    lines = str(caught.value).split("\n")
    assert len(lines) == len(wrong)
    assert all(any(repr(name) in line for line in lines) for name in wrong)


def test_seats():
    variant = Variant(find_game("homeworlds_v0"), 3)
    assert [variant.seat(name) for name in ("player_0", "player_2", 1, np.int8(2))] == [0, 2, 1, 2]
    for wrong in ("player_3", 3, -1, True, None, "0", 1.0):
        with pytest.raises(ValueError, match="there are player_0, player_1, player_2"):
            variant.seat(wrong)


def test_seeds():
    assert checked_seed(np.uint64(7)) == 7
    assert len({fresh_seed() for _ in range(100)}) == 100
    assert all(0 <= fresh_seed() < 2**63 for _ in range(100))


def test_suggestions():
    assert did_you_mean("tlak", ["talk", "turn_limit"]) == "; did you mean 'talk'?"
    assert did_you_mean("zzz", ["talk"]) == "; there are 'talk'"
    assert did_you_mean("zzz", []) == "; it has none"
    assert did_you_mean("zzz", [str(n) * 9 for n in range(30)]) == ""
