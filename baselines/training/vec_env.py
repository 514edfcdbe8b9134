"""``SeatVecEnv``: one learning seat in many games, for Stable-Baselines3."""

from collections.abc import Sequence
from typing import Any, Self

import numpy as np
from stable_baselines3.common.vec_env import VecEnv

from game_core.envs.seat_games import NO_SEEDS, SeatGames
from game_core.envs.shaping import Shaping
from game_core.envs.vector import MAX_ENVS
from game_core.game import Game
from game_core.registry import as_game
from game_core.validation.options import whole_number
from game_core.validation.seeds import as_seeds

__all__ = ["SeatVecEnv"]

MASKS = "action_masks"
"""The method that MaskablePPO asks every environment for."""


class SeatVecEnv(VecEnv):
    """Games in which the learner plays one seat, as a ``VecEnv``.

    A game that ends begins again in the same step. ``infos[i]`` then has what the
    learner saw last as ``terminal_observation``, whether the game was cut short as
    ``TimeLimit.truncated``, and ``illegal_action``; else it is empty. Row i is the
    environment ``game_core.envs.seat.SeatEnv`` with seed ``seed + i``.

    Attributes:
        games: The games, with their opponents.
        paid: What games paid in the last step (num_envs,), without shaping.
    """

    def __init__(
        self,
        game: str | Game,
        num_envs: int = 256,
        opponents: Any = "random",
        seat: int | str = "random",
        shaping: Shaping | None = None,
        **options: Any,
    ) -> None:
        """Make the array; ``seed`` and ``reset`` begin the games.

        Args:
            game: A game id, or a game.
            num_envs: Number of games.
            opponents: See ``game_core.envs.seat.SeatEnv``.
            seat: Likewise.
            shaping: Likewise.
            **options: The game's options, if ``game`` is an id.

        Raises:
            ValueError: For an unknown game, option or opponent, or a value out of
                range.
        """
        game = as_game(game, options)
        num_envs = whole_number("num_envs", num_envs, 1, MAX_ENVS)
        self._take(SeatGames(game, num_envs, opponents, seat, shaping))

    @classmethod
    def of(cls, games: SeatGames) -> Self:
        """Return the environments of games, for instance those of a task."""
        env = cls.__new__(cls)
        env._take(games)
        return env

    def _take(self, games: SeatGames) -> None:
        self.games, game = games, games.game
        self.paid = np.zeros(games.num_envs)
        self.render_mode = None
        self._rows = np.arange(games.num_envs)
        self._actions = np.repeat(game.blank_action, games.num_envs, axis=0)
        super().__init__(games.num_envs, game.observation_space, game.action_space)

    def set_opponents(self, opponents: Any) -> None:
        """Let games draw from other opponents, from the next one in each row on.

        Raises:
            ValueError: For no opponent, or an unknown one; nothing has changed.
        """
        self.games.set_opponents(opponents)

    def reset(self) -> np.ndarray:
        """Begin new games; return what the learner sees (num_envs, size) float32.

        Seeds are those that ``seed`` was given, once; else streams go on.
        """
        seeds = NO_SEEDS
        if not self.games.begun or self._seeds[0] is not None:
            first: Any = self._seeds if self._seeds[0] is not None else None
            seeds = as_seeds(first, self.num_envs)
        self._reset_seeds()
        self._reset_options()
        self.games.reset(self._rows, seeds)
        self.reset_infos = [{} for _ in range(self.num_envs)]
        return self.games.observations()

    def action_masks(self) -> np.ndarray:
        """Return the legal actions (num_envs, actions) bool.

        Raises:
            ValueError: If actions are continuous.
            gymnasium.error.ResetNeeded: Before ``reset``.
        """
        return self.games.action_masks().astype(np.bool_)

    def step_async(self, actions: np.ndarray) -> None:
        """Take the actions of the next step.

        Raises:
            IllegalActionError: For an action outside the action space.
        """
        self._actions = self.games.game.as_actions(actions, self.games.over)

    def step_wait(self) -> Any:
        """Play them, and what the others move after them.

        Returns:
            Observations (num_envs, size) float32, rewards (num_envs,) float32, dones
            (num_envs,) bool, and an info for each game.
        """
        games = self.games
        outcome = games.step(self._actions)
        self.paid = outcome.paid
        observations = games.observations()
        dones = outcome.terminated | outcome.truncated
        infos: list[dict[str, Any]] = [{} for _ in range(self.num_envs)]
        ended = np.flatnonzero(dones)
        if len(ended):
            for row in ended.tolist():
                infos[row] = {
                    "terminal_observation": observations[row].copy(),
                    "TimeLimit.truncated": bool(outcome.truncated[row]),
                    "illegal_action": bool(outcome.illegal[row]),
                }
            games.reset(ended)
            observations[ended] = games.game.observations(
                games.states[ended], games.seats[ended]
            )
        return observations, outcome.rewards.astype(np.float32), dones, infos

    def close(self) -> None:
        """Nothing needs to be released."""

    def has_attr(self, attr_name: str) -> bool:
        """Tell whether the environments have an attribute.

        They have ``action_masks`` only if actions are numbered, which is how
        sb3-contrib tells that they can be masked.
        """
        if attr_name == MASKS:
            return self.games.game.discrete
        return super().has_attr(attr_name)

    def get_attr(self, attr_name: str, indices: Any = None) -> list[Any]:
        """Return an attribute once for each of the environments asked for.

        Raises:
            AttributeError: If they have none of that name.
        """
        return [getattr(self, attr_name) for _ in self._get_indices(indices)]

    def set_attr(self, attr_name: str, value: Any, indices: Any = None) -> None:
        """Set an attribute of all environments, which share it.

        Raises:
            ValueError: For a part of them.
        """
        self._check_all(list(self._get_indices(indices)))
        setattr(self, attr_name, value)

    def env_method(
        self, method_name: str, *args: Any, indices: Any = None, **kwargs: Any
    ) -> list[Any]:
        """Call a method of the environments asked for.

        Args:
            method_name: "action_masks" for the legal actions (actions,) bool of each;
                or "set_opponents", which is called once.
            *args: For the method.
            indices: Of the environments; None for all.
            **kwargs: For the method.

        Raises:
            AttributeError: For any other method.
            ValueError: For the opponents of a part of them.
        """
        rows = np.array(list(self._get_indices(indices)), np.int64)
        if method_name == MASKS:
            return list(self.action_masks()[rows])
        if method_name == "set_opponents":
            self._check_all(rows)
            self.set_opponents(*args, **kwargs)
            return [None] * len(rows)
        raise AttributeError(f"the games have no method {method_name!r}")

    def env_is_wrapped(self, wrapper_class: Any, indices: Any = None) -> list[bool]:
        """Tell that no environment has a wrapper of its own."""
        return [False for _ in self._get_indices(indices)]

    def _check_all(self, rows: Sequence[int] | np.ndarray) -> None:
        if len(rows) != self.num_envs:
            raise ValueError(
                "the games share their attributes and opponents: set them for all"
            )
