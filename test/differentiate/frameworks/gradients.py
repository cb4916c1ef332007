"""Gradients by JAX and by PyTorch, of programs that are written for both and for Sphex.

    python3 -m venv venv && venv/bin/pip install numpy jax torch
    venv/bin/python test/differentiate/frameworks/gradients.py > test/differentiate/frameworks/gradients.json

A row has a name, the Sphex expression, and a function of a module `m` with the operations of both frameworks. The values are those of
double arithmetic; where the two frameworks disagree by more than 1e-10, nothing is written and the row is named.
"""

import json
import sys

import jax
import jax.numpy as jnp
import numpy as np
import torch

jax.config.update("jax_enable_x64", True)

random = np.random.default_rng(7)
shapes = {"s": (), "a": (3,), "c": (3,), "b": (3, 2), "d": (2, 4), "e": (3, 4), "t": (2, 3, 4)}
# The dimensions of each, in the order of its axes; all are canonical.
types = {"s": [], "a": ["x"], "c": ["x"], "b": ["x", "y"], "d": ["y", "z"], "e": ["x", "z"], "t": ["h", "x", "z"]}
values = {name: np.round(random.normal(size=shape), 3) for name, shape in shapes.items()}
values["s"] = np.float64(0.7)


class Jax:
    sin, cos, tan, exp, tanh, sqrt, abs, log = jnp.sin, jnp.cos, jnp.tan, jnp.exp, jnp.tanh, jnp.sqrt, jnp.abs, jnp.log
    asin, acos, atan, atan2, sinh, cosh = jnp.arcsin, jnp.arccos, jnp.arctan, jnp.arctan2, jnp.sinh, jnp.cosh
    floor, square, maximum, minimum, where, log10 = jnp.floor, jnp.square, jnp.maximum, jnp.minimum, jnp.where, jnp.log10
    erf, sigmoid, relu, elu = jax.scipy.special.erf, jax.nn.sigmoid, jax.nn.relu, jax.nn.elu
    sum = staticmethod(lambda t, axis=None: jnp.sum(t, axis=axis))
    mean = staticmethod(lambda t, axis=None: jnp.mean(t, axis=axis))
    amax = staticmethod(lambda t, axis=None: jnp.max(t, axis=axis))
    amin = staticmethod(lambda t, axis=None: jnp.min(t, axis=axis))
    prod = staticmethod(lambda t, axis=None: jnp.prod(t, axis=axis))
    cat = staticmethod(lambda ts, axis=0: jnp.concatenate(ts, axis=axis))
    einsum = staticmethod(jnp.einsum)
    softmax = staticmethod(lambda t, axis: jax.nn.softmax(t, axis=axis))
    full = staticmethod(lambda number: jnp.asarray(number))
    fmod = staticmethod(jnp.fmod)
    power = staticmethod(jnp.power)
    stack = staticmethod(lambda ts: jnp.stack(ts))

    @staticmethod
    def gradient(function, name):
        def of(x):
            return function(Jax, **{**{k: jnp.asarray(v) for k, v in values.items()}, name: x})

        return np.asarray(jax.jacrev(of)(jnp.asarray(values[name])))

    @staticmethod
    def inner(of, x):
        return jax.grad(of)(x)


class Torch:
    sin, cos, tan, exp, tanh, sqrt, abs, log = torch.sin, torch.cos, torch.tan, torch.exp, torch.tanh, torch.sqrt, torch.abs, torch.log
    asin, acos, atan, atan2, sinh, cosh = torch.asin, torch.acos, torch.atan, torch.atan2, torch.sinh, torch.cosh
    floor, square, maximum, minimum, where, log10 = torch.floor, torch.square, torch.maximum, torch.minimum, torch.where, torch.log10
    erf, sigmoid, relu, elu = torch.erf, torch.sigmoid, torch.relu, torch.nn.functional.elu
    sum = staticmethod(lambda t, axis=None: torch.sum(t) if axis is None else torch.sum(t, dim=axis))
    mean = staticmethod(lambda t, axis=None: torch.mean(t) if axis is None else torch.mean(t, dim=axis))
    amax = staticmethod(lambda t, axis=None: torch.amax(t) if axis is None else torch.amax(t, dim=axis))
    amin = staticmethod(lambda t, axis=None: torch.amin(t) if axis is None else torch.amin(t, dim=axis))
    prod = staticmethod(lambda t, axis=None: torch.prod(t) if axis is None else torch.prod(t, dim=axis))
    cat = staticmethod(lambda ts, axis=0: torch.cat(ts, dim=axis))
    einsum = staticmethod(torch.einsum)
    softmax = staticmethod(lambda t, axis: torch.softmax(t, dim=axis))
    full = staticmethod(lambda number: torch.tensor(number, dtype=torch.float64))
    fmod = staticmethod(torch.fmod)
    power = staticmethod(torch.pow)
    stack = staticmethod(lambda ts: torch.stack(ts))

    @staticmethod
    def gradient(function, name):
        def of(x):
            return function(Torch, **{**{k: torch.tensor(v, dtype=torch.float64) for k, v in values.items()}, name: x})

        x = torch.tensor(values[name], dtype=torch.float64)
        return torch.autograd.functional.jacobian(of, x).numpy()

    @staticmethod
    def inner(of, x):
        y = x if x.requires_grad else x.clone().requires_grad_()
        return torch.autograd.grad(of(y), y, create_graph=True)[0]


# fmt: off
rows = [
    ("square", "s^2", "s", lambda m, s, **_: s * s),
    ("polynomial", "3 * s^3 - 2 * s + 1", "s", lambda m, s, **_: 3 * s**3 - 2 * s + 1),
    ("product of functions", "sin(s) * exp(s)", "s", lambda m, s, **_: m.sin(s) * m.exp(s)),
    ("quotient", "sin(s) / (1 + s^2)", "s", lambda m, s, **_: m.sin(s) / (1 + s * s)),
    ("sum", "sum(a)", "a", lambda m, a, **_: m.sum(a)),
    ("mean", "avg(a * c)", "a", lambda m, a, c, **_: m.mean(a * c)),
    ("dot product", "sum(a * c)", "a", lambda m, a, c, **_: m.sum(a * c)),
    ("norm", "sqrt(sum(a * a))", "a", lambda m, a, **_: m.sqrt(m.sum(a * a))),
    ("distance", "sqrt(sum((a - c)^2))", "c", lambda m, a, c, **_: m.sqrt(m.sum((a - c) ** 2))),
    ("cosine", "cosine_similarity(a, c, x)", "a", lambda m, a, c, **_: m.sum(a * c) / m.sqrt(m.sum(a * a) * m.sum(c * c))),
    ("elementwise", "sin(a) * a", "a", lambda m, a, **_: m.sin(a) * a),
    ("matrix and vector", "sum(b * a, x)", "a", lambda m, a, b, **_: m.einsum("xy,x->y", b, a)),
    ("matrix product", "sum(b * d, y)", "b", lambda m, b, d, **_: m.einsum("xy,yz->xz", b, d)),
    ("matrix product, right", "sum(b * d, y)", "d", lambda m, b, d, **_: m.einsum("xy,yz->xz", b, d)),
    ("outer product", "a * rename(c, x, w)", "a", lambda m, a, c, **_: m.einsum("x,w->wx", a, c)),
    ("quadratic form", "sum(a * sum(b * b, y))", "b", lambda m, a, b, **_: m.sum(a * m.sum(b * b, 1))),
    ("three factors", "sum(t * a * sum(d, y), x, z)", "t", lambda m, t, a, d, **_: m.einsum("hxz,x,z->h", t, a, m.sum(d, 0))),
    ("batched", "sum(t * e, x)", "e", lambda m, t, e, **_: m.einsum("hxz,xz->hz", t, e)),
    ("softmax", "softmax(a, x)", "a", lambda m, a, **_: m.softmax(a, 0)),
    ("softmax of rows", "softmax(b, y) * b", "b", lambda m, b, **_: m.softmax(b, 1) * b),
    ("log of sum of exponentials", "log(sum(exp(b), y))", "b", lambda m, b, **_: m.log(m.sum(m.exp(b), 1))),
    ("cross entropy", "-sum(c * c * log(softmax(a, x)))", "a", lambda m, a, c, **_: -m.sum(c * c * m.log(m.softmax(a, 0)))),
    ("max", "max(a)", "a", lambda m, a, **_: m.amax(a)),
    ("max of rows", "max(b, y) * a", "b", lambda m, a, b, **_: m.amax(b, 1) * a),
    ("min of columns", "min(b, x)", "b", lambda m, b, **_: m.amin(b, 0)),
    ("max with ties", "max(floor(a) * 0 + a * 0)", "a", lambda m, a, **_: m.amax(a * 0)),
    ("product", "prod(a)", "a", lambda m, a, **_: m.prod(a)),
    ("product of rows", "prod(b, y)", "b", lambda m, b, **_: m.prod(b, 1)),
    ("product with a zero", "prod(a * (a > 0))", "a", lambda m, a, **_: m.prod(a * m.where(a > 0, m.full(1.0), m.full(0.0)))),
    ("larger of two", "sum(max(a, c) * a)", "a", lambda m, a, c, **_: m.sum(m.maximum(a, c) * a)),
    ("smaller of two", "sum(min(a, c) * c)", "c", lambda m, a, c, **_: m.sum(m.minimum(a, c) * c)),
    ("equal sides", "sum(max(a, a * 1))", "a", lambda m, a, **_: m.sum(m.maximum(a, a * 1))),
    ("relu", "sum(relu(b) * b)", "b", lambda m, b, **_: m.sum(m.relu(b) * b)),
    ("elu", "sum(elu(b))", "b", lambda m, b, **_: m.sum(m.elu(b))),
    ("sigmoid", "sigmoid(3 * b)", "b", lambda m, b, **_: m.sigmoid(3 * b)),
    ("tanh", "tanh(2 * b)", "b", lambda m, b, **_: m.tanh(2 * b)),
    ("erf", "erf(b)", "b", lambda m, b, **_: m.erf(b)),
    ("abs", "sum(abs(b) * b)", "b", lambda m, b, **_: m.sum(m.abs(b) * b)),
    ("inverse functions", "asin(sin(a) / 2) + acos(cos(a) / 2) + atan(a)", "a", lambda m, a, **_: m.asin(m.sin(a) / 2) + m.acos(m.cos(a) / 2) + m.atan(a)),
    ("angle", "atan2(a, c)", "c", lambda m, a, c, **_: m.atan2(a, c)),
    ("hyperbolic", "sinh(a) * cosh(a)", "a", lambda m, a, **_: m.sinh(a) * m.cosh(a)),
    ("tangent", "tan(a / 2)", "a", lambda m, a, **_: m.tan(a / 2)),
    ("logarithms", "log(a^2) + log10(a^2 + 1)", "a", lambda m, a, **_: m.log(a * a) + m.log10(a * a + 1)),
    ("power, base", "pow(a * a + 1, 1.7)", "a", lambda m, a, **_: m.power(a * a + 1, m.full(1.7))),
    ("power, exponent", "pow(2.5, a)", "a", lambda m, a, **_: m.power(m.full(2.5), a)),
    ("remainder", "fmod(3 * a, 0.8) * a", "a", lambda m, a, **_: m.fmod(3 * a, m.full(0.8)) * a),
    ("steps", "floor(3 * a) * a", "a", lambda m, a, **_: m.floor(3 * a) * a),
    ("choice", "map(a, f(v)(if(v < 0.3, v * v, sin(v))))", "a", lambda m, a, **_: m.where(a < 0.3, a * a, m.sin(a))),
    ("mask", "sum((a > c) * a * c)", "a", lambda m, a, c, **_: m.sum(m.where(a > c, a * c, a * 0))),
    ("slice", "a{x:1} * c", "a", lambda m, a, c, **_: a[1] * c),
    ("slice of a matrix", "b{y:1} * b{y:0}", "b", lambda m, b, **_: b[:, 1] * b[:, 0]),
    ("concatenation", "concat(a, a * c, x)^2", "a", lambda m, a, c, **_: m.cat([a, a * c]) ** 2),
    ("concatenation of columns", "sum(concat(b, b * b, y)^2, x)", "b", lambda m, b, **_: m.sum(m.cat([b, b * b], 1) ** 2, 0)),
    ("transposed", "sum(b * rename(tensor(x[3],v[2])(b{x:(x),y:(v)}), v, y), x)", "b", lambda m, b, **_: m.sum(b * b, 0)),
    ("convolution", "tensor(i[3])(sum(tensor(k[2])(e{x:0,z:(i+k)} * d{y:(k),z:0})))", "e", lambda m, e, d, **_: m.stack([e[0, i] * d[0, 0] + e[0, i + 1] * d[1, 0] for i in range(3)])),
    ("cumulative sum", "tensor(i[3])(sum(tensor(x[3])(x <= i) * a))", "a", lambda m, a, **_: m.stack([a[0], a[0] + a[1], a[0] + a[1] + a[2]])),
    ("hidden layer", "sum(tanh(sum(a * b, x)) * d, y)", "b", lambda m, a, b, d, **_: m.einsum("y,yz->z", m.tanh(m.einsum("x,xy->y", a, b)), d)),
    ("attention", "sum(softmax(sum(b * d, y), z) * e, z)", "b", lambda m, b, d, e, **_: m.sum(m.softmax(m.einsum("xy,yz->xz", b, d), 1) * e, 1)),
    ("layer normalisation", "(e - avg(e, z)) / sqrt(avg((e - avg(e, z))^2, z) + 0.01)", "e", lambda m, e, **_: (e - m.mean(e, 1)[:, None]) / m.sqrt(m.mean((e - m.mean(e, 1)[:, None]) ** 2, 1) + 0.01)[:, None]),
    ("MaxSim", "sum(max(sum(b * d, y), z), x)", "b", lambda m, b, d, **_: m.sum(m.amax(m.einsum("xy,yz->xz", b, d), 1))),
    ("factorisation machine", "(sum(sum(a * b, x)^2) - sum(a^2 * b^2)) / 2", "b", lambda m, a, b, **_: (m.sum(m.einsum("x,xy->y", a, b) ** 2) - m.sum((a * a)[:, None] * b * b)) / 2),
    ("second derivative", "gradient(sum(sin(a) * a), a)", "a", lambda m, a, **_: m.inner(lambda x: m.sum(m.sin(x) * x), a)),
    ("Hessian", "gradient(sum(a * c)^3 + sum(a^4), a)", "a", lambda m, a, c, **_: m.inner(lambda x: m.sum(x * c) ** 3 + m.sum(x**4), a)),
    ("gradient penalty", "sum(gradient(sum(tanh(a * c)), a)^2)", "a", lambda m, a, c, **_: m.sum(m.inner(lambda x: m.sum(m.tanh(x * c)), a) ** 2)),
]
# fmt: on


def cells(name, array):
    """A tensor as text: dimensions in the order of the axes, which is that of their names."""
    dimensions = ",".join(f"{dimension}[{size}]" for dimension, size in zip(types[name], array.shape))
    return f"tensor({dimensions}):{json.dumps(array.tolist())}"


def main():
    programs, wrong = [], []
    for name, expression, x, function in rows:
        by_jax, by_torch = Jax.gradient(function, x), Torch.gradient(function, x)
        if not np.allclose(by_jax, by_torch, rtol=1e-10, atol=1e-12):
            wrong.append(name)
            continue
        axes_of_y = by_jax.ndim - values[x].ndim
        programs.append({"name": name, "expression": expression, "x": x, "shape": list(by_jax.shape), "yAxes": axes_of_y, "gradient": by_jax.ravel().tolist()})
    if wrong:
        print("JAX and PyTorch disagree:", wrong, file=sys.stderr)
    inputs = {name: cells(name, array) if array.ndim else float(array) for name, array in values.items()}
    versions = {"jax": jax.__version__, "torch": torch.__version__}
    print(json.dumps({"versions": versions, "inputs": inputs, "programs": programs}, indent=1))


main()
