"""TorchRL: masked PPO in self-play, one network for both seats of Can't Stop.

    pip install -r docs/clients/requirements-torchrl.txt .
    python docs/clients/with_torchrl.py

Nothing of ours is wrapped but by TorchRL's own ``PettingZooWrapper``. It asks for what
every player sees after every move, so that each player has a trajectory of its own:
values are of one player, and a loss reaches the one who lost. Only the player who was
to move learns from an action: ``("agents", "mask")`` says who that was.

It ran with torchrl 0.14.1, pettingzoo 1.27.0 and gymnasium 1.4.0.
"""

import sys

import torch
from tensordict import TensorDict
from tensordict.nn import TensorDictModule
from torch import nn
from torchrl.collectors import Collector
from torchrl.envs import MarlGroupMapType, PettingZooWrapper
from torchrl.modules import MaskedCategorical, ProbabilisticActor, ValueOperator
from torchrl.objectives import ClipPPOLoss
from torchrl.objectives.value import GAE

from cant_stop_env import cant_stop_v0
from game_core import find_agent, load_game, play

BATCH, EPOCHS, MINIBATCH = 2048, 4, 256
SEEN = ("agents", "observation", "observation")
MASK, LOGITS = ("agents", "action_mask"), ("agents", "logits")


def make_env() -> PettingZooWrapper:
    """Return both players as one group, whose tensors have one row for each."""
    group_map = MarlGroupMapType.ALL_IN_ONE_GROUP
    return PettingZooWrapper(cant_stop_v0.env(), use_mask=True, group_map=group_map)


def mlp(outputs: int) -> nn.Module:
    """Return a network over observations."""
    return nn.Sequential(
        nn.LazyLinear(64),
        nn.Tanh(),
        nn.Linear(64, 64),
        nn.Tanh(),
        nn.Linear(64, outputs),
    )


def learn(steps: int, network: nn.Module) -> None:
    """Play and learn, and print how it goes."""
    actor = ProbabilisticActor(
        TensorDictModule(network, [SEEN], [LOGITS]),
        in_keys={"logits": LOGITS, "mask": MASK},
        out_keys=[("agents", "action")],
        distribution_class=MaskedCategorical,
        return_log_prob=True,
    )
    critic = ValueOperator(mlp(1), [SEEN], [("agents", "state_value")])
    critic(make_env().reset())  # gives lazy layers their sizes
    names = ("reward", "done", "terminated", "value", "advantage", "value_target")
    keys = {name: ("agents", name) for name in names}
    keys["value"] = ("agents", "state_value")
    advantage = GAE(gamma=1.0, lmbda=0.95, value_network=critic)
    advantage.set_keys(**keys)
    loss = ClipPPOLoss(actor, critic, entropy_coeff=0.01, normalize_advantage=True)
    own = ("advantage", "value_target", "value")
    acts = {"action": ("agents", "action"), "sample_log_prob": actor.log_prob_keys[0]}
    loss.set_keys(**{name: keys[name] for name in own}, **acts)
    optimizer = torch.optim.Adam(loss.parameters(), 3e-4)
    games = 0
    for batch in Collector(make_env, actor, frames_per_batch=BATCH, total_frames=steps):
        with torch.no_grad():
            advantage(batch)
        games += int(batch["next", "done"].sum())
        who = batch["agents", "mask"]  # one player a row
        moves = TensorDict({"agents": batch["agents"][who]}, [int(who.sum())])
        for _ in range(EPOCHS):
            for rows in torch.randperm(len(moves)).split(MINIBATCH):
                losses = loss(moves[rows])
                optimizer.zero_grad()
                parts = ("loss_objective", "loss_critic", "loss_entropy")
                sum(losses[part] for part in parts).backward()
                optimizer.step()
        print(f"{games} games, value loss {losses['loss_critic'].item():.3f}")


def main(steps: int = 100_000) -> None:
    """Train, and play against ``random``."""
    torch.manual_seed(0)
    network = mlp(cant_stop_v0.env().action_space("player_0").n)
    learn(steps, network)

    def policy(view):
        with torch.no_grad():
            logits = network(torch.from_numpy(view.observation))[view.legal_actions]
        chances = logits.double().softmax(0).numpy()
        return view.rng.choice(view.legal_actions, p=chances)

    table = [policy, find_agent("random", "cant_stop")]
    logs = [play(load_game("cant_stop"), table, seed=seed) for seed in range(100)]
    wins = sum(log.rewards[0] > 0 for log in logs)
    print(f"won {wins} of 100 games against random")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
