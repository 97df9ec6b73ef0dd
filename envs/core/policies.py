"""Compiled players that know no game."""

from overworlds.envs.core.kernel import POLICY, kernel


@kernel(POLICY)
def play_at_random(params, rules, state, legal, n, seed):
    """Any legal action, all equally likely."""
    return legal[seed % n]
