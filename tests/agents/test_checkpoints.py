"""The networks that come with the package: each says where it comes from, and plays as well as it says."""

import pytest

from overworlds.agents.network import CHECKPOINTS, load_network
from overworlds.agents.specs import make_policy
from overworlds.envs.core.game import Variant
from overworlds.envs.core.playouts import playouts
from overworlds.envs.core.registry import find_game
from overworlds.training.evaluate import seat_counts

SHIPPED = sorted(CHECKPOINTS.glob("*.npz"))
EVERY_NETWORK = pytest.mark.parametrize("path", SHIPPED, ids=lambda path: path.stem)
MOST_BYTES = 4_000_000


def variant_of(path):
    about = load_network(path).about
    return Variant(find_game(about["game"]), about["players"], about["rules"])


def test_there_are_some():
    assert SHIPPED


@EVERY_NETWORK
def test_it_says_where_it_comes_from(path):
    about = load_network(path).about
    assert path.stem == f"{about['game']}-{about['players']}"
    assert about["command"].startswith(f"overworlds train {about['game']} --players {about['players']} --minutes")
    assert about["minutes"] <= 45
    assert about["rules"] == variant_of(path).values
    assert about["date"]
    assert {"random", "scripted"} <= set(about["strength"])
    assert path.stat().st_size <= MOST_BYTES


@EVERY_NETWORK
@pytest.mark.parametrize("opponent", ["random", "scripted"])
def test_it_is_as_strong_as_it_says(path, opponent):
    variant = variant_of(path)
    table = [make_policy("trained", variant), *[variant.game.policy(opponent)] * (variant.players - 1)]
    measured = seat_counts(playouts(variant, table, 100, seed=12345, rotate=True).returns[:, 0])
    said = load_network(path).about["strength"][opponent]
    assert said["games"] >= 1000
    assert abs(measured["score"] - said["score"]) < 0.17, "more than three standard deviations away"
