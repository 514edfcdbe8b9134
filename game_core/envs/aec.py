"""A game as a PettingZoo AEC environment.

``raw_env`` plays a batch of one and raises ``IllegalActionError`` for an action that
cannot be played. ``env`` puts one wrapper around it, which does what PettingZoo's
three (order, bounds, illegal actions) do together.
"""

# pyright: reportMissingTypeStubs=false

import copy
import warnings
from typing import Any

import numpy as np
from gymnasium import spaces
from gymnasium.error import ResetNeeded
from pettingzoo import AECEnv
from pettingzoo.utils.wrappers import BaseWrapper

from game_core.compiled.record import copy_records
from game_core.envs.screen import RENDER_MODES, Screen, render_fps
from game_core.game import Game, IllegalActionError
from game_core.position import Position
from game_core.scene import Scene
from game_core.validation import options as options_
from game_core.validation.seeds import as_seed

__all__ = ["CheckedEnv", "GameEnv"]

ILLEGAL_REWARD = -1.0
SET_BY_RESET = (
    "agent_selection",
    "rewards",
    "_cumulative_rewards",
    "terminations",
    "truncations",
    "infos",
)


Observation = dict[str, np.ndarray] | np.ndarray
"""A dict with a mask; or the plain array in a game whose actions are continuous."""


class GameEnv(AECEnv[str, Observation, Any]):
    """A ``Game`` behind PettingZoo's AEC interface.

    Observations are ``{"observation": (size,) float32, "action_mask": (actions,)
    int8}``, fresh arrays each time. The mask is all zero for a seat that is not to
    move. Where actions are continuous there is no mask, and an observation is the
    array (size,) alone.

    All agents end together; rewards are paid in the step that ends the game.
    ``reset(seed=None)`` goes on with the random stream of the game before.
    """

    def __init__(self, game: Game, render_mode: str | None = None) -> None:
        """Make the environment; ``reset`` begins a game.

        Args:
            game: The game and its options.
            render_mode: None; or what ``render`` returns: "ansi" colored text, "svg"
                a picture, "rgb_array" its pixels (height, width, 3) uint8, and
                "rgb_array_list" the film since the last call, 25 pictures a second.
                "human" shows every position in a window.

        Raises:
            ValueError: For another render mode.
        """
        if render_mode is not None:
            options_.one_of("render_mode", render_mode, RENDER_MODES)
        super().__init__()
        self.game = game
        self.render_mode = render_mode
        self.metadata = {
            "name": f"{game.id}_v{game.version}",
            "render_modes": list(RENDER_MODES),
            "render_fps": render_fps(render_mode),
            "is_parallelizable": False,
        }
        self.possible_agents = [f"player_{seat}" for seat in range(game.num_players)]
        observation_space: spaces.Space[Any] = game.observation_space
        if game.discrete:
            mask_space = spaces.Box(0, 1, (game.num_actions,), np.int8)
            observation_space = spaces.Dict(
                {"observation": observation_space, "action_mask": mask_space}
            )
        self.observation_spaces: dict[str, Any] = dict.fromkeys(
            self.possible_agents, observation_space
        )
        self.action_spaces: dict[str, Any] = dict.fromkeys(
            self.possible_agents, game.action_space
        )
        self.state_space = game.observation_space
        self._seats = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self._position: Position | None = None
        self._screen = None if render_mode is None else Screen(game, render_mode)
        self.agents = []

    def __getattr__(self, name: str) -> Any:
        """Explain what is missing before the first ``reset``."""
        hint = " before reset()" if name in SET_BY_RESET else ""
        raise AttributeError(f"{type(self).__name__} has no attribute {name!r}{hint}")

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """Return the space of observations, the same object for every agent."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """Return the space of actions, the same object for every agent."""
        return self.action_spaces[agent]

    @property
    def position(self) -> Position:
        """The game in progress.

        Raises:
            gymnasium.error.ResetNeeded: Before the first ``reset``.
        """
        if self._position is None:
            raise ResetNeeded("reset() needs to be called first")
        return self._position

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> None:
        """Begin a new game.

        Args:
            seed: From 0 to 2**64 - 1; None goes on with the stream of the last game.
            options: Not used; options are given when the environment is made.

        Raises:
            ValueError: For another seed, or options that are no mapping.
        """
        options_.of_reset(options)
        if seed is None and self._position is not None:
            states = copy_records(self._position.states)
            rows, no_seeds = np.zeros(1, np.int64), np.zeros(0, np.uint64)
            self.game.loops.reset_rows(states, rows, no_seeds)
            self._begin(Position(self.game, states))
        else:
            self._begin(Position.new(self.game, as_seed(seed)))

    def step(self, action: Any) -> None:
        """Play the action of the selected agent; None for one whose game is over.

        Raises:
            IllegalActionError: If it cannot be played; nothing has changed.
        """
        self._check_not_empty()
        if self.has_ended(self.agent_selection):
            self._was_dead_step(action)
        else:
            self.play_checked(self.game.as_action(action))

    def play_checked(self, action: Any) -> None:
        """Play an action that ``game.as_action`` returned, in a game that goes on.

        Raises:
            IllegalActionError: If it is illegal now; nothing has changed.
        """
        position, screen = self.position, self._screen
        before = None if screen is None else copy_records(position.states)
        position.play_checked(action)
        self._cumulative_rewards[self.agent_selection] = 0.0
        if position.over:
            self._end()
        else:
            self.rewards = dict.fromkeys(self.agents, 0.0)
            self.agent_selection = self.possible_agents[position.player]
        if screen is not None and before is not None:
            screen.move(before, action, position.states)

    def observe(self, agent: str) -> Observation:
        """Return what ``agent`` sees now, whoever is to move."""
        position = self.position
        seat = self._seats[agent]
        seats = self.game.seats[seat : seat + 1]
        observation = self.game.observations(position.states, seats)[0]
        if not self.game.discrete:
            return observation
        to_move = agent == self.agent_selection and not self.has_ended(agent)
        return {
            "observation": observation,
            "action_mask": (
                position.action_mask()
                if to_move
                else np.zeros(self.game.num_actions, np.int8)
            ),
        }

    def last(
        self, observe: bool = True
    ) -> tuple[Observation | None, float, bool, bool, dict[str, Any]]:
        """Return what the selected agent sees, and how it stands.

        Returns:
            Observation (None unless ``observe``), the rewards since it last acted,
            termination, truncation, info.
        """
        self._check_not_empty()
        agent = self.agent_selection
        return (
            self.observe(agent) if observe else None,
            self._cumulative_rewards[agent],
            self.terminations[agent],
            self.truncations[agent],
            dict(self.infos[agent]),
        )

    def state(self) -> np.ndarray:
        """Return the position as the first player sees it (size,) float32."""
        return self.position.observation(0)

    def render(self) -> Any:
        """Return the position as ``render_mode`` has it; None where it has a window.

        Raises:
            gymnasium.error.ResetNeeded: Before the first ``reset``.
            ImportError: If the mode needs the extra ``render``.
            RuntimeError: If there is no display for a window.
        """
        if self._screen is None:
            warnings.warn(
                "render() does nothing without a render_mode: give one when making "
                "the environment, for instance render_mode='ansi'",
                stacklevel=2,
            )
            return None
        _ = self.position
        return self._screen.render()

    def close(self) -> None:
        """Close the window, if there is one."""
        if self._screen is not None:
            self._screen.close()

    def picture(self) -> str | None:
        """Return the position as SVG; None before the first ``reset``."""
        position = self._position
        return None if position is None else self.game.picture(Scene(position.states))

    def _repr_svg_(self) -> str | None:
        """Show the position in notebooks."""
        return self.picture()

    def clone(self, seed: int | None = None) -> "GameEnv":
        """Return a copy of the environment mid-game.

        Args:
            seed: None for an exact copy, which will see the same dice. A number for
                a fair one, from which the player to move learns nothing that it may
                not know: its chance starts anew from this seed, and what is hidden
                is dealt anew.
        """
        clone = object.__new__(GameEnv)
        clone.__dict__.update(
            {
                name: value.copy() if isinstance(value, (dict, list)) else value
                for name, value in self.__dict__.items()
            }
        )
        clone._screen = copy.copy(self._screen)
        if self._position is not None:
            position = self._position
            clone.infos = {agent: dict(info) for agent, info in self.infos.items()}
            clone._position = (
                position.copy()
                if seed is None
                else position.determinize(position.player, as_seed(seed))
            )
        return clone

    def get_state(self) -> np.ndarray:
        """Return a copy of the whole position: (1,) record, see ``state.py``."""
        return copy_records(self.position.states)

    def set_state(self, state: np.ndarray) -> None:
        """Go on from a position that ``get_state`` returned.

        Raises:
            ValueError: If it is no single record of this game; nothing has changed.
        """
        states = self.game.adopt(state)
        if len(states) != 1:
            raise ValueError(f"set_state() takes one record; got {len(states)}")
        self._begin(Position(self.game, states))
        if self.position.over:
            self._end()

    def _check_not_empty(self) -> None:
        if not self.agents:
            _ = self.position  # which says so before the first reset
            raise ResetNeeded("the game is over and all agents have left: call reset()")

    def _begin(self, position: Position) -> None:
        self._position = position
        self.agents = self.possible_agents.copy()
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos = {agent: {} for agent in self.agents}
        self.agent_selection = self.possible_agents[position.player]
        self._skip_agent_selection = None
        if self._screen is not None:
            self._screen.begin(position.states)

    def has_ended(self, agent: str) -> bool:
        """Tell whether the game is over for an agent, or it has left."""
        return self.terminations.get(agent, True) or self.truncations[agent]

    def _end(self) -> None:
        position = self.position
        self.rewards = dict(zip(self.agents, position.rewards.tolist(), strict=True))
        self.terminations = dict.fromkeys(self.agents, position.terminated)
        self.truncations = dict.fromkeys(self.agents, position.truncated)
        self._accumulate_rewards()

    def end_by_illegal_action(self) -> None:
        """End the game for all, with -1 for the selected agent and 0 for others."""
        offender = self.agent_selection
        self._cumulative_rewards[offender] = 0.0
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self.rewards[offender] = ILLEGAL_REWARD
        self.terminations = dict.fromkeys(self.agents, True)
        self._accumulate_rewards()


def _passed_through(name: str) -> Any:
    """Return a property that reads an attribute of the wrapped environment."""
    return property(lambda wrapper: getattr(wrapper.env, name))


class CheckedEnv(BaseWrapper[str, Observation, Any]):
    """The checks that PettingZoo's environments come with, in one wrapper.

    An action outside the action space raises ``IllegalActionError``. An action that
    is illegal now ends the game, with -1 for the offender and 0 for the others. Using
    the environment before ``reset`` raises ``gymnasium.error.ResetNeeded``, and so
    does a loop over ``agent_iter`` that forgets to ``step``.
    """

    env: GameEnv

    agents = _passed_through("agents")
    agent_selection = _passed_through("agent_selection")
    rewards = _passed_through("rewards")
    terminations = _passed_through("terminations")
    truncations = _passed_through("truncations")
    infos = _passed_through("infos")
    _cumulative_rewards = _passed_through("_cumulative_rewards")

    def __init__(self, env: GameEnv) -> None:
        super().__init__(env)
        self._moved_on = True

    def __str__(self) -> str:
        return str(self.env)

    @property
    def unwrapped(self) -> GameEnv:
        """The environment without the checks."""
        return self.env

    def observe(self, agent: str) -> Observation:
        """Return what ``agent`` sees now; see ``GameEnv.observe``."""
        return self.env.observe(agent)

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> None:
        """Begin a new game; see ``GameEnv.reset``."""
        self.env.reset(seed, options)
        self._moved_on = True

    def last(
        self, observe: bool = True
    ) -> tuple[Observation | None, float, bool, bool, dict[str, Any]]:
        """Return what the selected agent sees; see ``GameEnv.last``."""
        return self.env.last(observe)

    def step(self, action: Any) -> None:
        """Play an action; an illegal one ends the game.

        Raises:
            IllegalActionError: If it is outside the action space; nothing has
                changed.
        """
        env = self.env
        self._moved_on = True
        if not env.agents:
            _ = env.position  # which says so before the first reset
            warnings.warn("the game is over: call reset() first", stacklevel=2)
            return
        if env.has_ended(env.agent_selection):
            env.step(action)
            return
        action = env.game.as_action(action)
        try:
            env.play_checked(action)
        except IllegalActionError as error:
            warnings.warn(f"{error}. The game ends.", stacklevel=2)
            env.end_by_illegal_action()

    def agent_iter(self, max_iter: int = 2**63) -> Any:
        """Yield the agent to act, until the game is over for all.

        Raises:
            gymnasium.error.ResetNeeded: Before the first ``reset``, and if the loop
                did not ``step``.
        """
        env = self.env
        _ = env.position
        while env.agents and max_iter > 0:
            if not self._moved_on:
                raise ResetNeeded(
                    "step() or reset() needs to be called in a loop over agent_iter()"
                )
            self._moved_on = False
            max_iter -= 1
            yield env.agent_selection

    def _repr_svg_(self) -> str | None:
        """Show the position in notebooks."""
        return self.env.picture()

    def clone(self, seed: int | None = None) -> "CheckedEnv":
        """Return a copy of the environment mid-game; see ``GameEnv.clone``."""
        return CheckedEnv(self.env.clone(seed))
