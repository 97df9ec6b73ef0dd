"""What a Homeworlds table looks like, in the terminal, as a picture and in a window."""

import re
import subprocess
import sys
from collections import Counter
from dataclasses import replace
from math import cos, radians, sin

import numpy as np
import pytest

from overworlds.envs.core.window import Window, WindowClosed
from overworlds.envs.homeworlds.plan import FAR, SEATING, Measure, roomiest_plan, seat_of
from overworlds.envs.homeworlds.render import ansi, draw
from overworlds.envs.homeworlds.table import System, Table

KINDS = [colour + size for colour in "bgry" for size in "123"]
TWO = "H0:b3+r1|0g3,0y1 H1:b2+y1|1g3 S:g2|0g1,1y2 S:r1|1b2"
SIX = (
    "H0:b3+r1|0g3,0g1,0y2 H1:b2+y1|1g3,0r1 H2:g1+y3|2b3,2g2,5y1 H3:r2+r2|3g3,4b1 H4:b3+y2|4g3,4r1 "
    "H5:b1+g2|5y3,5b2 S:g2|0g1,1y2 S:r3|2r1,3b2 S:b1|1r3,3r3,4g2,5r2 S:y3|1b1"
)


def table_of(position: str, players: int, **fields) -> Table:
    """The table of a position such as ``H0:b3+r1|0g3 X1:b2|0y1 S:g2|0g1``; X1 was player 1's homeworld."""
    systems = []
    for slot, text in enumerate(position.split()):
        place, pieces = text.split(":")
        markers, _, ships = pieces.partition("|")
        fleet = sorted((int(ship[0]), ship[1:]) for ship in ships.split(",") if ship)
        name = f"S{slot}" if place == "S" else f"H{place[1:]}"
        home_of = int(place[1:]) if place[0] == "H" else None
        systems.append(System(slot, name, home_of, tuple(markers.split("+")), tuple(fleet)))
    used = Counter(piece for system in systems for piece in pieces_of(system))
    per_kind = fields.setdefault("pieces_per_kind", 3 if players == 2 else 5)
    stash = {kind: per_kind - used[kind] for kind in KINDS}
    assert min(stash.values()) >= 0, "the position has more pieces than there are"
    nobody = (None,) * players
    defaults = {
        "stash": stash,
        "turn": 12,
        "to_move": 0,
        "alive": tuple(any(s.home_of == seat for s in systems) for seat in range(players)),
        "alignments": nobody,
        "revealed": (False,) * players,
        "viewer": None,
        "decision": "free action, sacrifice or pass",
        "statements": nobody,
        "result": None,
    }
    return Table(players=players, systems=tuple(systems), **{**defaults, **fields})


def pieces_of(system: System) -> list[str]:
    return [*system.markers, *(piece for _, piece in system.ships)]


def plain(text: str) -> str:
    return re.sub(r"\x1b\[[0-9;]*m", "", text)


def thirty_four_systems() -> Table:
    homes = [f"H{seat}:{KINDS[seat]}+{KINDS[11 - seat]}|{seat}g3" for seat in range(6)]
    others = [f"S:{KINDS[n % 12]}|{n % 6}{KINDS[n * 5 % 12]}" for n in range(28)]
    return table_of(" ".join(homes + others), 6, pieces_per_kind=12, statements=("player_2 is evil",) * 6)


def fourteen_ships() -> Table:
    fleet = ",".join(f"{n % 6}{KINDS[n * 7 % 12]}" for n in range(14))
    homes = " ".join(f"H{seat}:b3+r1|{seat}g3" for seat in range(5))
    return table_of(f"{homes} H5:g2+b1|5g1,{fleet} S:g2|{fleet} S:r3|{fleet}", 6, pieces_per_kind=12)


TABLES = {
    "start": table_of("", 4, alive=(True,) * 4),
    "two": table_of(TWO, 2, viewer=0, alignments=("good", "evil")),
    "three": table_of("H0:b3+r1|0g3 H1:b2|1g3,2y1 H2:g1+y3|2b3", 3, statements=("I am good", None, None)),
    "four": table_of("H0:b3+r1|0g3 H1:b2+y1|1g3 X2:g1+y3|0b3 H3:g1+y3|2b3,3b3", 4),
    "five": table_of("H0:b3+r1|0g3 H1:b2+y1|1g3 H2:g1+y3|2b3 H4:r2+y2|4b3 S:g1|3y1", 5),
    "six": table_of(SIX, 6),
    "34 systems": thirty_four_systems(),
    "14 ships": fourteen_ships(),
}
every_table = pytest.mark.parametrize("table", TABLES.values(), ids=TABLES.keys())


# --- in the terminal ---


@every_table
def test_ansi_shows_every_system_with_its_pieces(table):
    text = ansi(table, colour=False)
    board = text[text.index("\nhome") :]
    shown = Counter(re.findall(r"\b[rygb][123]\b", board))
    assert shown == Counter(piece for system in table.systems for piece in pieces_of(system))
    for system in table.systems:
        owners = sorted({owner for owner, _ in system.ships})
        words = rf"\b{system.name} {re.escape('+'.join(system.markers))}((?:\s+(?:\d:)?[rygb][123])*)"
        found = re.search(words, board)
        assert found, system.name
        assert [int(owner) for owner in re.findall(r"(\d):", found[1])] == owners


@every_table
def test_ansi_keeps_within_100_columns(table):
    for colour in (True, False):
        assert max(len(plain(line)) for line in ansi(table, colour).split("\n")) <= 100


@every_table
def test_ansi_without_colour_loses_nothing_but_the_escapes(table):
    assert "\x1b" in ansi(table)
    assert "\x1b" not in ansi(table, colour=False)
    assert plain(ansi(table)) == ansi(table, colour=False)


@every_table
def test_ansi_shows_every_player_and_the_stash(table):
    lines = ansi(table, colour=False).split("\n")
    for seat in range(table.players):
        (line,) = [line for line in lines if re.search(rf"player_{seat}  (alive|out)", line)]
        assert ("alive" in line) == table.alive[seat]
        assert (f"> player_{seat}" in line) == (seat == table.to_move)
        assert (table.statements[seat] or "player") in line
    for name in ("red", "yellow", "green", "blue"):
        (line,) = [line for line in lines if line.startswith(name)]
        assert [int(n) for n in line.split()[1:4]] == [table.stash[f"{name[0]}{size}"] for size in (1, 2, 3)]


def test_ansi_rows_follow_the_size_of_the_marker():
    lines = ansi(TABLES["six"], colour=False).split("\n")
    homes = [found[0] for line in lines if (found := re.search(r"H\d", line[:10]))]
    assert homes == [f"H{seat}" for seat in range(6)], "homeworlds by seat"
    rows = {line.split()[0]: re.findall(r"S\d", line) for line in lines if re.match("small|medium|large", line)}
    assert rows == {"small": ["S8"], "medium": ["S6"], "large": ["S7", "S9"]}


def test_ansi_says_who_decides_what_and_how_it_ended():
    table = TABLES["two"]
    assert "turn 12" in ansi(table)
    assert "player_0: free action, sacrifice or pass" in ansi(table, colour=False)
    over = replace(table, to_move=None, result="player_1 wins: evil has eliminated player_0")
    text = ansi(over, colour=False)
    assert "Game over: player_1 wins: evil has eliminated player_0" in text
    assert ">" not in text


def test_ansi_folds_what_is_too_long_for_a_line():
    fleet = ",".join(f"{seat}{kind}" for seat in range(3) for kind in KINDS)
    table = table_of(f"H0:b3+r1|0g3 H1:b2+y1|{fleet} H2:g1|2g1 S:g2|{fleet}", 3, pieces_per_kind=12)
    table = replace(table, statements=("nobody is evil " * 8, None, None), decision="which one? " * 15)
    text = ansi(table, colour=False)
    assert max(map(len, text.split("\n"))) <= 100
    board = text[text.index("\nhome") :]
    assert len(re.findall(r"\b[rygb][123]\b", board)) == sum(len(pieces_of(s)) for s in table.systems) == 80
    assert text.count("nobody") == text.count("evil") == 8
    assert text.count("which") == 15


def test_what_the_viewer_does_not_know_is_a_question_mark():
    known = replace(TABLES["six"], alignments=(None, "evil", "good", None, None, None), viewer=2)
    known = replace(known, revealed=(False, True, False, False, False, False))
    lines = ansi(known, colour=False).split("\n")
    states = [next(x for x in lines if f"player_{seat}  alive" in x).split("alive")[1] for seat in range(6)]
    assert [state.strip() for state in states] == ["?", "evil", "good (secret)  you", "?", "?", "?"]


# --- as a picture ---


@every_table
@pytest.mark.parametrize(("width", "height"), [(1200, 800), (640, 480)])
def test_frames_have_the_asked_size(table, width, height):
    frame = draw(table, width, height)
    assert frame.shape == (height, width, 3)
    assert frame.dtype == np.uint8
    assert frame.flags.writeable
    assert frame.std() > 10, "something is to be seen"
    assert np.array_equal(frame, draw(table, width, height))


def test_a_frame_shows_a_ship_that_moves_turns_or_changes_its_owner():
    here = draw(table_of("H0:b3+r1|0g3,0y1 H1:b2+y1|1g3 S:g2|0g1", 2))
    moved = draw(table_of("H0:b3+r1|0g3 H1:b2+y1|1g3 S:g2|0g1,0y1", 2))
    traded = draw(table_of("H0:b3+r1|0g3,0r1 H1:b2+y1|1g3 S:g2|0g1", 2))
    taken = draw(table_of("H0:b3+r1|0g3,1y1 H1:b2+y1|1g3 S:g2|0g1", 2))
    frames = [here, moved, traded, taken]
    for number, frame in enumerate(frames):
        assert all((frame != other).any() for other in frames[:number])


def test_a_frame_shows_turn_mover_decision_talk_life_and_result():
    table = TABLES["six"]
    frame = draw(table)
    changes = [
        {"turn": 13},
        {"to_move": 1},
        {"decision": "trigger a catastrophe or end the turn"},
        {"statements": ("I am good", *[None] * 5)},
        {"alive": (True,) * 5 + (False,)},
        {"viewer": 3},
        {"to_move": None, "result": "player_4 wins"},
        {"stash": {**table.stash, "g2": 4}},
    ]
    for change in changes:
        assert (draw(replace(table, **change)) != frame).any(), change


def test_alignments_show_only_as_far_as_the_viewer_knows_them():
    table = TABLES["six"]
    frame = draw(table)
    # Whether an unknown alignment counts as revealed must not matter: there is nothing to show.
    assert np.array_equal(draw(replace(table, revealed=(True,) * 6)), frame)
    assert ansi(replace(table, revealed=(True,) * 6)) == ansi(table)
    good, evil = (draw(replace(table, alignments=(None, word, *[None] * 4))) for word in ("good", "evil"))
    assert (good != frame).any()
    assert (good != evil).any()
    left, right = SEATING[6][1].index(1), SEATING[6][1].index(0)
    assert left < right, "player 1 sits to the left of player 0"
    changed = np.argwhere((good != evil).any(axis=2))
    assert changed[:, 1].max() < 1200 / 3, "only the panel of player 1 changes"


@every_table
def test_plates_keep_apart_and_hold_their_ships(table, monkeypatch):
    from overworlds.envs.homeworlds import pyramids, render

    plates, ships = [], []

    def plate(canvas, box, fill, *rest):
        if fill in (render.PANEL_FILL, render.OUT_FILL, render.PLATE_FILL):
            plates.append(box)

    def ship(canvas, piece, owner, heading, base, width, length, tag):
        ahead = sin(radians(heading)), -cos(radians(heading))
        ships.append((base, (base[0] + length * ahead[0], base[1] + length * ahead[1])))

    monkeypatch.setattr(pyramids.Canvas, "plate", plate)
    monkeypatch.setattr(pyramids.Canvas, "ship", ship)
    draw(table)
    others = sum(system.name.startswith("S") for system in table.systems)
    assert len(plates) == table.players + others + 2, "with header and stash"
    assert len(ships) == sum(len(system.ships) for system in table.systems)
    for number, (left, top, width, height) in enumerate(plates):
        assert left >= 0
        assert top >= 0
        assert left + width <= 1200
        assert top + height <= 800
        for x, y, wide, high in plates[:number]:
            apart = x + wide <= left or left + width <= x or y + high <= top or top + height <= y
            assert apart
    for base, tip in ships:
        holders = [
            (x, y, wide, high)
            for x, y, wide, high in plates
            if all(x <= across <= x + wide and y <= down <= y + high for across, down in (base, tip))
        ]
        assert len(holders) == 1


@pytest.mark.parametrize("players", sorted(SEATING))
def test_every_player_has_his_own_direction_away_from_his_seat(players):
    far, near = SEATING[players]
    assert sorted(far + near) == list(range(players))
    headings = [seat_of(players, seat).heading for seat in range(players)]
    assert len(set(headings)) == players
    for seat, heading in enumerate(headings):
        down = -cos(radians(heading)) > 0
        assert down == (seat_of(players, seat).side == FAR)
    clockwise = [*reversed(near[: near.index(0) + 1]), *far, *reversed(near[near.index(0) + 1 :])]
    assert clockwise == list(range(players))


def test_pieces_shrink_with_the_crowd_and_keep_their_proportions():
    few, many = (roomiest_plan(TABLES[name], 1.0, 1000, 730) for name in ("two", "34 systems"))
    assert few.measure.zoom > many.measure.zoom > 0.5
    assert few.height <= 730
    assert many.height <= 730
    for measure in (few.measure, Measure(0.5, 0.3)):
        lengths = [measure.ship(f"g{size}")[1] for size in (1, 2, 3)]
        assert lengths[0] * 1.3 < lengths[1] < lengths[2] / 1.2


# --- without pygame ---

WITHOUT_PYGAME = """
import sys
sys.modules["pygame"] = None
from overworlds.envs.core.window import Window
from overworlds.envs.homeworlds.render import ansi, draw
from overworlds.envs.homeworlds.table import System, Table
stash = {colour + size: 3 for colour in "bgry" for size in "123"}
home = System(0, "H0", 0, ("b3", "r1"), ((0, "g3"),))
two, nobody = (True, True), (None, None)
table = Table(2, 3, (home,), stash, 1, 1, two, nobody, (False, False), None, "set up", nobody, None)
assert "H0 b3+r1  0:g3" in ansi(table, colour=False)
window = Window("a window that never opens")
window.close()
for attempt in (lambda: draw(table), lambda: window.show(None, 30)):
    try:
        attempt()
    except ImportError as missing:
        print(missing)
"""


def test_only_pictures_need_pygame():
    run = subprocess.run([sys.executable, "-c", WITHOUT_PYGAME], capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    assert run.stdout.count('pip install "overworlds[render]"') == 2


def test_drawing_opens_no_window():
    import pygame

    pygame.display.quit()
    draw(TABLES["two"])
    assert not pygame.display.get_init()
    assert pygame.mixer.get_init() is None


# --- in a window ---


@pytest.fixture
def window(monkeypatch):
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    window = Window("Homeworlds")
    yield window
    window.close()


def frame_of(colour: tuple[int, int, int]) -> np.ndarray:
    return np.full((40, 60, 3), colour, np.uint8)


def test_a_window_shows_frames_and_closes(window):
    import pygame

    window.show(frame_of((10, 200, 30)), fps=0)
    assert window.is_open
    assert pygame.display.get_caption()[0] == "Homeworlds"
    assert pygame.display.get_surface().get_at((30, 20))[:3] == (10, 200, 30)
    window.show(frame_of((200, 10, 30)), fps=0)
    assert pygame.display.get_surface().get_at((30, 20))[:3] == (200, 10, 30)
    assert pygame.mixer.get_init() is None
    window.close()
    window.close()
    assert not window.is_open
    assert not pygame.display.get_init()
    window.show(frame_of((1, 2, 3)), fps=0)
    assert window.is_open, "a window that the program closed opens again"


def test_a_window_keeps_the_proportions_of_the_frame(window):
    import pygame

    window.show(frame_of((10, 200, 30)), fps=0)
    window.show(np.full((40, 20, 3), 250, np.uint8), fps=0)
    screen = pygame.display.get_surface()
    assert [screen.get_at((x, 20))[0] for x in (5, 30, 55)] == [0, 250, 0]


def test_a_window_keeps_time(window, monkeypatch):
    naps = []
    clock = iter(range(1000))
    monkeypatch.setattr("overworlds.envs.core.window.time.monotonic", lambda: next(clock) / 100)
    monkeypatch.setattr("overworlds.envs.core.window.time.sleep", naps.append)
    window.show(frame_of((0, 0, 0)), fps=10)
    assert naps == [], "the first frame is shown at once"
    window.show(frame_of((0, 0, 0)), fps=10)
    assert len(naps) == 9, "at ten frames a second the next one comes after a tenth of a second"
    assert max(naps) <= 0.03


def test_closing_the_window_by_hand_stops_the_loop(window):
    import pygame

    window.show(frame_of((0, 0, 0)), fps=0)
    pygame.event.post(pygame.event.Event(pygame.QUIT))
    with pytest.raises(WindowClosed, match="Homeworlds"):
        window.show(frame_of((0, 0, 0)), fps=0)
    assert not window.is_open
    with pytest.raises(WindowClosed):
        window.show(frame_of((0, 0, 0)), fps=0)
    window.close()


def test_a_resized_window_is_painted_anew(window):
    import pygame

    window.show(frame_of((10, 200, 30)), fps=0)
    pygame.display.get_surface().fill((0, 0, 0))
    pygame.event.post(pygame.event.Event(pygame.VIDEORESIZE, size=(60, 40), w=60, h=40))
    window._listen(pygame)
    assert pygame.display.get_surface().get_at((30, 20))[:3] == (10, 200, 30)
