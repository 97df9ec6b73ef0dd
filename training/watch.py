"""``overworlds watch``: look at a game between players, or at a recorded one; save it as a picture or an animation."""

import io
import itertools
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Console
from rich.text import Text

from overworlds.training.options import (
    AGENT_HELP,
    GameArgument,
    PlayersOption,
    RuleOption,
    SeedOption,
    checked_target,
    chosen_variant,
)
from overworlds.training.telling import Account, state_of

if TYPE_CHECKING:
    import numpy as np

    from overworlds.envs.core.aec import GameEnv
    from overworlds.envs.core.game import Variant

WIDEST_FRAME = 800
"""Pixels of an animation's width at most: files stay small."""
LAST_FRAME = 3.0
"""Seconds that an animation rests at its end."""


@dataclass(frozen=True)
class Moment:
    """The table after a turn, and what was done in it."""

    variant: "Variant"
    state: "np.ndarray"
    turn: int
    player: int | None
    """None before the first turn."""
    actions: tuple[str, ...] = ()

    def text(self, viewer: int | None) -> Text:
        """The table as text, and under it what was done."""
        table = Text.from_ansi(self.variant.game.ansi(self.variant, self.state, viewer))
        deeds = "" if self.player is None else f"turn {self.turn}, player_{self.player}: {', '.join(self.actions)}"
        return Text("\n").join([table, Text(deeds, style="bold")])


# ---------------------------------------------------------------- games to look at


def moments_of(envs: "Iterator[tuple[GameEnv, int | None]]", viewer: int | None = None) -> Iterator[Moment]:
    """A moment a turn from a game that is handed over decision by decision, with the action that led there.

    Where others decide in the midst of a turn, what each does at a stretch is a moment of its own. A viewer is told
    what this seat sees, an onlooker everything.
    """
    player: int | None = None
    deeds: list[str] = []
    account: Account | None = None
    before: np.ndarray | None = None
    turn = mover = 0
    for env, action in envs:
        now = state_of(env)
        account = account or Account(env.variant, None if viewer is None else env.variant.seat(viewer))
        if action is not None and before is not None:
            player = mover
            deeds += account.of(before, action, now)
        over = env.returns() is not None
        last, mover = mover, mover if over else env.variant.seat(env.agent_selection)
        if action is None or env.turn != turn or mover != last or over:
            yield Moment(env.variant, now, env.turn, player, tuple(deeds))
            deeds, turn = [], env.turn
        before = now
    if deeds:  # recorded only so far
        yield Moment(env.variant, now, env.turn, player, tuple(deeds))


def played(variant: "Variant", specs: Sequence[str], seed: int) -> "Iterator[tuple[GameEnv, int | None]]":
    """A game between these players, seat by seat."""
    from overworlds.agents.specs import make_agent
    from overworlds.envs.core.aec import GameEnv
    from overworlds.envs.core.rng import mix

    agents = [make_agent(spec, variant, int(mix(seed, number))) for number, spec in enumerate(specs)]
    env = GameEnv(variant, illegal="raise")
    env.reset(seed)
    yield env, None
    while env.returns() is None:
        action = agents[variant.seat(env.agent_selection)].act(env)
        env.step(action)
        if action is not None:
            while env.returns() is None and env.terminations[env.agent_selection]:
                env.step(None)
            yield env, action


def recorded(path: Path) -> "Iterator[tuple[GameEnv, int | None]]":
    """A game from a file."""
    from overworlds.envs.core.replay import Replay

    replay = Replay.load(path)
    yield from zip(replay.play(), (None, *replay.actions), strict=True)


# ---------------------------------------------------------------- showing


def show_one_by_one(moments: Iterator[Moment], viewer: int | None, console: Console) -> list[Moment]:
    """Turn the pages by hand; what was seen or passed over."""
    pages = [next(moments)]
    at = 0
    while True:
        console.print(pages[at].text(viewer), soft_wrap=True)
        console.print("Enter: on, b: back, a number: to that turn, q: stop > ", end="", style="dim")
        try:
            line = input().strip().lower()
        except EOFError:
            return pages
        if line == "q":
            return pages
        if line == "b":
            at = max(0, at - 1)
            continue
        at = int(line) if line.isdigit() else at + 1
        while at >= len(pages):
            following = next(moments, None)
            if following is None:
                if not line.isdigit():
                    return pages
                at = len(pages) - 1
                break
            pages.append(following)


def show_all(moments: Iterator[Moment], viewer: int | None, delay: float, console: Console) -> list[Moment]:
    """Turn after turn by itself: in place on a terminal, one under the other elsewhere."""
    from rich.live import Live

    pages = []
    if not console.is_terminal:
        for moment in moments:
            pages.append(moment)
            console.print(moment.text(viewer), soft_wrap=True)
        return pages
    with Live(console=console, auto_refresh=False, vertical_overflow="visible") as live:
        for moment in moments:
            pages.append(moment)
            live.update(moment.text(viewer), refresh=True)
            time.sleep(delay)
    return pages


def save_pictures(moments: Sequence[Moment], viewer: int | None, delay: float, path: Path) -> None:
    """The last table as a PNG file, or all of them as a GIF animation."""
    try:
        from PIL import Image
    except ImportError as missing:
        raise ImportError("saving pictures needs pillow: pip install pillow") from missing
    from overworlds.envs.core.replay import write_atomically

    def picture(moment: Moment) -> Any:
        return Image.fromarray(moment.variant.game.draw(moment.variant, moment.state, viewer))

    file = io.BytesIO()
    if path.suffix.lower() == ".png":
        picture(moments[-1]).save(file, "png")
    else:
        frames = []
        for moment in moments:
            frame = picture(moment)
            frame.thumbnail((WIDEST_FRAME, WIDEST_FRAME))
            frames.append(frame.quantize(128))
        times = [round(1000 * delay)] * (len(frames) - 1) + [round(1000 * LAST_FRAME)]
        frames[0].save(file, "gif", save_all=True, append_images=frames[1:], duration=times, loop=0)
    write_atomically(path, file.getvalue())


# ---------------------------------------------------------------- the command


def watch(
    game: GameArgument = "",
    agents: Annotated[
        list[str] | None,
        typer.Argument(metavar="[AGENT]...", help=f"A player for each seat: {AGENT_HELP}; one alone plays all seats."),
    ] = None,
    replay: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Look at this recorded game instead; GAME is not needed.")
    ] = None,
    players: PlayersOption = None,
    rule: RuleOption = None,
    seed: SeedOption = 0,
    step: Annotated[bool, typer.Option("--step", help="Wait for Enter after every turn.")] = False,
    delay: Annotated[float, typer.Option(min=0.02, help="Seconds that every turn is shown.")] = 0.7,
    viewer: Annotated[
        int | None,
        typer.Option(
            min=0, help="Look through the eyes of this seat; by default, of an onlooker, who hears all decisions."
        ),
    ] = None,
    picture: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Save the last table (.png) or the whole game (.gif).")
    ] = None,
    quiet: Annotated[bool, typer.Option("--quiet", help="Print nothing, only save.")] = False,
) -> None:
    """Watch a game between players, or a recorded one.

    `overworlds watch homeworlds_v0 search scripted --step`, or `overworlds watch --replay game.json --picture game.gif`
    """
    if picture is not None:
        checked_target(picture, (".png", ".gif"))
    if replay is not None:
        if game or agents:
            raise ValueError("with --replay the file says who plays what: name no game and no players")
        moments = moments_of(recorded(replay), viewer)
    else:
        if not game:
            raise ValueError("name a game and its players, or a recorded game with --replay FILE")
        specs = agents or ["scripted"]
        variant = chosen_variant(game, players or (len(specs) if len(specs) > 1 else None), rule, seed)
        specs = specs * variant.players if len(specs) == 1 else specs
        if len(specs) != variant.players:
            raise ValueError(f"name one player for all seats or {variant.players}, one for each, not {len(specs)}")
        moments = moments_of(played(variant, specs, seed), viewer)
    moments = itertools.chain([next(moments)], moments)  # what is wrong shows before anything is printed
    console = Console(quiet=quiet)
    if step and not quiet:
        seen = show_one_by_one(moments, viewer, console)
    else:
        seen = show_all(moments, viewer, delay, console)
    if picture is not None:
        save_pictures(seen, viewer, delay, picture)
        print(f"written to {picture}", file=sys.stderr)
