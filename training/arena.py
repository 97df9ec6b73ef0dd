"""``overworlds arena``: every player meets every other; ratings, a cross table, a picture."""

import io
import itertools
import math
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from overworlds.training.evaluate import Z_95, game_progress, play_games
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
    checked_target,
    chosen_variant,
    write_json,
)

if TYPE_CHECKING:
    import numpy as np

    from overworlds.envs.core.game import Variant

ELO = 400 / math.log(10)
"""Points of Elo's scale for a unit of log odds."""
PRIOR_PRECISION = 0.1
"""How narrowly strengths are expected to lie about each other before anything is known, in units of log odds."""


@dataclass(frozen=True)
class Standing:
    """How one player did."""

    agent: str
    rating: float
    """On Elo's scale, about a mean of 0: 400 points more is ten wins to one."""
    uncertainty: float
    """The rating lies within so much of it with 95 % confidence."""
    games: int
    score: float
    """The share of its comparisons that it won, a tie counting as half."""


@dataclass(frozen=True)
class Tournament:
    """Who met whom, and what came of it."""

    game: str
    players: int
    rules: dict[str, Any]
    seed: int
    games: int
    """How many games were played in all."""
    standings: list[Standing]
    """The best first."""
    cross_table: list[list[float | None]]
    """``[i][j]``: how often standing i got more than standing j where both sat at a table, ties counting as half."""
    seconds: float


def seatings(agents: int, players: int) -> list[tuple[int, ...]]:
    """Who sits together: every set of players that fills a table, or, where they are too few, every way to repeat."""
    different = min(agents, players)
    tables = itertools.combinations_with_replacement(range(agents), players)
    return [table for table in tables if len(set(table)) == different]


def hold_tournament(
    variant: "Variant",
    agents: Sequence[str],
    games: int,
    seed: int = 0,
    threads: int | None = None,
    progress: Callable[[int], None] | None = None,
) -> Tournament:
    """Play so many games at every table with rotated seats, and rate the players."""
    import numpy as np

    if len(agents) < 2 or len(set(agents)) < len(agents):
        raise ValueError("an arena needs two different players or more, each named once")
    began = time.perf_counter()
    results = []
    tables = seatings(len(agents), variant.players)
    for number, table in enumerate(tables):
        specs = [agents[each] for each in table]
        result = play_games(variant, specs, games, seed + number * games, threads, progress)
        for returns in result.returns:
            results.append({each: float(np.mean(returns[np.equal(table, each)])) for each in set(table)})
    wins, met = compare(results, len(agents))
    ratings, deviations = rate(results, len(agents))
    order = np.argsort(-ratings, kind="stable")
    return Tournament(
        game=variant.game.id,
        players=variant.players,
        rules=dict(variant.values),
        seed=seed,
        games=len(results),
        standings=[
            Standing(
                agents[each],
                float(ratings[each]),
                float(Z_95 * deviations[each]),
                sum(each in result for result in results),
                float(wins[each].sum() / met[each].sum()),
            )
            for each in order
        ],
        cross_table=[[float(wins[a, b] / met[a, b]) if a != b and met[a, b] else None for b in order] for a in order],
        seconds=round(time.perf_counter() - began, 3),
    )


def compare(results: Sequence[dict[int, float]], agents: int) -> "tuple[np.ndarray, np.ndarray]":
    """How often each got more than each other, ties counting as half, and how often they met."""
    import numpy as np

    wins, met = np.zeros((agents, agents)), np.zeros((agents, agents))
    for result in results:
        for a, b in itertools.permutations(result, 2):
            met[a, b] += 1
            wins[a, b] += (result[a] > result[b]) + (result[a] == result[b]) / 2
    return wins, met


def rate(results: Sequence[dict[int, float]], agents: int) -> "tuple[np.ndarray, np.ndarray]":
    """Ratings and their standard deviations, on Elo's scale and about a mean of 0 (Bradley-Terry, Bayesian).

    Every result counts as one comparison of each two players at the table. Those of one table are not independent, so
    with more than two players a game the deviations are rather too small.
    """
    import numpy as np

    try:
        from choix import ep_pairwise
    except ImportError as missing:
        raise ImportError('ratings need choix: pip install "overworlds[train]"') from missing
    comparisons: list[tuple[int, int]] = []
    for result in results:
        for a, b in itertools.combinations(result, 2):
            # Everything counts twice, so that a tie can be a win for each; prior and deviations make up for it.
            comparisons += [(a, b) if result[a] >= result[b] else (b, a), (b, a) if result[b] >= result[a] else (a, b)]
    strengths, covariance = ep_pairwise(agents, comparisons, alpha=2 * PRIOR_PRECISION, model="logit")
    centring = np.eye(agents) - 1 / agents
    deviations = np.sqrt(2 * np.diag(centring @ covariance @ centring))
    return ELO * (strengths - strengths.mean()), ELO * deviations


# ---------------------------------------------------------------- the command


def arena(
    game: GameArgument,
    agents: Annotated[list[str], typer.Argument(metavar="AGENT...", help=f"Two or more players: {AGENT_HELP}.")],
    games: Annotated[int, typer.Option(min=1, help="How many games at every table.")] = 100,
    players: PlayersOption = None,
    rule: RuleOption = None,
    seed: SeedOption = 0,
    threads: ThreadsOption = None,
    json_file: JsonOption = None,
    picture: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Save ratings and cross table as a picture (.png).")
    ] = None,
) -> None:
    """Let players meet each other and rate them.

    With two players a game, every pair meets; with more, every set of players that fills a table. Seats rotate.

    `overworlds arena homeworlds_v0 random scripted search:sims=100 --players 2 --picture arena.png`
    """
    from rich.console import Console

    variant = chosen_variant(game, players, rule, seed)
    check_json(json_file)
    if picture is not None:
        checked_target(picture, (".png",))
    total = games * len(seatings(len(agents), variant.players))
    with game_progress("games", total) as advance:
        result = hold_tournament(variant, agents, games, seed, threads, advance)
    if json_file != STANDARD_OUTPUT:
        print_tournament(result, Console())
    if json_file is not None:
        write_json(json_file, asdict(result))
    if picture is not None:
        draw_tournament(result, picture)
        typer.echo(f"written to {picture}", err=True)


def print_tournament(result: Tournament, console: Any) -> None:
    """Standings and cross table."""
    from rich.markup import escape
    from rich.table import Table

    numbers = [str(place) for place in range(1, len(result.standings) + 1)]
    title = f"{result.game}, {result.players} players, {result.games} games, seed {result.seed}"
    table = Table("", "player", "rating", "±", "games", "score", *(f"vs {place}" for place in numbers), title=title)
    for column in table.columns:
        column.justify = "right"
    table.columns[1].justify, table.columns[1].overflow = "left", "fold"
    for place, standing, row in zip(numbers, result.standings, result.cross_table, strict=True):
        cells = place, escape(standing.agent), f"{standing.rating:+.0f}", f"{standing.uncertainty:.0f}"
        shares = ("" if share is None else f"{share:.0%}" for share in row)
        table.add_row(*cells, str(standing.games), f"{standing.score:.1%}", *shares)
    console.print(table)


def draw_tournament(result: Tournament, path: Path) -> None:
    """Ratings with their uncertainty beside the cross table, as a PNG file."""
    try:
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure
    except ImportError as missing:
        raise ImportError('the picture needs matplotlib: pip install "overworlds[train]"') from missing
    from overworlds.envs.core.replay import write_atomically

    names = [standing.agent for standing in result.standings]
    count = len(names)
    figure = Figure(figsize=(4 + 1.2 * count + 0.08 * max(map(len, names)), 1.6 + 0.6 * count), layout="constrained")
    FigureCanvasAgg(figure)
    ratings, cross = figure.subplots(1, 2)
    figure.suptitle(f"{result.game}, {result.players} players, {result.games} games")
    ratings.errorbar(
        [standing.rating for standing in result.standings],
        range(count),
        xerr=[standing.uncertainty for standing in result.standings],
        fmt="o",
        capsize=4,
    )
    ratings.set_yticks(range(count), [f"{name}   {place}" for place, name in enumerate(names, start=1)])
    ratings.set_ylim(count - 0.5, -0.5)
    ratings.set_xlabel("Elo rating, with 95 % interval")
    ratings.grid(axis="x", alpha=0.3)
    shares = [[math.nan if share is None else share for share in row] for row in result.cross_table]
    cross.imshow(shares, vmin=0, vmax=1, cmap="RdYlGn")
    for row, column in itertools.product(range(count), repeat=2):
        if not math.isnan(shares[row][column]):
            cross.text(column, row, f"{shares[row][column]:.0%}", ha="center", va="center")
    cross.set_xticks(range(count), [str(place) for place in range(1, count + 1)])
    cross.set_yticks(range(count), [str(place) for place in range(1, count + 1)])
    cross.set_title("score of row against column")
    picture = io.BytesIO()
    figure.savefig(picture, format="png", dpi=120)
    write_atomically(path, picture.getvalue())
