"""All modules that ``_plugins.py`` finds by name, each with the protocol it follows.

This is for type checkers, which compare them; nothing imports it.
"""

from baselines._plugins import GridModule, MovesModule, SearchModule
from baselines.azul import _mcts as azul_search
from baselines.azul import _moves as azul_moves
from baselines.cant_stop import _mcts as cant_stop_search
from baselines.cant_stop import _moves as cant_stop_moves
from baselines.icecool import _mcts as icecool_search
from baselines.icecool import _moves as icecool_moves
from baselines.icecool import _on_grid as icecool_grid

MOVES: tuple[MovesModule, ...] = (azul_moves, cant_stop_moves, icecool_moves)
SEARCHES: tuple[SearchModule, ...] = (
    azul_search,
    cant_stop_search,
    icecool_search,
)
GRIDS: tuple[GridModule, ...] = (icecool_grid,)
