import { describe, expect, test } from "vitest";
import {
  check,
  compile,
  compileAsync,
  format,
  type Options,
  parseTensor,
  SphexError,
  showProblem,
} from "../../src/index.js";
import { models } from "../../src/models.js";
import { ProgramDocument } from "../../src/service/service.js";
import { patient } from "../patience.js";
import { floats, layer, model, node, port, raw, weights } from "./onnx/write-model.js";

/** Models as values of the language: `model ranker = file("ranker.onnx")`. */

const inside = raw(floats([1, -1, 2, 0, 0, 3]));
// By hand: [1, 2, 3] W = [5, 8] and [0, -1, 1] W = [-2, 3], below 0 nothing.
const image = "tensor(a[2],b[3]):[[1,2,3],[0,-1,1]]";

/** Two inputs and two outputs: left - right, and left * right. */
const pair = (size: number | string = 3): Uint8Array =>
  model(
    node("Sub", ["left.in", "right"], "difference"),
    node("Mul", ["left.in", "right"], "/head/product"),
    port(11, "left.in", [size]),
    port(11, "right", [size]),
    port(12, "difference", [size]),
    port(12, "/head/product", [size]),
  );

/** x < 1.5 ? 10 : 20, plus colour < 0.5 ? 1 : (2 where it is missing). */
const trees = JSON.stringify([
  {
    nodeid: 0,
    split: "x",
    split_condition: 1.5,
    yes: 1,
    no: 2,
    missing: 1,
    children: [
      { nodeid: 1, leaf: 10 },
      { nodeid: 2, leaf: 20 },
    ],
  },
  {
    nodeid: 0,
    split: "the colour",
    split_condition: 0.5,
    yes: 1,
    no: 2,
    missing: 2,
    children: [
      { nodeid: 1, leaf: 1 },
      { nodeid: 2, leaf: 2 },
    ],
  },
]);

const files = new Map<string, Uint8Array>([
  ["layer.onnx", layer(inside)],
  ["row.onnx", layer(inside, 1)],
  ["batch.onnx", layer(inside, "batch")],
  ["pair.onnx", pair()],
  ["pairs.onnx", pair("n")],
  ["trees.json", new TextEncoder().encode(trees)],
  ["broken.onnx", layer(inside).subarray(0, 40)],
  ["strange.onnx", model(node("Strange", ["x"], "y"), port(11, "x", [2]), port(12, "y", [2]))],
]);

const options: Options = {
  models,
  readBytes: (path) => {
    const bytes = files.get(path);
    if (bytes === undefined) throw new Error("there is no such file");
    return bytes;
  },
};

const result = (program: string) => compile(program, options).run();
const codes = (program: string): string[] => check(program, options).map((each) => each.code);

describe("a declaration that names the dimensions of a model", () => {
  const declared = 'model dense(x: (row, feature), y: (row, out)) = file("layer.onnx")';

  test("takes inputs by these names, whatever their order, and has them in its outputs", () => {
    const y = result(`${declared}\ndense(tensor(feature[3],row[2])(if(row == 0, feature + 1, feature - 1)))`);
    expect(`${y.type}`).toBe("tensor<float>(out[2],row[2])");
    // By hand: [1, 2, 3] W = [5, 8] and [-1, 0, 1] W = [-3, 4], below 0 nothing.
    expect([0, 1].map((row) => [0, 1].map((out) => y.get({ row, out })))).toEqual([
      [5, 8],
      [0, 4],
    ]);
  });

  test("needs not name all of them", () => {
    const only = result(`model dense(y: (row, out)) = file("layer.onnx")\ndense(${image})`);
    expect(`${only.type}`).toBe("tensor<float>(out[2],row[2])");
    const one = 'model trees(x: (row, feature)) = file("row.onnx")';
    expect(result(`${one}\ntrees(tensor(feature[3]):[1,2,3])`).toNested()).toEqual([[5, 8]]);
  });

  test("has the sizes of the inputs of a run", () => {
    const text = 'model dense(x: (row, feature), y: (row, out)) = file("batch.onnx")';
    const program = compile(`${text}\ninput i: tensor(feature[3],row[])\nsum(dense(i), out)`, options);
    for (const rows of [1, 3]) {
      const i = result(`tensor(feature[3],row[${rows}])(feature + 1)`);
      expect(program.run({ i }).toNested()).toEqual(Array.from({ length: rows }, () => 13));
    }
  });

  test("is laid out as the rest of a program", () => {
    const text = 'model  dense(x:(row,feature),y : out)=file("layer.onnx")';
    expect(format({ name: "program", text }).text).toBe(
      'model dense(x: (row, feature), y: out) = file("layer.onnx")\n',
    );
  });

  test("is what hover shows", () => {
    const document = new ProgramDocument("it.sphex", `${declared}\n1`, options);
    const hover = document.hover(7);
    expect(hover?.code).toBe("dense(x: tensor<float>(feature[3],row[2]))");
    expect(hover?.remarks).toEqual([".y: tensor<float>(out[2],row[2])"]);
  });

  test.each([
    ["dense(z: (a, b))", "model/no-port", "z"],
    ["dense(x: a)", "model/axes", "a"],
    ["dense(x: (a, b, c))", "model/axes", "(a, b, c)"],
    ["dense(x: (a, a))", "model/axis-twice", "a"],
    ["dense(x: (a, b), x: (c, d))", "model/port-twice", "x"],
  ])("is refused where it does not fit: %s", (head, code, at) => {
    const text = `model ${head} = file("layer.onnx")\ndense(${image})`;
    const [problem, ...others] = check(text, options);
    expect(others).toEqual([]);
    expect(problem?.code).toBe(code);
    expect(text.slice(problem?.span.start, problem?.span.end)).toBe(at);
  });

  test("refuses an argument with other names", () => {
    const [problem] = check(`${declared}\ndense(${image})`, options);
    expect(problem?.code).toBe("model/type");
    expect(problem === undefined ? "" : showProblem(problem)).toContain("tensor<float>(feature[3],row[2])");
  });

  test("is no function of that name", () => {
    expect(result("model(x) = x + 1\nmodel(2)").at(0)).toBe(3);
  });
});

describe("a call of a model", () => {
  test("is the value of its output, with the axes d0, d1 and so on", () => {
    const y = result(`model dense = file("layer.onnx")\ndense(${image})`);
    expect(`${y.type}`).toBe("tensor<float>(d0[2],d1[2])");
    expect(y.toNested()).toEqual([
      [5, 8],
      [0, 3],
    ]);
  });

  test("takes its inputs by name or by position, and says which output", () => {
    const inputs = "a = tensor(x[3]):[5,6,7]\nb = tensor(y[3]):[1,2,3]\n";
    const values = (call: string): unknown =>
      result(`model pair = file("pair.onnx")\n${inputs}${call}`).toNested();
    expect(values("pair(a, b).difference")).toEqual([4, 4, 4]);
    expect(values("pair(b, a).difference")).toEqual([-4, -4, -4]);
    expect(values("pair(right: b, left_in: a).difference")).toEqual([4, 4, 4]);
    expect(values("pair(a, right: b * 2).head_product")).toEqual([10, 24, 42]);
  });

  test("may stand in functions, in formulas and in each other", () => {
    const program = `model pair = file("pair.onnx")
      model dense = file("layer.onnx")
      twice(t) = pair(t, right: 0 - t).difference
      padded(t) = concat(t, tensor<float>(d0[2],d1[1])(1), d1)
      sum(twice(tensor(x[3])(x))) + dense(padded(dense(${image})))`;
    // [5, 8, 1] W = [5 + 16, -5 + 3] and [0, 3, 1] W = [6, 3], and 0 + 2 + 4.
    expect(result(program).toNested()).toEqual([
      [27, 6],
      [12, 9],
    ]);
  });

  test("may stand in lambdas", () => {
    const program = `model trees = file("trees.json")
      map(tensor(x[3]):[1,2,3], f(a)(trees(a, the_colour: 0)))`;
    expect(result(program).toNested()).toEqual([11, 21, 21]);
  });

  test("lacks no axis of size 1 at the left", () => {
    const one = layer(inside, 1);
    files.set("one.onnx", one);
    expect(result('model dense = file("one.onnx")\ndense(tensor(x[3]):[1,2,3])').toNested()).toEqual([
      [5, 8],
    ]);
  });

  test("is one where its arguments are equal", () => {
    const program = compile(
      'input t: tensor(x[3])\nmodel pair = file("pair.onnx")\npair(t, t * 2).difference + pair(t, t * 2).head_product',
      options,
    );
    expect(program.run({ t: parseTensor("tensor(x[3]):[1,2,3]") }).toNested()).toEqual([1, 6, 15]);
  });
});

describe("a size that the model has a name for", () => {
  const program = `input left: tensor<float>(a[])
    input right: tensor<float>(b[])
    model pair = file("pairs.onnx")
    sum(pair(left, right).head_product) + pair(left, right).difference`;

  test("is that of the inputs of a run", () => {
    const compiled = compile(program, options);
    expect(`${compiled.results[0]?.type}`).toBe("tensor<float>(d0[])");
    const run = (left: string, right: string): unknown => compiled.run({ left, right }).toNested();
    expect(run("tensor<float>(a[2]):[1,2]", "tensor<float>(b[2]):[3,5]")).toEqual([11, 10]);
    expect(run("tensor<float>(a[3]):[1,2,1]", "tensor<float>(b[3]):[3,5,1]")).toEqual([12, 11, 14]);
    expect(run("tensor<float>(a[2]):[1,1]", "tensor<float>(b[2]):[3,5]")).toEqual([6, 4]);
    expect(() => run("tensor<float>(a[2]):[1,1]", "tensor<float>(b[3]):[3,5,1]")).toThrow(/different sizes/);
  });

  test("also where it is explained, planned and prepared", async () => {
    const compiled = compile(program, options);
    const inputs = { left: "tensor<float>(a[2]):[1,2]", right: "tensor<float>(b[2]):[3,5]" };
    expect(compiled.explain(inputs).results.length).toBe(1);
    expect(compiled.why({ d0: "0" }, inputs)).toBeDefined();
    expect(compiled.plan(inputs)).toBeDefined();
    expect(compiled.prepare(inputs).run().toNested()).toEqual([11, 10]);
    expect((await compiled.runAsync(inputs)).toNested()).toEqual([11, 10]);
    expect(compiled.session().run(inputs).toNested()).toEqual([11, 10]);
    expect((await compiled.session().runAsync(inputs)).toNested()).toEqual([11, 10]);
  });

  test("and of inputs that the host declares", () => {
    const host = { ...options, inputs: { left: "tensor<float>(a[])", right: "tensor<float>(b[])" } };
    const compiled = compile('model pair = file("pairs.onnx")\npair(left, right).difference', host);
    expect(compiled.run({ left: [3, 4], right: [1, 1] }).toNested()).toEqual([2, 3]);
  });
});

describe("a forest", () => {
  const forest = 'model trees = file("trees.json")\n';
  test("takes its features as numbers", () => {
    expect(result(`${forest}trees(1, 0)`).asNumber()).toBe(11);
    expect(result(`${forest}trees(the_colour: 1, x: 2)`).asNumber()).toBe(22);
  });
  test("or as the cells of one tensor, by position or by name; what is absent is missing", () => {
    expect(result(`${forest}trees(tensor(f[2]):[2,0])`).asNumber()).toBe(21);
    expect(result(`${forest}trees(tensor(f{}):{'the colour':0,x:1})`).asNumber()).toBe(11);
    expect(result(`${forest}trees(tensor(f{}):{x:1})`).asNumber()).toBe(12);
  });
});

describe("a tokenizer", () => {
  const wordPiece = {
    model: {
      type: "WordPiece",
      vocab: { "[PAD]": 0, "[UNK]": 1, un: 2, "##able": 3, a: 4 },
      unk_token: "[UNK]",
      continuing_subword_prefix: "##",
      max_input_chars_per_word: 100,
    },
    pre_tokenizer: { type: "Whitespace" },
  };

  test("makes constants of texts in a program", () => {
    files.set("tokenizer.json", new TextEncoder().encode(JSON.stringify(wordPiece)));
    const program =
      'model words = file("tokenizer.json")\nids(text) = words(text, 4).input_ids\nids("unable a")';
    expect(`${result(program).type}`).toBe("tensor<long>(d0[1],d1[4])");
    expect(result(program).toNested()).toEqual([[2, 3, 4, 0]]);
    expect(codes('model words = file("tokenizer.json")\nwords(2).input_ids')).toEqual(["model/text"]);
  });
});

test("a table is not copied for each cell that is looked up in it", patient, () => {
  const program = `rows = tensor<float>(y[20000],z[100])(y + z)
    input chosen: tensor(y[200])
    sum(tensor<float>(y[200],z[100])(rows{y:(chosen{y:(y)}),z:(z)}), z)`;
  const chosen = Array.from({ length: 200 }, (_, at) => 97 * at);
  const sums = compile(program).run({ chosen }).toNested();
  // 0 + 1 + … + 99 is 4950.
  expect(sums).toEqual(chosen.map((each) => 100 * each + 4950));
});

describe("what is wrong with a call is said at its place", () => {
  // biome-ignore format: a table
  test.each([
    ['model m = 3\nm(1)',                                                  "model/value"],
    ['model m = file("none.onnx")\nm(1)',                                  "file/unreadable"],
    ['model m = file("m.zip")\n1',                                         "file/unreadable"],
    ['model m = file("broken.onnx")\n1',                                   "model/bytes"],
    ['model m = file("strange.onnx")\nm(tensor(x[2])(x))',                 "model/node"],
    ['model m = file("layer.onnx")\nm + 1',                                "model/uncalled"],
    ['model m = file("layer.onnx")\nm()',                                  "model/missing"],
    [`model m = file("layer.onnx")\nm(${image}, 1)`,                       "model/arguments"],
    [`model m = file("layer.onnx")\nm(pixels: ${image})`,                  "model/unknown-input"],
    [`model m = file("layer.onnx")\nm(${image}, x: ${image})`,             "model/twice"],
    [`model m = file("layer.onnx")\nm(${image}).z`,                        "model/output"],
    ['model m = file("layer.onnx")\nm(tensor(x[3])(x))',                   "model/type"],
    ['model m = file("layer.onnx")\nm(tensor(x{}):{a:1})',                 "model/type"],
    ['model m = file("layer.onnx")\nm(f(x)(x))',                           "call/argument"],
    ['model m = file("pair.onnx")\nm(1, 2)',                               "model/outputs model/type model/type"],
    ['model m = file("pair.onnx")\nm(tensor(x[3])(x), tensor(x[3])(x))',   "model/outputs"],
    ['model m = file("pairs.onnx")\nm(tensor(x[3])(x), tensor(x[4])(x)).difference', "model/sizes"],
    ['model m = file("trees.json")\nm(tensor(x[3])(x))',                   "model/vector"],
    ['model m = file("trees.json")\nm = 3\nm(x: 1, the_colour: 2)',      "name/duplicate"],
  ])("%s", (program, expected) => {
    expect(codes(program).join(" ")).toBe(expected);
  });

  test("with the nearest name", () => {
    const [found] = check('model m = file("pair.onnx")\nm(lefd_in: 1, right: 1).difference', options);
    expect(found?.description.hint).toBe("did you mean left_in?");
  });

  test("and a host without a reader is told", () => {
    expect(check('model m = file("layer.onnx")\n1').map((each) => each.code)).toEqual(["model/no-reader"]);
  });
});

test("files of models may be read by promises", async () => {
  const program = await compileAsync(`model dense = file("layer.onnx")\nsum(dense(${image}))`, {
    models,
    readBytes: async (path) => options.readBytes?.(path) ?? new Uint8Array(),
  });
  expect(program.run().asNumber()).toBe(16);
});

test("what a model brings along is explained as the call", () => {
  const explanation = compile(`model dense = file("layer.onnx")\ndense(${image})`, options).explain();
  expect(JSON.stringify(explanation)).toContain("dense");
  expect(() => compile('model m = file("strange.onnx")\nm(tensor(x[2])(x))', options)).toThrow(SphexError);
});

test("an input of truth values takes any number but 0 for true, as ONNX Runtime does", () => {
  const bool = 9;
  const bytes = model(
    node("Xor", ["a", "b"], "y"),
    port(11, "a", [4], bool),
    port(11, "b", [4], bool),
    port(12, "y", [4], bool),
  );
  const text =
    'model m = file("xor.onnx")\ninput a: tensor<int8>(d0[4])\ninput b: tensor<int8>(d0[4])\nm(a, b)';
  const program = compile(text, { models, readBytes: () => bytes });
  const values = { a: Int8Array.of(0, 2, -1, 2), b: Int8Array.of(0, 1, 0, -3) };
  expect(program.run(values).toNested()).toEqual([0, 0, 1, 0]);
});

test("an input of floats that is one number is a float, as a weight of the same number is", () => {
  const bytes = model(
    node("Sub", ["x", "w"], "y"),
    weights("w", [], raw(floats([0.1]))),
    port(11, "x", []),
    port(12, "y", []),
  );
  const program = compile('model m = file("less.onnx")\ninput x: tensor()\nm(x)', {
    models,
    readBytes: () => bytes,
  });
  for (const x of [0.1, Math.fround(0.1)]) expect(program.run({ x }).asNumber()).toBe(0);
  expect(program.run({ x: 1e300 }).asNumber()).toBe(Number.POSITIVE_INFINITY);
});

describe("an editor", () => {
  const at = (program: string): ProgramDocument => new ProgramDocument("it.sphex", program, options);
  const pairs = 'model pair = file("pair.onnx")\n';

  test("shows the types of a model's inputs and outputs", () => {
    const hover = at(`${pairs}1`).hover(7);
    expect(hover?.code).toBe("pair(left_in: tensor<float>(d0[3]), right: tensor<float>(d0[3]))");
    expect(hover?.remarks).toEqual([
      ".difference: tensor<float>(d0[3])",
      ".head_product: tensor<float>(d0[3])",
    ]);
  });

  test("completes the names of models, inputs and outputs", () => {
    const texts = (line: string): string[] => {
      const document = at(`${pairs}x = 1`);
      void document.analysis;
      document.text = `${pairs}x = 1\n${line}`;
      return document.completion(document.text.length).candidates.map(({ text }) => text);
    };
    expect(texts("pa")).toContain("pair(");
    expect(texts("pair(").slice(0, 2)).toEqual(["left_in:", "right:"]);
    expect(texts("pair(x, r")).toContain("right:");
    expect(texts("pair(x, max(x, 2)).")).toEqual(["difference", "head_product"]);
    expect(at(`${pairs}pair(`).signature(`${pairs}pair(1, `.length)?.signature).toMatch(/^pair\(left_in: /);
  });
});
