"""Trained networks as players: a small multilayer perceptron in numba, without torch.

A network is a file of weights with a description of where they come from. Loaded, it is one flat row of numbers, so
that a trained player is a compiled policy like any other. The first layer skips the zeros of the observation, and only
the legal actions are weighed, which makes a decision cost microseconds.
"""

import json
import math
import warnings
import zipfile
import zlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from io import BytesIO
from pathlib import Path
from typing import Any

import numba
import numpy as np

from overworlds.envs.core.advance import header
from overworlds.envs.core.game import Policy, Variant
from overworlds.envs.core.kernel import POLICY, VALUE, addresses, borrowed, jit, kernel, observe_at
from overworlds.envs.core.replay import write_atomically
from overworlds.envs.core.rng import WORD, mix

FORMAT = 1
"""Version of the file format."""
CHECKPOINTS = Path(__file__).parent / "checkpoints"
"""The networks that come with the package."""
MAX_HIDDEN_LAYERS = 4

# The row of numbers begins with what is not a weight:
TEMPERATURE = 0  # 0: the best action; else actions are drawn from softmax(logits / temperature)
LAYERS = 1  # how many hidden layers
SIZES = 2  # inputs, hidden layers …, actions
OBSERVER = SIZES + MAX_HIDDEN_LAYERS + 2  # where the game's observe kernel is: four 16-bit pieces, exact as floats
WEIGHTS = OBSERVER + 4
# Then for each hidden layer weights [inputs, outputs] and biases; actions [actions, last] and biases; value and bias.

# ---------------------------------------------------------------- thinking, compiled

# A sum may be taken in any order: this is what lets the compiler use vector instructions.
quick = numba.njit(nogil=True, fastmath={"reassoc", "contract"})

if numba.config.DISABLE_JIT:
    _observers: list[Any] = []

    def place_of(observe: Any) -> int:
        """A number by which `observer_at` finds this function."""
        if observe not in _observers:
            _observers.append(observe)
        return _observers.index(observe)

    def observer_at(place):
        """The function with this number."""
        return _observers[place]

else:
    observer_at = observe_at

    def place_of(observe: Any) -> int:
        """Where this kernel is in memory."""
        return int(addresses(observe)[0])


@quick
def add_row(target, row, factor):
    """Add ``factor`` times a row of weights."""
    for i in range(len(target)):
        target[i] += factor * row[i]


@quick
def weigh(layer, row):
    """The sum of products of a layer and a row of weights."""
    total = np.float32(0.0)
    for i in range(len(layer)):
        total += layer[i] * row[i]
    return total


@jit
def apply_layer(params, weights, inputs, layer):
    """A layer's sums over its inputs, most of which are zero (or negative, which is cut off); where its weights end."""
    width = len(layer)
    biases = weights + len(inputs) * width
    layer[:] = params[biases : biases + width]
    for i in range(len(inputs)):
        if inputs[i] != 0:
            at = weights + i * width
            add_row(layer, params[at : at + width], np.float32(inputs[i]))
    return biases + width


@jit
def rectify(layer):
    """Cut off what is negative."""
    for i in range(len(layer)):
        layer[i] = max(layer[i], np.float32(0.0))


@jit
def think(params, rules, state, seat, hidden):
    """Run all hidden layers on what this seat sees; where the last one begins in ``hidden``, and its weights end."""
    place = 0
    for i in range(4):
        place |= int(params[OBSERVER + i]) << (16 * i)
    observation = np.empty(int(params[SIZES]), np.int8)
    observer_at(place)(rules, state, seat, observation)
    at, end = 0, int(params[SIZES + 1])
    weights = apply_layer(params, WEIGHTS, observation, hidden[at:end])
    rectify(hidden[at:end])
    for layer in range(1, int(params[LAYERS])):
        before, at, end = at, end, end + int(params[SIZES + 1 + layer])
        weights = apply_layer(params, weights, hidden[before:at], hidden[at:end])
        rectify(hidden[at:end])
    return at, weights


@jit
def room(params):
    """An array for all hidden layers."""
    size = 0
    for layer in range(int(params[LAYERS])):
        size += int(params[SIZES + 1 + layer])
    return np.empty(size, np.float32)


@jit
def drawn(logits, n, temperature, seed):
    """A random place, more likely where the logit is greater."""
    most = logits[0]
    for i in range(n):
        most = max(most, logits[i])
    total = 0.0
    for i in range(n):
        logits[i] = math.exp((logits[i] - most) / temperature)
        total += logits[i]
    left = (mix(seed, 0) & WORD) / (WORD + 1) * total
    for i in range(n):
        left -= logits[i]
        if left < 0:
            return i
    return n - 1


@kernel(POLICY)
def play_network(params, rules, state, legal, n, seed):
    """The action that the network likes best, or one drawn by its liking."""
    params = borrowed(params)
    hidden = room(params)
    at, weights = think(params, rules, state, int(header(state).to_move), hidden)
    last = hidden[at:]
    width = len(last)
    biases = weights + width * int(params[SIZES + 1 + int(params[LAYERS])])
    logits = np.empty(n, np.float32)
    best = 0
    for i in range(n):
        row = weights + int(legal[i]) * width
        logits[i] = weigh(last, params[row : row + width]) + params[biases + legal[i]]
        if logits[i] > logits[best]:
            best = i
    if params[TEMPERATURE] > 0:
        best = drawn(logits, n, params[TEMPERATURE], seed)
    return int(legal[best])


@kernel(VALUE)
def value_for(params, rules, state, seat):
    """What the network expects this seat to gain from here to the end of the game."""
    params = borrowed(params)
    hidden = room(params)
    at, weights = think(params, rules, state, seat, hidden)
    last = hidden[at:]
    weights += (len(last) + 1) * int(params[SIZES + 1 + int(params[LAYERS])])
    return weigh(last, params[weights : weights + len(last)]) + params[weights + len(last)]


# ---------------------------------------------------------------- networks and their files


@dataclass(frozen=True)
class Network:
    """The weights of a trained player, and where they come from. Hidden layers are rectified: max(0, x)."""

    hidden: tuple[tuple[np.ndarray, np.ndarray], ...]
    """For each hidden layer weights ``[inputs, outputs]`` and biases."""
    actions: tuple[np.ndarray, np.ndarray]
    """Weights ``[actions, last hidden layer]`` and biases of the logits."""
    value: tuple[np.ndarray, np.ndarray]
    """Weights ``[last hidden layer]`` and one bias of the expected return."""
    about: Mapping[str, Any] = field(default_factory=dict)
    """Game, players, rules digest, and for files that ship: command, date and measured strength."""

    def __post_init__(self) -> None:
        """Check that the flat row has room for all sizes."""
        if not 1 <= len(self.hidden) <= MAX_HIDDEN_LAYERS:
            raise ValueError(f"a network has 1 to {MAX_HIDDEN_LAYERS} hidden layers, not {len(self.hidden)}")

    @property
    def sizes(self) -> tuple[int, ...]:
        """Inputs, hidden layers, actions."""
        return (self.hidden[0][0].shape[0], *(len(bias) for _, bias in self.hidden), len(self.actions[1]))

    def arrays(self) -> list[np.ndarray]:
        """All weights in the order of the flat row."""
        return [array for layer in (*self.hidden, self.actions, self.value) for array in layer]

    def row(self, variant: Variant, temperature: float = 0.0) -> np.ndarray:
        """The numbers that `play_network` and `value_for` take, for use in this process only."""
        if not 0 <= temperature < math.inf:
            raise ValueError(f"a temperature is 0 (the best action) or more, not {temperature}")
        start = np.zeros(WEIGHTS, np.float32)
        start[TEMPERATURE] = temperature
        start[LAYERS] = len(self.hidden)
        start[SIZES : SIZES + len(self.sizes)] = self.sizes
        place = place_of(variant.game.kernels.observe)
        start[OBSERVER : OBSERVER + 4] = [(place >> (16 * i)) & 0xFFFF for i in range(4)]
        return np.concatenate([start, *(array.ravel() for array in self.arrays())]).astype(np.float32)

    def check(self, variant: Variant) -> None:
        """Raise a ValueError unless this network plays this variant; warn where its rules differ."""
        made_for = self.about.get("game"), self.about.get("players")
        if made_for != (variant.game.id, variant.players):
            raise ValueError(
                f"this network plays {made_for[0]} with {made_for[1]} players, not {variant.game.id} with "
                f"{variant.players}; train one with: overworlds train {variant.game.id} --players {variant.players}"
            )
        if (self.sizes[0], self.sizes[-1]) != (variant.observation_size, variant.num_actions):
            raise ValueError(
                f"this network takes {self.sizes[0]} numbers and chooses among {self.sizes[-1]} actions, but "
                f"{variant.game.id} with these rules has {variant.observation_size} and {variant.num_actions}"
            )
        if self.about.get("rules_digest") != variant.digest:
            warnings.warn(
                f"this network was trained with other rules of {variant.game.id}; how well it plays here is not known",
                stacklevel=3,
            )

    def save(self, path: str | Path) -> None:
        """Write the file, atomically."""
        names = [f"{part}_{i}" for i in range(len(self.hidden)) for part in ("weights", "biases")]
        names += ["action_weights", "action_biases", "value_weights", "value_bias"]
        arrays = dict(zip(names, (array.astype(np.float32) for array in self.arrays()), strict=True))
        content = BytesIO()
        about = json.dumps({"format": FORMAT, **self.about}, ensure_ascii=False)
        np.savez_compressed(content, allow_pickle=False, about=np.array(about), **arrays)
        write_atomically(Path(path), content.getvalue())


@dataclass(frozen=True)
class NetworkPolicy(Policy):
    """A network as a player. Pickled, it takes its weights along and finds the game's kernels anew."""

    origin: tuple[Network, Variant, float] | None = None
    """Made from this network, for this variant, with this temperature."""

    def __reduce__(self) -> tuple:
        return network_policy, self.origin


def network_policy(network: Network, variant: Variant, temperature: float = 0.0) -> NetworkPolicy:
    """A player for this variant: the best action each time, or drawn from softmax(logits / temperature)."""
    network.check(variant)
    way = f"drawn at temperature {temperature:g}" if temperature else "always the best action"
    numbers = network.row(variant, temperature)
    return NetworkPolicy(play_network, numbers, f"a trained network, {way}", (network, variant, temperature))


def load_network(path: str | Path) -> Network:
    """Read a network's file; a ValueError says what is wrong with it."""
    path = Path(path)
    if not path.is_file():
        raise ValueError(f"there is no file {str(path)!r}")
    try:
        with np.load(path, allow_pickle=False) as file:
            arrays = {name: file[name] for name in file.files}
    except (OSError, EOFError, ValueError, KeyError, NotImplementedError, zipfile.BadZipFile, zlib.error) as error:
        raise ValueError(f"{str(path)!r} is not a network, or is damaged: {error}") from error
    try:
        return _network(arrays)
    except ValueError as error:
        raise ValueError(f"{str(path)!r} is not a network this version can use: {error}") from None


def _network(arrays: dict[str, np.ndarray]) -> Network:
    """The network in these arrays, if they are one."""
    try:
        about = json.loads(str(arrays["about"]))
        layers = sum(name.startswith("weights_") for name in arrays)
        hidden = tuple((arrays[f"weights_{i}"], arrays[f"biases_{i}"]) for i in range(layers))
        actions = arrays["action_weights"], arrays["action_biases"]
        value = arrays["value_weights"], arrays["value_bias"]
    except KeyError as error:
        raise ValueError(f"it has no {error}") from None
    if not isinstance(about, dict) or about.get("format") != FORMAT:
        raise ValueError(f"it is not of format {FORMAT}")
    if layers == 0:
        raise ValueError("it has no hidden layer")
    width = hidden[0][0].shape[0] if hidden[0][0].ndim == 2 else 0
    for weights, biases in hidden:
        if biases.ndim != 1 or weights.shape != (width, len(biases)):
            raise ValueError(f"a layer of shape {weights.shape} does not fit the {width} numbers before it")
        width = len(biases)
    if actions[1].ndim != 1 or actions[0].shape != (len(actions[1]), width):
        raise ValueError(f"action weights of shape {actions[0].shape} do not fit a last layer of {width}")
    if value[0].shape != (width,) or value[1].shape != (1,):
        raise ValueError(f"value weights of shape {value[0].shape} do not fit a last layer of {width}")
    network = Network(hidden, actions, value, about)
    for array in network.arrays():
        if array.dtype != np.float32 or not np.isfinite(array).all():
            raise ValueError("its weights are not all finite 32-bit floats")
    return network


def shipped_checkpoint(variant: Variant) -> Path:
    """Where the network for this game and number of players is, if one comes with the package."""
    return CHECKPOINTS / f"{variant.game.id}-{variant.players}.npz"


def load_policy(path: str | Path | None, variant: Variant, temperature: float = 0.0) -> Policy:
    """A trained player for this variant.

    Args:
        path: the file of a network; None takes the one that comes with the package.
        variant: what it shall play.
        temperature: 0 always takes the best action; 1 draws actions as often as the network was trained to.
    """
    if path is None:
        path = shipped_checkpoint(variant)
        if not path.is_file():
            raise ValueError(
                f"no trained network comes with {variant.game.id} for {variant.players} players; "
                f"train one with: overworlds train {variant.game.id} --players {variant.players}"
            )
    return network_policy(load_network(path), variant, temperature)
