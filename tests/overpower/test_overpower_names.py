"""Action names: every id has one, no two have the same, and it leads back to the id."""

import numba
import pytest
from test_overpower_kernels import random_game, variant_for

from overworlds.envs.core.game import Variant
from overworlds.envs.overpower import GAME
from overworlds.envs.overpower.decks import deck_names
from overworlds.envs.overpower.state import STATE

COMPILED = not numba.config.DISABLE_JIT
GAMES = 20 if COMPILED else 5


def check_names(seed):
    """All legal actions of a game by their names, and back."""
    variant = variant_for(seed)
    seen = set()

    def look(state, legal, action):
        seat = int(state.view(STATE)[0].head.to_move)
        names = variant.action_names(seat)
        for each in legal:
            assert variant.action_id(names[each], seat) == each
            assert "no card" not in names[each]
        seen.update(legal)

    random_game(variant, seed, look)
    return seen


def test_every_legal_action_survives_its_name():
    assert len(set.union(*map(check_names, range(GAMES)))) > 100


@pytest.mark.slow
@pytest.mark.skipif(not COMPILED, reason="too slow in plain Python")
@pytest.mark.parametrize("hundred", range(10))
def test_every_legal_action_of_a_thousand_games_survives_its_name(hundred):
    for seed in range(1000 + 100 * hundred, 1100 + 100 * hundred):
        check_names(seed)


@pytest.mark.parametrize("deck", deck_names())
def test_no_two_actions_have_the_same_name(deck):
    variant = Variant(GAME, 2, {"deck0": deck, "deck1": deck})
    for seat in range(2):
        assert len(set(variant.action_names(seat))) == variant.num_actions
