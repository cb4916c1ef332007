import { describe, expect, test } from "vitest";
import type { BackendName } from "../../src/backends/backends.js";
import { compile, parseTensor } from "../../src/index.js";

/**
 * Programs in which a lambda waits for the sizes of a run's inputs. All else of them means what it means without that lambda: a
 * dimension of open size is not one whose size happens to be that of this run.
 */

const types = {
  ...{ p: "tensor(x[3])", j: "tensor(x[])", c: "tensor()", d: "tensor()" },
  ...{ k: "tensor(D{},x[])", m: "tensor(D{})", none: "tensor(D{})" },
} as const;
const values = {
  ...{ p: "tensor(x[3]):[1,2,3]", j: "tensor(x[]):[5]", c: 1, d: 1 },
  ...{ k: "tensor(D{},x[]):{a:[1,2]}", m: "tensor(D{}):{a:7}", none: "tensor(D{}):{b:7}" },
} as const;

type Name = keyof typeof types;
const named = (names: readonly Name[]) => ({
  inputs: Object.fromEntries(names.map((each) => [each, types[each]])),
  values: Object.fromEntries(names.map((each) => [each, values[each]])),
});

/** A lambda that sees scalars, and has an operation of tensors in it. */
const waiting = "map(j, f(v)(sum(tensor(q[2])(q * v * c + d))))";

const backends: readonly BackendName[] = ["engine", "reference", "closures"];

describe.each(backends)("by %s", (backend) => {
  test.each<[string, readonly Name[], string]>([
    ["avg(p + j)", ["p", "j"], "tensor():{2.0}"],
    ["p + j", ["p", "j"], "tensor(x[3]):[6.0, 0.0, 0.0]"],
    ["min(p * j)", ["p", "j"], "tensor():{0.0}"],
    ["max(p - j - 10)", ["p", "j"], "tensor():{-10.0}"],
    ["j", ["j"], "tensor(x[]):{0:5.0}"],
    ["j + 1", ["j"], "tensor(x[]):{0:6.0}"],
    ["merge(p, j, f(a,b)(a + b))", ["p", "j"], "tensor(x[3]):[6.0, 2.0, 3.0]"],
    ["if(c, p, j)", ["p", "j", "c"], "tensor(x[]):{0:1.0, 1:2.0, 2:3.0}"],
    ["j{x:7}", ["j"], "tensor():{0.0}"],
    ["sum(k * none, D)", ["k", "none"], "tensor(x[]):{}"],
    ["count(concat(sum(k * none, D), j, x))", ["k", "none", "j"], "tensor():{1.0}"],
    ["sum(k * m, D)", ["k", "m"], "tensor(x[]):{0:7.0, 1:14.0}"],
  ])("%s of %j is %s, alone and beside a lambda that waits", (expression, names, expected) => {
    const own = named(names);
    expect(`${compile(expression, { inputs: own.inputs, backend }).run(own.values)}`).toBe(expected);
    const all = named([...new Set<Name>([...names, "j", "c", "d"])]);
    const beside = compile(`${waiting}\n${expression}`, { inputs: all.inputs, backend });
    const last = beside.run(all.values);
    expect(`${last}`).toBe(expected);
    expect(`${last.type}`).toBe(`${beside.results[1]?.type}`);
    expect(`${beside.session().run(all.values)}`).toBe(expected);
  });

  // v * c + 2 * d, of each cell v.
  test.each<[string, string]>([
    [waiting, "tensor(x[]):{0:7.0}"],
    ["map(p + j, f(v)(sum(tensor(q[2])(q * v * c + d))))", "tensor(x[3]):[8.0, 2.0, 2.0]"],
    ["map(concat(j, j, x), f(v)(sum(tensor(q[2])(q * v * c + d))))", "tensor(x[]):{0:7.0, 1:7.0}"],
    ["map(k, f(v)(sum(tensor(q[2])(q * v * c + d))))", "tensor(D{},x[]):{{D:a,x:0}:3.0, {D:a,x:1}:4.0}"],
    ["map(sum(k * none, D), f(v)(sum(tensor(q[2])(q * v * c + d))))", "tensor(x[]):{}"],
    ["map(k * none, f(v)(sum(tensor(q[2])(q * v * c + d))))", "tensor(D{},x[]):{}"],
    ["join(j, k, f(a,b)(sum(tensor(q[2])(q * a * b * c + d))))", "tensor(D{},x[]):{{D:a,x:0}:7.0}"],
    [
      "merge(j, concat(j, j, x), f(a,b)(sum(tensor(q[2])(q * a * b * c + d))))",
      "tensor(x[]):{0:27.0, 1:5.0}",
    ],
    [
      "map(map(j, f(v)(sum(tensor(q[2])(q * v * c + d)))), f(v)(sum(tensor(q[2])(q * v * c + d))))",
      "tensor(x[]):{0:9.0}",
    ],
    [
      "map_subspaces(k, f(s)(map(s, f(v)(sum(tensor(q[2])(q * v * c + d))))))",
      "tensor(D{},x[]):{{D:a,x:0}:3.0, {D:a,x:1}:4.0}",
    ],
    [
      "filter_subspaces(k, f(s)(sum(map(s, f(v)(sum(tensor(q[2])(q * v * c + d))))) > 7))",
      "tensor(D{},x[]):{}",
    ],
    ["avg(map(j, f(v)(sum(tensor(q[2])(q * v * c + d)))) + p)", `tensor():{${8 / 3}}`],
  ])("%s is %s", (expression, expected) => {
    const { inputs, values } = named(["p", "j", "c", "d", "k", "none"]);
    const program = compile(expression, { inputs, backend });
    for (let times = 0; times < 2; times++) expect(`${program.run(values)}`).toBe(expected);
    expect(`${program.run(values).type}`).toBe(`${program.results[0]?.type}`);
  });
});

test("a lambda of subspaces that functions hand on has the sizes of each value that it is used for, and nothing else has them", () => {
  const each = "map(s, f(v)(sum(tensor(q[2])(q * v * c + d))))";
  const own = named(["p", "j", "c", "d", "k"]);
  const inputs = { ...own.inputs, l: "tensor(D{},x[])" };
  const l = "tensor(D{},x[]):{a:[1,2,3],b:[4,5,6]}";
  const text = [
    "both(y) = sum(map_subspaces(k, y)) * 100 + sum(map_subspaces(l, y))",
    `both(f(s)(${each}))`,
    `map_subspaces(l, f(s)(sum(map_subspaces(s, f(s)(${each})))))`,
    "avg(p + j)",
  ].join("\n");
  for (const backend of backends) {
    const [sums, nested, average] = compile(text, { inputs, backend }).runAll({ ...own.values, l });
    expect(`${sums}`).toBe("tensor():{733.0}");
    expect(`${nested}`).toBe("tensor(D{}):{a:12.0, b:21.0}");
    expect(`${average}`).toBe("tensor():{2.0}");
  }
});

test("what is prepared for some sizes runs batches of others", () => {
  const { inputs } = named(["j", "c", "d"]);
  const prepared = compile(waiting, { inputs }).prepare({ j: [1, 2] });
  const [c, d] = [parseTensor("tensor():{1}"), parseTensor("tensor():{1}")];
  const rows = [
    [1, 2, 3],
    [4, 5, 6],
  ];
  const batch = prepared.runBatch("b", { j: parseTensor(`tensor(b[2],x[3]):${JSON.stringify(rows)}`), c, d });
  expect(batch.toNested()).toEqual([
    [3, 4, 5],
    [6, 7, 8],
  ]);
  const same = prepared.runBatch("b", { c: parseTensor("tensor(b[2]):[1,2]"), d });
  expect(same.toNested()).toEqual([
    [3, 4],
    [4, 6],
  ]);
});
