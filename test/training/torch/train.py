"""Models of open batch size that PyTorch has written as ONNX, and what PyTorch makes of numbers before and behind them in training.

    python3 -m venv venv && venv/bin/pip install torch onnx onnxscript
    venv/bin/python test/training/torch/train.py > test/training/torch/trained.json

A net has inputs x of some items, which are scaled by s before it; w and b are the head behind it. Its own weights stay. The order of the
items is that of Sphex for the seed, computed anew here; the arithmetic of PyTorch is in float.
"""

import base64
import io
import json
import warnings

import torch

warnings.simplefilter("ignore")
items, validated, batch, epochs, seed = 7, 5, 3, 4, 5


class Dense(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.one, self.two = torch.nn.Linear(3, 4), torch.nn.Linear(4, 2)

    def forward(self, x):
        return self.two(torch.tanh(self.one(x)))


class Recurrent(torch.nn.Module):
    """Begins with zeros for as many items as there are."""

    def __init__(self):
        super().__init__()
        self.cells = torch.nn.RNN(1, 2, batch_first=True)

    def forward(self, x):
        return self.cells(x.unsqueeze(2))[0][:, -1]


def bits(value):
    return value & 0xFFFFFFFF


def uniform(seed):
    counter = bits(seed)

    def next_bits():
        nonlocal counter
        counter = bits(counter + 0x9E3779B9)
        mixed = bits((counter ^ (counter >> 16)) * 0x21F0AAAD)
        mixed = bits((mixed ^ (mixed >> 15)) * 0x735A2D97)
        return mixed ^ (mixed >> 15)

    def number():
        high, low = next_bits() >> 5, next_bits() >> 6
        return (high * 67108864 + low) / 9007199254740992

    return number


def shuffled(count, random):
    order = list(range(count))
    for at in range(count - 1, 0, -1):
        other = int(random() * (at + 1))
        order[at], order[other] = order[other], order[at]
    return order


def written(net):
    for each in net.parameters():
        each.data = torch.round(each.data * 64) / 64
    file = io.BytesIO()
    torch.onnx.export(
        net, (torch.zeros(2, 3),), file, input_names=["x"], output_names=["y"],
        dynamic_axes={"x": {0: "n"}, "y": {0: "n"}}, opset_version=17, dynamo=False,
    )
    return base64.b64encode(file.getvalue()).decode()


def data(count):
    x, t = torch.randn(count, 3), torch.randn(count)
    return torch.round(x * 64) / 64, torch.round(t * 64) / 64


def trained(net, optimiser, rate, sets):
    s, w, b = torch.ones(3), torch.tensor([0.5, -0.5]), torch.tensor(0.0)
    variables = {"s": s, "w": w, "b": b}
    for each in variables.values():
        each.requires_grad = True
    steps = {"sgd": torch.optim.SGD, "adam": torch.optim.Adam}[optimiser](variables.values(), lr=rate)
    loss = lambda x, t: ((net(x * s) @ w + b - t) ** 2).mean()
    random = uniform(seed)
    progress = []
    (x, t), others = sets
    for _ in range(epochs):
        order, total = shuffled(items, random), 0.0
        for start in range(0, items, batch):
            chosen = order[start : start + batch]
            steps.zero_grad()
            value = loss(x[chosen], t[chosen])
            value.backward()
            steps.step()
            total += value.item() * len(chosen)
        with torch.no_grad():
            progress.append({"loss": total / items, "validation": loss(*others).item()})
    return {"progress": progress, "variables": {name: each.tolist() for name, each in variables.items()}}


torch.manual_seed(3)
sets = data(items), data(validated)
nets = []
for name, net in [("dense", Dense()), ("recurrent", Recurrent())]:
    net.eval()
    for each in net.parameters():
        each.requires_grad = False
    model = written(net)
    trainings = [
        {"optimiser": optimiser, "rate": rate, **trained(net, optimiser, rate, sets)}
        for optimiser, rate in [("sgd", 0.1), ("adam", 0.05)]
    ]
    nets.append({"name": name, "model": model, "trainings": trainings})

own = [{"x": x.tolist(), "t": t.tolist()} for x, t in sets]
print(json.dumps({"batch": batch, "epochs": epochs, "seed": seed, "data": own[0], "validation": own[1], "nets": nets}))
