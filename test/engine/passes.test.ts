import { describe, expect, test } from "vitest";
import type { Draft } from "../../src/backends/engine/passes/draft.js";
import { factorise } from "../../src/backends/engine/passes/factorise.js";
import { fuse, separate } from "../../src/backends/engine/passes/fuse.js";
import { hoist } from "../../src/backends/engine/passes/hoist.js";
import type { PassName } from "../../src/backends/engine/passes/pass.js";
import { passes, passNames } from "../../src/backends/engine/passes/passes.js";
import { printDraft } from "../../src/backends/engine/passes/print.js";
import { store } from "../../src/backends/engine/passes/store.js";
import { verifyDraft } from "../../src/backends/engine/passes/verify.js";
import type { LoopDraft, Producer, Source } from "../../src/backends/engine/values/value.js";
import { draftsFor, planFor } from "./plans.js";

/** Each pass by itself: a draft goes in, and another comes out. Nothing is run, and nothing is put in order. */
const vector = "tensor(x[3]):[1,2,6]";
const dense = (...sizes: readonly number[]): string => {
  const names = ["x", "y", "z", "w"].slice(-sizes.length);
  return `tensor(${names.map((name, at) => `${name}[${sizes[at]}]`)}):${nested(sizes)}`;
};
const nested = ([size, ...others]: readonly number[]): string =>
  size === undefined ? "1" : `[${Array.from({ length: size }, () => nested(others))}]`;

/** The draft before any pass from draft to draft, with `contract` and `share` or without. */
function planned(
  text: string,
  inputs: Readonly<Record<string, string>>,
  omitted: readonly PassName[] = [],
): Draft {
  const draft = draftsFor(text, inputs, omitted).get("share");
  if (draft === undefined) throw new Error("a plan has a first draft");
  return draft;
}

/** The lines of a draft, but for where its inputs come from. */
function linesOf(draft: Draft): readonly string[] {
  verifyDraft(draft);
  return printDraft(draft)
    .split("\n")
    .filter((line) => !/= (?:input|constant)/.test(line));
}

test("passes have names and sentences, in an order", () => {
  expect(passNames).toEqual([
    "contract",
    "share",
    "limit",
    "hoist",
    "factorise",
    "store",
    "fuse",
    "finish",
    "embed",
    "segment",
    "place",
  ]);
  for (const { description } of Object.values(passes)) expect(description).toMatch(/^[A-Z].*\.$/);
});

test("what came of each pass can be seen", () => {
  const drafts = draftsFor("input a: tensor(x[3]); softmax(a, x)", { a: vector });
  expect([...drafts.keys()]).toEqual(["share", "limit", "hoist", "factorise", "store", "fuse"]);
});

describe("contract", () => {
  const text = "input a: tensor(k{},y{}); input b: tensor(k{},z{}); sum(a * b, k)";
  const inputs = {
    a: "tensor(k{},y{}):{{k:p,y:u}:1,{k:q,y:v}:2}",
    b: "tensor(k{},z{}):{{k:p,z:a}:1,{k:q,z:b}:2,{k:q,z:c}:4}",
  };

  test("a sum over a product of tensors that each have a dimension of their own needs no rows of the join", () => {
    expect(linesOf(planned(text, inputs))).toEqual([
      "b2: double[3] = sparse contraction of b0[i] by b1[i]",
      "results b2",
    ]);
  });

  test("not where one has all dimensions of the other: the join has no more rows than it", () => {
    const one = planned("input a: tensor(k{}); input b: tensor(k{},z{}); sum(a * b, k)", {
      ...inputs,
      a: "tensor(k{}):{p:1,q:2}",
    });
    expect(linesOf(one)).toEqual([
      "b2: double[3]",
      "  b2[t0[i]] = sum multiply(b0[t1[i]], b1[i]) for i<3",
      "results b2",
      "table t0: [0, 1, 2]",
      "table t1: [0, 1, 1]",
    ]);
  });

  test("left out, the join has a row for each pair, which tables lead to", () => {
    expect(linesOf(planned(text, inputs, ["contract"]))).toEqual([
      "b2: double[3]",
      "  b2[t0[i]] = sum multiply(b0[t1[i]], b1[t2[i]]) for i<3",
      "results b2",
      "table t0: [0, 1, 2]",
      "table t1: [0, 1, 1]",
      "table t2: [0, 1, 2]",
    ]);
  });

  test("not where both have the same dimensions", () => {
    const same = planned("input a: tensor(k{}); sum(a * a, k)", { a: inputs.a });
    expect(printDraft(same)).not.toContain("contraction");
  });
});

describe("share", () => {
  const text = "input a: tensor(x[3]); softmax(a, x)";

  test("what two loops need is stored", () => {
    expect(linesOf(planned(text, { a: vector }))).toEqual([
      "b1: double[3]",
      "  b1[i] = exp(b0[i]) for i<3",
      "b2: double[1]",
      "  b2[0] = sum b1[i] for i<3 reduced",
      "b3: double[3]",
      "  b3[i] = divide(b1[i], b2[0]) for i<3",
      "results b3",
    ]);
  });

  test("left out, both loops compute it", () => {
    expect(linesOf(planned(text, { a: vector }, ["share"]))).toEqual([
      "b1: double[1]",
      "  b1[0] = sum exp(b0[i]) for i<3 reduced",
      "b2: double[3]",
      "  b2[i] = divide(exp(b0[i]), b1[0]) for i<3",
      "results b2",
    ]);
  });

  test("what is a result is read where another result is computed of it", () => {
    const both = planned("input a: tensor(x[3])\ne = exp(a)\ne + 1\ne", { a: vector });
    expect(linesOf(both)).toEqual([
      "b1: double[3]",
      "  b1[i] = exp(b0[i]) for i<3",
      "b2: double[3]",
      "  b2[i] = add(b1[i], 1.0) for i<3",
      "results b2 b1",
    ]);
  });

  test("what is as quickly computed as read is not stored", () => {
    const light = planned("input a: tensor(x[3]); (a + 1) / sum(a + 1)", { a: vector });
    expect(printDraft(light)).toContain("divide(add(b0[i], 1.0), b1[0])");
  });
});

describe("hoist", () => {
  const hoisted = (text: string): Draft => hoist(planned(`input a: tensor(x[3]); ${text}`, { a: vector }));
  const isSame = (text: string): boolean => {
    const before = planned(`input a: tensor(x[3]); ${text}`, { a: vector });
    return hoist(before) === before;
  };

  test("what is the same in all runs, and takes longer to compute than to read, is stored", () => {
    expect(linesOf(hoisted("a * tensor(x[3])(cos(x + 1) * 2)"))).toEqual([
      "b1: double[3]",
      "  b1[i] = multiply(cos(add(i, 1.0)), 2.0) for i<3",
      "b2: double[3]",
      "  b2[i] = multiply(b0[i], b1[i]) for i<3",
      "results b2",
    ]);
  });

  test("along its own axes, however many the loop has", () => {
    const lines = linesOf(hoisted("a * tensor(y[2])(exp(y))"));
    expect(lines.slice(0, 2)).toEqual(["b1: double[2]", "  b1[i] = exp(i) for i<2"]);
  });

  test("up to a number of cells in all, which the first loops have", () => {
    const terms = [0, 1, 2, 3, 4].map((from) => `sum(a) * tensor(z[1000000])(cos(z + ${from}))`);
    const lines = linesOf(hoisted(terms.join(" + ")));
    expect(lines.filter((line) => /^ {2}b\d+\[i\] = cos/.test(line))).toHaveLength(4);
  });

  // biome-ignore format: a table
  test.each([
    { text: "a * tensor(x[3])(floor(x / 2))", why: "a cell is as quickly computed as read" },
    { text: "cos(a) * 2",                     why: "an input decides it" },
    { text: "sum(tensor(x[3])(cos(x)))",      why: "all of the loop is the same, and computed once" },
    { text: "sum(a) * cos(tensor(z[2000000])(z))", why: "it has too many cells" },
  ])("not where $why: $text", ({ text }) => {
    expect(isSame(text)).toBe(true);
  });
});

describe("factorise", () => {
  const chain =
    "input a: tensor(x[30],y[30]); input b: tensor(y[30],z[30]); input c: tensor(z[30],w[30]); sum(a * b * c, y, z)";
  const inputs = {
    a: dense(30, 30).replace("z[", "x[").replace("w[", "y["),
    b: dense(30, 30).replace("z[", "y[").replace("w[", "z["),
    c: dense(30, 30),
  };

  test("a sum of three factors is computed in pairs where all cells are of a middling size", () => {
    const before = planned(chain, inputs);
    const after = factorise(before);
    expect(linesOf(before).filter((line) => line.includes("if "))).toEqual([]);
    const lines = linesOf(after);
    expect(lines.some((line) => /= whether b0 b1 b2 are 0 or within /.test(line))).toBe(true);
    const at = lines.findIndex((line) => line.includes("if "));
    expect(lines[at]).toMatch(/^b\d+: double\[900\] if b\d+\[0\]$/);
    expect(lines[at + 2]).toBe("else");
    expect(lines[at + 3]).toMatch(
      / = sum multiply\(multiply\(b0\[.*\], b1\[.*\]\), b2\[.*\]\) for i<30, j<30, k<30 reduced, l<30 reduced$/,
    );
    expect(lines.filter((line) => / = sum /.test(line))).toHaveLength(3);
  });

  test("the draft before it stays as it was", () => {
    const before = planned(chain, inputs);
    const lines = linesOf(before);
    factorise(before);
    expect(linesOf(before)).toEqual(lines);
  });

  test("a sum of two factors, or of few cells, is the same draft", () => {
    const two = planned("input b: tensor(z[30],w[30]); sum(b * b * 2, w)", { b: inputs.c });
    expect(factorise(two)).toBe(two);
    const few = planned("input a: tensor(x[3]); sum(a * a * a)", { a: vector });
    expect(factorise(few)).toBe(few);
  });
});

describe("store", () => {
  const text = "input a: tensor(w[3]); input b: tensor(z[5],w[3]); b * exp(a)";
  const inputs = { a: dense(3), b: dense(5, 3) };

  test("what would be computed for each index of an axis that it lacks is stored", () => {
    const before = planned(text, inputs);
    expect(linesOf(before)).toEqual([
      "b2: double[15]",
      "  b2[5i+j] = multiply(b0[5i+j], exp(b1[i])) for i<3, j<5",
      "results b2",
    ]);
    expect(linesOf(store(before))).toEqual([
      "b2: double[3]",
      "  b2[i] = exp(b1[i]) for i<3",
      "b3: double[15]",
      "  b3[5i+j] = multiply(b0[5i+j], b2[i]) for i<3, j<5",
      "results b3",
    ]);
  });

  test("and what is seen through a view along such an axis", () => {
    const viewed = planned(text.replace("exp(a)", "join(exp(a), b, f(p,q)(p))"), inputs);
    expect(linesOf(store(viewed))).toEqual([
      "b2: double[3]",
      "  b2[i] = exp(b1[i]) for i<3",
      "b3: double[15]",
      "  b3[5i+j] = multiply(b0[5i+j], b2[i]) for i<3, j<5",
      "results b3",
    ]);
  });

  test("not if it is only a few times", () => {
    const few = planned(text.replace("z[5]", "z[3]"), { ...inputs, b: dense(3, 3) });
    expect(store(few)).toBe(few);
  });

  test("and not if nothing is computed for it", () => {
    const plain = planned(text.replace("exp(a)", "a"), inputs);
    expect(store(plain)).toBe(plain);
  });
});

describe("fuse", () => {
  const long = (terms: number): string =>
    `input a: tensor(x[3]); ${Array.from({ length: terms }, (_, at) => `exp(a + ${at})`).join(" + ")}`;
  const loopsIn = (draft: Draft): number => linesOf(draft).filter((line) => / for /.test(line)).length;

  test("what is short is one loop as it is", () => {
    const draft = planned(long(10), { a: vector });
    expect(fuse(draft)).toBe(draft);
    expect(loopsIn(draft)).toBe(1);
  });

  test("a long body is cut", () => {
    const draft = planned(long(120), { a: vector });
    expect(loopsIn(draft)).toBe(1);
    const cut = fuse(draft);
    expect(loopsIn(cut)).toBeGreaterThan(1);
    // 200 instructions of operands, the operation itself, and a view.
    for (const producer of cut.producers.values())
      for (const { source } of loopsOf(producer)) expect(sizeOf(source)).toBeLessThanOrEqual(202);
  });

  test("left out, each operation has a loop of its own", () => {
    const draft = separate(planned("input a: tensor(x[3]); exp(a) + 2 * a", { a: vector }));
    expect(linesOf(draft)).toEqual([
      "b1: double[3]",
      "  b1[i] = exp(b0[i]) for i<3",
      "b2: double[3]",
      "  b2[i] = multiply(2.0, b0[i]) for i<3",
      "b3: double[3]",
      "  b3[i] = add(b1[i], b2[i]) for i<3",
      "results b3",
    ]);
  });

  const loopsOf = (producer: Producer): readonly LoopDraft[] =>
    producer.kind === "loops" ? producer.loops : [];
  const sizeOf = (source: Source): number => (source.kind === "computed" ? source.size : 1);
});

describe("place", () => {
  const text = "input a: tensor(x[3]); sum(exp(a)/sum(exp(a)), x) + sum(exp(2*a)/sum(exp(2*a)), x)";

  test("buffers whose lives do not overlap share memory", () => {
    expect(planFor(text, { a: vector }).memory.size).toBeGreaterThan(0);
  });

  test("left out, each has its own", () => {
    expect(planFor(text, { a: vector }, undefined, { omitted: ["place"] }).memory.size).toBe(0);
  });
});

describe("the verifier refuses a draft", () => {
  const sound = (): Draft => planned("input a: tensor(x[3]); sum(exp(a)) + a", { a: vector });
  /** The draft with its loops changed. */
  const withLoop = (change: (loop: LoopDraft) => LoopDraft): Draft => {
    const draft = sound();
    const changed = [...draft.producers].map(([buffer, producer]) => {
      const loops = producer.kind === "loops" ? { ...producer, loops: producer.loops.map(change) } : producer;
      return [buffer, loops] as const;
    });
    return { ...draft, producers: new Map(changed) };
  };
  const withSource = (change: (source: Extract<Source, { kind: "computed" }>) => Source): Draft =>
    withLoop((loop) => (loop.source.kind === "computed" ? { ...loop, source: change(loop.source) } : loop));

  test("not as it is", () => expect(() => verifyDraft(sound())).not.toThrow());

  // biome-ignore format: a table
  test.each<[string, () => Draft, RegExp]>([
    ["whose buffers nothing computes", () => ({ ...sound(), producers: new Map() }), /nothing computes/],
    ["with a stride too few", () => withLoop((loop) => ({ ...loop, strides: loop.strides.slice(1) })), /other axes/],
    ["that reduces into several cells", () => withLoop((loop) => ({ ...loop, strides: loop.strides.map(() => 1) })), /several cells/],
    ["that reduces without an aggregator", () => withLoop((loop) => ({ ...loop, aggregator: undefined })), /without an aggregator/],
    ["that goes further than its values", () => withLoop((loop) => ({ ...loop, axes: loop.axes.map((axis) => ({ ...axis, size: 4 })) })), /further/],
    ["with an operand too few", () => withSource((source) => ({ ...source, operands: source.operands.slice(1) })), /operands instead of/],
    ["whose sizes are wrong", () => withSource((source) => ({ ...source, size: source.size + 1 })), /another weight/],
    ["with an image too many", () => withSource((source) => ({ ...source, operands: source.operands.map((each) => ({ ...each, images: [...(each.images ?? []), { axis: 0 }] })) })), /other axes/],
    ["viewed along no axis", () => withSource((source) => ({ ...source, operands: source.operands.map((each) => ({ ...each, images: each.images?.map(() => ({ axis: 7 })) })) })), /axis that is not there/],
    ["without enough rows", () => withSource((source) => ({ ...source, operands: source.operands.map((each) => ({ ...each, images: each.images?.map(() => ({ axis: 0, rows: Int32Array.of(0) })) })) })), /no row/],
  ])("%s", (_, draft, reason) => {
    expect(() => verifyDraft(draft())).toThrow(reason);
  });

  test("whose buffer is computed from itself", () => {
    const draft = sound();
    const [target] = draft.stages.flatMap(({ targets }) => targets);
    if (target === undefined) throw new Error("a draft has a target");
    const access = { slot: target, cellType: target.cellType, offset: 0, strides: [1] };
    const circular = withLoop((loop) => ({ ...loop, axes: loop.axes, source: { kind: "stored", access } }));
    const producers = new Map(draft.producers).set(
      target,
      circular.producers.values().next().value as Producer,
    );
    const own = producers.get(target);
    if (own?.kind !== "loops") throw new Error("the target is computed by loops");
    const loops = own.loops.map((loop): LoopDraft => ({ ...loop, source: { kind: "stored", access } }));
    expect(() =>
      verifyDraft({ ...draft, producers: producers.set(target, { kind: "loops", loops }) }),
    ).toThrow(/itself/);
  });
});
