"""``overworlds train``: a network for any game, by watching its scripted player and by self-play."""

import datetime
import importlib.metadata
import json
import os
import shlex
import signal
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from overworlds.training.config import TrainConfig, read_config
from overworlds.training.options import PlayersOption, RuleOption, rules_by_name, values_by_name

if TYPE_CHECKING:
    from overworlds.training.selfplay import SelfPlay

INTERRUPTED = 130
TRAIN_EXTRA = "training needs torch and Stable-Baselines3: pip install 'overworlds[train]'"


def train(
    game: Annotated[
        str | None, typer.Argument(metavar="[GAME]", help="A game's id; with --resume the run knows it.")
    ] = None,
    players: PlayersOption = None,
    rule: RuleOption = None,
    minutes: Annotated[float | None, typer.Option(min=0, help="How long to train; 0: until --steps.")] = None,
    steps: Annotated[int | None, typer.Option(min=0, help="Stop after so many decisions of the learner.")] = None,
    seed: Annotated[int | None, typer.Option(min=0, help="Of everything drawn at random.")] = None,
    config: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Settings as TOML; flags have the last word.")
    ] = None,
    set_: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="NAME=VALUE", help="Any setting of the TOML file, such as batch=4096."),
    ] = None,
    resume: Annotated[
        Path | None, typer.Option(metavar="RUN", help="Go on with this run, from its last checkpoint.")
    ] = None,
    out: Annotated[
        Path | None, typer.Option(metavar="FOLDER", help="Where the run is kept; by default runs/GAME-DATE.")
    ] = None,
) -> None:
    """Train a network: first it watches the scripted player, then it plays against itself, its past and others.

    The run's folder holds the settings, TensorBoard logs, checkpoints, and at the end network.npz, summary.json and
    curves.png. Ctrl-C saves and stops; a stopped or killed run goes on with --resume.

    `overworlds train homeworlds_v0 --players 2 --minutes 30`, then
    `overworlds evaluate homeworlds_v0 trained:runs/…/network.npz scripted --players 2`
    """
    given = {"game": game, "players": players, "minutes": minutes, "steps": steps, "seed": seed}
    flags: dict[str, Any] = {name: value for name, value in given.items() if value is not None}
    if rule:
        flags["rules"] = rules_by_name(rule)
    for name, value in values_by_name(set_, "setting", "batch=4096").items():
        if name in flags:
            raise ValueError(f"setting {name!r} is given twice: {flags[name]!r}, and {value!r} by --set; leave one out")
        flags[name] = value
    if resume is not None:
        settings, folder = _resumed(resume, flags), resume
    else:
        settings, folder = _begun(config, flags, out)
    os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")  # threads of torch that wait leave the cores to the games
    try:
        from overworlds.training.selfplay import SelfPlay
    except ModuleNotFoundError as error:
        if (error.name or "").split(".")[0] in ("torch", "stable_baselines3", "sb3_contrib"):
            raise ValueError(TRAIN_EXTRA) from None
        raise
    _train(SelfPlay, settings.fitted(), folder)


def _begun(config: Path | None, flags: dict[str, Any], out: Path | None) -> tuple[TrainConfig, Path]:
    """The settings and the new folder of a run that begins."""
    values = (read_config(config) if config is not None else {}) | flags
    if "game" not in values:
        raise ValueError("which game? For example: overworlds train homeworlds_v0 --players 2")
    settings = TrainConfig.made(values)
    settings.variant()
    now = datetime.datetime.now()
    folder = out or Path("runs") / f"{settings.game}-{now:%Y-%m-%d-%H%M%S}"
    if (folder / "config.toml").exists():
        raise ValueError(f"{folder} holds a run already: go on with --resume {folder}, or choose another --out")
    return settings, folder


def _resumed(folder: Path, flags: dict[str, Any]) -> TrainConfig:
    """The settings of a run that goes on; only its end may be changed."""
    if not (folder / "config.toml").is_file():
        raise ValueError(f"{folder} holds no run: it has no config.toml")
    for name in flags:
        if name not in ("minutes", "steps", "game"):
            raise ValueError(f"a resumed run keeps its {name}; only minutes and steps can be set anew")
    settings = TrainConfig.made(read_config(folder / "config.toml"))
    if flags.get("game", settings.game) != settings.game:
        raise ValueError(f"{folder} is a run of {settings.game}, not of {flags['game']}")
    return replace(settings, **flags)


# ---------------------------------------------------------------- the run


def _train(make: "type[SelfPlay]", settings: TrainConfig, folder: Path) -> None:
    """Train to the end, or save and stop when interrupted."""
    from overworlds.training.display import Display
    from overworlds.training.selfplay import checkpoints

    folder.mkdir(parents=True, exist_ok=True)
    settings.save(folder / "config.toml")
    title = f"{settings.game} with {settings.players} players, in {folder}"
    with Display(title, settings.minutes, settings.steps) as display:
        run = make(settings, folder, display.show)
        kept = checkpoints(folder)
        if kept:
            run.load(kept[-1])
        try:
            with stopping_softly(run):
                run.run()
                run.save()
                if not run.stop_requested:
                    run.measure(settings.final_games)
        except OSError as error:
            advice = f"; mend that and go on with: overworlds train --resume {folder}"
            raise OSError(error.errno, f"{error.strerror}{advice}", error.filename) from error
    if run.stop_requested:
        typer.echo(f"stopped and saved; go on with: overworlds train --resume {folder}", err=True)
        raise typer.Exit(INTERRUPTED)
    finish(run)


class stopping_softly:
    """Inside, the first Ctrl-C lets the run save and stop; the second one stops at once."""

    def __init__(self, run: "SelfPlay") -> None:
        self._run = run
        self._before: Any = None

    def __enter__(self) -> None:
        self._before = signal.signal(signal.SIGINT, self._stop)

    def _stop(self, *_signal: object) -> None:
        if self._run.stop_requested:
            raise KeyboardInterrupt
        self._run.stop_requested = True
        typer.echo("stopping after this round; Ctrl-C again stops at once", err=True)

    def __exit__(self, *_error: object) -> None:
        signal.signal(signal.SIGINT, self._before)


def finish(run: "SelfPlay") -> None:
    """Write the network, the summary and the learning curves of a finished run."""
    from rich.console import Console

    from overworlds.envs.core.replay import write_atomically
    from overworlds.training.curves import save_curves
    from overworlds.training.display import rivals, strength_table

    folder, progress, settings = run.folder, run.progress, run.config
    last = progress.measurements[-1]
    strength = {name: last[name] for name in rivals([last])}
    about = {
        "command": command(settings),
        "date": datetime.date.today().isoformat(),
        "overworlds": importlib.metadata.version("overworlds"),
        "minutes": round(progress.seconds / 60, 1),
        "watched": f"{progress.imitated:,} decisions of {settings.imitate}" if progress.imitated else "nobody",
        "steps": progress.steps,
        "strength": strength,
    }
    run.network(**about).save(folder / "network.npz")
    summary = {
        "game": settings.game,
        "players": settings.players,
        **about,
        "time_shares": progress.shares(),
        "mean_steps_per_second": progress.steps / max(1e-9, progress.playing_seconds),
        "measurements": progress.measurements,
    }
    write_atomically(folder / "summary.json", (json.dumps(summary, indent=2, ensure_ascii=False) + "\n").encode())
    save_curves(progress.measurements, f"{run.variant.game.title}, {settings.players} players", folder / "curves.png")
    console = Console()
    console.print(strength_table(progress.measurements))
    console.print(f"the network: {folder / 'network.npz'}; summary.json and curves.png beside it", soft_wrap=True)


def command(settings: TrainConfig) -> str:
    """The command that makes a run with these settings."""
    plain = vars(TrainConfig(settings.game).fitted())
    words = ["overworlds", "train", settings.game, "--players", str(settings.players)]
    words += ["--minutes", f"{settings.minutes:g}"]
    words += [word for name, value in settings.rules.items() for word in ("--rule", f"{name}={json.dumps(value)}")]
    for name, value in vars(settings).items():
        if name in ("game", "players", "minutes", "rules") or value == plain[name]:
            continue
        text = value if isinstance(value, str) else json.dumps(value)
        words += [f"--{name}", text] if name in ("steps", "seed") else ["--set", f"{name}={text}"]
    return shlex.join(words)
