"""How much what a side has helps it to win: a logistic regression, for the weights of `evaluation`.

``python -m overworlds.envs.overpower.regression`` lets scripted players play with many decks, takes a position of every
so many decisions, and asks which differences between the two sides tell who won. Games that are not used for that show
how often the answer is right.
"""

import argparse

import numpy as np

from overworlds.envs.core.game import Variant
from overworlds.envs.core.kernel import HEADER, HEADER_BYTES, OVER
from overworlds.envs.core.registry import find_game
from overworlds.envs.core.rng import mix
from overworlds.envs.overpower.evaluation import LEAD, WEIGHTS, holdings, lead
from overworlds.envs.overpower.state import RULES, STATE

NAMES = ("a survivor", "hurt", "hurt, squared", "completed", "placed", "in hand", "passed", "lead times stake")
"""Of the weights, with that of the lead at the end."""
DECISIONS_BETWEEN = 25
RIDGE = 1e-3
"""Keeps the regression steady where the data say little."""


def positions_of(variant: Variant, seed: int) -> tuple[np.ndarray, float]:
    """Differences between the sides at some positions of a scripted game, and 1 if the first player won it."""
    kernels, scripted = variant.game.kernels, variant.game.policy("scripted")
    state, ids = variant.deal(seed), np.zeros(variant.num_actions, np.int32)
    head = state[:HEADER_BYTES].view(HEADER)[0]
    s, r = state.view(STATE)[0], variant.rules.view(RULES)[0]
    found = []
    while head.to_move != OVER:
        n = kernels.legal(variant.rules, state, ids)
        action = scripted.kernel(scripted.params, variant.rules, state, ids, n, int(mix(seed, int(head.ply))))
        kernels.step(variant.rules, state, action)
        if head.ply % DECISIONS_BETWEEN == 0 and head.to_move != OVER:
            found.append([*np.subtract(holdings(r, s, 0), holdings(r, s, 1)), lead(s, 0)])
    return np.array(found).reshape(-1, len(NAMES)), float(head.returns[0] > 0)


def fitted(x: np.ndarray, won: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Weights and their standard errors, by Newton's method; no constant, since the sides are alike."""
    weights = np.zeros(x.shape[1])
    for _ in range(30):
        expected = 1 / (1 + np.exp(-x @ weights))
        information = (x.T * (expected * (1 - expected))) @ x + RIDGE * np.eye(len(weights))
        weights += np.linalg.solve(information, x.T @ (won - expected) - RIDGE * weights)
    return weights, np.sqrt(np.diag(np.linalg.inv(information)))


def agreement(x: np.ndarray, won: np.ndarray, weights: np.ndarray) -> float:
    """How often the side that these weights prefer won."""
    return float(((x @ weights > 0) == (won > 0.5)).mean())


def main() -> None:
    """Play, fit, and print the weights beside those in use."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=2000, help="how many games to fit to; a quarter more to check")
    parser.add_argument("--decks", type=int, default=100, help="how many pairs of decks")
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    tables = Variant(find_game("overpower_v0")).varieties(given.decks, given.seed)
    games = []
    for game in range(given.games + given.games // 4):
        games.append(positions_of(tables[game % len(tables)], int(mix(given.seed, game))))
    fit, check = games[: given.games], games[given.games :]
    (x, won), (new_x, new_won) = (
        (np.concatenate([x for x, _ in some]), np.concatenate([np.full(len(x), won) for x, won in some]))
        for some in (fit, check)
    )
    weights, errors = fitted(x, won)
    used = np.array([*WEIGHTS, LEAD])
    print(f"{len(x):,} positions of {len(fit):,} games with {len(tables)} pairs of decks")
    for name, weight, error, now in zip(NAMES, weights, errors, used, strict=True):
        print(f"  {name:17} {weight:6.2f} (standard error {error:.2f}), in use {now:5.2f}")
    print(f"the winner is told in {agreement(new_x, new_won, weights):.1%} of {len(new_x):,} other positions,")
    print(f"with the weights in use in {agreement(new_x, new_won, used):.1%}")


if __name__ == "__main__":
    main()
