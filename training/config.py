"""How to train: everything that can be set for a training run, in a TOML file or by flags."""

import json
import tomllib
from dataclasses import asdict, dataclass, field, fields, replace
from pathlib import Path
from typing import Any

from overworlds.envs.core.game import Variant, did_you_mean
from overworlds.envs.core.registry import find_game

KINDS: dict[Any, Any] = {
    int: int,
    int | None: int,
    float: (int, float),
    str: str,
    dict[str, float]: dict,
    dict[str, Any]: dict,
}
"""What TOML must give for a field of each type."""
AT_LEAST_ONE = (
    *("varieties", "width", "block_width", "games", "rollout", "batch", "imitate_batch", "epochs"),
    *("evaluate_games", "final_games", "asks"),
)


@dataclass(frozen=True)
class TrainConfig:
    """The settings of a training run, saved beside it."""

    game: str
    players: int | None = None
    """None: the game's own number."""
    rules: dict[str, Any] = field(default_factory=dict)
    """Rules that differ from the defaults."""
    varieties: int = 1
    """With how many sets of rules to train, in games that have decks: these in every other game, else others with drawn
    decks. A deck that the rules name is the same in all of them."""
    minutes: float = 30.0
    """How long to train, pauses between resumed parts not counted; 0: until `steps`."""
    steps: int = 0
    """How many decisions of the learner to train on; 0: until `minutes`."""
    seed: int = 0
    width: int = 256
    """Of the network's layers that read the table."""
    block_width: int = 128
    """Of those that read each block of an observation, in games that have such."""

    advisor: str = ""
    """One of the game's players, such as ``scripted``, whose choice the network is told whenever it has to decide: it
    then learns where something else is better. Empty: none."""
    asks: int = 3
    """How often the advisor is asked: it does not always choose the same, and what it names twice is twice advised."""
    freedom: float = 40.0
    """How much worse than its best choice, in its own points, what it names may be, besides what is usual: a learner
    that chooses among good actions learns faster than one that has to leave them to try something."""
    trust: float = 2.0
    """How much more than others the learner likes an action at first each time it is named, as a difference of
    logits."""

    start: str = ""
    """The file of a network to begin with, whose widths and advisor it keeps; then nobody is imitated."""
    imitate: str = "scripted"
    """The spec of a player whose choices the network learns before it plays by itself, such as ``search:sims=50``;
    empty: none."""
    imitate_decisions: int = 20_000_000
    """On how many of that player's decisions it learns at most."""
    imitate_share: float = 0.25
    """After this share of the minutes it stops watching in any case."""
    imitate_batch: int = 512
    """Small batches learn more from each decision."""
    imitate_learning_rate: float = 3e-3
    imitate_noise: float = 0.05
    """The share of moves that are random in the games it watches, so that it sees more of the game."""
    imitate_wins: float = 0.25
    """How many decisions from turns that won a game are shown again, for each new one: such turns are rare, and whoever
    does not find them does not win."""
    imitate_late: float = 0.5
    """The share of the games it watches that begin near the end of another one: they have more of such turns."""
    sharpen: float = 2.0
    """What its logits are multiplied by before it plays by itself: one who imitates well but is never sure of it
    would lose nearly every game by a careless move, and nothing can be learnt from that."""

    games: int = 256
    """Parallel games."""
    rollout: int = 64
    """The learner's decisions in each game between updates."""
    batch: int = 2048
    epochs: int = 3
    """How often each decision is learnt from."""
    learning_rate: float = 5e-4
    """At the start; falls to a tenth of it at the end."""
    discount: float = 0.995
    """Of what is won one decision later: low enough that a game that can be won is worth finishing."""
    gae_lambda: float = 0.95
    clip: float = 0.2
    entropy: float = 0.001
    value_weight: float = 0.5

    limit_penalty: float = 0.7
    """What the learner loses when a limit ends a game: without it, two that only wait think themselves safe."""
    loss_weight: float = 1.0
    """What a loss counts, as a share of a win. In a game for many, most lose: whoever fears that, and values what is
    far away less, puts off the end and never learns to win."""
    shaping: float = 1.0
    """How much of what the game's own judgement expects, if it has one, the learner is paid in advance: it then hears
    at once what it would else hear at the end of the game. Falls to nothing at the end of the run."""
    late_starts: float = 0.25
    """The share of games that begin near the end of one between scripted players, to learn first what wins, and then
    what leads there: closer to the end early in the run, and fewer of them towards its end."""
    wins_beside: float = 0.1
    """How many decisions from turns that won a game are shown to it beside each of its own, while it plays by itself;
    only to one that has imitated somebody."""
    opponents: dict[str, float] = field(default_factory=lambda: {"self": 0.3, "past": 0.1, "scripted": 0.6})
    """How often each other seat is the learner itself, one of its past selves, or a player of the game."""
    mixed: float = 0.25
    """With more than two players: the share of games in which each other seat is drawn by itself. In the rest the same
    opponent sits at all of them: where strong and weak ones meet, the weak soon decide the game, whatever the learner
    does."""
    past: int = 8
    """How many past selves are remembered."""
    remember_seconds: float = 60.0
    """How often the learner is remembered."""

    evaluate_seconds: float = 60.0
    """How often its strength is measured."""
    evaluate_games: int = 200
    """Against each opponent, each time."""
    final_games: int = 1000
    """The same at the end of the run."""
    checkpoint_seconds: float = 60.0
    threads: int = 0
    """For torch and for playing; 0: as many as there are idle cores when the run begins."""

    def __post_init__(self) -> None:
        """Check what can be checked without the game."""
        if self.minutes <= 0 and self.steps <= 0:
            raise ValueError("a run needs an end: set minutes or steps")
        for name in AT_LEAST_ONE:
            if getattr(self, name) < 1:
                raise ValueError(f"{name} must be 1 or more, not {getattr(self, name)}")
        if self.sharpen <= 0:
            raise ValueError(f"sharpen must be more than 0, not {self.sharpen}")

    @classmethod
    def made(cls, values: dict[str, Any]) -> "TrainConfig":
        """Settings by name; a ValueError names one that does not exist or is of the wrong kind."""
        known = {each.name: each for each in fields(cls)}
        for name, value in values.items():
            if name not in known:
                raise ValueError(f"there is no setting {name!r}{did_you_mean(name, known)}")
            if isinstance(value, bool) or not isinstance(value, KINDS[known[name].type]):
                raise ValueError(f"the setting {name!r} cannot be {value!r}")
        return cls(**values)

    def variant(self) -> Variant:
        """The game that is trained on."""
        return Variant(find_game(self.game), self.players, self.rules, self.seed)

    def fitted(self) -> "TrainConfig":
        """The same for a game that lacks some of the players: their share goes to the others, nobody is imitated."""
        from overworlds.agents.network import load_network
        from overworlds.agents.specs import make_agent

        variant = self.variant()
        if self.varieties > 1:
            variant.varying()  # complains if nothing is
        if self.start:
            load_network(self.start).check(variant)
        known = {"self", "past", *variant.game.kernels.POLICIES}
        for name in self.opponents:
            if name not in known and name != "scripted":
                raise ValueError(f"{self.game} has no player {name!r}{did_you_mean(name, known)}")
        if self.advisor and self.advisor not in variant.game.kernels.POLICIES:
            raise ValueError(f"{self.game} has no player {self.advisor!r}{did_you_mean(self.advisor, known)}")
        opponents = {name: share for name, share in self.opponents.items() if name in known}
        imitate = "" if self.start or (self.imitate == "scripted" and self.imitate not in known) else self.imitate
        if imitate:
            make_agent(imitate, variant)  # complains of what there is not
        rules = {name: variant.values[name] for name in self.rules}  # a deck's file may be another one tomorrow
        return replace(self, players=variant.players, rules=rules, opponents=opponents, imitate=imitate)

    def save(self, path: Path) -> None:
        """Write the settings as TOML."""
        from overworlds.envs.core.replay import write_atomically

        write_atomically(path, self.toml().encode())

    def toml(self) -> str:
        """The settings as TOML; tables stand at the end."""
        content = asdict(self)
        lines = [f"{name} = {_toml(value)}" for name, value in content.items() if _is_plain(value)]
        for name, value in content.items():
            if isinstance(value, dict) and value:
                lines += ["", f"[{name}]", *(f"{key} = {_toml(entry)}" for key, entry in value.items())]
        return "\n".join(lines) + "\n"


def _is_plain(value: Any) -> bool:
    return value is not None and not isinstance(value, dict)


def _toml(value: Any) -> str:
    """A plain value as TOML, which writes strings, numbers and truth as JSON does."""
    return json.dumps(value)


def read_config(path: str | Path) -> dict[str, Any]:
    """The settings in a TOML file; a ValueError says why it cannot be read."""
    try:
        content = tomllib.loads(Path(path).read_text("utf-8"))
    except OSError as error:
        raise ValueError(f"{path}: cannot be read: {error.strerror}") from None
    except tomllib.TOMLDecodeError as error:
        raise ValueError(f"{path}: not TOML: {error}") from None
    return content
