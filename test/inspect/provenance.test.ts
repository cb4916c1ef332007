import { describe, expect, test } from "vitest";
import {
  type Address,
  compile,
  explain,
  type InputValues,
  parseAddress,
  SphexError,
  showExplanation,
  showNotFinite,
  showWhy,
  type Tensor,
  type Why,
  why,
} from "../../src/index.js";
import { columnsOf } from "../../src/language/source/columns.js";
import { patient } from "../patience.js";

/** What explain and why tell of programs so small that everything is known beforehand. */

const a = "tensor(x[3]):[1,2,3]";
const b = "tensor(x[3],y[2]):[[1,2],[3,4],[5,6]]";
const s = "tensor(k{},x[2]):{p:[1,0],q:[2,-2]}";

/** The codes of what a call refuses. */
function refused(act: () => unknown): string[] {
  try {
    act();
  } catch (error) {
    if (error instanceof SphexError) return error.problems.map(({ code }) => code);
    throw error;
  }
  return [];
}

const lines = (text: string): string[] =>
  text.split("\n").map((line) => line.replace(/(?<=[^\s│]) {2,}/g, "  "));

describe("an operation is shown as it is written", () => {
  const textsOf = (text: string): readonly string[] =>
    compile(`input a: tensor(); input t: tensor(x[2]); ${text}`)
      .why({}, { a: 2, t: [1, 2] })
      .steps.flatMap(({ operation, text }) => (["apply", "join"].includes(operation) ? [text] : []));

  test.each([
    ["a ^ 3 ^ a", ["a ^ 3 ^ a", "3 ^ a"]],
    ["(a ^ 3) ^ a", ["(a ^ 3) ^ a", "a ^ 3"]],
    ["(-a) * (!a)", ["(-a) * (!a)", "-a", "!a"]],
    ["-(-a)", ["-(-a)", "-a"]],
    ["!-(a + 1)", ["!-(a + 1)", "-(a + 1)", "a + 1"]],
    ["pow(a, a + 1)", ["pow(a, a + 1)", "a + 1"]],
    ["max(a, -(a))", ["max(a, -(a))", "-(a)"]],
    ["sum(atan2(t, (a)))", ["atan2(t, (a))", "atan2(t, (a))"]],
  ])("%s", (text, expected) => {
    expect(textsOf(text)).toEqual(expected);
  });

  test("what a function of the host makes of a block comes from the cells of the block", () => {
    const call = (block: Tensor): Tensor => block;
    const functions = { same: { parameters: ["tensor(x[2])"], returns: "tensor(x[2])", call } };
    const program = compile("input t: tensor(k{},x[2]); map_subspaces(t, f(b)(same(b)))", { functions });
    const [step] = program.why({ k: "q", x: 1 }, { t: { p: [1, 2], q: [3, 4] } }).steps;
    expect(step?.value).toBe(4);
    expect(step?.contributions.map(({ role, address, value }) => [role, address, value])).toEqual([
      ["block", { k: "q", x: "0" }, 3],
      ["block", { k: "q", x: "1" }, 4],
    ]);
  });
});

describe("explain", () => {
  test("an expression in a function is shown as it is written there", () => {
    const text = "half(t) = l1_normalize(t, x) / 2; half(tensor(x[2]):[1, 3])";
    const { nodes } = compile(text).explain();
    expect(nodes.map(({ within, text }) => [within, text])).toEqual([
      [undefined, "half(tensor(x[2]):[1, 3])"],
      ["half", "l1_normalize(t, x)"],
      [undefined, "tensor(x[2]):[1, 3]"],
      ["l1_normalize", "sum(t, d)"],
      ["half", "2"],
    ]);
    expect(new Set(nodes.map(({ span }) => span.start))).toEqual(new Set([34, 39]));
  });

  test("parameters have the names that their lambda or generator gives them", () => {
    const parametersIn = (text: string): readonly string[] =>
      compile(text)
        .explain({ c: 2, d: 3 })
        .nodes.flatMap(({ operation, text }) => (operation === "parameter" ? [text] : []));
    const names = "input c: tensor(); input d: tensor();";
    const t = "tensor(x[2]):[1, 2]";
    expect(parametersIn(`${names} map(${t}, f(cell)(cell * 2)) + map(${t}, f(other)(other * 3))`)).toEqual([
      "cell",
      "other",
    ]);
    expect(parametersIn(`${names} join(${t}, ${t}, f(left,right)(left - 2 * right))`)).toEqual([
      "left",
      "right",
    ]);
    expect(parametersIn(`${names} tensor(row[2])(row + sum(tensor(column[2])(row * column)))`)).toEqual([
      "row",
      "column",
    ]);
    expect(parametersIn(`${names} map(${t}, f(cell)(cell * c + c))`)).toEqual(["cell", "c"]);
    expect(parametersIn(`${names} map(${t}, f(cell)((cell - 1) * c + d))`)).toEqual(["cell", "c"]);
    expect(parametersIn(`${names} map_subspaces(${t}, f(block)(sum(block) * 2))`)).toEqual(["block"]);
    const squares = "squares(vector) = map(vector, f(each)(each * each + 1));";
    expect(parametersIn(`${names} ${squares} squares(${t})`)).toEqual(["each"]);
  });

  test("tells of each expression once, the outer ones first", () => {
    const { results, nodes } = explain("sum(a * b, x) + max(a, x)", { a, b });
    expect(results).toEqual([{ node: 0 }]);
    expect(nodes.map(({ description, text, type, from }) => [description, text, `${type}`, from])).toEqual([
      ["join add", "sum(a * b, x) + max(a, x)", "tensor(y[2])", [1, 5]],
      ["reduce sum over x", "sum(a * b, x)", "tensor(y[2])", [2]],
      ["join multiply", "a * b", "tensor(x[3],y[2])", [3, 4]],
      ["input a", "a", "tensor(x[3])", []],
      ["input b", "b", "tensor(x[3],y[2])", []],
      ["reduce max over x", "max(a, x)", "tensor()", [3]],
    ]);
  });

  test("sums up values, with NaN and infinities told apart", () => {
    const { nodes } = explain("t * 1", { t: "tensor(k{},x[2]):{p:[NaN,Infinity],q:[-3,2]}" });
    expect(nodes[0]?.value).toEqual({
      sizes: [
        { dimension: "k", size: 2 },
        { dimension: "x", size: 2 },
      ],
      ...{ cells: 4, minimum: -3, maximum: Number.POSITIVE_INFINITY, nans: 1, infinities: 1 },
    });
    const empty = { sizes: [{ dimension: "k", size: 0 }], cells: 0, nans: 0, infinities: 0 };
    expect(explain("t", { t: "tensor(k{}):{}" }).nodes[0]?.value).toEqual({
      ...{ ...empty, minimum: undefined, maximum: undefined },
    });
  });

  test("says what was computed often and what never", () => {
    const text = "if (c > 0, sum(tensor(i[2])(i + c)), sum(a))";
    const computed = explain(text, { a, c: 1 }).nodes.map((node) => `${node.text} ${node.computed}`);
    expect(computed).toContain("i + c often");
    expect(computed).toContain("sum(a) never");
    expect(computed).toContain("c > 0 once");
  });

  test("has the parts of a lambda that is more than a function", () => {
    const { nodes } = explain("map(a, f(v)(log(v) + 1))", { a });
    expect(nodes.map((node) => node.description)).toEqual([
      "map",
      "input a",
      "add",
      "log",
      "parameter",
      "constant",
    ]);
  });

  test("measures the time of each operation by the clock, and its share", () => {
    let now = 0;
    const { nodes, time } = explain("sum(a * 2)", { a }, { clock: () => now++ });
    expect(nodes.map((node) => node.time)).toEqual([1, 1, 1, 1]);
    expect(nodes.map((node) => node.share)).toEqual([0.25, 0.25, 0.25, 0.25]);
    expect(time).toBe(4);
    expect(explain("a", { a }).nodes[0]?.time).toBeUndefined();
  });

  test("is shown as a tree in columns", () => {
    expect(showExplanation(explain("sum(a * b, x) * (a * b)", { a, b }))).toBe(
      [
        "expression               operation          type               cells  minimum  maximum",
        "sum(a * b, x) * (a * b)  join multiply      tensor(x[3],y[2])      6     22.0    504.0",
        "├ sum(a * b, x)          reduce sum over x  tensor(y[2])           2     22.0     28.0",
        "│ └ a * b                join multiply      tensor(x[3],y[2])      6      1.0     18.0",
        "│   ├ a                  input a            tensor(x[3])           3      1.0      3.0",
        "│   └ b                  input b            tensor(x[3],y[2])      6      1.0      6.0",
        "└ a * b                  as above",
      ].join("\n"),
    );
  });

  test("tells of all results of a program, and of 20,000 terms", patient, () => {
    const program = compile("input a: tensor(x[3])\ntwice = a * 2\ntwice\nsum(twice)");
    expect(program.explain({ a: [1, 2, 3] }).results).toEqual([{ node: 0 }, { node: 3 }]);
    const sum = Array.from({ length: 20_000 }, () => "a").join("+");
    const explanation = explain(sum, { a });
    expect(explanation.nodes).toHaveLength(20_000);
    expect(showExplanation(explanation).split("\n").length).toBeLessThan(50);
    expect(why(sum, { x: 0 }, { a }).steps[0]?.value).toBe(20_000);
  });
});

/** A tree as people read it, with columns two spaces apart. */
const tree = (made: Why): string[] => lines(showWhy(made));

describe("in a narrow terminal", () => {
  const text = `query = tensor<float>(x[4]):[1, 0.5, 0, 2]
docs = tensor<float>(doc{},x[4]):{first:[1,0,0,1], second:[0,2,1,0]}
scores = sum(query * docs, x)`;
  const shown = (expression: string, address: Address, width: number): string[] =>
    showWhy(compile(`${text}\n${expression}`).why(address), { width }).split("\n");

  test("operations go on in the next line, whole", () => {
    expect(shown("scores", { doc: "second" }, 60).slice(0, 4)).toEqual([
      "sum(query * docs, x)  {doc:second}      1.0  reduce sum over",
      "│                                            x",
      "├ query * docs        {doc:second,x:0}  0.0  join multiply",
      "│ ├ query             {x:0}             1.0  constant",
    ]);
  });

  test("or stand there, where there is no room beside the values", () => {
    const lines = shown("l2_normalize(scores + sum(docs, x), doc)", { doc: "second" }, 60);
    expect(lines.filter((_, at) => at % 2 === 1).slice(0, 6)).toEqual([
      "│ join divide",
      "│ │ join add",
      "│ │ │ reduce sum over x",
      "│ │ │ │ join multiply",
      "│ │ │ │   constant",
      "│ │ │     constant",
    ]);
    expect(lines[4]).toMatch(/^│ ├ sum\(query.*… +\{doc:second\} +1\.0$/);
  });

  test("as cells and values do, where these have no room either", () => {
    const [, ...lines] = shown("scores + sum(docs, x)", { doc: "second" }, 24);
    expect(lines.slice(0, 2)).toEqual(["│ {doc:second}  4.0", "│ join add"]);
  });

  test.each([20, 30, 40, 60, 80, 100])("no line is wider than %i columns", (width) => {
    const lines = shown("l2_normalize(scores + sum(docs, x), doc)", { doc: "second" }, width);
    expect(lines.filter((line) => columnsOf(line) > width)).toEqual([]);
  });
});

describe("why", () => {
  test("follows maps, joins and reductions to the inputs", () => {
    expect(
      tree(
        why(
          "sum(sqrt(a) * b, x)",
          { y: 1 },
          { a: "tensor(x[2]):[4,9]", b: "tensor(x[2],y[2]):[[1,2],[3,4]]" },
        ),
      ),
    ).toEqual([
      "sum(sqrt(a) * b, x)  {y:1}  16.0  reduce sum over x",
      "├ sqrt(a) * b  {x:0,y:1}  4.0  join multiply",
      "│ ├ sqrt(a)  {x:0}  2.0  map sqrt",
      "│ │ └ a  {x:0}  4.0  input a",
      "│ └ b  {x:0,y:1}  2.0  input b",
      "└ sqrt(a) * b  {x:1,y:1}  12.0  join multiply",
      "  ├ sqrt(a)  {x:1}  3.0  map sqrt",
      "  │ └ a  {x:1}  9.0  input a",
      "  └ b  {x:1,y:1}  4.0  input b",
    ]);
  });

  test("gives data: each step once, found by its place", () => {
    const { steps } = why("a * a", { x: 2 }, { a });
    expect(
      steps.map(({ operation, address, value, contributions }) => ({
        operation,
        address,
        value,
        contributions,
      })),
    ).toEqual([
      {
        ...{ operation: "join", address: { x: "2" }, value: 9 },
        contributions: [
          { role: "left", address: { x: "2" }, value: 3, step: 1 },
          { role: "right", address: { x: "2" }, value: 3, step: 1 },
        ],
      },
      { operation: "input", address: { x: "2" }, value: 3, contributions: [] },
    ]);
  });

  // biome-ignore format: a table
  test.each<[text: string, cell: string, inputs: InputValues, wanted: string[]]>([
    ["a{x:(i)}", "", { a, i: 1 }, ["a{x:(i)}  2.0  slice x:…", "├ a  {x:1}  2.0  input a", "└ (i)  1.0  input i, index of x"]],
    ["a{x:(i)}", "", { a, i: 9 }, ["a{x:(i)}  0.0  slice x:…", "├ a  {x:9}  absent  input a", "└ (i)  9.0  input i, index of x"]],
    ["rename(a, x, z)", "z:1", { a }, ["rename(a, x, z)  {z:1}  2.0  rename x to z", "└ a  {x:1}  2.0  input a"]],
    ["concat(a, c, x)", "x:3", { a, c: 7 }, ["concat(a, c, x)  {x:3}  7.0  concat along x", "└ c  7.0  input c"]],
    ["cell_cast(c, int8)", "x:0", { c: "tensor(x[1]):[1.5]" }, ["cell_cast(c, int8)  {x:0}  1  cast to int8", "└ c  {x:0}  1.5  input c"]],
    ["if (c > 1, a, a * 2)", "x:0", { a, c: 2 }, ["if (c > 1, a, a * 2)  {x:0}  1.0  if", "├ c > 1  1.0  greater, condition", "│ ├ c  2.0  input c", "│ └ 1  1.0  constant", "└ a  {x:0}  1.0  input a"]],
    ["tensor(i[2])(i + c)", "i:1", { c: 5 }, ["tensor(i[2])(i + c)  {i:1}  6.0  generate", "└ i + c  6.0  add", "  ├ i  1.0  parameter", "  └ c  5.0  input c"]],
    ["tensor(i[2]):[1, c]", "i:1", { c: 5 }, ["tensor(i[2]):[1, c]  {i:1}  5.0  literal", "└ c  5.0  input c"]],
    ["cell_order(a, max)", "x:0", { a }, ["cell_order(a, max)  {x:0}  2.0  order descending", "├ a  {x:0}  1.0  input a", "└ among 3 cells"]],
    ["merge(t, u, f(x,y)(y))", "k:p", { t: "tensor(k{}):{p:1}", u: "tensor(k{}):{q:2}" }, ["merge(t, u, f(x,y)(y))  {k:p}  1.0  merge", "├ t  {k:p}  1.0  input t", "└ u  {k:p}  absent  input u"]],
    ["t * u", "k:p", { t: "tensor(k{}):{p:1}", u: "tensor(k{}):{q:2}" }, ["t * u  {k:p}  absent  join multiply", "├ t  {k:p}  1.0  input t", "└ u  {k:p}  absent  input u"]],
    ["map_subspaces(s, f(t)(sum(t)))", "k:q", { s }, ["map_subspaces(s, f(t)(sum(t)))  {k:q}  0.0  map subspaces", "└ sum(t)  0.0  reduce sum over all", "  ├ t  {x:0}  2.0  parameter", "  │ └ s  {k:q,x:0}  2.0  input s", "  └ t  {x:1}  -2.0  parameter", "    └ s  {k:q,x:1}  -2.0  input s"]],
    ["map_subspaces(t, f(b)(7))", "k:p", { t: "tensor(k{}):{p:1}" }, ["map_subspaces(t, f(b)(7))  {k:p}  7.0  map subspaces", "├ 7  7.0  constant", "└ t  {k:p}  1.0  input t, is there"]],
    ["concat(t, u, x)", "k:p,x:0", { t: "tensor(k{},x[1]):{p:[1]}", u: "tensor(k{}):{p:2,q:3}" }, ["concat(t, u, x)  {k:p,x:0}  1.0  concat along x", "├ t  {k:p,x:0}  1.0  input t", "└ u  {k:p}  2.0  input u, is there"]],
    ["filter_subspaces(s, f(t)(sum(t)))", "k:q,x:0", { s }, ["filter_subspaces(s, f(t)(sum(t)))  {k:q,x:0}  absent  filter subspaces", "├ s  {k:q,x:0}  2.0  input s", "└ sum(t)  0.0  reduce sum over all, keeps its block unless 0", "  ├ t  {x:0}  2.0  parameter", "  │ └ s  {k:q,x:0}  2.0  input s", "  └ t  {x:1}  -2.0  parameter", "    └ s  {k:q,x:1}  -2.0  input s"]],
  ])("%s at {%s}", (text, cell, inputs, expected) => {
    expect(tree(why(text, parseAddress(cell), inputs))).toEqual(expected);
  });

  test("shows the ten largest of many contributions, and has all of them", () => {
    const made = why("sum(tensor(i[100])(i - 10))");
    expect(made.steps[0]?.contributions).toHaveLength(100);
    const shown = tree(made).filter((line) => /^[├└]/.test(line));
    expect(shown[0]).toContain("{i:90}");
    expect(shown).toHaveLength(11);
    expect(shown.at(-1)).toBe("└ and 90 others");
  });

  test("follows the largest where there is no room for all", () => {
    const made = compile("sum(tensor(i[1000])(i))").why({}, {}, { steps: 100 });
    expect(made.steps).toHaveLength(21);
    expect(
      made.steps[0]?.contributions.filter(({ step }) => step !== undefined).map(({ value }) => value),
    ).toEqual(Array.from({ length: 10 }, (_, at) => 990 + at));
  });

  test("asks about any result or named value", () => {
    const program = compile("input a: tensor(x[3])\ntotal = sum(a)\ntotal * 2\nmax(a)");
    const textOf = (options: { result?: number | string }) =>
      program.why({}, { a: [1, 2, 3] }, options).steps[0]?.text;
    expect([{}, { result: 0 }, { result: "total" }].map(textOf)).toEqual(["max(a)", "total * 2", "sum(a)"]);
    expect(refused(() => textOf({ result: 7 }))).toEqual(["program/no-result"]);
    expect(refused(() => textOf({ result: "tota" }))).toEqual(["name/unknown"]);
  });

  test("refuses addresses that there cannot be", () => {
    expect(refused(() => why("a", {}, { a }))).toEqual(["value/address"]);
    expect(refused(() => why("a", { x: 0, z: 1 }, { a }))).toEqual(["value/address"]);
    expect(refused(() => why("a", { x: 3 }, { a }))).toEqual(["value/index"]);
    expect(refused(() => why("a", { x: "-1" }, { a }))).toEqual(["value/index"]);
  });

  test("keeps to limits", () => {
    const text = "sum(tensor(i[500])(i))";
    const needed = 2000;
    expect(refused(() => compile(text, { limits: { steps: needed } }).run())).toEqual([]);
    expect(refused(() => compile(text, { limits: { steps: needed } }).why())).toEqual(["limit/steps"]);
    expect(refused(() => explain("a * 2", { a }, { limits: { cells: 2 } }))).toEqual(["limit/cells"]);
  });

  test("makes visible what a terminal would obey", () => {
    const label = "\u001b[31m\u202e";
    const shown = showWhy(why("t + 1", { k: label }, { t: `tensor(k{}):{'${label}':1}` }));
    for (const sign of ["\u001b", "\u202e"]) expect(shown).not.toContain(sign);
    expect(shown).toContain("\\u001b[31m\\u202e");
  });
});

describe("the first cell that is not finite", () => {
  const notFiniteLines = (text: string, inputs: InputValues = {}): string[] =>
    lines(showNotFinite(compile(text).whyNotFinite(inputs)));

  test("is found where it arises, and not where it arrives", () => {
    expect(notFiniteLines("input a: tensor(x[3])\nb = log(a - 2)\nsum(b * 0)", { a: [3, 2, 4] })).toEqual([
      "-Infinity first arises in log(a - 2) {x:1} (map log)",
      "log(a - 2)  {x:1}  -Infinity  map log",
      "└ a - 2  {x:1}  0.0  join subtract",
      "  ├ a  {x:1}  2.0  input a",
      "  └ 2  2.0  constant",
    ]);
  });

  // biome-ignore format: a table
  test.each([
    ["map(a, f(v)(1 + 3 / (v - 1)))",            "3 / (v - 1)"],
    ["join(a, 1, f(v,w)(2 * log(v - w) + 1))",   "log(v - w)"],
    ["tensor(i[2])(sum(1 / tensor(j[2])(i+j)))", "1 / tensor(j[2])(i+j)"],
    ["map_subspaces(a, f(t)(sum(1 / (t - 1))))", "1 / (t - 1)"],
  ])("is found within %s", (text, blamed) => {
    const { arises } = compile(text, { inputs: { a: "tensor(x[2])" } }).whyNotFinite(text.includes("a,") ? { a: [2, 1] } : {});
    expect(arises?.cell.text).toBe(text);
    expect(arises?.why.steps[0]?.text).toBe(blamed);
  });

  test("may be one that was given", () => {
    expect(notFiniteLines("input a: tensor(x[2])\na + 1", { a: [Number.NaN, Number.NaN] })).toEqual([
      "no NaN and no infinity arises",
      "NaN is given in a {x:0} (input a), and 1 more cell that is not finite",
    ]);
    expect(notFiniteLines("input a: tensor(x[2])\na - a", { a: [1, Number.POSITIVE_INFINITY] })[0]).toBe(
      "NaN first arises in a - a {x:1} (join subtract)",
    );
  });

  test("may not be there", () => {
    expect(notFiniteLines("1 + 1")).toEqual(["no NaN and no infinity arises"]);
  });
});

test.each([
  ["x:0,k:b", { x: "0", k: "b" }],
  ["{ x : 0 , k : 'a \\'b\\'{}:,' }", { x: "0", k: "a 'b'{}:," }],
  ["", {}],
  ["k:", { k: "" }],
])("the address %s is read", (text, expected) => expect(parseAddress(text)).toEqual(expected));

test.each(["x", "x:0,,y:1", "x:'a", ":1", "x:{0}"])("%s is no address", (text) => {
  expect(refused(() => parseAddress(text))).toEqual(["value/shape"]);
});
