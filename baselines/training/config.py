"""What a training run is made of: one dataclass, and a preset of it for each game."""

import dataclasses
import math
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Self, get_args

__all__ = [
    "GRID",
    "PRESETS",
    "Checkpoints",
    "Evaluation",
    "Imitation",
    "PpoSettings",
    "SacSettings",
    "SelfPlay",
    "TrainConfig",
]

if TYPE_CHECKING:
    from game_core.game import Game

Algorithm = Literal["maskable_ppo", "ppo", "sac"]
Activation = Literal["relu", "tanh"]
Rows = Literal["positions", "moves"]


@dataclasses.dataclass(frozen=True)
class Imitation:
    """Imitation of an expert, before self-play.

    Attributes:
        expert: Bot to imitate, for example "mcts(simulations=200)"; "" for none.
        decisions: Number of the expert's decisions to learn from.
        noise: Share of the expert's moves that are replaced by others, so that it also
            plays positions it would not reach by itself.
        workers: Number of processes in which it plays; 0 for one per core.
        epochs: Number of passes over all decisions.
        batch_size: Decisions in a minibatch.
        learning_rate: Initial learning rate; it decays to a twentieth along a half
            cosine.
    """

    expert: str = ""
    decisions: int = 200_000
    noise: float = 0.2
    workers: int = 0
    epochs: int = 4
    batch_size: int = 1024
    learning_rate: float = 1e-3


@dataclasses.dataclass(frozen=True)
class SelfPlay:
    """Games against past versions of the policy.

    Attributes:
        share: Share of the opponents that are past versions; the rest are bots.
        every: Steps between two snapshots.
        keep: Number of latest snapshots to play against, each equally often.
    """

    share: float = 0.5
    every: int = 200_000
    keep: int = 10


@dataclasses.dataclass(frozen=True)
class Evaluation:
    """Games of the current policy against each bot.

    Attributes:
        every: Steps between two evaluations.
        games: Games against each bot, half of them at each seat.
        final_games: The same for the tournament at the end; 0 for none.
        sample: Whether to sample actions as in training, instead of taking the most
            probable one. The latter is mostly stronger in the end, but may be hopeless
            early on: where rolling is always a little more probable than stopping, the
            policy never stops.
        opponents: Names of the bots. By default those of training.
    """

    every: int = 200_000
    games: int = 200
    final_games: int = 1000
    sample: bool = False
    opponents: tuple[str, ...] = ()


@dataclasses.dataclass(frozen=True)
class Checkpoints:
    """Checkpoints to resume from.

    Attributes:
        every: Steps between two checkpoints; the end of a run writes one, too.
        keep: Number of latest checkpoints to keep.
    """

    every: int = 500_000
    keep: int = 2


@dataclasses.dataclass(frozen=True)
class PpoSettings:
    """Settings of PPO and MaskablePPO only.

    Attributes:
        n_steps: Steps of each game between two updates.
        batch_size: Decisions in a minibatch.
        n_epochs: Number of passes over all decisions in an update.
        gae_lambda: Lambda of generalized advantage estimation.
        ent_coef: Weight of the entropy bonus.
        clip_range: Clipping range of the ratio between the new and the old policy.
        log_std_init: Initial log standard deviation of continuous actions.
    """

    n_steps: int = 64
    batch_size: int = 2048
    n_epochs: int = 4
    gae_lambda: float = 0.95
    ent_coef: float = 0.01
    clip_range: float = 0.2
    log_std_init: float = -0.5


@dataclasses.dataclass(frozen=True)
class SacSettings:
    """Settings of SAC only.

    Attributes:
        batch_size: Decisions in a minibatch.
        buffer_size: Decisions in the replay buffer.
        learning_starts: Random decisions before learning starts.
        gradient_steps: Gradient steps after each step of all games.
        tau: Rate at which the target networks follow.
        ent_coef: Weight of the entropy. It is fixed: a learned weight starts at 1,
            where randomness pays more than any reward of a game.
    """

    batch_size: int = 256
    buffer_size: int = 200_000
    learning_starts: int = 5_000
    gradient_steps: int = 4
    tau: float = 0.005
    ent_coef: float = 0.02


@dataclasses.dataclass(frozen=True)
class TrainConfig:
    """A training run.

    Attributes:
        game: Id of the game.
        options: Options of the game.
        algorithm: "maskable_ppo" for numbered actions; "ppo" or "sac" for continuous
            ones.
        steps: Decisions of the learner, in all games together.
        num_envs: Number of games played at once.
        opponents: Names of bots to train against (see "tabletop agents").
        seed: The same seed trains the same policy on the same machine.
        network: What the policy network scores. With "positions" it is all actions of
            a position at once, with "moves" each legal move by what the move does; see
            baselines/GAME/_moves.py.
        net_arch: Sizes of the hidden layers, for the policy and the value network each.
        activation: Activation function of the hidden layers.
        learning_rate: Initial learning rate.
        decay: Whether the learning rate decreases linearly to 0.
        gamma: Discount factor; 1 for no discount.
        threads: Threads of torch; more than 1 may not give the same numbers again.
        start: Policy file to start from.
        shaping: Name of a potential for reward shaping, for example "cards" in ICECOOL;
            see game_core/envs/shaping.py. Empty for none.
        task: Name of a task to train instead of the game, for example "take_fish" in
            ICECOOL; see icecool_env/tasks.py. Empty for none. A task has no opponents,
            no shaping, and no tournament at the end.
        imitation: Imitation of an expert, before self-play.
        self_play: Games against past versions of the policy.
        evaluation: Games of the current policy against each bot.
        checkpoints: Checkpoints to resume from.
        ppo: Settings of PPO and MaskablePPO only.
        sac: Settings of SAC only.
    """

    game: str
    options: dict[str, Any] = dataclasses.field(default_factory=dict)
    algorithm: Algorithm = "maskable_ppo"
    steps: int = 5_000_000
    num_envs: int = 256
    opponents: tuple[str, ...] = ("random",)
    seed: int = 0
    network: Rows = "positions"
    net_arch: tuple[int, ...] = (128, 128)
    activation: Activation = "relu"
    learning_rate: float = 1e-3
    decay: bool = True
    gamma: float = 1.0
    threads: int = 1
    start: Path | None = None
    shaping: str = ""
    task: str = ""
    imitation: Imitation = Imitation()
    self_play: SelfPlay = SelfPlay()
    evaluation: Evaluation = Evaluation()
    checkpoints: Checkpoints = Checkpoints()
    ppo: PpoSettings = PpoSettings()
    sac: SacSettings = SacSettings()

    @property
    def rivals(self) -> tuple[str, ...]:
        """Names of the bots that evaluations are against, each once, or of the task."""
        if self.task:
            return (self.task,)
        return tuple(dict.fromkeys(self.evaluation.opponents or self.opponents))

    def make_game(self) -> "Game":
        """Return the game, with a grid of actions where the algorithm needs one.

        Raises:
            ValueError: For an unknown game or option, or an algorithm for other
                actions.
        """
        from game_core.registry import load_game

        game = load_game(self.game, **self.options)
        if game.num_players < 2:
            raise ValueError("num_players=1: training needs two players at least")
        masked = self.algorithm == "maskable_ppo"
        if masked and not game.discrete and "grid" not in self.options:
            game = load_game(self.game, **self.options, grid=GRID)
        if masked != game.discrete:
            kind, others = (
                ("numbered", "maskable_ppo")
                if game.discrete
                else ("continuous", "ppo or sac")
            )
            raise ValueError(
                f"algorithm {self.algorithm!r} is not for {kind} actions: take {others}"
            )
        return game

    def check(self) -> None:
        """Raise ``ValueError`` for a value out of range, and say which one."""
        self._check_words()
        for name, value in _numbers(self):
            least = LEAST.get(name, 1)
            if type(value) is int and value < least:
                raise ValueError(f"{name}={value} is not allowed; give {least} or more")
            if type(value) is float and not math.isfinite(value):
                raise ValueError(f"{name}={value} is not allowed; give a finite number")
        if self.seed > MAX_SEED:
            raise ValueError(f"seed={self.seed} is not allowed; give 0 to {MAX_SEED}")
        for name, value in (
            ("gamma", self.gamma),
            ("imitation.noise", self.imitation.noise),
            ("self_play.share", self.self_play.share),
            ("ppo.gae_lambda", self.ppo.gae_lambda),
            ("sac.tau", self.sac.tau),
            ("sac.ent_coef", self.sac.ent_coef),
        ):
            if not 0 <= value <= 1:
                raise ValueError(f"{name}={value} is not allowed; give 0 to 1")
        for name, value in (
            ("learning_rate", self.learning_rate),
            ("imitation.learning_rate", self.imitation.learning_rate),
            ("ppo.clip_range", self.ppo.clip_range),
        ):
            if value <= 0:
                raise ValueError(f"{name}={value} is not allowed; give more than 0")
        self._check_opponents()
        self._check_algorithm()

    def _check_opponents(self) -> None:
        """Raise ``ValueError`` for a game without others, or a task with any."""
        if not (self.task or self.opponents) and self.self_play.share < 1:
            raise ValueError(
                "there are no opponents: name some, or give self_play.share=1"
            )
        unused = {
            "opponents": self.opponents,
            "self_play.share": self.self_play.share,
            "evaluation.opponents": self.evaluation.opponents,
            "shaping": self.shaping,
        }
        given = [f"{name}={value!r}" for name, value in unused.items() if value]
        if self.task and given:
            raise ValueError(
                f"task={self.task!r} is for the learner alone, and pays for itself: "
                f"{', '.join(given)} is not allowed; give none, and 0 for a share"
            )

    def _check_words(self) -> None:
        """Raise ``ValueError`` for a word that means nothing, or should be a tuple."""
        from game_core.validation.options import one_of

        for name, words in (
            ("algorithm", get_args(Algorithm)),
            ("network", get_args(Rows)),
            ("activation", get_args(Activation)),
        ):
            one_of(name, getattr(self, name), words)
        for name, value in (
            ("opponents", self.opponents),
            ("evaluation.opponents", self.evaluation.opponents),
        ):
            if isinstance(value, str):
                raise ValueError(f"{name}={value!r} is not allowed; give ({value!r},)")

    def _check_algorithm(self) -> None:
        """Raise ``ValueError`` for what does not suit the algorithm."""
        masked = self.algorithm == "maskable_ppo"
        if not masked and (self.imitation.expert or self.network == "moves"):
            raise ValueError(
                f"algorithm {self.algorithm!r} does not allow imitation.expert="
                f"{self.imitation.expert!r} with network={self.network!r}: experts and "
                'networks over "moves" are for maskable_ppo'
            )
        rollout = self.ppo.n_steps * self.num_envs
        if self.algorithm != "sac" and rollout % self.ppo.batch_size:
            raise ValueError(
                f"ppo.batch_size={self.ppo.batch_size} does not divide the {rollout} "
                f"decisions between two updates (ppo.n_steps x num_envs)"
            )

    def to_json(self) -> dict[str, Any]:
        """Return it as JSON has it."""
        values = dataclasses.asdict(self)
        values["start"] = None if self.start is None else str(self.start)
        return values

    @classmethod
    def from_json(cls, values: dict[str, Any]) -> Self:
        """Return what ``to_json`` returned.

        Raises:
            ValueError: If it is something else.
        """
        try:
            return cls(**{name: _read(name, value) for name, value in values.items()})
        except TypeError as error:
            raise ValueError(f"no configuration of this version: {error}") from None


GROUPS: dict[str, Any] = {
    "imitation": Imitation,
    "self_play": SelfPlay,
    "evaluation": Evaluation,
    "checkpoints": Checkpoints,
    "ppo": PpoSettings,
    "sac": SacSettings,
}

LEAST = {
    "seed": 0,
    "imitation.workers": 0,
    "evaluation.final_games": 0,
    "sac.learning_starts": 0,
    "ppo.batch_size": 2,  # advantages are divided by their spread
}
"""Least values of whole numbers; of all others it is 1."""

MAX_SEED = 2**32 - 1
"""NumPy's global stream, which Stable-Baselines3 draws from, takes no more."""

GRID = {"directions": 96, "strengths": 4, "sides": 1, "heights": 1}
"""Of flicks, where actions have to be numbered: as fine as a door asks for."""

TAKE_FISH = TrainConfig(
    "icecool",
    algorithm="ppo",
    opponents=(),
    task="take_fish",
    gamma=0.95,
    self_play=SelfPlay(share=0.0),
)
"""The task with continuous flicks, for which nobody else plays."""

PRESETS = {
    "cant_stop": TrainConfig(
        "cant_stop",
        opponents=("glenn_aloi", "rule_of_28"),
        steps=2_000_000,
        network="moves",
        net_arch=(128, 64),
        learning_rate=3e-4,
        imitation=Imitation("turn_optimal", decisions=300_000),
        evaluation=Evaluation(every=250_000, games=400),
        ppo=PpoSettings(ent_coef=0.003),
    ),
    "azul": TrainConfig(
        "azul",
        opponents=("planner", "greedy"),
        steps=3_000_000,
        network="moves",
        net_arch=(128, 64),
        learning_rate=3e-4,
        imitation=Imitation("mcts(simulations=256)"),
        evaluation=Evaluation(every=250_000, games=400),
        ppo=PpoSettings(ent_coef=0.003),
    ),
    "icecool": TrainConfig(
        "icecool",
        opponents=("aimer",),
        steps=20_480,
        num_envs=64,
        network="moves",
        net_arch=(64, 64),
        gamma=0.99,
        learning_rate=1e-4,
        shaping="cards",
        imitation=Imitation(
            "baselines.icecool._teacher:Teacher",
            decisions=5_000,
            epochs=20,
            batch_size=256,
            learning_rate=2e-3,
        ),
        self_play=SelfPlay(share=0.7, every=8_000),
        evaluation=Evaluation(every=4_096, games=100, final_games=200),
        checkpoints=Checkpoints(every=2_048),
        ppo=PpoSettings(n_steps=32, batch_size=512, n_epochs=2, ent_coef=0.001),
    ),
    "icecool_ppo": dataclasses.replace(
        TAKE_FISH,
        steps=400_000,
        num_envs=64,
        evaluation=Evaluation(every=20_000, games=400),
        checkpoints=Checkpoints(every=50_000),
        ppo=PpoSettings(n_steps=16, batch_size=256, n_epochs=8, ent_coef=0.0),
    ),
    "icecool_sac": dataclasses.replace(
        TAKE_FISH,
        algorithm="sac",
        steps=20_000,
        num_envs=16,
        evaluation=Evaluation(every=2_000, games=400),
        checkpoints=Checkpoints(every=10_000),
        sac=SacSettings(learning_starts=1_000, gradient_steps=8),
    ),
}
"""Subcommand of ``tabletop train`` -> where to begin from: a game's, or one for
continuous actions."""


def _numbers(config: Any) -> list[tuple[str, Any]]:
    """Return all values with their names, those of groups as "group.name"."""
    numbers: list[tuple[str, Any]] = []
    for field in dataclasses.fields(config):
        name, value = field.name, getattr(config, field.name)
        if name in GROUPS:
            numbers += [
                (f"{name}.{inner}", number) for inner, number in _numbers(value)
            ]
        elif isinstance(value, tuple):
            numbers += [(name, number) for number in value]
        else:  # a whole number where another one would do is none that counts
            real = field.type is float and type(value) is int
            numbers.append((name, float(value) if real else value))
    return numbers


def _read(name: str, value: Any) -> Any:
    if name in GROUPS:
        return GROUPS[name](**{inner: _read(inner, v) for inner, v in value.items()})
    if name == "start" and value is not None:
        return Path(value)
    return tuple(value) if isinstance(value, list) else value
