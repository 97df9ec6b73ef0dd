"""An OverPower table for the eye: ``ansi`` writes it, ``draw`` paints it.

Both see a ``Table`` and nothing else. Only ``draw`` needs pygame, and it never needs a display.

In the picture the viewer sits on the near (lower) side. Each side has its hand at the edge, then its four characters
with the Front Line moved towards the middle, its piles on the left and its Missions on the right. What is being
attacked with what stands between the two sides.
"""

from typing import TYPE_CHECKING

import numpy as np

from overworlds.envs.overpower import icons, phases
from overworlds.envs.overpower.icons import TYPE_LETTERS, TYPE_NAMES, letters
from overworlds.envs.overpower.table import (
    FRONT,
    KNOCKED_OUT,
    RESERVE,
    UNDECIDED,
    Attack,
    Character,
    Effect,
    Face,
    Hit,
    Player,
    Table,
)
from overworlds.envs.overpower.wording import shortened

if TYPE_CHECKING:
    from overworlds.envs.overpower.pictures import Box, Canvas

PILES = ("Draw Pile", "Power Pack", "Dead Pile", "Defeated")
LADDER = ("Completed", "Reserve", "Defeated")

# --- in words ---


def onlooker(table: Table) -> str:
    """Whose eyes see this."""
    return "seen by an onlooker" if table.viewer is None else f"seen by player_{table.viewer}"


def headline(table: Table) -> str:
    """Who decides what, or how the game ended."""
    return table.result or f"player_{table.to_move} decides: {table.decision}"


def moment(table: Table) -> str:
    """Which battle it is."""
    return f"battle {table.battle}" if table.battle else "before the first battle"


def meanings(table: Table) -> list[str]:
    """What the choices of a decision mean, where their names do not say it."""
    if table.decision == phases.NAMES[phases.RESERVE] and table.to_move is not None:
        name = table.players[table.to_move].team[0].name
        return [f"'by {name}' puts {name} in Reserve; the other three stand in front"]
    return [f"choose {number}: {said}" for number, said in enumerate(table.choices)]


def card_name(face: Face) -> str:
    """A card's name, with the value and the types that the name does not say."""
    has_more = face.figure and face.card_class in (icons.SPECIAL, icons.ALLY, icons.TEAMWORK)
    return f"{face.name} ({face.figure}{letters(face.icons)})" if has_more else face.name


def pile_words(faces: tuple[Face, ...]) -> str:
    """The cards of a pile in a few words: ``Energy 2 5 5, Batman: Batarang (4F) x2``."""
    groups: dict[str, list[str]] = {}
    for face in faces:
        kind, _, value = face.name.rpartition(" ")
        is_power = face.card_class == icons.POWER
        groups.setdefault(kind if is_power else card_name(face), []).append(value if is_power else "")
    return ", ".join(
        f"{name} {' '.join(each)}" if each[0] else name + (f" x{len(each)}" if len(each) > 1 else "")
        for name, each in groups.items()
    )


def effect_line(effect: Effect, is_short: bool = False) -> str:
    """A card in effect, with whom it concerns; for short, without the character whose card it is."""
    name = effect.name.partition(": ")[2] if is_short else effect.name
    return f"player_{effect.seat}'s {name}: {'; '.join(effect.words)}"


def attack_words(attack: Attack) -> str:
    """What is being attacked with what."""
    cards = " with ".join(card_name(face) for face in attack.cards) or "cards face down"
    value = f" for {attack.value} {letters(attack.types)}" if attack.value is not None else ""
    return f"{attack.user} plays {cards} on {attack.target or 'nobody in particular'}{value}"


def play_words(play: Attack) -> str:
    """What is being put together."""
    types = f" as {' or '.join(name for t, name in enumerate(TYPE_NAMES) if play.types >> t & 1)}" if play.types else ""
    return f"{play.user} is about to play {' with '.join(card_name(face) for face in play.cards)}{types}"


# --- for the terminal ---


def ansi(table: Table) -> str:
    """The table as text."""
    lines = [f"OverPower   {moment(table)}   {onlooker(table)}", headline(table)]
    lines += [f"  {meaning}" for meaning in meanings(table)]
    for seat in (1 - table.near, table.near):
        lines += ["", *_player_lines(table.players[seat])]
    lines.append("")
    if table.effects:
        lines += ["in effect:", *(f"  {effect_line(effect)}" for effect in table.effects)]
    if table.attack is not None:
        lines.append(attack_words(table.attack))
    if table.play is not None:
        lines.append(play_words(table.play))
    return "\n".join(lines).rstrip()


def _player_lines(player: Player) -> list[str]:
    """One player: Missions, piles, hand and team."""
    missions = ", ".join(f"{number} {name}" for number, name in zip(player.missions, LADDER, strict=True))
    completed, reserve = player.ventured
    ventured = f", ventured {reserve} from Reserve, {completed} from Completed" if completed or reserve else ""
    notes = (", goes first" if player.goes_first else "") + (", passed" if player.has_passed else "")
    parts = f" ({', '.join(player.total_parts)})" if player.total_parts else ""
    piles = ", ".join(f"{name} {size}" for name, size in zip(PILES, player.piles, strict=True))
    hand = [card_name(face) for face in player.hand] + ([f"{player.hidden} hidden"] if player.hidden else [])
    lines = [
        f"player_{player.seat} ({player.deck}){notes}",
        f"  Missions: {missions}{ventured}; Venture Total {player.total}{parts}",
        f"  piles: {piles}",
    ]
    lines += [
        f"    {name}: {pile_words(cards)}" for name, cards in zip(PILES[1:], player.discards, strict=True) if cards
    ]
    if player.event:
        lines.append(f"  Event of this battle, {player.event.title}: {player.event_words}")
    lines.append(f"  hand: {', '.join(hand) or 'empty'}")
    return lines + [line for character in player.team for line in _character_lines(character)]


def _character_lines(character: Character) -> list[str]:
    """A character with hits and placed cards, and its inherent ability."""
    grid = "/".join(str(rating) if rating else "-" for rating in character.grid)
    text = f"  {character.place:<7} {character.name + f' ({character.version})':<24} {grid:<8}"
    if character.hits:
        text += f" hits {character.damage} of {character.limit} ({_hit_words(character.hits)})"
    if character.placed:
        text += f" placed: {', '.join(card_name(face) for face in character.placed)}"
    ability = [f"          inherent: {shortened(character.inherent)}"] if character.inherent else []
    return [text.rstrip(), *ability]


def _hit_words(hits: tuple[Hit, ...]) -> str:
    """Hits of this battle and of the record, apart."""
    shown = [
        (" ".join(f"{hit.value}{letters(hit.icons)}" for hit in hits if hit.is_current == is_current), when)
        for is_current, when in ((True, "in this battle"), (False, "in the record"))
    ]
    return ", ".join(f"{some} {when}" for some, when in shown if some)


# --- the picture ---

WIDTH, HEIGHT = 1280, 920
MARGIN, GAP = 12, 8
HEADER = 38
HAND = 100
TEAM = 264
STRIP = HEIGHT - HEADER - 2 * (HAND + TEAM) - 6 * GAP
SIDE = 128  # the piles on the left
MISSIONS = 176  # the ladder on the right
STEP_BACK = 22  # how far behind the Front Line the Reserve stands
CARD = 96  # how wide a card of a hand is at most
NARROW_CARD = 52  # and at least; then they overlap
TITLE, BODY, NOTE = 26, 20, 17
CHIPS, CHIP_GAP = (24, 20, 16), 3
PLACED_HEIGHT = 22
PLACED_ROWS = 4  # more stand in two columns
EFFECT_ROW = 16
MOST_COLUMNS = 2


def draw(table: Table) -> np.ndarray:
    """The table as a picture, height × width × 3, uint8; equal tables give equal frames."""
    from overworlds.envs.overpower.pictures import Canvas

    canvas = Canvas(WIDTH, HEIGHT)
    _paint_header(canvas, table)
    far, near = table.players[1 - table.near], table.players[table.near]
    top = HEADER + GAP
    _paint_hand(canvas, table, far, top)
    _paint_side(canvas, table, far, top + HAND + GAP, is_far=True)
    strip = top + HAND + GAP + TEAM + GAP
    _paint_strip(canvas, table, (MARGIN, strip, WIDTH - 2 * MARGIN, STRIP))
    _paint_side(canvas, table, near, strip + STRIP + GAP, is_far=False)
    _paint_hand(canvas, table, near, strip + STRIP + GAP + TEAM + GAP)
    return canvas.frame()


def _paint_header(canvas: "Canvas", table: Table) -> None:
    from overworlds.envs.overpower.pictures import FAINT, GOLD, WHITE

    canvas.text(f"OverPower, {moment(table)}", MARGIN, HEADER / 2 + 3, 30, WHITE, room=330)
    canvas.text(headline(table), WIDTH / 2 + 20, HEADER / 2 + 3, 24, GOLD, "centre", WIDTH - 700)
    canvas.text(onlooker(table), WIDTH - MARGIN, HEADER / 2 + 3, BODY, FAINT, "right")


def _paint_hand(canvas: "Canvas", table: Table, player: Player, top: float) -> None:
    """The cards of a hand side by side, the hidden ones as backs; many overlap."""
    from overworlds.envs.overpower.pictures import EDGE, FAINT, FELT, GOLD, TEXT, mix

    is_mover = table.to_move == player.seat
    canvas.plate((MARGIN, top, WIDTH - 2 * MARGIN, HAND), mix(FELT, EDGE, 0.25), GOLD if is_mover else EDGE)
    canvas.text(f"player_{player.seat}", MARGIN + 10, top + 19, TITLE, GOLD if is_mover else TEXT)
    canvas.text(player.deck, MARGIN + 10, top + 40, NOTE, FAINT, room=SIDE - 8)
    count = len(player.hand) + player.hidden
    canvas.text(f"{count} in hand", MARGIN + 10, top + 60, NOTE, FAINT)
    notes = [word for word, is_so in (("goes first", player.goes_first), ("passed", player.has_passed)) if is_so]
    canvas.text(", ".join(notes), MARGIN + 10, top + 80, NOTE, GOLD, room=SIDE - 8)
    left, room = MARGIN + SIDE + GAP, WIDTH - 2 * MARGIN - SIDE - 2 * GAP
    width = min(CARD, max(NARROW_CARD, room / max(1, count) - 4))
    step = min(width + 4, (room - width) / max(1, count - 1))
    for number in range(count):
        box = (left + number * step, top + 4, width, HAND - 8)
        if number < len(player.hand):
            canvas.card(player.hand[number], box)
        else:
            canvas.back(box)


def _paint_side(canvas: "Canvas", table: Table, player: Player, top: float, is_far: bool) -> None:
    """Piles, team and Missions of a player."""
    _paint_piles(canvas, player, (MARGIN, top, SIDE, TEAM))
    left = MARGIN + SIDE + GAP
    room = WIDTH - 2 * MARGIN - SIDE - MISSIONS - 2 * GAP
    width = (room + GAP) / len(player.team) - GAP
    for number, character in enumerate(player.team):
        is_back = character.place in (RESERVE, KNOCKED_OUT)
        shift = STEP_BACK if is_back != is_far else 0
        box = (left + number * (width + GAP), top + shift, width, TEAM - STEP_BACK)
        _paint_character(canvas, table, player.seat, character, box)
    _paint_missions(canvas, player, (WIDTH - MARGIN - MISSIONS, top, MISSIONS, TEAM))


def _paint_piles(canvas: "Canvas", player: Player, box: "Box") -> None:
    """The four piles with their sizes, and the Event of this battle."""
    from overworlds.envs.overpower.pictures import BACK, BACK_LINE, EDGE, FAINT, PANEL, TEXT, WHITE, mix

    left, top, width, height = box
    canvas.plate(box, PANEL, EDGE)
    row = 42
    for number, (name, size) in enumerate(zip(PILES, player.piles, strict=True)):
        y = top + 8 + number * row
        fill = BACK if number == 0 else mix(PANEL, EDGE, 0.6)
        for layer in range(min(3, (size + 14) // 15), 0, -1):
            canvas.plate((left + 10 + 2 * layer, y + 6 - 2 * layer, 26, 32), fill, BACK_LINE if size else EDGE, 3)
        canvas.plate((left + 10, y + 4, 26, 32), fill, BACK_LINE if size else EDGE, 3)
        canvas.text(str(size), left + 23, y + 21, BODY, WHITE if size else FAINT, "centre")
        canvas.text(name, left + 48, y + 21, NOTE, TEXT if size else FAINT, room=width - 54)
    y = top + 8 + len(PILES) * row
    event = player.event.title if player.event else "no Event"
    canvas.text("Event of this battle", left + 10, y + 12, 15, FAINT, room=width - 16)
    canvas.paragraph(
        event, (left + 6, y + 22, width - 12, height - (y - top) - 26), 17, TEXT if player.event else FAINT
    )


def _paint_character(canvas: "Canvas", table: Table, seat: int, character: Character, box: "Box") -> None:
    """A character: name, Power Grid, inherent ability, hits, placed cards."""
    from overworlds.envs.overpower.pictures import CODE_COLOURS, EDGE, FAINT, FELT, PANEL, TEXT, WHITE, mix

    left, top, width, height = box
    is_out = character.place == KNOCKED_OUT
    edge, thickness = _rim(table, seat, character)
    canvas.plate(box, mix(PANEL, FELT, 0.6) if is_out else PANEL, edge, 6, thickness)
    band = CODE_COLOURS[character.code]
    canvas.plate((left + 3, top + 3, width - 6, 26), mix(band, FELT, 0.7) if is_out else band, None, 4)
    end = canvas.text(character.name, left + 9, top + 17, 23, FAINT if is_out else WHITE, room=width - 106)
    canvas.text(character.version, left + 15 + end, top + 18, 15, FAINT if is_out else TEXT)
    label = {FRONT: "front line", RESERVE: "reserve", KNOCKED_OUT: "KO", UNDECIDED: ""}[character.place]
    canvas.text(label, left + width - 9, top + 17, NOTE, FAINT if is_out else WHITE, "right", 70)
    _paint_grid(canvas, character, (left + 6, top + 33, width - 12, 34))
    body = top + 71
    if not is_out:
        _paint_damage(canvas, character, (left + 6, body, width - 12, 16))
        body += 20
    if character.inherent:
        canvas.paragraph(shortened(character.inherent), (left + 8, body, width - 16, 30), 15, TEXT, "left")
        body += 31
    under = _paint_placed(canvas, character.placed, (left + 6, body, width - 12, top + height - 4 - body))
    _paint_hits(canvas, character.hits, (left + 6, body, width - 12, under - body - 2))
    if is_out:
        canvas.veil(box, FELT, 120)
        canvas.text("KO", left + width / 2, top + height - 42, 80, mix(EDGE, WHITE, 0.3), "centre")


def _rim(table: Table, seat: int, character: Character) -> tuple[tuple[int, int, int], int]:
    """The rim of a character's plate shows who attacks and who is attacked."""
    from overworlds.envs.overpower.pictures import ALARM, EDGE, GOLD

    action = table.attack or table.play
    if action is not None and action.seat == seat and action.user == character.name:
        return GOLD, 3
    if action is not None and action.seat != seat and action.target == character.name:
        return ALARM, 3
    return EDGE, 1


def _paint_grid(canvas: "Canvas", character: Character, box: "Box") -> None:
    """The ratings in the colours of their types; those that effects have changed have a golden rim."""
    from overworlds.envs.overpower.pictures import FAINT, GOLD, INK, PANEL

    left, top, width, height = box
    share = (width + 4) / 4
    for t, (rating, printed) in enumerate(zip(character.grid, character.printed, strict=True)):
        cell = (left + t * share, top, share - 4, height)
        if not rating:
            canvas.plate(cell, PANEL, FAINT, 3)
            canvas.text("-", cell[0] + cell[2] / 2, top + height / 2, BODY, FAINT, "centre")
            continue
        is_changed = rating != printed
        canvas.number(str(rating), 1 << t, cell, 30, GOLD if is_changed else INK, 2 if is_changed else 1)
        canvas.text(TYPE_LETTERS[t], cell[0] + 5, top + 9, 14, INK)
        if is_changed:
            canvas.text(f"was {printed}", cell[0] + cell[2] - 4, top + height - 7, 14, INK, "right")


def _paint_damage(canvas: "Canvas", character: Character, box: "Box") -> None:
    """A bar that is full at the knock-out: the Permanent Record first, then the hits of this battle."""
    from overworlds.envs.overpower.pictures import ALARM, EDGE, FAINT, FELT, WHITE, mix

    left, top, width, height = box
    canvas.plate(box, FELT, EDGE, 3)
    limit = max(1, character.limit)
    record = sum(hit.value for hit in character.hits if not hit.is_current)
    share = min(1.0, character.damage / limit)
    old = min(share, record / limit)
    if share > 0:
        canvas.stripes((left + 1, top + 1, (width - 2) * share, height - 2), [ALARM])
    if old > 0:
        canvas.stripes((left + 1, top + 1, (width - 2) * old, height - 2), [mix(ALARM, FELT, 0.55)])
    words = f"{character.damage} of {character.limit} to KO"
    canvas.text(words, left + width / 2, top + height / 2 + 1, 16, WHITE if character.damage else FAINT, "centre")


def _paint_hits(canvas: "Canvas", hits: tuple[Hit, ...], box: "Box") -> None:
    """Hits as chips, as large as all of them fit: the Permanent Record dull, those of this battle with a white rim."""
    from overworlds.envs.overpower.pictures import INK, TEXT, WHITE

    left, top, width, height = box
    for size in CHIPS:
        step = size + CHIP_GAP
        across = int((width + CHIP_GAP) // step)
        most = across * int((height + CHIP_GAP) // step)
        if len(hits) <= most:
            break
    shown = hits if len(hits) <= most else hits[: most - 1]
    places = [(left + number % across * step, top + number // across * step) for number in range(len(shown) + 1)]
    for hit, (x, y) in zip(shown, places, strict=False):
        edge, thickness = (WHITE, 2) if hit.is_current else (INK, 1)
        chip = (x, y, size, size)
        canvas.number(str(hit.value), hit.icons, chip, max(16, size - 4), edge, thickness, dull=not hit.is_current)
    if len(shown) < len(hits):
        x, y = places[-1]
        canvas.text(f"+{len(hits) - len(shown)}", x + size / 2, y + size / 2, NOTE, TEXT, "centre", size + 4)


def _paint_placed(canvas: "Canvas", placed: tuple[Face, ...], box: "Box") -> float:
    """Placed cards from the bottom of the box up, with the colour of their class and their figure.

    Many stand in two columns, and very many closer together: a line of hits fits above them. Returns where they begin.
    """
    from overworlds.envs.overpower.pictures import CLASS_COLOURS, INK, PAPER

    left, top, width, height = box
    columns = 1 if len(placed) <= PLACED_ROWS else 2
    rows = -(-len(placed) // columns)
    line = min(PLACED_HEIGHT, int(height - CHIPS[-1] - 3) // max(1, rows))
    first = top + height - rows * line
    share = (width + 4) / columns - 4
    for number, face in enumerate(placed):
        x, y = left + number // max(1, rows) * (share + 4), first + number % max(1, rows) * line
        canvas.plate((x, y, share, line - 2), PAPER, CLASS_COLOURS[face.card_class], 3, 2)
        if face.figure:
            canvas.number(face.figure, face.icons, (x + 2, y + 2, 24, line - 6), min(18, line))
        is_short = columns > 1 or not face.detail or face.title in face.name.partition(": ")[2]
        words = face.title if is_short else face.name
        start = 30 if face.figure else 8
        canvas.text(words, x + start, y + line / 2 - 1, min(17, line), INK, room=share - start - 4)
    return first


def _paint_missions(canvas: "Canvas", player: Player, box: "Box") -> None:
    """The ladder: three piles, ventured Missions in gold beside the pile they come from, and the Venture Total."""
    from overworlds.envs.overpower.pictures import EDGE, FAINT, GOLD, INK, PANEL, TEXT, WHITE, mix

    left, top, width, height = box
    canvas.plate(box, PANEL, EDGE)
    canvas.text(player.mission, left + 8, top + 15, BODY, TEXT, room=width - 16)
    ventured = (*player.ventured, 0)
    fills = (mix(EDGE, (70, 190, 110), 0.75), mix(EDGE, WHITE, 0.35), mix(EDGE, (170, 60, 60), 0.6))
    row = 54
    for number, (name, count, risk) in enumerate(zip(LADDER, player.missions, ventured, strict=True)):
        y = top + 30 + number * row
        words = f"{name} {count}" + (f", {risk} ventured" if risk else "")
        canvas.text(words, left + 8, y + 9, NOTE, TEXT if count or risk else FAINT, room=width - 16)
        for place in range(count + risk):
            is_risk = place >= count
            card = (left + 8 + place * 23, y + 19 - (4 if is_risk else 0), 19, 26)
            canvas.plate(card, GOLD if is_risk else fills[number], INK, 3)
    y = top + 30 + len(LADDER) * row + 14
    canvas.text("Venture Total", left + 8, y, BODY, TEXT)
    canvas.text(str(player.total), left + width - 10, y, 34, GOLD if player.total else FAINT, "right")
    parts = (left + 8, y + 14, width - 16, top + height - y - 18)
    canvas.paragraph(", ".join(player.total_parts), parts, 15, TEXT, "left")


def _paint_strip(canvas: "Canvas", table: Table, box: "Box") -> None:
    """What is being attacked with what, and which effects last."""
    from overworlds.envs.overpower.pictures import EDGE, FAINT, FELT, TEXT, mix

    left, top, width, height = box
    canvas.plate(box, mix(FELT, EDGE, 0.35), EDGE)
    action = table.attack or table.play
    explained = "; ".join(meanings(table))
    share = width / 2 if action is not None or table.result or explained else width / 4
    if action is not None:
        _paint_action(canvas, table, action, (left, top, share, height))
    elif explained:
        canvas.paragraph(explained, (left + 14, top + 6, share - 20, height - 12), BODY, TEXT, "left")
    else:
        words = table.result or "no attack is waiting for an answer"
        colour, size = (TEXT, 28) if table.result else (FAINT, BODY)
        canvas.text(words, left + 14, top + height / 2, size, colour, room=share - 20)
    canvas.text("in effect" if table.effects else "no lasting effects", left + share + 14, top + 14, NOTE, FAINT)
    _paint_effects(canvas, table.effects, (left + share + 80, top + 5, width - share - 90, height - 8))


def _paint_effects(canvas: "Canvas", effects: tuple[Effect, ...], box: "Box") -> None:
    """The cards in effect: a line each, or several where there is room, or two columns of lines."""
    from overworlds.envs.overpower.pictures import FAINT, TEXT

    left, top, width, height = box
    rows = int(height // EFFECT_ROW)
    columns = min(MOST_COLUMNS, max(1, -(-len(effects) // rows)))
    most = rows * columns
    shown = effects if len(effects) <= most else effects[: most - 1]
    lines = max(1, rows // max(1, len(shown)))
    share = (width + GAP) / columns - GAP
    size = EFFECT_ROW if columns == 1 else EFFECT_ROW - 2
    for number, effect in enumerate(shown):
        x, y = left + number // rows * (share + GAP), top + number % rows * lines * EFFECT_ROW
        said = effect_line(effect, is_short=columns > 1)
        canvas.paragraph(said, (x, y, share, lines * EFFECT_ROW), size, TEXT, "left")
    if len(shown) < len(effects):
        y = top + (rows - 0.5) * EFFECT_ROW
        canvas.text(f"and {len(effects) - len(shown)} more", left + share + GAP, y, EFFECT_ROW, FAINT)


def _paint_action(canvas: "Canvas", table: Table, action: Attack, box: "Box") -> None:
    """The user, the cards, an arrow, the value and the target."""
    from overworlds.envs.overpower.pictures import ALARM, FAINT, GOLD, TEXT

    left, top, _, height = box
    middle = top + height / 2
    canvas.text(action.user, left + 14, middle - 10, 24, GOLD, room=140)
    attacks = "attacks with" if action.cards else "attacks face down"
    canvas.text(attacks if table.attack else "is about to play", left + 14, middle + 13, NOTE, FAINT, room=140)
    x = left + 160
    for face in action.cards:
        canvas.card(face, (x, top + 4, CARD, height - 8))
        x += CARD + 4
    canvas.arrow(x + 4, middle, 40, ALARM if table.attack else GOLD)
    x += 54
    if action.value is not None:
        canvas.number(str(action.value), action.types, (x, middle - 18, 40, 36), 32)
        x += 48
    elif action.types:
        canvas.number(letters(action.types), action.types, (x, middle - 18, 40, 36), BODY)
        x += 48
    if table.attack:
        canvas.text(action.target or "everybody", x, middle, 24, TEXT, room=left + box[2] - x - 8)
