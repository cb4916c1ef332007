import { describe, expect, test } from "vitest";
import { compile, compileExpression, parseTensor, parseType, Tensor } from "../../src/index.js";
import { cellTypes } from "../../src/language/types/cell.js";
import { codesOf } from "../problem-codes.js";

/** Programs made ready to run often: they give what the program gives, whatever came before. */
describe("prepare", () => {
  test("takes numbers, tensors, typed arrays and whatever else a run takes, one after the other", () => {
    const prepared = compile("input a: tensor(x[3])\ninput n: tensor()\nsum(a * n)").prepare();
    const a = parseTensor("tensor(x[3]):[1,2,3]");
    expect(prepared.run({ a, n: 2 }).asNumber()).toBe(12);
    expect(prepared.run({ a: Float64Array.of(1, 1, 1), n: 5 }).asNumber()).toBe(15);
    expect(prepared.run({ n: -1, a: [4, 0, 0] }).asNumber()).toBe(-4);
    expect(prepared.run({ n: 1, a: "tensor(x[3]):[0,0,7]" }).asNumber()).toBe(7);
    expect(prepared.run({ a, n: 2 }).asNumber()).toBe(12);
  });

  test("a slot holds what it was given last: a tensor, then an array or a number, then the tensor again", () => {
    const prepared = compile("input a: tensor(x[2])\ninput n: tensor()\nsum(a) * n").prepare();
    const [a, n] = [parseTensor("tensor(x[2]):[1,2]"), parseTensor("tensor():{10}")];
    const other = parseTensor("tensor(x[2]):[5,5]");
    const found = [
      { a, n },
      { a, n },
      { a: Float64Array.of(2, 2), n: 3 },
      { a, n },
      { a: other, n },
      { a: [0, 1], n: 2 },
      { a, n },
    ].map((inputs) => prepared.run(inputs).asNumber());
    expect(found).toEqual([30, 30, 12, 30, 100, 2, 30]);
  });

  test("inputs may come in any order, and be lacking or too many at any time", () => {
    const program = compile("input a: tensor()\ninput b: tensor()\ninput c: tensor()\na * 100 + b * 10 + c");
    for (const { run } of [program.prepare(), program].map((each) => ({ run: each.run.bind(each) }))) {
      const numbers = [
        { a: 1, b: 2, c: 3 },
        { c: 3, b: 2, a: 1 },
        { b: 2, a: 1, c: 3 },
        { b: 5, c: 6, a: 4 },
      ].map((inputs) => run(inputs).asNumber());
      expect(numbers).toEqual([123, 123, 123, 456]);
      expect(codesOf(() => run({ a: 1, b: 2 }))).toEqual(["input/missing"]);
      // @ts-expect-error
      expect(codesOf(() => run({ a: 1, b: 2, c: 3, d: 4 }))).toEqual(["input/unknown"]);
      // @ts-expect-error
      expect(codesOf(() => run({ d: 4, a: 1, b: 2, c: 3 }))).toEqual(["input/unknown"]);
      // @ts-expect-error
      expect(codesOf(() => run({ a: 1, b: 2, d: 3 }))).toEqual(["input/unknown"]);
      expect(run({ a: 7, b: 8, c: 9 }).asNumber()).toBe(789);
    }
  });

  test("limits hold in every run of a program, and each run begins anew", () => {
    const program = compile("input n: tensor()\nif(n > 0, sum(tensor(x[2000])(x * n)), 0)", {
      limits: { steps: 1000 },
    });
    for (let run = 0; run < 3; run++) {
      expect(program.run({ n: -1 }).asNumber()).toBe(0);
      expect(codesOf(() => program.run({ n: 1 }))).toEqual(["limit/steps"]);
      expect(codesOf(() => program.prepare().run({ n: 1 }))).toEqual(["limit/steps"]);
    }
  });

  test("refuses what the program refuses, and goes on", () => {
    const prepared = compile("input a: tensor(x[3])\nsum(a)").prepare();
    const a = Float64Array.of(1, 2, 3);
    expect(prepared.run({ a }).asNumber()).toBe(6);
    // @ts-expect-error
    expect(codesOf(() => prepared.run({ a, b: 1 }))).toEqual(["input/unknown"]);
    expect(codesOf(() => prepared.run())).toEqual(["input/missing"]);
    expect(codesOf(() => prepared.run({ a: Float64Array.of(1) }))).toEqual(["value/count"]);
    expect(codesOf(() => prepared.run({ a: Uint16Array.of(1, 2, 3) }))).toEqual(["value/array-type"]);
    expect(prepared.run({ a }).asNumber()).toBe(6);
  });

  test("labels and sizes may change from run to run", () => {
    const prepared = compile("input a: tensor(k{})\ninput b: tensor(k{},x[])\nsum(a * b, k)").prepare();
    const run = (a: string, b: string): string =>
      prepared.run({ a: parseTensor(a), b: parseTensor(b) }).toString();
    expect(run("tensor(k{}):{p:2,q:3}", "tensor(k{},x[]):{{k:p,x:0}:1,{k:p,x:1}:10}")).toBe(
      "tensor(x[]):{0:2.0, 1:20.0}",
    );
    expect(run("tensor(k{}):{q:3,r:1}", "tensor(k{},x[]):{{k:q,x:0}:1,{k:r,x:0}:5}")).toBe(
      "tensor(x[]):{0:8.0}",
    );
    expect(run("tensor(k{}):{p:2,q:3}", "tensor(k{},x[]):{{k:p,x:0}:1,{k:p,x:1}:10}")).toBe(
      "tensor(x[]):{0:2.0, 1:20.0}",
    );
  });

  test("fixed inputs are not given again, and stay what they were", () => {
    const program = compile("input w: tensor(x[2])\ninput a: tensor(x[2])\nsum(a * exp(w) / exp(w) * w)");
    const prepared = program.prepare({ w: [3, 4] });
    expect(prepared.run({ a: [1, 0] }).asNumber()).toBe(3);
    expect(prepared.run({ a: [0, 1] }).asNumber()).toBe(4);
    // @ts-expect-error
    expect(codesOf(() => program.prepare({ v: 1 }))).toEqual(["input/unknown"]);
  });

  test("what a result holds does not change when the program runs again", () => {
    const type = parseType("tensor(x[5000])");
    const ramp = (by: number): Tensor =>
      Tensor.from(
        type,
        Float64Array.from({ length: 5000 }, (_, at) => at * by),
      );
    const prepared = compileExpression("a + 1", { inputs: { a: type } }).prepare();
    const first = prepared.run({ a: ramp(1) });
    const second = prepared.run({ a: ramp(2) });
    expect([first.at(4999), second.at(4999)]).toEqual([5000, 9999]);
    expect(first.data[10]).toBe(11);
    second.dispose();
    expect(codesOf(() => second.data)).toEqual([]); // read before
    const third = prepared.run({ a: ramp(4) });
    third.dispose();
    third.dispose();
    expect(codesOf(() => third.data)).toEqual(["value/disposed"]);
    expect(prepared.run({ a: ramp(3) }).at(1)).toBe(4);
    expect(first.at(4999)).toBe(5000);
  });

  test("so many results as the memory does not hold are copied, and are as good as the others", () => {
    const count = 100_000;
    const prepared = compileExpression("a + n", {
      inputs: { a: `tensor(x[${count}])`, n: "tensor()" },
    }).prepare();
    const a = Tensor.from(parseType(`tensor(x[${count}])`), new Float64Array(count));
    const into = new Float64Array(count);
    const results = Array.from({ length: 200 }, (_, n) => prepared.run({ a, n }, { into }));
    expect([into[0], into[count - 1]]).toEqual([199, 199]);
    for (const [n, result] of results.entries()) if (n % 3 === 0) result.dispose();
    for (let n = 0; n < 20; n++) prepared.run({ a, n: -1 });
    for (const [n, result] of results.entries()) {
      if (n % 3 === 0) expect(codesOf(() => result.data)).toEqual(["value/disposed"]);
      else expect([result.data[0], result.data[count - 1]]).toEqual([n, n]);
    }
  });

  test("inputs that no result needs are checked in each run, and cost no more than that", () => {
    const text: string = "input a: tensor(); input b: tensor(); input c: tensor(x[2]); a + 1";
    const prepared = compile(text).prepare();
    const c = Tensor.from(parseType("tensor(x[2])"), Float64Array.of(1, 2));
    for (const a of [1, 2, 3]) expect(prepared.run({ a, b: 5, c }).asNumber()).toBe(a + 1);
    expect(prepared.run({ c, b: "7", a: 4 }).asNumber()).toBe(5);
    expect(prepared.run({ a: 5, b: 1, c: [1, 2] }).asNumber()).toBe(6);
    const wrong = Tensor.from(parseType("tensor(x[3])"), Float64Array.of(1, 2, 3));
    for (let n = 0; n < 3; n++) {
      expect(codesOf(() => prepared.run({ a: n, b: 1, c: wrong }))).not.toEqual([]);
      expect(codesOf(() => prepared.run({ a: n, b: 1, c, d: 1 }))).not.toEqual([]);
      expect(codesOf(() => prepared.run({ b: 1, c }))).not.toEqual([]);
      expect(prepared.run({ a: n, b: 1, c }).asNumber()).toBe(n + 1);
    }
  });

  test("cells go into a given array", () => {
    const prepared = compileExpression("a * 2", { inputs: { a: "tensor<float>(x[2])" } }).prepare();
    const into = new Float32Array(2);
    prepared.run({ a: [1.5, -2] }, { into });
    expect([...into]).toEqual([3, -4]);
    expect(codesOf(() => prepared.run({ a: [1, 2] }, { into: new Float64Array(2) }))).toEqual(["value/into"]);
  });

  test.each([
    ["a * 2", "tensor<float>(x[2]):[1.5,-2]", [3, -4]],
    ["sum(a)", "tensor(x[3]):[1,2,4]", [7]],
    ["rename(a, (x,y), (y,x))", "tensor(x[2],y[3]):[[1,2,3],[4,5,6]]", [1, 4, 2, 5, 3, 6]],
    ["a", "tensor<int8>(x[2]):[3,-7]", [3, -7]],
    ["a{k:q} + a", "tensor(k{},x[2]):{p:[1,2],q:[10,20]}", [11, 22, 20, 40]],
  ])("cells of %s go into an array without a tensor, whatever their order and type", (text, literal, cells) => {
    const a = parseTensor(literal);
    const prepared = compileExpression(text, { inputs: { a: a.type } }).prepare();
    const { type } = prepared.run({ a });
    const arrayOf = (length: number) => cellTypes[type.cellType].allocate(length);
    for (const value of [a, literal, a, literal, a]) {
      const array = arrayOf(cells.length).fill(99 as never);
      prepared.runInto(array, { a: value });
      expect([...array]).toEqual(cells);
      for (const other of [arrayOf(cells.length + 1), new Int32Array(cells.length)])
        expect(codesOf(() => prepared.runInto(other, { a: value }))).toEqual(["value/into"]);
    }
    expect(codesOf(() => prepared.runInto(arrayOf(cells.length), {}))).toEqual(["input/missing"]);
  });

  test("an asynchronous run writes into an array, too", async () => {
    const prepared = compileExpression("a * 2", { inputs: { a: "tensor(x[2])" } }).prepare();
    const into = new Float64Array(2);
    expect((await prepared.runAsync({ a: [1, 2] }, { into })).toNested()).toEqual([2, 4]);
    expect([...into]).toEqual([2, 4]);
  });

  test("batches with a fixed input, and with another value of it, take turns", () => {
    const inputs = { a: "tensor(x[2])", f: "tensor(x[2])" };
    const prepared = compileExpression("a * f", { inputs }).prepare({ f: [10, 20] });
    const a = parseTensor("tensor(b[2],x[2]):[[1,2],[3,4]]");
    const nested = (more: object = {}) => prepared.runBatch("b", { a, ...more }).toNested();
    const other = { f: parseTensor("tensor(x[2]):[1,1]") };
    for (const [found, expected] of [
      [
        nested(),
        [
          [10, 40],
          [30, 80],
        ],
      ],
      [
        nested(other),
        [
          [1, 2],
          [3, 4],
        ],
      ],
      [
        nested(),
        [
          [10, 40],
          [30, 80],
        ],
      ],
    ])
      expect(found).toEqual(expected);
  });

  test("what goes into an array changes no result from before, and the array may be the input", () => {
    const count = 2000;
    const prepared = compileExpression("a + 1", { inputs: { a: `tensor(x[${count}])` } }).prepare();
    const cells = new Float64Array(count);
    const before = prepared.run({ a: cells });
    for (let times = 0; times < 3; times++) prepared.runInto(cells, { a: cells });
    expect([cells[0], cells[count - 1]]).toEqual([3, 3]);
    expect([before.at(0), before.at(count - 1)]).toEqual([1, 1]);
    const after = prepared.run({ a: cells });
    prepared.runInto(cells, { a: cells });
    expect([after.at(7), cells[7]]).toEqual([4, 4]);
  });

  test("what has no result has none to write, and what draws numbers draws them", () => {
    expect(codesOf(() => compile("f(x) = x").prepare().runInto(new Float64Array(1)))).toEqual([
      "program/no-result",
    ]);
    const random = compile("sum(random(x[4]))");
    const array = new Float64Array(1);
    for (let times = 0; times < 3; times++) {
      random.prepare().runInto(array);
      expect(array[0]).toBeCloseTo(random.run().asNumber(), 14);
    }
    // @ts-expect-error
    expect(codesOf(() => random.prepare().runInto([0]))).toEqual(["argument/kind"]);
  });

  test("random numbers begin anew with each run, as without preparing", () => {
    const program = compile("sum(random(x[4]))");
    const prepared = program.prepare();
    const once = program.run().asNumber();
    for (let run = 0; run < 3; run++) expect(prepared.run().asNumber()).toBeCloseTo(once, 14);
  });

  test("a default is used where an input is not given, now and again", () => {
    const prepared = compile("input a: tensor() = 7\na + 1").prepare();
    expect([prepared.run(), prepared.run({ a: 1 }), prepared.run()].map((each) => each.asNumber())).toEqual([
      8, 2, 8,
    ]);
  });

  test("literals with computed cells are made anew in each run", () => {
    const inputs = { a: "tensor()", b: "tensor()" };
    const prepared = compileExpression("tensor<int8>(k{},x[2]):{p:[a, 300], n:[-0.5, b + 1]}", {
      inputs,
    }).prepare();
    expect(prepared.run({ a: 2, b: 5 }).toString()).toBe("tensor<int8>(k{},x[2]):{n:[0, 6], p:[2, 44]}");
    expect(prepared.run({ a: -1, b: 0 }).toString()).toBe("tensor<int8>(k{},x[2]):{n:[0, 1], p:[-1, 44]}");
  });

  test("views copy nothing", () => {
    const a = Tensor.from(parseType("tensor(x[100],y[50])"), new Float64Array(5000).fill(3));
    const view = (text: string): Tensor =>
      compileExpression(text, { inputs: { a: a.type } })
        .prepare()
        .run({ a });
    expect(view("rename(a, (x,y), (y,x))").description).toMatchObject({
      dimensions: ["x", "y"],
      shape: [50, 100],
      strides: [1, 50],
      mode: "view",
    });
    expect(view("a{x:7}").description).toMatchObject({
      shape: [50],
      strides: [1],
      offset: 350,
      mode: "view",
    });
    expect(view("a{y:7}").description).toMatchObject({
      shape: [100],
      strides: [50],
      offset: 7,
      mode: "view",
    });
    expect(view("tensor(x[1000],y[1000])(5)").description).toMatchObject({
      size: 1_000_000,
      strides: [0, 0],
    });
  });
});
