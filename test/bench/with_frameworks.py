"""Times values with their gradients, or epochs of training, in PyTorch and in JAX, where they are installed, one thread each.

Writes JSON: as "times" milliseconds, the least of many, {name: {"torch": …, "jax": …}}, where the names are those of gradients.ts and
epochs.ts; the "versions" of frameworks, and as "absent" why others cannot be imported.
"""

import importlib
import json
import os
import sys
import time

os.environ["XLA_FLAGS"] = "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1"
os.environ["OMP_NUM_THREADS"] = "1"
os.environ["JAX_PLATFORMS"] = "cpu"

import numpy as np

draw = np.random.default_rng(1)


def floats(*sizes, scale=1.0):
    return (scale * draw.uniform(-1, 1, sizes)).astype(np.float32)


labels, items, each = 100_000, 64, 20
chosen = draw.integers(0, labels, (items, each))

# Name, arrays to differentiate in, other arrays.
DATA = {
    "net 784-256-10 float, batch of 64": (
        [floats(784, 256, scale=0.05), floats(256), floats(256, 10, scale=0.1), floats(10)],
        [floats(64, 784), np.eye(10, dtype=np.float32)[draw.integers(0, 10, 64)]],
    ),
    "attention float 128×64": ([floats(128, 64), floats(128, 64), floats(128, 64)], []),
    "factorisation machine float, 100,000 labels by 8, 64 rows of 20": (
        [floats(labels), floats(labels, 8)],
        [chosen, floats(items, each), floats(items)],
    ),
    "10,000 rows of 32 floats, looked up in a table of 1,000": (
        [floats(1000, 32), floats(32)],
        [draw.integers(0, 1000, 10_000), floats(10_000)],
    ),
    "MaxSim float 32×128 by 200×128": ([floats(32, 128), floats(200, 128)], []),
}


def losses(np):
    """The losses, written once for both: they have the same functions by these names."""

    def net(w1, b1, w2, b2, x, y):
        score = np.maximum(x @ w1 + b1, 0 * b1) @ w2 + b2
        return (np.log(np.exp(score).sum(1)) - (score * y).sum(1)).mean()

    def attention(q, k, v):
        weights = np.exp(q @ k.T / 8)
        return (((weights / weights.sum(1, keepdims=True)) @ v) ** 2).mean()

    def machine(w, v, chosen, x, y):
        own = v[chosen] * x[:, :, None]
        pairs = (own.sum(1) ** 2 - (own**2).sum(1)).sum(1)
        return (((w[chosen] * x).sum(1) + 0.5 * pairs - y) ** 2).mean()

    def lookup(table, w, ids, y):
        return (((table[ids] * w).sum(1) - y) ** 2).mean()

    def maxsim(q, d):
        best = (q @ d.T).max(1)
        return (best if not hasattr(best, "values") else best.values).sum()

    return dict(zip(DATA, [net, attention, machine, lookup, maxsim]))


def least(run, seconds=1.0):
    times = []
    end = time.perf_counter() + seconds
    while time.perf_counter() < end or len(times) < 5:
        start = time.perf_counter()
        run()
        times.append(time.perf_counter() - start)
    return 1000 * min(times)


def in_torch():
    import torch

    torch.set_num_threads(1)
    found = {}
    for name, loss in losses(torch).items():
        variables = [torch.tensor(each, requires_grad=True) for each in DATA[name][0]]
        others = [torch.tensor(each) for each in DATA[name][1]]
        found[name] = least(lambda: torch.autograd.grad(loss(*variables, *others), variables))
    return found


def in_jax():
    import jax

    found = {}
    for name, loss in losses(jax.numpy).items():
        variables, others = [[jax.numpy.array(each) for each in part] for part in DATA[name]]
        run = jax.jit(jax.value_and_grad(loss, argnums=tuple(range(len(variables)))))
        found[name] = least(lambda: jax.block_until_ready(run(*variables, *others)))
    return found


EPOCH = "net 784-256-10 float, 20 batches of 64"


def epoch_in_torch():
    import torch

    torch.set_num_threads(1)
    name = "net 784-256-10 float, batch of 64"
    loss = losses(torch)[name]
    variables = [torch.tensor(each, requires_grad=True) for each in DATA[name][0]]
    x = torch.tensor(floats(20 * 64, 784))
    y = torch.eye(10)[torch.arange(20 * 64) % 10]
    adam = torch.optim.Adam(variables, lr=0.001)

    def epoch():
        order = torch.randperm(20 * 64)
        for batch in order.split(64):
            adam.zero_grad()
            loss(*variables, x[batch], y[batch]).backward()
            adam.step()

    return {EPOCH: least(epoch)}


def epoch_in_jax():
    import jax

    name = "net 784-256-10 float, batch of 64"
    gradient = jax.grad(losses(jax.numpy)[name], argnums=(0, 1, 2, 3))
    variables = [jax.numpy.array(each) for each in DATA[name][0]]
    x = jax.numpy.array(floats(20 * 64, 784))
    y = jax.numpy.eye(10)[jax.numpy.arange(20 * 64) % 10]

    @jax.jit
    def step(state, n, x, y):
        w, m, v = state
        g = gradient(*w, x, y)
        m = [0.9 * a + 0.1 * b for a, b in zip(m, g)]
        v = [0.999 * a + 0.001 * b * b for a, b in zip(v, g)]
        root = [jax.numpy.sqrt(each / (1 - 0.999**n)) + 1e-8 for each in v]
        w = [a - 0.001 * b / (1 - 0.9**n) / c for a, b, c in zip(w, m, root)]
        return w, m, v

    def epoch():
        state = (variables, [0 * each for each in variables], [0 * each for each in variables])
        order = np.random.permutation(20 * 64).reshape(20, 64)
        for n, batch in enumerate(order):
            state = step(state, n + 1.0, x[batch], y[batch])
        jax.block_until_ready(state)

    return {EPOCH: least(epoch)}


measured = sys.argv[1] if len(sys.argv) > 1 else "gradients"
peers = {
    "gradients": {"torch": in_torch, "jax": in_jax},
    "epochs": {"torch": epoch_in_torch, "jax": epoch_in_jax},
}[measured]
times = {name: {} for name in (DATA if measured == "gradients" else [EPOCH])}
versions, absent = {}, {}
for peer, measure in peers.items():
    try:
        versions[peer] = importlib.import_module(peer).__version__
    except ImportError as error:
        absent[peer] = str(error)
        continue
    for name, milliseconds in measure().items():
        times[name][peer] = milliseconds
print(json.dumps({"times": times, "versions": versions, "absent": absent}))
