"""One learning seat as Gymnasium environments, single and batched.

``gymnasium.make("tabletop/Azul-v0", opponents=["greedy"], seat="random")`` after
``import azul_env``; ``gymnasium.make_vec`` makes the batched one.
"""

# pyright: reportMissingTypeStubs=false

from typing import Any

import gymnasium
import numpy as np
from gymnasium.error import ResetNeeded
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from game_core.compiled.record import copy_records
from game_core.envs.screen import RENDER_MODES, Screen, render_fps
from game_core.envs.seat_games import NO_SEEDS, Outcome, SeatGames
from game_core.envs.shaping import Shaping
from game_core.envs.vector import MAX_ENVS, as_autoreset_mode
from game_core.game import Game
from game_core.position import Position
from game_core.registry import as_game
from game_core.validation import options as options_
from game_core.validation.seeds import Seeds, as_seed, as_seeds

__all__ = ["SeatEnv", "SeatVectorEnv", "refuse_pictures"]

Info = dict[str, Any]
FIRST_ROW = np.zeros(1, np.int64)


class SeatEnv(gymnasium.Env[np.ndarray, Any]):
    """One game in which the agent plays one seat and opponents the others.

    Observations are flat (size,) float32, from the agent's own seat. In games with
    numbered actions ``info["action_mask"]`` (actions,) int8 and ``action_masks()`` say
    which are legal; an illegal one ends the game with -1 and
    ``info["illegal_action"]``. Rewards are paid at the end of a game; see the game's
    option ``reward``.

    Attributes:
        games: The game, as an array of one, with its opponents.
    """

    metadata = {"render_modes": list(RENDER_MODES)}  # noqa: RUF012

    def __init__(
        self,
        game: str | Game,
        opponents: Any = "random",
        seat: int | str = "random",
        render_mode: str | None = None,
        shaping: Shaping | None = None,
        **options: Any,
    ) -> None:
        """Make the environment; ``reset`` begins a game.

        Args:
            game: A game id, or a game.
            opponents: An agent or several, of which each game draws one for each
                seat: names as in tournaments, functions of a view, or objects with
                ``act`` or ``act_batch``. Or one for each seat but the agent's, as
                ``{seat: agent}``, for all seats if its own is drawn.
            seat: The agent's seat, or "random" to draw it for each game.
            render_mode: None, or as in ``game_core.envs.aec.GameEnv``; what is shown
                are the positions in which the agent decides, and the last one.
            shaping: A potential that rewards on the way are made of: see
                ``game_core.envs.shaping``; None for what the game pays alone.
            **options: The game's options, if ``game`` is an id.

        Raises:
            OSError: If a file that an opponent needs is not there.
            ValueError: For an unknown game, option, opponent or mode, or a value out
                of range.
        """
        games = SeatGames(as_game(game, options), 1, opponents, seat, shaping)
        self._take(games, render_mode)

    def _take(self, games: SeatGames, render_mode: str | None) -> None:
        """Be the environment of games, an array of one."""
        if render_mode is not None:
            options_.one_of("render_mode", render_mode, RENDER_MODES)
        self.games = games
        self.render_mode = render_mode
        self.metadata = {**self.metadata, "render_fps": render_fps(render_mode)}
        self._screen: Screen | None = None
        if render_mode is not None:
            self._screen = Screen(games.game, render_mode)
        self.observation_space = games.game.observation_space
        self.action_space = games.game.action_space

    @property
    def position(self) -> Position:
        """A copy of the game in progress; ``print`` draws it.

        Raises:
            gymnasium.error.ResetNeeded: Before the first ``reset``.
        """
        self.games.check_begun()
        return Position(self.games.game, copy_records(self.games.states))

    @property
    def seat(self) -> int:
        """The agent's seat in this game."""
        return int(self.games.seats[0])

    def set_opponents(self, opponents: Any) -> None:
        """Let games draw from other opponents, from the next one on.

        Raises:
            ValueError: For no opponent, or an unknown one; nothing has changed.
        """
        self.games.set_opponents(opponents)

    def action_masks(self) -> np.ndarray:
        """Return the legal actions (actions,) bool.

        Raises:
            ValueError: If actions are continuous.
            gymnasium.error.ResetNeeded: Before the first ``reset``.
        """
        return self.games.action_masks()[0].astype(np.bool_)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[np.ndarray, Info]:
        """Begin a new game, and play it up to the agent's first decision.

        Args:
            seed: From 0 to 2**64 - 1; None goes on with the streams of the last game.
            options: Not used; options are given when the environment is made.

        Returns:
            Observation (size,) float32, and info.

        Raises:
            ValueError: For another seed, or options that are no mapping.
        """
        options_.of_reset(options)
        seeds = NO_SEEDS
        if seed is not None or not self.games.begun:
            seeds = np.array([as_seed(seed)], np.uint64)
        super().reset(seed=None if seed is None else int(seed))
        self.games.reset(FIRST_ROW, seeds)
        if self._screen is not None:
            self._screen.begin(self.games.states)
        return self.games.observations()[0], self._info(illegal=False)

    def step(self, action: Any) -> tuple[np.ndarray, float, bool, bool, Info]:
        """Play an action, and let the others move until the agent has to decide.

        Returns:
            Observation, reward, terminated, truncated, info.

        Raises:
            IllegalActionError: For an action outside the action space; nothing has
                changed.
            gymnasium.error.ResetNeeded: Before ``reset``, and after the game is over.
        """
        games = self.games
        if games.begun and games.over[0]:
            raise ResetNeeded("the game is over: call reset()")
        actions = games.game.blank_action.copy()
        actions[0] = games.game.as_action(action)
        outcome = games.step(actions)
        if self._screen is not None:
            self._screen.move_on(games.states)
        return (
            games.observations()[0],
            float(outcome.rewards[0]),
            bool(outcome.terminated[0]),
            bool(outcome.truncated[0]),
            self._info(bool(outcome.illegal[0])),
        )

    def render(self) -> Any:
        """Return the position as ``render_mode`` has it; None where it has a window.

        Raises:
            gymnasium.error.ResetNeeded: Before the first ``reset``.
            ImportError: If the mode needs the extra ``render``.
            RuntimeError: If there is no display for a window.
        """
        if self._screen is None:
            gymnasium.logger.warn("render() does nothing without a render_mode")
            return None
        self.games.check_begun()
        return self._screen.render()

    def close(self) -> None:
        """Close the window, if there is one."""
        if self._screen is not None:
            self._screen.close()

    def _info(self, illegal: bool) -> Info:
        info: Info = {"illegal_action": illegal}
        if self.games.game.discrete:
            info["action_mask"] = self.games.action_masks()[0]
        return info


NO_PICTURE = (
    "an array of games draws nothing; make one of them by gymnasium.make(..., "
    "render_mode=...), or draw a row by Position(env.games.game, env.games.states[:1])"
)


def refuse_pictures(options: dict[str, Any]) -> None:
    """Raise ``ValueError`` for a ``render_mode``; None is left out of the options."""
    mode = options.pop("render_mode", None)
    if mode is not None:
        raise ValueError(f"no render_mode={mode!r} here: {NO_PICTURE}")


class SeatVectorEnv(VectorEnv[np.ndarray, np.ndarray, np.ndarray]):
    """Many games at once, in each of which the agent plays one seat.

    Row i is, step by step, the ``SeatEnv`` with seed ``seed + i``. Infos have
    ``action_mask`` (num_envs, actions) int8, all ones for a game that is over, and
    ``illegal_action`` (num_envs,) bool. With ``AutoresetMode.SAME_STEP`` they are of
    the games that began; how others ended is in ``infos["final_info"]``.

    Attributes:
        games: The games, with their opponents.
    """

    def __init__(
        self,
        game: str | Game,
        num_envs: int = 1,
        opponents: Any = "random",
        seat: int | str = "random",
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        shaping: Shaping | None = None,
        **options: Any,
    ) -> None:
        """Make the array; ``reset`` begins the games.

        Args:
            game: A game id, or a game.
            num_envs: Number of games.
            opponents: See ``SeatEnv``.
            seat: See ``SeatEnv``.
            autoreset_mode: A member of ``gymnasium.vector.AutoresetMode``, or its
                value; where games that ended begin again.
            shaping: See ``SeatEnv``.
            **options: The game's options, if ``game`` is an id.

        Raises:
            OSError: If a file that an opponent needs is not there.
            ValueError: For an unknown game, option, opponent or mode, or a value out
                of range.
        """
        refuse_pictures(options)
        num_envs = options_.whole_number("num_envs", num_envs, 1, MAX_ENVS)
        game = as_game(game, options)
        self._take(SeatGames(game, num_envs, opponents, seat, shaping), autoreset_mode)

    def _take(self, games: SeatGames, autoreset_mode: AutoresetMode | str) -> None:
        """Be the environments of games."""
        mode = as_autoreset_mode(autoreset_mode)
        self.games = games
        self.num_envs = num_envs = games.num_envs
        self.autoreset_mode = mode
        self.metadata = {"autoreset_mode": mode, "render_modes": []}
        self.render_mode = None
        game = games.game
        self.single_observation_space = game.observation_space
        self.single_action_space = game.action_space
        self.observation_space = batch_space(game.observation_space, num_envs)
        self.action_space = batch_space(game.action_space, num_envs)

    def render(self) -> Any:
        """Raise ``NotImplementedError``: an array of games draws nothing."""
        raise NotImplementedError(NO_PICTURE)

    def set_opponents(self, opponents: Any) -> None:
        """Let games draw from other opponents, from the next one in each row on.

        Raises:
            ValueError: For no opponent, or an unknown one; nothing has changed.
        """
        self.games.set_opponents(opponents)

    def reset(
        self, *, seed: Seeds = None, options: dict[str, Any] | None = None
    ) -> tuple[np.ndarray, Info]:
        """Begin new games, and play them up to the agent's first decisions.

        Args:
            seed: A number s for the seeds s, s + 1, ... of the rows; a sequence of
                one for each row; or None, which goes on with the rows' streams, after
                the first time.
            options: ``{"reset_mask": (num_envs,) bool}`` for the rows to begin anew;
                None for all.

        Returns:
            Observations (num_envs, size) float32, and infos.

        Raises:
            ValueError: For a seed out of range, a mask of another shape, or options
                that are no mapping.
        """
        rows = self._rows_to_reset(options)
        goes_on = seed is None and self.games.begun
        self.games.reset(
            rows, NO_SEEDS if goes_on else as_seeds(seed, self.num_envs)[rows]
        )
        return self.games.observations(), self._infos()

    def step(
        self, actions: Any
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, Info]:
        """Play an action in every game, and the others' moves after it.

        Returns:
            Observations (num_envs, size) float32, rewards (num_envs,) float64,
            terminated and truncated (num_envs,) bool, infos.

        Raises:
            IllegalActionError: For an action outside the action space; nothing has
                changed.
            gymnasium.error.ResetNeeded: Before ``reset``.
        """
        games = self.games
        was_over = games.over
        outcome = games.step(games.game.as_actions(actions, was_over))
        infos: Info = {}
        if self.autoreset_mode is AutoresetMode.SAME_STEP:
            infos = self._begin_again(outcome)
        elif self.autoreset_mode is AutoresetMode.NEXT_STEP:
            games.reset(np.flatnonzero(was_over))
            outcome.terminated[was_over] = outcome.truncated[was_over] = False
        infos |= self._infos()
        if self.autoreset_mode is not AutoresetMode.SAME_STEP:
            infos["illegal_action"] = outcome.illegal
        return games.observations(), *outcome[:3], infos

    def action_masks(self) -> np.ndarray:
        """Return the legal actions (num_envs, actions) bool.

        Raises:
            ValueError: If actions are continuous.
        """
        return self.games.action_masks().astype(np.bool_)

    def _begin_again(self, outcome: Outcome) -> Info:
        """Begin anew in the rows that ended; return infos of how they did."""
        ended = outcome.terminated | outcome.truncated
        if not ended.any():
            return {}
        observations = np.full(self.num_envs, None, object)
        last = self.games.observations()
        for row in np.flatnonzero(ended):
            observations[row] = last[row]
        final: Info = {"illegal_action": outcome.illegal, "_illegal_action": ended}
        if self.games.game.discrete:
            masks = np.zeros((self.num_envs, self.games.game.num_actions), np.int8)
            masks[ended] = 1  # as in any game that is over
            final |= {"action_mask": masks, "_action_mask": ended}
        self.games.reset(np.flatnonzero(ended))
        return {
            "final_obs": observations,
            "_final_obs": ended,
            "final_info": final,
            "_final_info": ended,
        }

    def _infos(self) -> Info:
        every = np.ones(self.num_envs, np.bool_)
        infos: Info = {"illegal_action": ~every, "_illegal_action": every}
        if self.games.game.discrete:
            infos["action_mask"] = self.games.action_masks()
            infos["_action_mask"] = every.copy()
        return infos

    def _rows_to_reset(self, options: dict[str, Any] | None) -> np.ndarray:
        mask = options_.of_reset(options).get("reset_mask")
        if mask is None:
            return np.arange(self.num_envs)
        mask = np.asarray(mask)
        if mask.shape != (self.num_envs,) or mask.dtype != np.bool_:
            raise ValueError(
                f"reset_mask {mask.dtype} {mask.shape} should be bool "
                f"({self.num_envs},)"
            )
        self.games.check_begun()
        return np.flatnonzero(mask)
