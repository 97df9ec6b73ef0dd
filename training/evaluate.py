"""``overworlds evaluate``: how strong is a player against another? Rotated seats, and an honest interval."""

import contextlib
import itertools
import math
import os
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Annotated, Any

import typer

from overworlds.training.options import (
    AGENT_HELP,
    STANDARD_OUTPUT,
    GameArgument,
    JsonOption,
    PlayersOption,
    RuleOption,
    SeedOption,
    ThreadsOption,
    check_json,
    chosen_variant,
    write_json,
)

if TYPE_CHECKING:
    import numpy as np

    from overworlds.agents.player import Agent
    from overworlds.envs.core.game import Variant
    from overworlds.envs.core.playouts import Playouts

Z_95 = 1.959963984540054
"""How many standard deviations hold 95 % of a normal distribution."""
SEAT_COUNTS = ("games", "wins", "draws", "losses", "score")


def wilson(score: float, games: int, z: float = Z_95) -> tuple[float, float]:
    """Wilson's score interval for a share of so many games.

    A draw counts as half a win, which varies less than a win or a loss: the interval is then rather too wide.
    """
    if games == 0:
        return 0.0, 1.0
    centre = score + z * z / (2 * games)
    half = z * math.sqrt(score * (1 - score) / games + z * z / (4 * games * games))
    scale = 1 + z * z / games
    return max(0.0, (centre - half) / scale), min(1.0, (centre + half) / scale)


# ---------------------------------------------------------------- playing


def play_games(
    variant: "Variant",
    specs: Sequence[str],
    games: int,
    seed: int = 0,
    threads: int | None = None,
    progress: Callable[[int], None] | None = None,
) -> "Playouts":
    """Play games between these players with rotated seats: in game g, player p sits at seat ``(p + g) % players``.

    Game g is the same whatever ``games`` and ``threads`` are (but for searches with a time as their budget). Where all
    players are compiled, whole games run inside numba.

    Args:
        variant: the game.
        specs: a spec for each player.
        games: how many games.
        seed: names the games.
        threads: by default as many as the machine has cores.
        progress: called with the number of games done, whenever some more are.
    """
    from overworlds.agents.specs import make_agent
    from overworlds.envs.core.playouts import playouts

    if len(specs) != variant.players:
        raise ValueError(f"{variant.players} players need {variant.players} specs, not {len(specs)}")
    players = {spec: make_agent(spec, variant) for spec in specs}
    policies = [players[spec].policy for spec in specs]
    compiled = [policy for policy in policies if policy is not None]
    if len(compiled) == len(policies):
        return playouts(variant, compiled, games, seed, rotate=True, threads=threads, progress=progress)
    return _play_in_threads(variant, specs, games, seed, threads or os.cpu_count() or 1, progress)


def _play_in_threads(
    variant: "Variant",
    specs: Sequence[str],
    games: int,
    seed: int,
    threads: int,
    progress: Callable[[int], None] | None,
) -> "Playouts":
    """Every thread has its own players and takes the next game when it has finished one."""
    import numpy as np

    from overworlds.agents.specs import make_agent
    from overworlds.envs.core.game import checked_seed
    from overworlds.envs.core.playouts import Playouts
    from overworlds.envs.core.rng import mix

    seed = checked_seed(seed)
    returns = np.zeros((games, variant.players), np.float32)
    counts = np.zeros((games, 3), np.int64)
    numbers = itertools.count()
    one_at_a_time = threading.Lock()
    stop = threading.Event()

    def work() -> None:
        made = {spec: make_agent(spec, variant) for spec in specs}
        seated = [made[spec] for spec in specs]
        while not stop.is_set():
            with one_at_a_time:
                game = next(numbers)
            if game >= games:
                return
            _play_game(variant, seated, int(mix(seed, game)), game % variant.players, returns[game], counts[game], stop)
            if progress is not None:
                with one_at_a_time:
                    progress(1)

    with ThreadPoolExecutor(min(threads, max(1, games))) as pool:
        jobs = [pool.submit(work) for _ in range(min(threads, games))]
        try:
            for job in jobs:
                job.result()
        except BaseException:
            stop.set()
            raise
    return Playouts(returns, counts[:, 0], counts[:, 1], counts[:, 2] != 0)


def _play_game(
    variant: "Variant",
    agents: "Sequence[Agent]",
    seed: int,
    shift: int,
    returns: "np.ndarray",
    counts: "np.ndarray",
    stop: threading.Event,
) -> None:
    """Play one game; what each agent got, and the length, as in `playouts`."""
    from overworlds.envs.core.kernel import HEADER, HEADER_BYTES, OVER
    from overworlds.envs.core.playouts import LONGEST_GAME
    from overworlds.envs.core.rng import mix

    kernels, players = variant.game.kernels, variant.players
    state = variant.deal(seed)
    head = state[:HEADER_BYTES].view(HEADER)[0]
    choices = int(mix(seed, 1))
    decisions = 0
    while head.to_move != OVER and decisions < LONGEST_GAME and not stop.is_set():
        agent = agents[(int(head.to_move) - shift) % players]
        kernels.step(variant.rules, state, agent.choose(state, int(mix(choices, decisions))))
        decisions += 1
    counts[:] = decisions, head.turn, bool(head.truncated) or head.to_move != OVER
    for player in range(players):
        returns[player] = head.returns[(player + shift) % players]


# ---------------------------------------------------------------- counting


@dataclass(frozen=True)
class Evaluation:
    """How player A fared against B."""

    game: str
    players: int
    rules: dict[str, Any]
    """By name; of a rule that varied, a list with its value in each of the varieties."""
    a: str
    b: str
    games: int
    seed: int
    varieties: int
    """Among how many drawn varieties of the rules the games were divided; 0: all by the same rules."""
    wins: int
    """Games in which A got more than nothing."""
    draws: int
    """Games in which A got nothing: as a rule, those that a limit ended."""
    losses: int
    score: float
    """Wins and half the draws, as a share of the games."""
    low: float
    """The score lies between this and ``high`` with 95 % confidence (Wilson's interval)."""
    high: float
    share: float
    """The mean score of all seats in these games: what A would score if it were no better than the others."""
    others: float
    """The mean score of the seats that B played."""
    mean_return: float
    seats: list[dict[str, Any]]
    """The same by A's seat."""
    lengths: dict[str, dict[str, float]]
    """Decisions and turns: mean, min, max."""
    truncated: int
    """Games that a limit ended."""
    seconds: float


def evaluate_players(
    variant: "Variant",
    a: str,
    b: str,
    games: int,
    seed: int = 0,
    threads: int | None = None,
    progress: Callable[[int], None] | None = None,
    varieties: int = 0,
) -> Evaluation:
    """Let A play against B, or against as many B as there are other seats, sitting at every seat in turn.

    With varieties, the games are divided among so many others of the variant (see `Variant.varieties`); how many there
    are then, `games_in_all` says.
    """
    games = games_in_all(variant, games, varieties)
    tables, rules = [variant], dict[str, Any](variant.values)
    if varieties:
        tables = variant.varieties(varieties + 1, seed)[1:]
        rules |= {name: [table.values[name] for table in tables] for name in variant.varying()}
    began = time.perf_counter()
    specs = [a] + [b] * (variant.players - 1)
    result = joined([play_games(table, specs, games // len(tables), seed, threads, progress) for table in tables])
    seconds = time.perf_counter() - began
    all_scores = scores(result.returns)
    seats = (seat_counts(result.returns[seat :: variant.players, 0]) for seat in range(variant.players))
    counts = seat_counts(result.returns[:, 0])
    low, high = wilson(counts["score"], games)
    return Evaluation(
        game=variant.game.id,
        players=variant.players,
        rules=rules,
        a=a,
        b=b,
        seed=seed,
        varieties=varieties,
        **counts,
        low=low,
        high=high,
        share=float(all_scores.mean()),
        others=float(all_scores[:, 1:].mean()),
        mean_return=float(result.returns[:, 0].mean()),
        seats=[{"seat": number} | each for number, each in enumerate(seats)],
        lengths={
            name: {"mean": float(each.mean()), "min": int(each.min()), "max": int(each.max())}
            for name, each in (("decisions", result.decisions), ("turns", result.turns))
        },
        truncated=int(result.truncated.sum()),
        seconds=round(seconds, 3),
    )


def games_in_all(variant: "Variant", games: int, varieties: int) -> int:
    """How many games are played if so many are wanted: A plays every variety from every seat, and equally often."""
    if games < 1:
        raise ValueError(f"an evaluation needs a game or more, not {games}")
    if not varieties:
        return games
    variant.varying()  # complains if nothing is
    once = varieties * variant.players
    return math.ceil(games / once) * once


def joined(results: "Sequence[Playouts]") -> "Playouts":
    """The games of several tables, one after the other."""
    import numpy as np

    from overworlds.envs.core.playouts import Playouts

    return Playouts(*(np.concatenate([getattr(each, name.name) for each in results]) for name in fields(Playouts)))


def scores(returns: "np.ndarray") -> "np.ndarray":
    """1 for a win, half for a draw, 0 for a loss."""
    return (returns > 0) + (returns == 0) * 0.5


def seat_counts(returns: "np.ndarray") -> dict[str, Any]:
    """Wins, draws, losses and score of these games."""
    wins, losses = int((returns > 0).sum()), int((returns < 0).sum())
    draws = len(returns) - wins - losses
    score = (wins + draws / 2) / len(returns) if len(returns) else 0.0
    return dict(zip(SEAT_COUNTS, (len(returns), wins, draws, losses, score), strict=True))


# ---------------------------------------------------------------- the command


def evaluate(
    game: GameArgument,
    a: Annotated[str, typer.Argument(metavar="A", help=f"The player to measure: {AGENT_HELP}.")],
    b: Annotated[str, typer.Argument(metavar="B", help="The player that holds all other seats.")],
    games: Annotated[int, typer.Option(min=1, help="How many games; with --varieties rounded up.")] = 400,
    players: PlayersOption = None,
    rule: RuleOption = None,
    varieties: Annotated[
        int,
        typer.Option(
            min=0,
            help="Divide the games among so many drawn decks, in games that have decks; a deck given by --rule stays. "
            "All are played equally often from every seat: for two, --games 3 --varieties 50 are 100 games.",
        ),
    ] = 0,
    seed: SeedOption = 0,
    threads: ThreadsOption = None,
    json_file: JsonOption = None,
) -> None:
    """Measure how strong player A is against player B.

    A sits at every seat in turn. The score counts a draw as half a win; its interval is Wilson's, at 95 %. With more
    than two players compare it with the share: what A would score if it were no better than the others.

    `overworlds evaluate homeworlds_v0 search:sims=400 scripted --players 2 --games 200`
    """
    from dataclasses import asdict

    from rich.console import Console

    check_json(json_file)
    variant = chosen_variant(game, players, rule, seed)
    with game_progress(f"{a} against {b}", games_in_all(variant, games, varieties)) as advance:
        result = evaluate_players(variant, a, b, games, seed, threads, advance, varieties)
    if json_file != STANDARD_OUTPUT:
        print_evaluation(result, Console())
    if json_file is not None:
        write_json(json_file, asdict(result))


@contextlib.contextmanager
def game_progress(title: str, games: int) -> Iterator[Callable[[int], None]]:
    """A bar on the standard error that counts games: ``with game_progress("…", 100) as advance: advance(1)``."""
    from rich import progress
    from rich.console import Console

    columns = (
        progress.TextColumn("{task.description}", markup=False),
        progress.BarColumn(),
        progress.MofNCompleteColumn(),
        progress.TimeElapsedColumn(),
        progress.TimeRemainingColumn(),
    )
    with progress.Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(title, total=games)
        yield lambda done: bar.advance(task, done)


def print_evaluation(result: Evaluation, console: Any) -> None:
    """The result as a table, by seats, and in a sentence."""
    from rich.markup import escape
    from rich.table import Table

    title = f"{result.a} against {result.b}: {result.game}, {result.players} players, seed {result.seed}"
    if result.varieties:
        title += f", {result.varieties} varieties of the rules"
    table = Table("seat", "games", "wins", "draws", "losses", "score", "95 % interval", title=escape(title))
    for column in table.columns:
        column.justify = "right"
    for row in [
        *result.seats,
        {"seat": "all"} | {name: getattr(result, name) for name in result.seats[0] if name != "seat"},
    ]:
        low, high = wilson(row["score"], row["games"])
        cells = (str(row[name]) for name in ("seat", *SEAT_COUNTS[:-1]))
        table.add_row(*cells, f"{row['score']:.1%}", f"{low:.1%} to {high:.1%}")
    table.rows[-2].end_section = True
    console.print(table)
    verdict = "more than" if result.low > result.share else "less than" if result.high < result.share else "about"
    turns = result.lengths["turns"]
    console.print(
        f"{result.a} scores {result.score:.1%}, {verdict} its share of {result.share:.1%}. "
        f"{turns['mean']:.0f} turns a game ({turns['min']} to {turns['max']}), {result.truncated} ended by a limit, "
        f"{result.seconds:.1f} s.",
        markup=False,
        highlight=False,
    )
