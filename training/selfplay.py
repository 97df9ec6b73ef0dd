"""Self-play: a learner trained by sb3-contrib's MaskablePPO against itself, its past selves and the game's players."""

import functools
import io
import itertools
import json
import os
import shutil
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import torch
from sb3_contrib import MaskablePPO
from stable_baselines3.common.callbacks import BaseCallback

from overworlds.agents.network import LASTING, UNADVISED, Advice, Network, Shape, load_network, network_policy
from overworlds.agents.specs import default_rollout, make_value
from overworlds.envs.core.game import Policy
from overworlds.envs.core.playouts import playouts
from overworlds.envs.core.replay import write_atomically
from overworlds.envs.core.rng import mix
from overworlds.training.config import TrainConfig
from overworlds.training.endings import Endings, endings
from overworlds.training.evaluate import scores, seat_counts, wilson
from overworlds.training.imitation import LateStarts, Watched, WinningTurns, imitate, scale_for, together, watch
from overworlds.training.learner import CompactRolloutBuffer, LearnerPolicy
from overworlds.training.opponents import PAST, SELF, OpponentPool
from overworlds.training.vecenv import SelfPlayVecEnv

WATCHED_STEPS = 64
"""Decisions of each game in a chunk of watched games."""
WATCHED_CHUNKS = 8
"""How many chunks are kept to learn from them again."""
LEARNING_SHARE = 0.3
"""It learns from these again until that has taken so much of the time that watching took, but at least once."""
ENDED_GAMES = 1500
"""How many games are played to begin near their ends."""
LATE_TURNS = 16
"""How many turns of each player before the end such a game begins at most."""
LEAST_LEARNING_RATE = 0.1
"""The learning rate at the end, as a share of that at the start."""
WITHOUT_END = 10**15
SHOWN = {
    "train/entropy_loss": "entropy",
    "train/approx_kl": "KL",
    "train/value_loss": "value loss",
    "train/explained_variance": "explained variance",
}
"""What of sb3-contrib's numbers is shown, and as what."""
TIMES = "environment", "opponents", "inference", "learning"
"""What self-play's time is spent on."""


@dataclass
class Progress:
    """How far a run has come: all that is shown and all that is kept of it beside the weights."""

    seconds: float = 0.0
    """Time spent training, in all parts of the run."""
    watching: bool = True
    """Has it not played by itself yet?"""
    imitated: int = 0
    """Decisions learnt from by watching."""
    agreement: float = 0.0
    """How often the network would have chosen as the watched player did."""
    steps: int = 0
    """Decisions of the learner in self-play."""
    environment: float = 0.0
    """Seconds of self-play spent in games: rules, observations, masks."""
    opponents: float = 0.0
    """Those in which the other seats' players, and the advisor, chose what to do."""
    inference: float = 0.0
    learning: float = 0.0
    steps_per_second: float = 0.0
    """Lately."""
    losses: dict[str, float] = field(default_factory=dict)
    measurements: list[dict[str, Any]] = field(default_factory=list)
    """Strength at several times: seconds, steps, and for each opponent the counts, score and interval."""

    @property
    def playing_seconds(self) -> float:
        """Time spent in self-play."""
        return sum(getattr(self, name) for name in TIMES)

    def shares(self) -> dict[str, float]:
        """How self-play's time is divided."""
        total = max(1e-9, self.playing_seconds)
        return {name: getattr(self, name) / total for name in TIMES}


class SelfPlay:
    """A training run: what learns, whom it plays, how far it has come."""

    def __init__(self, config: TrainConfig, folder: Path, show: Callable[[str, Progress], None]) -> None:
        """Make everything; ``show(phase, progress)`` is called whenever there is something new to see."""
        self.config = config
        self.folder = folder
        self.show = show
        self.variant = config.variant()
        self.varieties = self.variant.varieties(config.varieties, config.seed)
        self.progress = Progress()
        self.stop_requested = False
        self._seconds_before = 0.0
        self._saved_at = self._remembered_at = 0.0
        self._measured_at = -config.evaluate_seconds
        self.threads = threads = config.threads or idle_cores()
        torch.set_num_threads(threads)
        self.endings: Endings | None = None
        """Positions near the ends of games, if games begin there."""
        self.wins = WinningTurns(np.random.default_rng(config.seed))
        """Turns that won games it has watched."""
        self.start = load_network(config.start) if config.start else None
        widths = config.width, config.block_width
        advice = Advice(config.advisor, config.asks, config.freedom) if config.advisor else UNADVISED
        self.shape = self.start.shape if self.start else Shape.of(self.variant, *widths, advice)
        self.pool = OpponentPool(self.variant, config.opponents, config.past, config.seed)
        self.env = SelfPlayVecEnv(
            self.variant,
            config.games,
            self.pool,
            threads=threads,
            limit_penalty=config.limit_penalty,
            loss_weight=config.loss_weight,
            mixed=config.mixed,
            varieties=self.varieties,
            judgement=make_value("", self.variant) if config.shaping else None,
            discount=config.discount,
            advice=self.shape.advice,
        )
        self._resumed_at = time.perf_counter()  # by now the players are compiled, which does not count
        self.model = self._make_model()
        self._recalling = torch.optim.Adam(self.policy.parameters(), config.learning_rate, fused=True)
        self._seed_games()

    def _make_model(self) -> MaskablePPO:
        config = self.config
        return MaskablePPO(
            LearnerPolicy,
            self.env,
            learning_rate=lambda _: self.learning_rate(),
            n_steps=config.rollout,
            batch_size=min(config.batch, config.games * config.rollout),
            n_epochs=config.epochs,
            gamma=config.discount,
            gae_lambda=config.gae_lambda,
            clip_range=config.clip,
            ent_coef=config.entropy,
            vf_coef=config.value_weight,
            rollout_buffer_class=CompactRolloutBuffer,
            rollout_buffer_kwargs={"shape": self.shape},
            policy_kwargs={"shape": self.shape, "trust": config.trust},
            tensorboard_log=str(self.folder / "tensorboard"),
            seed=config.seed,
            device="cpu",
        )

    def _seed_games(self) -> None:
        """Name the games that come next; a resumed run plays others."""
        self.env.seed(int(mix(self.config.seed, self.progress.steps)))

    @property
    def policy(self) -> LearnerPolicy:
        """What learns."""
        return self.model.policy

    def player(self, temperature: float = 0.0) -> Policy:
        """The learner as it is now, as a compiled player."""
        return network_policy(self.policy.network(self.variant), self.variant, temperature)

    # ------------------------------------------------------------ how far the run is

    def tick(self) -> float:
        """Note the time; the seconds trained so far."""
        self.progress.seconds = self._seconds_before + time.perf_counter() - self._resumed_at
        return self.progress.seconds

    def share_done(self) -> float:
        """From 0 at the start to 1 at the end, by time or steps, whichever comes first."""
        by_time = self.tick() / (self.config.minutes * 60) if self.config.minutes > 0 else 0.0
        by_steps = self.progress.steps / self.config.steps if self.config.steps > 0 else 0.0
        return max(by_time, by_steps)

    def learning_rate(self) -> float:
        """Falls in a straight line."""
        left = max(0.0, 1.0 - self.share_done())
        return self.config.learning_rate * (LEAST_LEARNING_RATE + (1 - LEAST_LEARNING_RATE) * left)

    # ------------------------------------------------------------ training

    def run(self) -> None:
        """Train to the end of the run, or until a stop is requested."""
        if self.progress.watching:
            if self.progress.imitated == 0:
                self._set_scale(self.config.imitate or "random")
                if self.start:
                    self.policy.load_network(self.start)
            if self.config.imitate:
                if self.config.imitate_late:
                    self._play_endings()
                self.watch()
        if not self.stop_requested:
            if self.progress.watching and self.config.imitate:
                self.policy.sharpen(self.config.sharpen)
            self.progress.watching = False
            if self.config.late_starts and self.endings is None:
                self._play_endings()
            if self.config.imitate and self.config.wins_beside and not self.wins.known:
                self._gather_wins()
            self.pool.set_self(self.player(temperature=1.0))
            self.model.learn(WITHOUT_END, callback=Rounds(self), log_interval=5, reset_num_timesteps=False)
        self.tick()

    def _set_scale(self, player: str) -> None:
        """Measure how great the numbers of observations are, and bring them all to about 1."""
        chunk = next(watch(self.varieties, player, self.config.games, WATCHED_STEPS, 0, 0.1))
        self.policy.body.scale[:] = torch.as_tensor(scale_for(chunk, self.policy.body.shape))

    def watch(self) -> None:
        """Learn the choices of one of the game's players."""
        config, progress = self.config, self.progress
        rng = np.random.default_rng(config.seed + progress.imitated)
        chunks = self._watched(functools.partial(self.player, 1 / config.sharpen))
        recent: list[Watched] = []
        optimizer = torch.optim.Adam(self.policy.parameters(), config.imitate_learning_rate, fused=True)
        while (left := self._watching_left()) > 0 and not self.stop_requested:
            optimizer.param_groups[0]["lr"] = config.imitate_learning_rate * max(LEAST_LEARNING_RATE, left)
            began = time.perf_counter()
            recent = [*recent[1 - WATCHED_CHUNKS :], next(chunks)]
            new, seen = recent[-1], time.perf_counter()
            self.wins.note(new)
            shown = together([new, *self.wins.again(round(config.imitate_wins * len(new.actions)))])
            result = imitate(self.policy, optimizer, shown, config.imitate_batch, config.value_weight)
            progress.losses, progress.agreement = {"imitation loss": result[0]}, result[1]
            progress.imitated += len(new.actions)
            enough = seen + LEARNING_SHARE * (seen - began)
            while True:
                again = recent[int(rng.integers(len(recent)))]
                imitate(self.policy, optimizer, again, config.imitate_batch, config.value_weight)
                if time.perf_counter() > enough:
                    break
            self.tick()
            self.show(f"watching {config.imitate}", progress)
            self.keep_up()

    def _watched(self, learner: Callable[[], Policy] | None) -> Iterator[Watched]:
        """Games of the imitated player, some of which begin late; a resumed run watches others."""
        config = self.config
        late = None
        if self.endings is not None and len(self.endings.states):  # nobody may have won
            late = LateStarts(self.endings, config.imitate_late)
        seed = config.seed + 1 + self.progress.imitated
        noise = config.imitate_noise
        return watch(self.varieties, config.imitate, config.games, WATCHED_STEPS, seed, noise, learner, late)

    def _gather_wins(self) -> None:
        """Watch once more for turns that win, where a resumed run does not remember those it has seen."""
        self.show(f"watching how {self.config.imitate} wins", self.progress)
        for chunk in itertools.islice(self._watched(None), WATCHED_CHUNKS):
            self.wins.note(chunk)

    def recall_wins(self) -> None:
        """Learn once more from some of the turns that won: those are right whoever the others are."""
        config = self.config
        shown = self.wins.again(round(config.wins_beside * config.games * config.rollout))
        if shown:
            for group in self._recalling.param_groups:
                group["lr"] = self.learning_rate()
            imitate(self.policy, self._recalling, together(shown), config.imitate_batch, 0.0)

    def _play_endings(self) -> None:
        """Play the games near whose ends the learner shall begin."""
        self.show("playing games to begin late in", self.progress)
        player = self.variant.game.policy(default_rollout(self.variant))
        furthest = LATE_TURNS * self.variant.players
        seed = int(mix(self.config.seed + 2, self.progress.steps))
        self.endings = endings(self.variant, player, ENDED_GAMES, furthest, seed=seed, threads=self.threads)

    def help_less(self) -> None:
        """What makes learning easier becomes less and less, and is nothing at the end of the run."""
        done = self.share_done()
        left = max(0.0, 1.0 - done)
        self.env.shaping = self.config.shaping * left
        if self.endings is not None:
            turns = round(LATE_TURNS * self.variant.players * done)
            self.env.begin_late(self.endings, self.config.late_starts * left, max(1, turns))

    def _watching_left(self) -> float:
        """How much of the time or of the decisions for watching is left: from 1 down to 0."""
        by_decisions = self.progress.imitated / max(1, self.config.imitate_decisions)
        by_time = self.share_done() / max(1e-9, self.config.imitate_share)
        return 1 - max(by_decisions, by_time)

    def keep_up(self) -> None:
        """Measure, remember and save when it is time to."""
        config, now = self.config, self.tick()
        if now - self._measured_at >= config.evaluate_seconds:
            self.measure()
            self._measured_at = self.tick()
        if self.progress.steps and now - self._remembered_at >= config.remember_seconds:
            self.pool.remember(self.player(temperature=1.0))
            self._remembered_at = now
        if now - self._saved_at >= config.checkpoint_seconds:
            self.save()
            self._saved_at = self.tick()

    # ------------------------------------------------------------ strength

    def measure(self, games: int | None = None) -> dict[str, Any]:
        """Play the learner, always taking its best action, against others at rotated seats, and note how it fares."""
        progress = self.progress
        games = games or self.config.evaluate_games
        seed = int(mix(self.config.seed + 1, len(progress.measurements)))
        me = self.player()
        fixed = [name for name in self.variant.game.kernels.POLICIES if name not in (SELF, PAST)]
        rivals = {name: [self.variant.game.policy(name)] for name in fixed} | {PAST: self.pool.past_policies()}
        entry: dict[str, Any] = {"seconds": self.tick(), "steps": progress.steps, "imitated": progress.imitated}
        for name, policies in rivals.items():
            returns = [
                playouts(
                    self.variant,
                    [me, *[policy] * (self.variant.players - 1)],
                    -(-games // len(policies)),
                    seed + i,
                    rotate=True,
                ).returns
                for i, policy in enumerate(policies)
            ]
            if returns:
                everybodys = np.concatenate(returns)
                counts = seat_counts(everybodys[:, 0])
                low, high = wilson(counts["score"], counts["games"])
                entry[name] = counts | {"low": low, "high": high, "share": float(scores(everybodys).mean())}
                self.model_log(f"strength/{name}", counts["score"])
        progress.measurements.append(entry)
        self.show("measuring", progress)
        return entry

    def model_log(self, name: str, value: float) -> None:
        """A number for TensorBoard, written with the next ones of the learner."""
        if hasattr(self.model, "_logger"):
            self.model.logger.record(name, value)

    # ------------------------------------------------------------ keeping

    def network(self, **about: Any) -> Network:
        """The learner as a network that ships."""
        known: dict[str, Any] = {}
        if len(self.varieties) > 1:
            varied = [name for name in self.variant.values if self._varies(name)]
            known |= {"varieties": len(self.varieties), "varied": varied}
        return self.policy.network(self.variant, **known, **about)

    def _varies(self, rule: str) -> bool:
        return len({variant.values[rule] for variant in self.varieties}) > 1

    def save(self) -> Path:
        """Write a checkpoint: its folder appears whole or not at all; older ones are removed."""
        self.tick()
        self.progress.steps = self.model.num_timesteps
        number = 1 + max((int(each.name) for each in checkpoints(self.folder)), default=0)
        place = self.folder / "checkpoints"
        unfinished = place / f"unfinished-{os.getpid()}"
        shutil.rmtree(unfinished, ignore_errors=True)
        finished = place / f"{number:06d}"
        try:
            unfinished.mkdir(parents=True)
            self._write(unfinished)
            os.replace(unfinished, finished)
        except OSError:
            shutil.rmtree(unfinished, ignore_errors=True)  # on a full disk it must not take up the last room
            raise
        for old in checkpoints(self.folder)[:-2]:
            shutil.rmtree(old, ignore_errors=True)
        return finished

    def _write(self, place: Path) -> None:
        """Write the files of a checkpoint."""
        learner, past = io.BytesIO(), io.BytesIO()
        torch.save({"policy": self.policy.state_dict(), "optimizer": self.policy.optimizer.state_dict()}, learner)
        first = self.pool.first_network + 1
        np.savez(past, weights=self.pool.rows[first : first + self.pool.past_count, LASTING:])
        write_atomically(place / "learner.pt", learner.getvalue())
        write_atomically(place / "past.npz", past.getvalue())
        write_atomically(place / "progress.json", json.dumps(vars(self.progress)).encode())
        self.network(steps=self.progress.steps).save(place / "network.npz")

    def load(self, checkpoint: Path) -> None:
        """Go on from a checkpoint."""
        kept = torch.load(checkpoint / "learner.pt", weights_only=True)
        self.policy.load_state_dict(kept["policy"])
        self.policy.optimizer.load_state_dict(kept["optimizer"])
        self.progress = Progress(**json.loads((checkpoint / "progress.json").read_text()))
        self.model.num_timesteps = self.progress.steps
        self._seconds_before = self.progress.seconds
        self._saved_at = self._remembered_at = self.progress.seconds
        self._measured_at = max((each["seconds"] for each in self.progress.measurements), default=self._measured_at)
        self._resumed_at = time.perf_counter()
        self._seed_games()
        me = self.player(temperature=1.0)
        self.pool.set_self(me)
        with np.load(checkpoint / "past.npz") as past:
            for weights in past["weights"]:
                self.pool.remember(Policy(me.kernel, np.concatenate([me.params[:LASTING], weights])))


def idle_cores() -> int:
    """How many cores nobody else uses right now: more threads than that would wait for each other."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    load = os.getloadavg()[0] if hasattr(os, "getloadavg") else 0.0
    return max(1, round(cores - load))


def checkpoints(folder: Path) -> list[Path]:
    """The finished checkpoints of a run, oldest first."""
    found = (folder / "checkpoints").glob("[0-9]*")
    return sorted(each for each in found if each.name.isdigit())


class Rounds(BaseCallback):
    """Between the rounds of MaskablePPO: counts time, keeps the pool and the display up to date, ends the run."""

    def __init__(self, run: SelfPlay) -> None:
        super().__init__()
        self.run = run
        self._began = self._env_before = self._others_before = 0.0
        self._ended: float | None = None
        self._steps_before = 0
        self._over = False

    def _on_rollout_start(self) -> None:
        """A round begins: what was learnt from the one before counts now."""
        run = self.run
        if self._ended is not None:
            run.recall_wins()
            now = time.perf_counter()
            run.progress.learning += now - self._ended
            rate = (self.num_timesteps - self._steps_before) / (now - self._began)
            run.progress.steps_per_second = rate
            self._log()
            run.pool.set_self(run.player(temperature=1.0))
            run.progress.steps = self.num_timesteps
            run.tick()
            run.show("playing", run.progress)
            run.keep_up()
        run.help_less()
        self._over = run.stop_requested or run.share_done() >= 1
        self._began, self._steps_before = time.perf_counter(), self.num_timesteps
        self._env_before, self._others_before = run.env.seconds, run.env.seconds_of_others

    def _log(self) -> None:
        shares = self.run.progress.shares()
        for name, share in shares.items():
            self.logger.record(f"time/share_{name}", share)
        self.logger.record("time/steps_per_second", self.run.progress.steps_per_second)
        values = self.logger.name_to_value
        self.run.progress.losses = {short: abs(float(values[name])) for name, short in SHOWN.items() if name in values}

    def _on_step(self) -> bool:
        return not (self._over or self.run.stop_requested)

    def _on_rollout_end(self) -> None:
        self._ended = time.perf_counter()
        progress, env = self.run.progress, self.run.env
        spent, others = env.seconds - self._env_before, env.seconds_of_others - self._others_before
        progress.environment += spent - others
        progress.opponents += others
        progress.inference += self._ended - self._began - spent
