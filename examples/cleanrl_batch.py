"""Self-play PPO in one file, in the style of CleanRL, on the batch API: every seat of every game learns.

    pip install "overworlds[train]"
    python examples/cleanrl_batch.py --total-steps 300000

The batch gives what the seat to move sees. One network plays all seats, so a decision's future is the next decision
*of the same seat in the same game*: advantages are computed by walking back through each lane with one memory a seat.
"""

import argparse
import time
from dataclasses import dataclass, fields

import numpy as np
import torch
from torch import nn
from torch.distributions import Categorical

from overworlds.envs import batch


@dataclass
class Args:
    """What can be set; every field is a flag."""

    game: str = "homeworlds_v0"
    players: int = 2
    total_steps: int = 300_000
    """decisions to learn from, of all seats together"""
    num_envs: int = 128
    """parallel games"""
    num_steps: int = 128
    """decisions of each game between two updates"""
    minibatches: int = 8
    epochs: int = 2
    learning_rate: float = 5e-4
    gamma: float = 0.998
    """from a seat's decision to its next"""
    gae_lambda: float = 0.95
    clip: float = 0.2
    entropy: float = 0.005
    value_weight: float = 0.5
    max_grad_norm: float = 0.5
    hidden: int = 128
    eval_games: int = 64
    """games against a random player to measure strength with"""
    seed: int = 0


class Agent(nn.Module):
    """One trunk, a head that chooses and a head that judges."""

    def __init__(self, inputs: int, actions: int, hidden: int):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(inputs, hidden), nn.ReLU(), nn.Linear(hidden, hidden), nn.ReLU())
        self.actor = nn.Linear(hidden, actions)
        self.critic = nn.Linear(hidden, 1)
        nn.init.orthogonal_(self.actor.weight, 0.01)

    def forward(self, observations, masks):
        """The distribution over legal actions, and the values."""
        features = self.trunk(observations.float())
        logits = self.actor(features).masked_fill(~masks, -1e8)
        return Categorical(logits=logits, validate_args=False), self.critic(features).squeeze(-1)


def advantages(rewards, dones, seats, values, last_values, last_seats, gamma, gae_lambda):
    """Generalised advantage estimates, each along the decisions of its own seat.

    ``rewards[t, lane, seat]`` is what each seat gained by decision t. A seat also gains by what others do before its
    next decision, and may never decide again: its gains are collected on the way back to the decision they follow from.
    """
    steps, lanes, players = rewards.shape
    everyone = np.arange(lanes)
    gained = np.zeros((lanes, players), np.float32)  # since this seat's last decision
    value_next = np.zeros((lanes, players), np.float32)  # of its next decision
    advantage_next = np.zeros((lanes, players), np.float32)
    known = np.zeros((lanes, players), np.float32)  # 1: there is a next decision
    value_next[everyone, last_seats], known[everyone, last_seats] = last_values, 1
    result = np.zeros((steps, lanes), np.float32)
    usable = np.zeros((steps, lanes), bool)  # a seat whose future lies beyond the rollout teaches nothing
    complete = known > 0
    for t in reversed(range(steps)):
        over = dones[t]
        gained[over] = value_next[over] = advantage_next[over] = known[over] = 0
        complete[over] = True
        gained += rewards[t]
        at = everyone, seats[t]
        delta = gained[at] + gamma * known[at] * value_next[at] - values[t]
        result[t] = delta + gamma * gae_lambda * known[at] * advantage_next[at]
        usable[t] = complete[at]
        gained[at], value_next[at], advantage_next[at], known[at], complete[at] = 0, values[t], result[t], 1, True
    return result, usable


def score_against_random(agent, args, games):
    """Wins and half the draws of the greedy agent against random players, at seats in turn."""
    table = batch(args.game, games, players=args.players, seed=10_000)
    mine = np.arange(games) % args.players
    score, running = 0.0, np.ones(games, bool)
    step, moves = table.reset(), 0
    while running.any():
        with torch.no_grad():
            choice, _ = agent(torch.as_tensor(step.observations), torch.as_tensor(step.masks.view(bool)))
        greedy = choice.logits.argmax(dim=1).numpy()
        random, moves = table.random_actions(seed=moves), moves + 1
        step = table.step(np.where(step.seats == mine, greedy, random))
        ended = running & (step.terminations | step.truncations)
        mine_got = table.final_returns[np.arange(games), mine][ended]
        score += (mine_got > 0).sum() + 0.5 * (mine_got == 0).sum()
        running &= ~ended
    return score / games


def main(args: Args):
    """Train, and say now and then how strong the agent has become."""
    torch.manual_seed(args.seed)
    rng = np.random.default_rng(args.seed)
    table = batch(args.game, args.num_envs, players=args.players, seed=args.seed)
    agent = Agent(table.observations.shape[1], table.num_actions, args.hidden)
    optimizer = torch.optim.Adam(agent.parameters(), lr=args.learning_rate, eps=1e-5)
    print(f"before: {score_against_random(agent, args, args.eval_games):.0%} against random")

    shape = args.num_steps, args.num_envs
    observations = torch.zeros(*shape, table.observations.shape[1], dtype=torch.int8)
    masks = torch.zeros(*shape, table.num_actions, dtype=torch.bool)
    actions, logprobs, values = torch.zeros(shape, dtype=torch.long), torch.zeros(shape), torch.zeros(shape)
    rewards = np.zeros((*shape, args.players), np.float32)
    dones, seats = np.zeros(shape, bool), np.zeros(shape, np.int64)

    updates = max(1, args.total_steps // (args.num_steps * args.num_envs))
    began, step = time.perf_counter(), table.reset()
    for update in range(1, updates + 1):
        optimizer.param_groups[0]["lr"] = args.learning_rate * (1 - (update - 1) / updates)

        # play: the arrays of the batch are overwritten by every step, so what is kept is copied
        for t in range(args.num_steps):
            observations[t] = torch.as_tensor(step.observations)
            masks[t] = torch.as_tensor(step.masks.view(bool))
            seats[t] = step.seats
            with torch.no_grad():
                choice, values[t] = agent(observations[t], masks[t])
                actions[t] = choice.sample()
                logprobs[t] = choice.log_prob(actions[t])
            step = table.step(actions[t].numpy())
            rewards[t], dones[t] = step.rewards, step.terminations | step.truncations

        # judge
        with torch.no_grad():
            _, last = agent(torch.as_tensor(step.observations), torch.as_tensor(step.masks.view(bool)))
        gains, usable = advantages(
            rewards, dones, seats, values.numpy(), last.numpy(), step.seats, args.gamma, args.gae_lambda
        )
        targets = torch.as_tensor(gains) + values

        # learn
        rows = np.flatnonzero(usable)
        flat = [x.reshape(-1, *x.shape[2:]) for x in (observations, masks, actions, logprobs, targets)]
        flat_gains = torch.as_tensor(gains).reshape(-1)
        for _ in range(args.epochs):
            for part in np.array_split(rng.permutation(rows), args.minibatches):
                o, m, a, old, target = (x[part] for x in flat)
                choice, value = agent(o, m)
                ratio = (choice.log_prob(a) - old).exp()
                gain = flat_gains[part]
                gain = (gain - gain.mean()) / (gain.std() + 1e-8)
                policy_loss = -torch.min(gain * ratio, gain * ratio.clamp(1 - args.clip, 1 + args.clip)).mean()
                value_loss = (value - target).pow(2).mean()
                loss = policy_loss + args.value_weight * value_loss - args.entropy * choice.entropy().mean()
                optimizer.zero_grad()
                loss.backward()
                nn.utils.clip_grad_norm_(agent.parameters(), args.max_grad_norm)
                optimizer.step()

        if update % max(1, updates // 5) == 0 or update == updates:
            done = update * args.num_steps * args.num_envs
            speed = done / (time.perf_counter() - began)
            score = score_against_random(agent, args, args.eval_games)
            print(f"{done:,} steps, {speed:,.0f} a second: {score:.0%} against random, value loss {value_loss:.3f}")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for field in fields(Args):
        parser.add_argument(f"--{field.name.replace('_', '-')}", type=field.type, default=field.default)
    main(Args(**vars(parser.parse_args())))
