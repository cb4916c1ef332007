"""Writes runtime.json: small models of operators that ONNX's own cases lack, with the outputs that ONNX Runtime gives.

pip install onnx==1.23.2 onnxruntime==1.32.0
python test/models/onnx/make.py
"""
import base64
import json
import pathlib

import numpy
import onnxruntime
from onnx import TensorProto, helper, numpy_helper

random = numpy.random.default_rng(16)
cases = []


def number(value):
    return "NaN" if value != value else float(f"{value:.10g}" if abs(value) > 1e7 else f"{value:.8g}")


def tensor(array):
    element = {"float32": "float", "float64": "double"}.get(str(array.dtype), str(array.dtype))
    return {"element": element, "shape": list(array.shape), "numbers": [number(n) for n in array.flatten().tolist()]}


# Of texts a program has numbers: where each stands among those of the model, and -1 for others.
texts = []


def numbered(array):
    if array.dtype != object:
        return array
    return numpy.vectorize(lambda text: texts.index(text) if text in texts else -1, otypes=[numpy.int64])(array)


def case(name, nodes, inputs, outputs, opsets=None, noise=0, element=TensorProto.FLOAT, threads=0):
    """A model of these nodes; the inputs are arrays, the outputs have names and no declared shapes. What is below the noise is 0."""
    kinds = {"float32": TensorProto.FLOAT, "int64": TensorProto.INT64, "int32": TensorProto.INT32, "object": TensorProto.STRING}
    ports = [helper.make_tensor_value_info(k, kinds[str(v.dtype)], v.shape) for k, v in inputs.items()]
    ends = [helper.make_tensor_value_info(o, {"label": TensorProto.INT64, "text": TensorProto.STRING}.get(o, element), None) for o in outputs]
    graph = helper.make_graph(nodes, name, ports, ends)
    imports = [helper.make_opsetid(d, v) for d, v in (opsets or {"": 21, "ai.onnx.ml": 3}).items()]
    data = helper.make_model(graph, opset_imports=imports, ir_version=10).SerializeToString()
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    results = onnxruntime.InferenceSession(data, options).run(None, inputs)
    results = [numbered(each) for each in results]
    cases.append({
        "name": name,
        "model": base64.b64encode(data).decode(),
        "inputs": {key: tensor(numbered(value)) for key, value in inputs.items()},
        "outputs": [tensor(numpy.where(abs(each) < noise, 0, each).astype(each.dtype) if noise else each) for each in results],
    })


def learning(operator, x, name=None, outputs=("y",), **attributes):
    node = helper.make_node(operator, ["x"], list(outputs), domain="ai.onnx.ml", **attributes)
    case(name or operator, [node], {"x": x}, list(outputs))


rows = random.normal(size=(4, 3)).astype(numpy.float32)
holes = rows.copy()
holes[0, 1] = holes[2, 0] = numpy.nan
zeros = rows.copy()
zeros[1] = 0
learning("Scaler", rows, offset=[0.5, -1, 2], scale=[2, 3, 0.25])
learning("Scaler", rows, "Scaler, one for all", offset=[0.5], scale=[2.0])
learning("Imputer", holes, imputed_value_floats=[7.0, 8, 9], replaced_value_float=float("nan"))
learning("Imputer", rows, "Imputer, of a number", imputed_value_floats=[7.0], replaced_value_float=float(rows[3, 2]))
for norm in ["MAX", "L1", "L2"]:
    learning("Normalizer", rows, f"Normalizer, {norm}", norm=norm)
learning("Normalizer", zeros, "Normalizer, a row of zeros", norm="L2")
learning("LinearRegressor", rows, coefficients=[1.0, -2, 3, 0.5, 0.25, -1], intercepts=[0.5, -0.5], targets=2)
learning("LinearRegressor", rows, "LinearRegressor, one target", coefficients=[1.0, -2, 3])


def floats(*shape):
    return (random.normal(size=shape) * 0.7).astype(numpy.float32)


def recurrent(operator, gates, name, directions=1, inputs=("x", "w", "r"), steps=4, batch=2, width=3, hidden=2, opset=14, **attributes):
    """A recurrent operator; the names of its inputs say which it has."""
    shapes = {
        "x": (steps, batch, width),
        "w": (directions, gates * hidden, width),
        "r": (directions, gates * hidden, hidden),
        "b": (directions, 2 * gates * hidden),
        "h": (directions, batch, hidden),
        "c": (directions, batch, hidden),
        "p": (directions, 3 * hidden),
    }
    lengths = numpy.arange(1, batch + 1, dtype=numpy.int32)
    values = {key: lengths if key == "lengths" else floats(*shapes[key]) for key in inputs if key}
    outputs = ["y", "y_h", "y_c"] if operator == "LSTM" else ["y", "y_h"]
    node = helper.make_node(operator, list(inputs), outputs, hidden_size=hidden, **attributes)
    case(f"{operator}, {name}", [node], values, outputs, {"": opset})


everything = ("x", "w", "r", "b", "lengths", "h")
for operator, gates in [("RNN", 1), ("GRU", 3), ("LSTM", 4)]:
    more = ("c", "p") if operator == "LSTM" else ()
    count = {"RNN": 1, "GRU": 2, "LSTM": 3}[operator]
    recurrent(operator, gates, "plain")
    recurrent(operator, gates, "one of each", steps=1, batch=1, width=1, hidden=1, inputs=("x", "w", "r", "b", "", "h"))
    recurrent(operator, gates, "with biases, lengths and states", inputs=everything + more, steps=3, batch=3)
    recurrent(operator, gates, "in reverse", inputs=everything + more, direction="reverse")
    recurrent(operator, gates, "both ways", directions=2, inputs=everything + more, direction="bidirectional")
    recurrent(operator, gates, "clipped", clip=0.3, opset=7)
    recurrent(
        operator, gates, "other functions", inputs=("x", "w", "r", "b"),
        activations=["HardSigmoid", "LeakyRelu", "ScaledTanh"][:count],
        activation_alpha=[0.3, 0.05, 0.8][:count], activation_beta=[0.4, 0.6],
    )
    recurrent(operator, gates, "functions without settings", activations=["Softsign", "Relu", "Sigmoid"][:count])
recurrent("GRU", 3, "linear before reset", inputs=everything, linear_before_reset=1)
recurrent("LSTM", 4, "coupled gates", inputs=everything + ("c",), input_forget=1)

def constants(**values):
    return [helper.make_node("Constant", [], [k], value=helper.make_tensor(k, TensorProto.FLOAT, [], [v])) for k, v in values.items()]


def nodes(text):
    """Lines such as `y = Add a b`; what follows a comma is an attribute."""
    made = []
    for line in filter(None, map(str.strip, text.strip().split("\n"))):
        output, rest = line.split(" = ", 1)
        call, *settings = rest.split(", ")
        operator, *inputs = call.split()
        made.append(helper.make_node(operator, inputs, [output], **{k: json.loads(v) for k, v in (each.split(":") for each in settings)}))
    return made


normal = """
    mean = ReduceMean x, axes:[-1]
    centred = Sub x mean
    {same}
    squares = {squares}
    variance = ReduceMean squares, axes:[-1]
    shifted = Add variance epsilon
    spread = Sqrt shifted
    y = Div centred spread
"""
numbers = {"two": 2, "epsilon": 1e-5, "half": 0.5, "one": 1, "root": 2**0.5, "inverse": 2**-0.5, "three": 3}
for name, same, squares in [
    ("by a power", "", "Pow centred two"),
    ("by a product", "", "Mul centred centred"),
    ("with a cast", "same = Cast centred, to:1", "Pow same two"),
    ("that is none: a third power", "", "Pow centred three"),
    ("that is none: of another value", "same = Sub x two", "Pow same two"),
]:
    text = normal.format(same=same, squares=squares)
    case(f"layer normalisation in parts, {name}", constants(**numbers) + nodes(text), {"x": abs(floats(3, 4)) + numpy.arange(4, dtype=numpy.float32)}, ["y"], {"": 13})
case("layer normalisation in parts, one of which is an output", constants(**numbers) + nodes(normal.format(same="", squares="Pow centred two")), {"x": floats(3, 4)}, ["y", "centred"], {"": 13})
for name, text in [
    ("first the half", "scaled = Div x root\ncurve = Erf scaled\nsum = Add curve one\nhalved = Mul x half\ny = Mul halved sum"),
    ("the half last", "scaled = Mul x inverse\ncurve = Erf scaled\nsum = Add one curve\nproduct = Mul x sum\ny = Mul product half"),
    ("that is none: another root", "scaled = Div x two\ncurve = Erf scaled\nsum = Add curve one\nhalved = Mul x half\ny = Mul halved sum"),
    ("that is none: another factor", "scaled = Div x root\ncurve = Erf scaled\nsum = Add curve one\nhalved = Mul x half\ny = Mul halved curve"),
]:
    case(f"gelu in parts, {name}", constants(**numbers) + nodes(text), {"x": floats(3, 4)}, ["y"], {"": 13})



def graph_of(name, text, inputs, outputs):
    """A graph within a node; what it takes from around has no declaration."""
    kinds = {"x": (TensorProto.FLOAT, None), "at": (TensorProto.INT64, []), "going": (TensorProto.BOOL, [])}
    port = lambda each: helper.make_tensor_value_info(each, *kinds.get(each, kinds["x"]))
    return helper.make_graph(nodes(text), name, list(map(port, inputs)), list(map(port, outputs)))


def flowing(name, operator, inputs, outputs, values, before="", **attributes):
    """A node with graphs, after some others."""
    node = helper.make_node(operator, inputs, outputs, **attributes)
    case(name, constants(**numbers) + nodes(before) + [node], values, outputs, {"": 17})


branches = {"then_branch": graph_of("more", "a = Mul x two", [], ["a"]), "else_branch": graph_of("less", "b = Sub x one", [], ["b"])}
for least in (-1, 1):
    x = numpy.abs(floats(2, 3)) * least
    flowing(f"If of what is computed, {least}", "If", ["is_more"], ["y"], {"x": x}, "sum = ReduceSum x, keepdims:0\nis_more = Greater sum epsilon", **branches)
steps = helper.make_tensor("steps", TensorProto.INT64, [], [4])
fixed = helper.make_node("Constant", [], ["steps"], value=steps)
body = graph_of("step", "going_on = Identity going\nrow = Mul state two\nnext = Add row x", ["at", "going", "state"], ["going_on", "next", "row"])
body.output[0].type.tensor_type.elem_type = TensorProto.BOOL
loop = helper.make_node("Loop", ["steps", "", "x"], ["y", "all"], body=body)
case("Loop of four steps, with what they made", constants(**numbers) + [fixed, loop], {"x": floats(2, 3)}, ["y", "all"], {"": 17})
body = graph_of("step", "row = Mul element state\nnext = Add state element", ["state", "element"], ["next", "row"])
for name, settings in [
    ("forward", {}),
    ("backward, along other axes", {"scan_input_axes": [1], "scan_input_directions": [1], "scan_output_axes": [1], "scan_output_directions": [1]}),
]:
    flowing(f"Scan {name}", "Scan", ["start", "x"], ["y", "all"], {"start": floats(3), "x": floats(3, 3)}, body=body, num_scan_inputs=1, **settings)
for mode in ["linear", "nearest", "cubic"]:
    for padding in ["zeros", "border", "reflection"]:
        for aligned in [0, 1]:
            node = helper.make_node("GridSample", ["x", "grid"], ["y"], mode=mode, padding_mode=padding, align_corners=aligned)
            grid = numpy.round(floats(2, 2, 3, 2) * 40) / 24
            case(f"GridSample {mode}, {padding}, {aligned}", [node], {"x": floats(2, 2, 4, 3), "grid": grid.astype(numpy.float32)}, ["y"], {"": 20}, noise=3e-6)
node = helper.make_node("GridSample", ["x", "grid"], ["y"])
case("GridSample of a row", [node], {"x": floats(1, 1, 1, 4), "grid": floats(1, 3, 2, 2)}, ["y"], {"": 20})
for name, parts, settings in [
    ("of real numbers", 1, {}),
    ("of complex numbers", 2, {}),
    ("back", 2, {"inverse": 1}),
    ("of real numbers, half of it", 1, {"onesided": 1}),
]:
    for length in [None, 4, 8]:
        lengths = [helper.make_node("Constant", [], ["length"], value=helper.make_tensor("length", TensorProto.INT64, [], [length]))] if length else []
        node = helper.make_node("DFT", ["x", "length"] if length else ["x"], ["y"], axis=1, **settings)
        case(f"DFT {name}, {length}", [*lengths, node], {"x": floats(2, 6, parts)}, ["y"], {"": 17}, noise=3e-6)
# Where no number is said that stands for what is missing, it is 0.
some = rows.copy()
some[1, 1] = some[3, 0] = 0
learning("Imputer", some, "Imputer, of zeros", imputed_value_floats=[7.0, 8, 9])
for name, shape in [("a column", (3, 1)), ("a row", (1, 3)), ("a list", (3,)), ("three axes", (3, 1, 1)), ("a square", (2, 2))]:
    count = int(numpy.prod(shape))
    index = (numpy.arange(count) * 2 % 3).astype(numpy.int64).reshape(shape)
    node = helper.make_node("ArrayFeatureExtractor", ["x", "index"], ["y"], domain="ai.onnx.ml")
    case(f"ArrayFeatureExtractor by {name}", [node], {"x": rows, "index": index}, ["y"])
    case(f"ArrayFeatureExtractor of a list by {name}", [node], {"x": rows[0], "index": index}, ["y"])
axis = helper.make_node("Constant", [], ["axis"], value=helper.make_tensor("axis", TensorProto.INT64, [], [0]))
node = helper.make_node("CumSum", ["x", "axis"], ["whole"])
cast = helper.make_node("Cast", ["whole"], ["y"], to=TensorProto.DOUBLE)
most = numpy.array([numpy.iinfo(numpy.int32).max, 1, 2], numpy.int32)
case("CumSum of whole numbers beyond their bits", [axis, node, cast], {"x": most}, ["y"], element=TensorProto.DOUBLE)

lines = dict(coefficients=[1.0, -2, 3, 0.5, 0.25, -1, 0, 1, 0.5], intercepts=[0.5, -0.5, 0.25], classlabels_ints=[3, 7, 9])
one = dict(coefficients=[1.0, -2, 3], intercepts=[0.25], classlabels_ints=[3, 7])
for transform in ["NONE", "LOGISTIC", "SOFTMAX"]:
    learning("LinearClassifier", rows, f"LinearClassifier, {transform}", ("label", "y"), post_transform=transform, **lines)
for transform in ["NONE", "LOGISTIC"]:
    learning("LinearClassifier", rows, f"LinearClassifier of one score, {transform}", ("label", "y"), post_transform=transform, **one)
learning("LinearClassifier", rows[:1], "LinearClassifier of one row", ("label", "y"), **lines)
learning("LinearClassifier", rows * 0, "LinearClassifier, the first of equal ones", ("label", "y"), **{**lines, "intercepts": [0.0, 1, 1]})
vectors = dict(support_vectors=[1.0, 0, 0.5, 0, 1, -1, 2, 1, 0, -1, 0.5, 0.25], kernel_params=[0.5, 0.25, 3.0])
for kernel in ["LINEAR", "POLY", "RBF", "SIGMOID"]:
    common = dict(kernel_type=kernel, **vectors)
    learning("SVMRegressor", rows, f"SVMRegressor, {kernel}", n_supports=4, coefficients=[0.5, -1, 2, 0.75], rho=[0.25], **common)
    learning(
        "SVMClassifier", rows, f"SVMClassifier, {kernel}", ("label", "y"), classlabels_ints=[3, 7, 9], vectors_per_class=[1, 2, 1],
        coefficients=[0.5, -1, 2, 0.75, -0.5, 1, 0.25, -2], rho=[0.25, -0.5, 0.1], **common,
    )
two = dict(classlabels_ints=[3, 7], vectors_per_class=[1, 3], coefficients=[0.5, -1, 2, 0.75], rho=[0.25], kernel_type="RBF", **vectors)
for transform in ["NONE", "LOGISTIC"]:
    learning("SVMClassifier", rows, f"SVMClassifier of two classes, {transform}", ("label", "y"), post_transform=transform, **two)
learning("SVMRegressor", rows, "SVMRegressor without vectors", coefficients=[0.5, -1, 2], rho=[0.25], kernel_params=[0.5, 0.25, 3], kernel_type="LINEAR")
learning("SVMRegressor", rows, "SVMRegressor of one class", n_supports=4, one_class=1, coefficients=[0.5, -1, 2, 0.75], rho=[-0.25], kernel_type="RBF", **vectors)
learning("SVMClassifier", rows, "SVMClassifier without vectors", ("label", "y"), rho=[0.25], kernel_params=[0.5, 0.25, 3], kernel_type="LINEAR", coefficients=lines["coefficients"], classlabels_ints=[3, 7, 9])

def quantised(name, directions, weight, inputs, scales=(), steps=3, batch=2, width=5, hidden=4, **attributes):
    """
    An LSTM as onnxruntime.quantization writes it; the names of its inputs say which it has. Several threads would make bytes of a part
    of the batch each.
    """
    rows, whole = 4 * hidden, random.integers
    low, high = (0, 255) if weight == numpy.uint8 else (-64, 64)  # sums of greater ones saturate on processors that lack a product of bytes
    shape = (directions, *((rows,) if scales else ()))
    zeros = (lambda: whole(100, 150, shape)) if weight == numpy.uint8 else (lambda: numpy.zeros(shape))
    values = {
        "x": floats(steps, batch, width),
        "w": whole(low, high, (directions, width, rows)).astype(weight),
        "r": whole(low, high, (directions, hidden, rows)).astype(weight),
        "b": floats(directions, 2 * rows),
        "h": floats(directions, batch, hidden),
        "c": floats(directions, batch, hidden),
        "p": floats(directions, 3 * hidden),
        "ws": abs(floats(*shape)) / 100,
        "wz": zeros().astype(weight),
        "rs": abs(floats(*shape)) / 100,
        "rz": zeros().astype(weight),
    }
    node = helper.make_node("DynamicQuantizeLSTM", list(inputs), ["y", "y_h", "y_c"], domain="com.microsoft", hidden_size=hidden, **attributes)
    constant = {k: v for k, v in values.items() if k in ("w", "r", "ws", "wz", "rs", "rz")}
    made = [helper.make_node("Constant", [], [k], value=numpy_helper.from_array(v, k)) for k, v in constant.items()]
    given = {k: v for k, v in values.items() if k in inputs and k not in constant}
    case(f"DynamicQuantizeLSTM, {name}", [*made, node], given, ["y", "y_h", "y_c"], {"": 14, "com.microsoft": 1}, threads=1)


scales = ("ws", "wz", "rs", "rz")
quantised("plain", 1, numpy.int8, ("x", "w", "r", "b", "", "", "", "", *scales))
quantised("bytes without a sign", 1, numpy.uint8, ("x", "w", "r", "", "", "h", "c", "", *scales), direction="reverse")
quantised("both ways", 2, numpy.int8, ("x", "w", "r", "b", "", "h", "c", "p", *scales), direction="bidirectional")
quantised("scales of units", 2, numpy.int8, ("x", "w", "r", "b", "", "", "", "", *scales), scales=True, direction="bidirectional")

texts = ["yes", "no", "per haps"]
named = dict(classlabels_strings=texts, coefficients=lines["coefficients"], intercepts=lines["intercepts"])
learning("LinearClassifier", rows, "LinearClassifier, texts as labels", ("text", "y"), post_transform="SOFTMAX", **named)
answers = numpy_helper.from_array(numpy.array(texts[::-1] + ["no"], dtype=object), "answers")
chosen = [
    helper.make_node("Constant", [], ["answers"], value=answers),
    helper.make_node("ArgMax", ["x"], ["best"], axis=1, keepdims=0),
    helper.make_node("ArrayFeatureExtractor", ["answers", "best"], ["text"], domain="ai.onnx.ml"),
]
texts = ["per haps", "no", "yes"]
case("texts that are looked up", chosen, {"x": rows}, ["text"], {"": 17, "ai.onnx.ml": 3})

words = numpy.array([["red"], ["blue"], ["unheard of"], ["green"]], dtype=object)
whole = numpy.array([[3, 1], [7, 2], [-4, 3]])
texts = ["green", "blue", "red"]
learning("OneHotEncoder", words, "OneHotEncoder, texts", cats_strings=texts)
learning("OneHotEncoder", whole, "OneHotEncoder, whole numbers", cats_int64s=[1, 2, 3])
learning("OneHotEncoder", whole[:2], "OneHotEncoder, one category", cats_int64s=[7])
learning("LabelEncoder", words, "LabelEncoder, texts to floats", keys_strings=texts, values_floats=[0.5, -1.5, 1e30], default_float=2.5)
for opset in [3, 4]:
    case(f"LabelEncoder, floats to floats, opset {opset}", [helper.make_node("LabelEncoder", ["x"], ["y"], domain="ai.onnx.ml", keys_floats=[float(holes[0, 0]), float("nan"), float(holes[2, 2])], values_floats=[1, 2, 3.5])], {"x": holes}, ["y"], {"": 21, "ai.onnx.ml": opset})
case("LabelEncoder, whole numbers to whole numbers", [helper.make_node("LabelEncoder", ["x"], ["label"], domain="ai.onnx.ml", keys_int64s=[3, 1], values_int64s=[8, 9])], {"x": whole}, ["label"])
texts = ["few", "many", "_Unused"]
case("LabelEncoder, whole numbers to texts", [helper.make_node("LabelEncoder", ["x"], ["text"], domain="ai.onnx.ml", keys_int64s=[1, 7], values_strings=["few", "many"])], {"x": whole}, ["text"])
tables = dict(keys_tensor=numpy_helper.from_array(numpy.array([1, 3])), values_tensor=numpy_helper.from_array(numpy.array([2.5, 4], dtype=numpy.float32)), default_tensor=numpy_helper.from_array(numpy.array([-3], dtype=numpy.float32)))
case("LabelEncoder, of tensors", [helper.make_node("LabelEncoder", ["x"], ["y"], domain="ai.onnx.ml", **tables)], {"x": whole}, ["y"], {"": 21, "ai.onnx.ml": 4})
for name, part in [("floats", rows), ("whole numbers", whole)]:
    node = helper.make_node("FeatureVectorizer", ["x", "more"], ["y"], domain="ai.onnx.ml", inputdimensions=[part.shape[1], 1])
    case(f"FeatureVectorizer, {name}", [node], {"x": part, "more": part[:, :1].copy()}, ["y"])


def constant(name, numbers):
    return helper.make_node("Constant", [], [name], value=numpy_helper.from_array(numbers))


holed = constant("holed", numpy.array([[1, 0, -2], [0, 0, float("nan")]], dtype=numpy.float32))
shape = constant("shape", numpy.array([5], dtype=numpy.int64))
ones = helper.make_node("ConstantOfShape", ["shape"], ["ones"])
for name, nodes, source in [("of a matrix", [holed], "holed"), ("of nothing but zeros, counted", [shape, ones], "ones")]:
    places = helper.make_node("NonZero", [source], ["label"])
    size = helper.make_node("Size", ["label"], ["size"])
    real = helper.make_node("Cast", ["size"], ["real"], to=TensorProto.FLOAT)
    ends = [places, size, real, helper.make_node("Add", ["x", "real"], ["y"])]
    case(f"NonZero {name}", [*nodes, *ends], {"x": floats(2)}, ["y", "label"] if source == "holed" else ["y"])
for name, mask, settings in [("rows", [True, False, True], {"axis": 0}), ("columns", [False, True], {"axis": -1}), ("elements", [False, True, True, False, True], {})]:
    some = helper.make_node("Compress", ["x", "mask"], ["y"], **settings)
    case(f"Compress, some {name}", [constant("mask", numpy.array(mask)), some], {"x": floats(3, 2)}, ["y"])

path = pathlib.Path(__file__).parent / "runtime.json"
path.write_text("[\n" + ",\n".join(json.dumps(each) for each in cases) + "\n]\n")
