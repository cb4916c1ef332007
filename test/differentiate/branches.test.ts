import { expect, test } from "vitest";
import { compile, expand, type InputValue, parseTensor } from "../../src/index.js";

/** Gradients of choices between tensors: of what was chosen, and of nothing else. */

const backends = ["engine", "closures", "reference"] as const;

// biome-ignore format: a table
test.each([
  // A root of a negative number, and a quotient by 0, in the branch that is not taken.
  ["sum(if(sum(p) > 0, sqrt(p), p))",                                         [-5, 4],  [1, 1]],
  ["sum(if(sum(p) > 0, p, sqrt(p)))",                                         [-5, 4],  [Number.NaN, 0.25]],
  ["sum(if(p{x:0} == 0, p, p / p{x:0}))",                                     [0, 4],   [1, 1]],
  ["sum(switch(p{x:1}) { case 4: 3 * p, case 5: log(p), default: 1 / p })",   [0, 4],   [3, 3]],
  // What both branches share, and what is used outside of them too.
  ["sum(if(sum(p) > 0, h, 2 * h) + h)",                                       [-5, 4],  [-30, 24]],
  ["sum(if(sum(p) > 0, if(p{x:0} > 0, h, 5 * h), if(sum(p) > -2, 3 * h, sqrt(p))) * p{x:1})", [-5, 4], [-120, 219]],
  ["sum(if(sum(p) < 0, if(p{x:0} > 0, h, log(h)), sqrt(h)))",                 [-5, 4],  [-0.4, 0.5]],
  // What some branches share and others have not, none of which is taken, or one.
  ["sum(if(sum(p) > 0, sqrt(p), if(sum(p) < -5, sqrt(p), p)))",               [-5, 4],  [1, 1]],
  ["sum(switch(p{x:1}) { case 1: log(h), case 2: 3 * log(h), default: h })",  [0, 4],   [0, 8]],
  ["sum(if(sum(p) > 0, sqrt(log(h)), if(sum(p) < -5, 5 * sqrt(log(h)), h)))", [-1, 0.5], [-2, 1]],
  ["sum(if(sum(p) > 0, log(h), if(sum(p) < -5, p, if(p{x:0} < 0, 3 * log(h), h))))", [-2, 0.5], [-3, 12]],
  ["sum(if(sum(p) > 0, log(h), if(sum(p) < -5, if(p{x:0} < 0, log(h), h), h)) * p{x:1})", [0, -1], [0, 3]],
  // One branch has no part of p, or both are the same.
  ["sum(if(sum(p) > 0, p, tensor(x[2]):[7, 8]))",                             [-5, 4],  [0, 0]],
  ["sum(if(sum(p) > 0, h, h))",                                               [-5, 4],  [-10, 8]],
])("of %s at %j it is %j", (text, p, expected) => {
  for (const backend of backends) {
    const gradient = compile(`input p: tensor(x[2])\nh = p * p\ngradient(${text}, p)`, { backend }).run({ p });
    expect(gradient.toNested(), backend).toEqual(expected);
  }
});

const cell = "p{x:(x)}";

// biome-ignore format: a table
test.each([
  // A quotient by 0, a logarithm of 0 and a factor that is infinite, in cells that the other branch is taken for.
  ["tensor(x[2])(if(x > 0, #cell / p{x:(x - 1)}, 0))",                           [2, 3],  [-0.75, 0.5]],
  ["tensor(x[2])(if(#cell > 0, log(#cell), 0))",                                 [0, 4],  [0, 0.25]],
  ["tensor(x[2])(if(x > 0, #cell / x, 0))",                                      [0, 4],  [0, 1]],
  ["tensor(x[2])(switch(x) { case 1: log(#cell), default: 3 * #cell })",         [0, 4],  [3, 0.25]],
  ["tensor(x[2])(if(#cell > 0, prod(tensor(y[2])(1 / #cell)), 0))",              [0, 4],  [0, -0.03125]],
  ["map_subspaces(p, f(b)(tensor(x[2])(if(b{x:(x)} > 0, log(b{x:(x)}), 0))))",   [0, 4],  [0, 0.25]],
  ["where(p > 0, 1 / p, p)",                                                     [0, 4],  [1, -0.0625]],
  // In the cells that it is taken for, it is what it is.
  ["tensor(x[2])(if(#cell < 1, sqrt(#cell), 0))",                                [0, 4],  [1 / 0, 0]],
  // What both branches share, one branch within another, and what some branches share of which none is taken.
  ["tensor(x[2])(if(#cell > 0, sqrt(#cell), 2 * sqrt(#cell)))",                  [0, 4],  [1 / 0, 0.25]],
  ["tensor(x[2])(if(#cell > 0, if(x > 0, sqrt(#cell - 3), 5), #cell))",          [2, 4],  [0, 0.5]],
  ["tensor(x[2])(if(x > 0, log(#cell), if(#cell > 0, 2 * log(#cell), #cell)))",  [0, 4],  [1, 0.25]],
  // A factor that several cells share, of which some take the branch.
  ["tensor(y[3])(if(y > 0, log(p{x:(y - 1)}) * p{x:0}, 0))",                     [1, 1],  [1, 1]],
  // The derivative of a derivative.
  ["gradient(sum(tensor(x[2])(if(#cell > 0, log(#cell), 0))), p)",               [0, 4],  [0, -0.0625]],
])("of the cells that are chosen in %s at %j it is %j", (text, p, expected) => {
  for (const backend of backends) {
    const gradient = `gradient(sum(${text.replaceAll("#cell", cell)}), p) + 0`; // which makes 0 of -0
    expect(compile(`input p: tensor(x[2])\n${gradient}`, { backend }).run({ p }).toNested(), backend).toEqual(expected);
  }
});

// biome-ignore format: a table
test.each([
  // What is chosen by conditions of other labels, or of fewer cells, flows back at all of them.
  ["k{}",  "{a:1,b:1}", "{b:1,c:1}", "{a:2,b:3,c:5}", "sum(where(c, h, 0)) + sum(where(d, h, 0))", "{a:4,b:12,c:10}"],
  ["k{}",  "{a:0,b:1}", "{b:1,c:1}", "{a:0,b:3,c:5}", "sum(where(c, 1 / h, 0))",                   "{a:0,b:-0.07407407407407407,c:0}"],
  ["k[]",  "[1,1]",     "[0,1,1]",   "[2,3,5]",       "sum(where(c, h, 0)) + sum(where(d, h, 0))", "[4,12,10]"],
])("of what is chosen along %s by %s and %s from %s, in %s, it is %s", (type, c, d, p, text, expected) => {
  const names = ["c", "d", "p"].map((name) => `input ${name}: tensor(${type})`).join("\n");
  for (const backend of backends) {
    const gradient = compile<Record<string, InputValue>>(`${names}\nh = p * p\ngradient(${text}, p) + 0`, { backend }).run({ c, d, p });
    expect(`${gradient}`, backend).toBe(`${parseTensor(expected, `tensor(${type})`)}`);
  }
});

// biome-ignore format: a table
test.each([
  // The cells that are chosen are a sum along a dimension of the condition, or have a dimension under the name of another one of it.
  ["where(m, sum(p * p * s, c), 0)",                                                    [6, 0, 24]],
  ["where(m, 0, sum(p * p * s, c))",                                                    [6, 0, 0]],
  ["where(m, sum((p * s)^2, c), 0)",                                                    [10, 0, 40]],
  ["where(m, (p * p * s){c:1}, 0)",                                                     [4, 0, 16]],
  ["where(n, rename(p * p, r, c), 0)",                                                  [4, 0, 8]],
  ["tensor(r[3],c[2])(if(m{r:(r),c:(c)}, sum(p * p * s * (tensor(r[3])(r) == r)), 0))", [6, 0, 24]],
  // A choice within a sum within another choice.
  ["where(m, sum(where(k, p * p * s, 0), c), 0)",                                       [6, 0, 16]],
])("of cells that are repeated along a dimension of a condition in %s it is %j", (text, expected) => {
  const given = `m = tensor(r[3],c[2]):[[1, 0], [0, 1], [1, 1]]
    k = tensor(r[3],c[2]):[[1, 1], [0, 1], [0, 1]]
    n = tensor(r[3],c[3]):[[1, 1, 1], [1, 1, 1], [0, 0, 0]]
    s = tensor(r[3],c[2])(c + 1)
    input p: tensor(r[3])`;
  for (const backend of backends) {
    const program = compile<Record<string, InputValue>>(`${given}\ngradient(sum(${text}), p) + 0`, { backend });
    expect(program.run({ p: [1, 0, 2] }).toNested(), backend).toEqual(expected);
  }
});

test("of what is chosen by a condition of a smaller size it has the size of the variable", () => {
  const text = "input p: tensor(x[3])\ngradient(sum(where(tensor(x[2]):[0, 1], 1 / p, 0)), p) + 0";
  for (const backend of backends)
    expect(
      compile(text, { backend })
        .run({ p: [1, 2, 4] })
        .toNested(),
      backend,
    ).toEqual([0, -0.25, 0]);
});

test("of sparse branches with other labels it has the addresses of the variable", () => {
  const inputs = "input p: tensor(k{})\ninput q: tensor(k{})\n";
  const [p, q] = ["tensor(k{}):{a:1,b:2}", "tensor(k{}):{b:5,c:7}"];
  for (const backend of backends) {
    const run = (text: string): string => `${compile(`${inputs}${text}`, { backend }).run({ p, q })}`;
    expect(run("gradient(sum(if(sum(p) > 0, p * q, p)), p)")).toBe("tensor(k{}):{a:0.0, b:5.0}");
    expect(run("gradient(sum(if(sum(p) < 0, p * q, p)), p)")).toBe("tensor(k{}):{a:1.0, b:1.0}");
    expect(run("gradient(sum(if(sum(p) < 0, p, q)), p)")).toBe("tensor(k{}):{a:0.0, b:0.0}");
  }
});

test("where nothing flows back to one of the choices that share a value, it flows back from the others", () => {
  const text =
    "input t: tensor(k[4])\ngradient(sum(square(jvp(tensor<long>(a[3],x[4])(reduce(t, median, k)), t, t))), t)";
  // The median 2.5 has the derivative 1/2 in the two cells around it, so that the sum is 12 * (t1 / 2 + t2 / 2)².
  for (const backend of backends)
    expect(
      compile(text, { backend })
        .run({ t: [1, 2, 3, 4] })
        .toNested(),
    ).toEqual([0, 30, 30, 0]);
});

test("the derivative of a choice is a choice of derivatives", () => {
  const text = "gradient(if(sum(p) > 0, sum(exp(p)), sum(sin(p))), p)";
  expect(expand(text, { inputs: { p: "tensor(x[2])" } })).toMatch(/^if\(reduce\(p, sum\) > 0, .*\)$/);
});

test("a chain of choices, each of the one before, has a derivative of its size", () => {
  const size = (length: number): number => {
    const choices = Array.from(
      { length },
      (_, at) => `v${at + 1} = if(c > ${at}, v${at} * v${at}, v${at} / 2)`,
    );
    const text = `input c: tensor()\ninput v0: tensor(x[2])\n${choices.join("\n")}\ngradient(sum(v${length}), v0)`;
    const program = compile<Record<string, InputValue>>(text);
    const inputs = { c: 1, v0: [2, 3] };
    // The square, and then the half of it again and again.
    expect(program.run(inputs).toNested()).toEqual([4 / 2 ** (length - 1), 6 / 2 ** (length - 1)]);
    return program.explain(inputs).nodes.length;
  };
  expect(size(40) / size(20)).toBeLessThan(2.5);
});

test.each([
  "engine",
  "reference",
] as const)("a condition of a block and an index around it is one of each index: %s", (backend) => {
  const branch = "if(map_subspaces(t, f(u)(l)) < 0.5, t + t, 5)";
  const y = `tensor(l[2])(sum(map_subspaces(n, f(t)(${branch}))))`;
  const text = `input n: tensor(j{}) = tensor(j{}):{a:1, b:3}\ngradient(${y}, n)`;
  expect(`${compile(text, { backend }).run()}`).toBe("tensor(j{},l[2]):{a:[2.0, 0.0], b:[2.0, 0.0]}");
});
