import { describe, expect, test } from "vitest";
import { backendNames, compile, parseTensor, uniform } from "../../src/index.js";

describe.each(
  backendNames,
)("random numbers are drawn in the order in which they are written, by %s", (backend) => {
  /** A row of `t`, which of them only two random numbers tell. */
  const row = "t{k:(2 * random(1.0)), j:(2 * random(1.0))}";
  const t = parseTensor("tensor(j{},k{},m{}):{0:{0:{a:1},1:{b:2}},1:{0:{c:3},1:{d:4}}}");

  test.each([
    { second: row, before: 0 },
    { second: `if(random(1.0) < 2, ${row}, tensor(m{}):{z:0})`, before: 1 },
    { second: `if(random(1.0) > 2, tensor(m{}):{z:random(1.0)}, ${row})`, before: 1 },
  ])("$second", ({ second, before }) => {
    const text = `random(1.0)\n${second}\nrandom(1.0)`;
    const program = compile(text, { random: uniform(7), inputs: { t: t.type }, backend });
    const next = uniform(7);
    const first = next();
    for (let draw = 0; draw < before; draw++) next();
    const [k, j, last] = [next(), next(), next()];
    const labels = [
      ["a", "b"],
      ["c", "d"],
    ];
    const { results } = program.runAll({ t });
    expect(results.map((each) => [...each.cells()][0])).toEqual([
      { address: expect.anything(), value: first },
      { address: { m: labels[Math.floor(2 * j)]?.[Math.floor(2 * k)] }, value: expect.anything() },
      { address: expect.anything(), value: last },
    ]);
  });

  test("also those of cells that are only counted", () => {
    const text = "2\ncount(tensor(x[3]):[random(1.0), 1, 2])\nrandom(1.0)";
    const next = uniform(7);
    next();
    const { results } = compile(text, { random: uniform(7), backend }).runAll();
    expect(results.map((each) => each.asNumber())).toEqual([2, 3, next()]);
  });

  test("also in a branch", () => {
    const text = "input c: tensor()\nif(c, tensor(x[1]):[0], join(random(x[1]), random(x[1]), f(p,q)(q)))";
    const next = uniform(7);
    next();
    const program = compile(`${text}\nrandom(1.0)`, { random: uniform(7), backend });
    expect(program.runAll({ c: 0 }).map((each) => each.at(0))).toEqual([next(), next()]);
  });

  test.each([
    "a",
    "if(1, a, a + 1)",
  ])("once for each cell that a tensor has when it is merged with itself as %s", (same) => {
    const text = `input a: tensor(x[2])\nmerge(a, ${same}, f(p,q)(random(1.0)))\nrandom(1.0)`;
    const program = compile(text, { random: uniform(7), backend });
    const next = uniform(7);
    const { results } = program.runAll({ a: [3, 4] });
    expect(results.map((each) => [...each.data])).toEqual([[next(), next()], [next()]]);
  });

  test.each([
    "v",
    "if(v > 2, 1, v)",
    "v + random(1.0)",
  ])("also those of the default of an input that nothing reads, for %s", (result) => {
    const text = `input v: tensor() = join(random(1.0), random(1.0), f(p,q)(q))\n${result}\nrandom(1.0)`;
    const next = uniform(7);
    next();
    const second = next();
    const value = result.includes("random") ? second + next() : second;
    const { results } = compile(text, { random: uniform(7), backend }).runAll();
    expect(results.map((each) => each.asNumber())).toEqual([value, next()]);
  });

  test("those of an input's default before what a run is asked about there", () => {
    const retained = "sum(filter_subspaces(tensor(k{}):{a:3,b:0}, f(s)(s)))";
    const text = `persistent v: tensor(x[2]) = tensor(x[2]):[sum(random(y[1])), ${retained}]\nv`;
    const program = compile(text, { random: uniform(7), backend });
    const next = uniform(7);
    for (let run = 0; run < 3; run++) expect([...program.run().data]).toEqual([next(), 3]);
  });

  test.each([
    ["a = sum(random(x[1]))", "sum(random(x[1]))", "a"],
    ["a = sum(random(x[1]))\nb = sum(random(x[1]))", "b", "a"],
    ["input a: tensor() = sum(random(x[1]))\ninput b: tensor() = sum(random(x[1]))", "b", "a"],
  ])("those of a branch before what the other one shares: %s, if(c, %s, %s)", (definitions, yes, no) => {
    for (const c of [0, 1]) {
      const text = `input c: tensor()\n${definitions}\nif(c > 0, ${yes}, ${no}) * 10\na`;
      const program = compile(text, { random: uniform(7), backend });
      const next = uniform(7);
      for (let run = 0; run < 2; run++) {
        const first = next();
        const a = c === 0 ? first : next();
        expect(program.runAll({ c }).map((each) => each.asNumber())).toEqual([first * 10, a]);
      }
    }
  });

  test("those of the branch that is taken before those that come after the choice", () => {
    const text =
      "input c: tensor()\nif(c > 1, tensor(x[2]):[1,2], random(x[2]))\nrandom(1.0)\nfilter_subspaces(tensor(k{}):{a:1,b:0}, f(s)(s))";
    const program = compile(text, { random: uniform(7), backend });
    const next = uniform(7);
    const [first, second, third] = [next(), next(), next()];
    const { results } = program.runAll({ c: 0 });
    expect(results.slice(0, 2).map((each) => [...each.data])).toEqual([[first, second], [third]]);
  });

  /** Programs, a value of `t`, and the cells of their results, of the numbers in the order in which they are drawn. */
  const bodies: readonly (readonly [
    text: string,
    t: number,
    cells: (drawn: readonly number[]) => unknown,
  ])[] = [
    [
      "join(tensor(z[2])(if(z > t, reduce(tensor(y[2])(random(1.0)), sum), 1)), tensor(z[2])(random(1.0)), f(a,b)(a + b))",
      0,
      ([a = 0, b = 0, c = 0, d = 0]) => [[1 + c, a + b + d]],
    ],
    ["a = random(1.0)\ntensor(z[2])(if(z > t, a, 1))\nrandom(1.0)\na", 0, ([a, b]) => [[1, a], [b], [a]]],
    ["a = random(1.0)\ntensor(z[2])(if(z > t, a, 1))\nrandom(1.0)\na", 5, ([a, b]) => [[1, 1], [a], [b]]],
    [
      "a = random(1.0)\ntensor(z[2])(random(1.0) + a)\nrandom(1.0)\na",
      0,
      ([a = 0, b = 0, c = 0, d]) => [[a + b, c + b], [d], [b]],
    ],
    [
      "a = sum(random(x[1]))\nb = sum(random(x[1]))\ntensor(z[2])(if(z > t, a, b))\na",
      0,
      ([b, a]) => [[b, a], [a]],
    ],
    [
      "a = random(1.0)\nb = 2 * random(1.0)\ntensor(z[2])(tensor(k{}):{0:if(t > 1, z, a), 1:z}{k:(z < b - 2)})\nb",
      0,
      ([a, b = 0]) => [[a, a], [2 * b]],
    ],
    [
      "input q: tensor() = sum(random(x[1]))\ntensor(z[2])(if(z > t, q, 1))\nsum(random(x[1]))\nq",
      0,
      ([q, a]) => [[1, q], [a], [q]],
    ],
    [
      "input q: tensor() = sum(random(x[1]))\ntensor(z[2])(if(z > t, q, 1))\nsum(random(x[1]))\nq",
      5,
      ([a, q]) => [[1, 1], [a], [q]],
    ],
    [
      "c = reduce(filter_subspaces(tensor(k{}):{a:t, b:0}, f(s)(s)), count)\ntensor(z[2])(if(z > 0, c, sum(random(x[1]))))\n" +
        "map(if(t > 0, random(x[1]), tensor(x[1]):[2]), f(s)(s + c))",
      1,
      ([a, b = 0]) => [[a, 1], [b + 1]],
    ],
    [
      "input q: tensor() = 1 + sum(random(x[1]))\nc = filter_subspaces(tensor(k{}):{a:q, b:1}, f(s)(s)){k:a}\n" +
        "tensor(z[2])(if(c > 5, z, c))\nc + reduce(top(1, tensor(k{}):{a:t, b:0}), sum)",
      3,
      ([q = 0]) => [[1 + q, 1 + q], [4 + q]],
    ],
    [
      "input v: tensor() = floor(2 * random(1.0))\n" +
        "v * if(matmul(tensor(m{}):{a:1,b:2}, tensor(m{}):{a:t,b:2}, m), tensor(k{}):{0:5,1:6}{k:(v)}, 1)\nrandom(1.0)",
      1,
      ([v = 0, a]) => [[v < 0.5 ? 0 : 6], [a]],
    ],
  ];

  test.each(bodies)("those of bodies where a body comes to them: %s, t = %d", (text, t, cells) => {
    for (const optimise of [true, false]) {
      const program = compile(`input t: tensor()\n${text}`, { random: uniform(7), backend, optimise });
      const next = uniform(7);
      const expected = cells(Array.from({ length: 4 }, next));
      expect(program.runAll({ t }).results.map((each) => [...each.data])).toEqual(expected);
    }
  });
});
