"""Ctrl-C that reaches processes before they are ready for it, and locks."""

import os
import signal
import subprocess
import sys
import threading
import time
from multiprocessing import get_context

import pytest

from game_core.processes import end_with, holding_ctrl_c, lock, outlive_ctrl_c


def serve(alive, ready):
    """Be a process that works for another one."""
    outlive_ctrl_c()
    end_with(alive)
    ready.send("ready")
    ready.close()
    time.sleep(600)


def test_a_process_outlives_ctrl_c_from_its_first_moment_and_ends_with_its_pipe():
    context = get_context("spawn")
    alive, ours = context.Pipe(duplex=False)
    heard, ready = context.Pipe(duplex=False)
    process = context.Process(target=serve, args=(alive, ready))
    with holding_ctrl_c():
        process.start()
        assert process.pid is not None
        os.kill(process.pid, signal.SIGINT)  # it has not even begun to import
    ready.close()  # so that nobody waits for a process that died
    assert heard.recv() == "ready"
    os.kill(process.pid, signal.SIGINT)
    ours.close()
    process.join(30)
    assert process.exitcode == 0


def test_ctrl_c_that_was_held_back_comes_after_the_block():
    with pytest.raises(KeyboardInterrupt), holding_ctrl_c():
        signal.pthread_kill(threading.get_ident(), signal.SIGINT)


def test_a_lock_ends_with_its_process(tmp_path):
    path = tmp_path / "lock"
    code = (
        "import sys, time\n"
        "from game_core.processes import lock\n"
        "file = open(sys.argv[1], 'ab')\n"
        "lock(file)\n"
        "print('locked', flush=True)\n"
        "time.sleep(600)\n"
    )
    other = subprocess.Popen(
        [sys.executable, "-c", code, path], stdout=subprocess.PIPE, text=True
    )
    assert other.stdout is not None
    assert other.stdout.readline() == "locked\n"
    with path.open("ab") as file:
        with pytest.raises(BlockingIOError):
            lock(file)
        other.kill()
        other.communicate()
        lock(file)
