"""Writes contributed.json: small models of the operators that ONNX Runtime has beside those of ONNX, with what it makes of them.

pip install onnx==1.23.2 onnxruntime==1.32.0
python test/models/onnx/contributed.py
"""
import base64
import json
import pathlib

import numpy
import onnxruntime
from onnx import TensorProto, helper, numpy_helper

random = numpy.random.default_rng(19)
cases = []
codes = {"float32": TensorProto.FLOAT, "int64": TensorProto.INT64, "int32": TensorProto.INT32, "uint8": TensorProto.UINT8, "int8": TensorProto.INT8, "bool": TensorProto.BOOL}
names = {"float32": "float"}


def tensor(array):
    numbers = [float(f"{n:.8g}") if isinstance(n, float) else int(n) for n in array.flatten().tolist()]
    return {"element": names.get(str(array.dtype), str(array.dtype)), "shape": list(array.shape), "numbers": numbers}


def case(operator, about, inputs, constant=(), outputs=("y",), domain="com.microsoft", **attributes):
    """One node, whose inputs are arrays in the order of the operator's, or None; those named `constant` are part of the model."""
    given = {key: value for key, value in inputs.items() if value is not None}
    node = helper.make_node(operator, [key if key in given else "" for key in inputs], list(outputs), domain=domain, **attributes)
    ports = [helper.make_tensor_value_info(k, codes[str(v.dtype)], v.shape) for k, v in given.items() if k not in constant]
    kept = [numpy_helper.from_array(given[key], key) for key in given if key in constant]

    def model(elements):
        ends = [helper.make_tensor_value_info(o, elements[o], None) for o in outputs if o]
        imports = [helper.make_opsetid("", 19), helper.make_opsetid("com.microsoft", 1)]
        return helper.make_model(helper.make_graph([node], operator, ports, ends, kept), opset_imports=imports, ir_version=9).SerializeToString()

    options = onnxruntime.SessionOptions()
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    options.log_severity_level = 4
    elements = {o: TensorProto.FLOAT for o in outputs if o} | {"lengths": TensorProto.INT32}
    for elements["y"] in [TensorProto.FLOAT, TensorProto.UINT8, TensorProto.INT8]:
        try:
            session = onnxruntime.InferenceSession(model(elements), options)
            break
        except onnxruntime.capi.onnxruntime_pybind11_state.Fail:
            continue
    fed = {key: value for key, value in given.items() if key not in constant}
    cases.append({
        "name": f"{operator}, {about}",
        "model": base64.b64encode(model(elements)).decode(),
        "inputs": {key: tensor(value) for key, value in fed.items()},
        "outputs": [tensor(each) for each in session.run(None, fed)],
    })


def floats(*shape):
    return random.normal(size=shape).astype(numpy.float32)


def whole(low, high, *shape, element=numpy.int32):
    return random.integers(low, high, shape).astype(element)


def some(*shape, element=numpy.uint8):
    return whole(numpy.iinfo(element).min, numpy.iinfo(element).max + 1, *shape, element=element)


def scale(*shape):
    return numpy.asarray(random.uniform(0.01, 0.05, shape), dtype=numpy.float32)


def zero(*shape, element=numpy.uint8):
    middle = 128 if element == numpy.uint8 else 0
    return numpy.asarray(random.integers(middle - 40, middle + 40, shape), dtype=element)


# Functions of each element
case("Gelu", "plain", {"x": floats(2, 4)})
case("BiasGelu", "plain", {"x": floats(2, 4), "bias": floats(4)})
case("FastGelu", "plain", {"x": floats(2, 4)})
case("FastGelu", "with a bias", {"x": floats(2, 4), "bias": floats(4)})
case("QuickGelu", "plain", {"x": floats(2, 4)})
case("QuickGelu", "of an alpha", {"x": floats(2, 4)}, alpha=0.7)

# Products
case("FusedMatMul", "scaled", {"a": floats(3, 4), "b": floats(4, 2)}, alpha=0.25)
case("FusedMatMul", "of transposed stacks", {"a": floats(2, 4, 3), "b": floats(2, 5, 4)}, transA=1, transB=1)
case("FusedMatMul", "with an axis of the stack before the last", {"a": floats(3, 2, 4), "b": floats(2, 4, 5)}, transBatchA=1)
for name, parameters in {"Relu": {}, "LeakyRelu": {"activation_alpha": 0.3}, "HardSigmoid": {"activation_alpha": 0.3, "activation_beta": 0.4}}.items():
    case("FusedGemm", name, {"a": floats(4, 3), "b": floats(4, 2), "c": floats(2)}, transA=1, alpha=0.5, beta=2.0, activation=name, **parameters)
for name, parameters in {"Relu": {}, "Tanh": {}, "LeakyRelu": {"activation_params": [0.2]}, "Clip": {"activation_params": [-0.5, 0.75]}}.items():
    images = {"x": floats(1, 2, 5, 4), "w": floats(3, 2, 3, 2), "b": floats(3)}
    case("FusedConv", name, images, activation=name, **parameters, pads=[1, 0, 1, 1], strides=[2, 1])
case("FusedConv", "with an addend", {"x": floats(1, 2, 4, 4), "w": floats(3, 2, 3, 3), "b": None, "z": floats(1, 3, 2, 2)}, activation="Relu")

# Normalisation
for about, skip in {"plain": (2, 3, 4), "of one batch": (1, 3, 4), "of rows": (3, 4)}.items():
    case("SkipLayerNormalization", about, {"x": floats(2, 3, 4), "skip": floats(*skip), "gamma": floats(4), "beta": floats(4)}, epsilon=1e-3)
parts = {"x": floats(2, 3, 4), "skip": floats(2, 3, 4), "gamma": floats(4)}
case("SkipLayerNormalization", "with a bias and the sum", {**parts, "beta": None, "bias": floats(4)}, outputs=("y", "", "", "sum"))
case("SkipSimplifiedLayerNormalization", "with a bias and the sum", {**parts, "bias": floats(4)}, outputs=("y", "", "", "sum"), epsilon=1e-3)
case("SimplifiedLayerNormalization", "plain", {"x": floats(2, 3, 4), "gamma": floats(4)}, domain="", axis=-1, epsilon=1e-3)
words = {"ids": whole(0, 5, 2, 3), "segments": whole(0, 2, 2, 3), "words": floats(5, 4), "positions": floats(6, 4), "kinds": floats(2, 4), "gamma": floats(4), "beta": floats(4)}
case("EmbedLayerNormalization", "plain", words, ("words", "positions", "kinds"), ("y", "lengths"), epsilon=1e-3)
mask = numpy.array([[1, 1, 0], [1, 1, 1]], dtype=numpy.int32)
case("EmbedLayerNormalization", "with a mask and the sum", {**words, "mask": mask}, outputs=("y", "lengths", "sum"))
without = {**words, "segments": None, "kinds": None, "mask": None, "at": whole(0, 6, 1, 3)}
case("EmbedLayerNormalization", "at other positions", without, outputs=("y", "lengths"))

# Attention: a batch of 2, 3 queries, 2 heads of 2
own = {"x": floats(2, 3, 5), "w": floats(5, 12), "bias": floats(12)}
ends = numpy.array([3, 2, 0, 1], dtype=numpy.int32)
masks = {
    "plain": None,
    "of masked keys": mask,
    "of masked pairs": whole(0, 2, 2, 3, 3),
    "of lengths": ends[:2],
    "of ends and beginnings": ends,
}
for about, each in masks.items():
    case("Attention", about, {**own, "mask": each}, num_heads=2, mask_filter_value=-100.0)
case("Attention", "of what comes before", {**own, "mask": None, "past": floats(2, 2, 2, 4, 2)}, outputs=("y", "present"), num_heads=2, unidirectional=1, scale=0.5)
case("Attention", "with a bias of the scores", {**own, "mask": None, "past": None, "scores": floats(1, 2, 3, 3)}, num_heads=2)
case("Attention", "with values of another width", {"x": floats(2, 3, 5), "w": floats(5, 14), "bias": None}, num_heads=2, qkv_hidden_sizes=[4, 4, 6])
three = {"q": floats(2, 3, 4), "k": floats(2, 3, 4), "v": floats(2, 3, 4)}
for about, each in masks.items():
    if each is None or len(each) == 2:
        case("MultiHeadAttention", about, {**three, "bias": floats(12), "mask": each}, num_heads=2, mask_filter_value=-100.0)
case("MultiHeadAttention", "of keys with heads", {"q": floats(2, 3, 4), "k": floats(2, 2, 5, 2), "v": floats(2, 2, 5, 2)}, num_heads=2)
past = {"past keys": floats(2, 2, 4, 2), "past values": floats(2, 2, 4, 2)}
case("MultiHeadAttention", "of what comes before", {**three, "bias": None, "mask": None, "scores": floats(2, 1, 3, 7), **past}, outputs=("y", "keys", "values"), num_heads=2, unidirectional=1)
longer = {"q": floats(1, 2, 4), "k": floats(1, 5, 4), "v": floats(1, 5, 4)}
case("MultiHeadAttention", "of more keys than queries", longer, num_heads=2, unidirectional=1)
turns = {"cosines": floats(8, 2), "sines": floats(8, 2)}
case("RotaryEmbedding", "plain", {"x": floats(2, 3, 8), "at": whole(0, 8, 2, 3, element=numpy.int64), **turns})
case("RotaryEmbedding", "from a position on", {"x": floats(2, 2, 3, 4), "at": numpy.array([4]), **turns}, interleaved=1)
case("RotaryEmbedding", "of a part", {"x": floats(2, 3, 12), "at": numpy.array([0]), **turns}, num_heads=2, rotary_embedding_dim=4)

# Whole numbers that stand for others
for element in [numpy.uint8, numpy.int8]:
    sign = "bytes" if element == numpy.uint8 else "bytes with a sign"
    left = {"a": some(2, 3, element=element), "as": scale(), "az": zero(element=element)}
    right = {"b": some(3, element=element), "bs": scale(), "bz": zero(element=element)}
    result = {"ys": scale(), "yz": zero(element=element)}
    fixed = ("as", "az", "bs", "bz", "ys", "yz", "b")
    for operator in ["QLinearAdd", "QLinearMul"]:
        case(operator, sign, {**left, **right, **result}, fixed)
    case("QLinearSigmoid", sign, {**left, **result}, fixed)
    case("QLinearLeakyRelu", sign, {**left, **result}, fixed, alpha=0.2)
    case("QLinearSoftmax", sign, {**left, "ys": numpy.float32(1 / 256), "yz": result["yz"]}, fixed, axis=-1, opset=13)
    images = {**left, "a": some(1, 2, 4, 3, element=element), **result}
    case("QLinearGlobalAveragePool", sign, images, fixed, channels_last=0)
    case("QLinearAveragePool", sign, images, fixed, kernel_shape=[2, 2], pads=[1, 0, 0, 1], strides=[2, 1], count_include_pad=1)
    case("QLinearConcat", sign, {**result, **left, **right, "b": some(2, 1, element=element)}, fixed[:-1], axis=1)
    case("QLinearWhere", sign, {"c": whole(0, 2, 2, 3, element=bool), **left, **right, **result}, fixed)
    case("QuantizeLinear", sign, {"x": floats(2, 3), **result}, fixed)
    case("DequantizeLinear", sign, {**left, "as": scale(3), "az": zero(3, element=element)}, fixed, axis=1)
    columns = {"b": some(4, 3, element=element), "bs": scale(3), "bz": zero(3, element=element)}
    rows = {"a": some(2, 4), "as": scale(), "az": zero()}
    sums = whole(-2000, 2000, 3)
    case("QGemm", sign, {**rows, **columns, "c": sums, "ys": scale() * 9, "yz": zero()}, fixed)
    case("QGemm", f"{sign}, of floats", {**rows, "a": some(4, 2), **columns, "c": None}, fixed, alpha=0.75, transA=1)
    case("DynamicQuantizeMatMul", sign, {"x": floats(2, 4), **columns, "bias": floats(3)}, fixed)
    case("MatMulIntegerToFloat", sign, {"a": some(2, 4), "b": columns["b"], "as": scale(), "bs": columns["bs"], "az": zero(), "bz": columns["bz"], "bias": floats(3)}, fixed)
    weights = {"w": some(5, 12, element=element), "bias": floats(12), "as": scale(), "ws": scale(), "mask": mask, "az": zero(), "wz": zero(element=element)}
    case("QAttention", sign, {"a": some(2, 3, 5), **weights}, (*fixed, "w", "bias", "ws", "wz"), num_heads=2)
tables = {"words": some(5, 4), "positions": some(6, 4), "kinds": some(2, 4), "gamma": some(4), "beta": some(4)}
embedded = {"ids": whole(0, 5, 2, 3), "segments": whole(0, 2, 2, 3), **tables, "mask": mask}
embedded |= {f"{key} scale": scale() for key in tables} | {f"{key} zero": zero() for key in tables}
case("QEmbedLayerNormalization", "plain", embedded, [key for key in embedded if key not in ("ids", "segments", "mask")], ("y", "lengths"), epsilon=1e-3)

# Weights of a few bits: rows of two blocks of 16, the second of which may end early
for bits in [2, 4, 8]:
    for about, zeros, width in [("plain", None, 32), ("with zero points", some(3 * ((2 * bits + 7) // 8)), 27)]:
        packed = {"b": some(3, 2, 2 * bits), "bs": scale(3, 2), "bz": zeros}
        case("MatMulNBits", f"{bits} bits, {about}", {"a": floats(2, width), **packed}, ("b", "bs", "bz"), K=width, N=3, bits=bits, block_size=16)
odd = {"b": some(3, 2, 8), "bs": scale(6), "bz": floats(3, 2), "order": None, "bias": floats(3)}
case("MatMulNBits", "with zero points of floats, and a bias", {"a": floats(2, 1, 32), **odd}, tuple(odd), K=32, N=3, bits=4, block_size=16)
for bits in [4, 8]:
    table = {"d": some(5, 4 * bits), "at": whole(0, 5, 2, 3, element=numpy.int64), "scales": scale(5, 2), "zeros": some(5, bits // 4)}
    case("GatherBlockQuantized", f"{bits} bits", table, ("d", "scales", "zeros"), bits=bits, block_size=16, gather_axis=0, quantize_axis=1)

# Channels that come last, as ONNX Runtime has them in files that it optimised for bytes
def image():
    return {"a": some(1, 4, 3, 2), "as": scale(), "az": zero()}


known = ("as", "az", "ws", "wz", "ys", "yz", "w", "b")
filters = {"w": some(4, 2, 3, 2, element=numpy.int8), "ws": scale(), "wz": zero(element=numpy.int8), "ys": scale() * 9, "yz": zero()}
sums = whole(-2000, 2000, 4)
case("QLinearConv", "channels last", {**image(), **filters, "b": sums}, known, channels_last=1, pads=[1, 0, 1, 1], strides=[2, 1])
case("QLinearConv", "channels first", {**image(), "a": some(1, 2, 4, 3), **filters, "b": sums}, known, group=1, auto_pad="SAME_UPPER")
case("NhwcMaxPool", "plain", {"a": some(1, 5, 4, 2)}, kernel_shape=[3, 2], strides=[2, 1], pads=[1, 0, 0, 1], ceil_mode=1)
result = {"ys": scale(), "yz": zero()}
case("QLinearGlobalAveragePool", "channels last", {**image(), **result}, known, channels_last=1)
case("QLinearAveragePool", "channels last", {**image(), **result}, known, channels_last=1, kernel_shape=[3, 2], strides=[2, 1])
case("CDist", "squares", {"a": floats(3, 2), "b": floats(4, 2)})
case("CDist", "lengths", {"a": floats(3, 2), "b": floats(4, 2)}, metric="euclidean")
case("Trilu", "lower", {"x": floats(2, 3, 4), "k": numpy.array(1)}, ("k",), upper=0)
case("Trilu", "upper", {"x": floats(3, 4)})

path = pathlib.Path(__file__).parent / "contributed.json"
path.write_text("[\n" + ",\n".join(json.dumps(each) for each in cases) + "\n]\n")
