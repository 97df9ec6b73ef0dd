"""Who a learner plays against: the game's own players, itself, and its past selves, as rows of numbers for kernels."""

from collections.abc import Sequence

import numpy as np

from overworlds.envs.core.game import Policy, Variant
from overworlds.envs.core.kernel import addresses

SELF = "self"
PAST = "past"
FINEST_ODDS = 1_000_000


class OpponentPool:
    """Players to draw opponents from: each is a compiled function and a row of numbers.

    Rows keep their places while games go on: the fixed players first, then the learner as it is now, then past selves.
    """

    def __init__(self, variant: Variant, shares: dict[str, float], places_for_past: int = 0, seed: int = 0) -> None:
        """Make a pool.

        Args:
            variant: what is played.
            shares: how often an opponent is one of the game's players (by name), ``"self"`` or ``"past"``.
            places_for_past: how many past selves there is room for.
            seed: of the choice which past self is forgotten when there is no more room.
        """
        self.variant = variant
        self.shares = {name: share for name, share in shares.items() if share > 0}
        if not self.shares or min(shares.values()) < 0:
            raise ValueError(f"shares of opponents must be 0 or more and not all 0, not {shares}")
        fixed = [variant.game.policy(name) for name in self.shares if name not in (SELF, PAST)]
        self.kinds = [name for name in self.shares if name not in (SELF, PAST)]
        self.first_network = len(fixed)
        self.places = places_for_past + 1 if {SELF, PAST} & set(self.shares) else 0
        self.kinds += [SELF, *[PAST] * places_for_past][: self.places]
        self.kernels = [policy.kernel for policy in fixed]
        self.rows = np.zeros((len(self.kinds), max([1, *(len(policy.params) for policy in fixed)])), np.float32)
        for i, policy in enumerate(fixed):
            self.rows[i, : len(policy.params)] = policy.params
        self.past_count = 0
        self._rng = np.random.default_rng(seed)
        self._refresh()

    def _refresh(self) -> None:
        """Lay out what the kernels read: addresses and summed-up odds of the rows that are in use."""
        used = len(self.kernels)
        kinds = self.kinds[:used]
        share = [self.shares.get(kind, 0.0) / kinds.count(kind) for kind in kinds]
        if sum(share) == 0:  # nobody but past selves is wanted, and there is none yet
            share = [float(kind == SELF) for kind in kinds]
        self.code = addresses(*self.kernels)
        odds = np.cumsum(share)
        self.odds = np.round(odds / odds[-1] * FINEST_ODDS).astype(np.int64) if used else np.zeros(0, np.int64)

    @property
    def ready(self) -> bool:
        """Is there anybody to draw?"""
        return len(self.kernels) > 0

    def set_self(self, policy: Policy) -> None:
        """Put the learner as it is now into its place."""
        if self.places:
            self._put(self.first_network, policy)

    def remember(self, policy: Policy) -> None:
        """Add a past self, after `set_self`; when there is no more room, it takes the place of any other."""
        room = self.places - 1
        if room <= 0:
            return
        if len(self.kernels) == self.first_network:
            raise ValueError("a learner without a present has no past: call set_self() first")
        place = self.past_count if self.past_count < room else int(self._rng.integers(room))
        self.past_count = min(self.past_count + 1, room)
        self._put(self.first_network + 1 + place, policy)

    def _put(self, place: int, policy: Policy) -> None:
        if len(policy.params) > self.rows.shape[1]:
            wider = np.zeros((len(self.rows), len(policy.params)), np.float32)
            wider[:, : self.rows.shape[1]] = self.rows
            self.rows = wider
        self.rows[place, : len(policy.params)] = policy.params
        if place == len(self.kernels):
            self.kernels.append(policy.kernel)
        self._refresh()

    def past_policies(self) -> Sequence[Policy]:
        """The past selves that are remembered."""
        first = self.first_network + 1
        return [Policy(self.kernels[i], self.rows[i].copy()) for i in range(first, first + self.past_count)]
