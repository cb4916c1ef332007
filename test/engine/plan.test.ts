import { describe, expect, test } from "vitest";
import { verifyContinuation } from "../../src/backends/engine/ir/continuation.js";
import { printPlan } from "../../src/backends/engine/ir/print.js";
import type { BufferLoop, LoopStep, PlanStep } from "../../src/backends/engine/ir/step.js";
import { verify } from "../../src/backends/engine/ir/verify.js";
import { place, verifyMemory } from "../../src/backends/engine/passes/place.js";
import type { Plan } from "../../src/backends/engine/plan/plan.js";
import { Outcomes } from "../../src/backends/engine/plan/planned.js";
import type { Buffer } from "../../src/backends/engine/values/value.js";
import { planFor } from "./plans.js";

/**
 * The stages of the engine, each by itself: what a plan is, that it is verified, that its printer shows it. Nothing of a
 * plan is run here.
 */
const vector = "tensor(x[3]):[1,2,6]";

describe("a plan is data", () => {
  test("the same program and layouts make the same plan", () => {
    const text = "input a: tensor(x[3]); input k: tensor(k{}); sum(exp(a) * k, x) + max(k)";
    const inputs = { a: vector, k: "tensor(k{}):{p:1,q:2}" };
    expect(printPlan(planFor(text, inputs))).toBe(printPlan(planFor(text, inputs)));
  });

  test("it does not depend on cells", () => {
    const text = "input a: tensor(x[3]); softmax(a, x)";
    expect(printPlan(planFor(text, { a: vector }))).toBe(
      printPlan(planFor(text, { a: "tensor(x[3]):[0,0,9]" })),
    );
  });

  test("a map, a fold of it, and what is divided by that: three loops, equal parts once", () => {
    expect(printPlan(planFor("input a: tensor(x[3]); softmax(a, x)", { a: vector })).split("\n")).toEqual([
      "input a: tensor(x[3])",
      "b0: double[3] = input a",
      "b1: double[3] = loop i<3",
      "  r0 = b0[i]",
      "  r1 = exp r0",
      "  b1[i] = r1",
      "b2: double[1] = loop i<3 reduced",
      "  r0 = b1[i]",
      "  b2[0] = sum r0",
      "b3: double[3] = loop i<3",
      "  r0 = b1[i]",
      "  r1 = b2[0]",
      "  r2 = divide r0 r1",
      "  b3[i] = r2",
      "result tensor(x[3]) = b3[i]",
    ]);
  });

  test("what is computed of a transposed tensor lies as that does, and is read as it lies", () => {
    const cells = Array.from({ length: 48 }, (_, row) => Array.from({ length: 32 }, (_, at) => row - at));
    const text = "input a: tensor(x[48],y[32]); t = exp(rename(a, (x,y), (z,w))); sum(t, w) * max(t, z)";
    const lines = printPlan(planFor(text, { a: `tensor(x[48],y[32]):${JSON.stringify(cells)}` })).split("\n");
    expect(lines.slice(0, 11)).toEqual([
      "input a: tensor(x[48],y[32])",
      "b0: double[1536] = input a",
      "b1: double[1536] = loop i<48, j<32",
      "  r0 = b0[32i+j]",
      "  r1 = exp r0",
      "  b1[32i+j] = r1",
      "b2: double[48] = loop i<48, j<32 reduced",
      "  r0 = b1[32i+j]",
      "  b2[i] = sum r0",
      "b3: double[32] = loop i<32, j<48 reduced",
      "  r0 = b1[i+32j]",
    ]);
  });

  test("what becomes of a sum of products, and of nothing else, is computed where it is summed", () => {
    const inputs = {
      a: "tensor(x[2],k[3]):[[1,2,3],[4,5,6]]",
      w: "tensor(k[3],y[2]):[[1,2],[3,4],[5,6]]",
      b: "tensor(y[2]):[1,2]",
    };
    const given = "input a: tensor(x[2],k[3]); input w: tensor(k[3],y[2]); input b: tensor(y[2])";
    const lines = (text: string): string[] => printPlan(planFor(`${given}; ${text}`, inputs)).split("\n");
    expect(lines("relu(sum(a * w, k) + b)").slice(6)).toEqual([
      "b3: double[4] = loop i<2, j<2, k<3 reduced",
      "  r0 = b0[i+2k]",
      "  r1 = b1[j+2k]",
      "  r2 = multiply r0 r1",
      "  s0 = double sum r2",
      "  s1 = b2[j]",
      "  s2 = add s0 s1",
      "  s3 = relu s2",
      "  b3[2i+j] = s3",
      "result tensor(x[2],y[2]) = b3[2i+j]",
    ]);
    // What is read twice is there to be read, and what is no sum of products has no kernel that goes on.
    expect(lines("p = sum(a * w, k); p + max(p, y)").filter((line) => line.includes("loop"))).toHaveLength(3);
    expect(lines("relu(max(a * w, k) + b)").filter((line) => line.includes("loop"))).toHaveLength(2);
  });

  test("what is the same all along a dimension is folded once for it", () => {
    const inputs = { a: "tensor(x[3]):[1,2,3]", k: "tensor(k{},x[3]):{p:[1,2,3],q:[4,5,6]}" };
    const declared = "input a: tensor(x[3]); input k: tensor(k{},x[3])";
    const lines = (text: string): string[] =>
      printPlan(planFor(`${declared}; ${text}`, inputs))
        .split("\n")
        .filter((line) => /loop|result/.test(line));
    expect(lines("sum(tensor(x[3],y[100])(a{x:(x)} * 2), x)")).toEqual([
      "b1: double[1] = loop i<3 reduced",
      "result tensor(y[100]) = b1[0]",
    ]);
    expect(lines("max(tensor(x[3],y[100])(exp(a{x:(x)})) * k, x)")).toEqual([
      "b2: double[2] = loop i<2, j<3 reduced",
      "result tensor(k{},y[100]) = b2[i]",
    ]);
    // Along what it depends on there are as many.
    expect(lines("sum(tensor(x[3],y[100])(a{x:(x)} * y), x)").at(-1)).toBe("result tensor(y[100]) = b1[i]");
  });

  test("a reduction of a sum of thousands of terms is planned", () => {
    const terms = Array.from({ length: 6000 }, (_, at) => (at % 2 === 0 ? "a" : "2 * a"));
    const text = `input a: tensor(x[2],y[2]); sum(${terms.join(" + ")}, x)`;
    const lines = printPlan(planFor(text, { a: "tensor(x[2],y[2]):[[1,2],[3,4]]" })).split("\n");
    expect(lines.at(-1)).toMatch(/^result tensor\(y\[2\]\) = b\d+\[i\]$/);
  });

  test("a choice of tensors with labels is made by the plan, whatever else its branches are", () => {
    const inputs = { a: "tensor():{1}", k: "tensor(k{}):{p:1,q:2}", u: "tensor(x[]):[1,2]" };
    for (const [yes, no] of [
      ["k", "k * 2"],
      ["u", "u * 2"],
    ]) {
      const text = `input a: tensor(); input k: tensor(k{}); input u: tensor(x[]); if(a > 1, ${yes}, ${no})`;
      expect(printPlan(planFor(text, inputs))).not.toMatch(/call|reference/);
    }
  });

  test("a choice has both branches; what both need is a group; what neither needs alone stands before", () => {
    const text = `input a: tensor(); input q: tensor(x[3])
      if(a > 1, sum(q * q) + exp(sum(q)), exp(sum(q)))`;
    const lines = printPlan(planFor(text, { a: "tensor():{1}", q: vector })).split("\n");
    expect(lines.filter((line) => /if |else|group/.test(line))).toEqual([
      expect.stringMatching(/^b\d+: double\[1\] = if b\d+\[0\]$/),
      "  group 0, if this run has not computed it",
      "else",
      "  group 0",
    ]);
  });

  test("a branch computes its last value where the choice has it, unless others read that too", () => {
    const loops = (text: string): number =>
      printPlan(
        planFor(`input a: tensor(); input q: tensor(x[3]); ${text}`, { a: "tensor():{1}", q: vector }),
      )
        .split("\n")
        .filter((line) => line.includes("loop")).length;
    // The condition, the sum, and what stands for it.
    expect(loops("if(a > 1, sum(q * q), 0)")).toBe(3);
    expect(loops("if(a > 1, sum(q * q), 0) + sum(q * q)")).toBe(5);
    expect(loops("if(a > 1, sum(q * q), 0) * if(a > 2, sum(q * q), 1)")).toBe(8);
  });

  test("what depends on cells is a request, which ends a stage; its outcome makes the next", () => {
    const text = "input k: tensor(k{}); filter_subspaces(k, f(v)(v > 1)) + 1";
    const inputs = { k: "tensor(k{}):{p:1,q:2}" };
    const first = planFor(text, inputs);
    expect(first.stages).toHaveLength(1);
    expect(first.results).toBe(undefined);
    const request = first.stages[0]?.request;
    expect(request?.kind).toBe("rows");
    if (request === undefined) return;
    const second = planFor(text, inputs, new Outcomes().with(request, Int32Array.of(1)));
    expect(second.stages).toHaveLength(2);
    expect(second.results?.[0]?.value.axes.map(({ size }) => size)).toEqual([1]);
  });

  // biome-ignore format: a table
  test.each([
    ["concat(a, b, x)",                                  { a: "tensor(x[2],y[2]):[[1,2],[3,4]]", b: "tensor(x[1],y[2]):[[5,6]]" }],
    ["concat(a, b, x)",                                  { a: "tensor(k{},x[2]):{p:[1,2],q:[3,4]}", b: "tensor(k{},x[1]):{q:[5],r:[6]}" }],
    ["a{k:p}",                                           { a: "tensor(k{},l{}):{{k:p,l:u}:1,{k:q,l:v}:2}" }],
    ["a{x:1}",                                           { a: "tensor(k{},x[2]):{p:[1,2],q:[3,4]}" }],
    ["tensor(i[2])(a{x:(i + 1)})",                       { a: "tensor(x[3]):[1,2,3]" }],
    ["merge(a, b, f(x,y)(x - y))",                       { a: "tensor(k{}):{p:1,q:2}", b: "tensor(k{}):{q:3,r:4}" }],
    ["rename(a, (k,l), (l,k)) * a",                      { a: "tensor(k{},l{}):{{k:p,l:u}:1,{k:u,l:p}:2}" }],
    ["map_subspaces(a, f(v)(v / sum(v)))",               { a: "tensor(k{},x[2]):{p:[1,2],q:[3,4]}" }],
    ["tensor(i[3])(sum(a * i, k))",                      { a: "tensor(k{},x[2]):{p:[1,2],q:[3,4]}" }],
    ["reduce(a, median, x) + reduce(a, count, x)",       { a: "tensor(k{},x[2]):{p:[1,2],q:[3,4]}" }],
    ["if (sum(a) > 2, a * 2, a)",                        { a: "tensor(k{}):{p:1,q:2}" }],
    ["top(1, a)",                                        { a: "tensor(k{}):{p:1,q:2}" }],
    ["sum(a * b, x)",                                    { a: "tensor(k{},x[2]):{p:[1,2],q:[3,4]}", b: "tensor(l{},x[2]):{u:[5,6]}" }],
  ])("%s is planned without the reference (%#)", (text, inputs) => {
    const declared = Object.entries(inputs).map(([name, value]) => `input ${name}: ${value.split(":")[0]}`);
    expect(printPlan(planFor([...declared, text].join("; "), inputs))).not.toContain("reference");
  });

  test("what the engine cannot do is a call of the reference, within a body for each index", () => {
    const text =
      "input p: tensor(x{},z{}); input q: tensor(y{}); tensor(i[4])(reduce(p * q * (i + 1), median))";
    const inputs = { p: "tensor(x{},z{}):{{x:a,z:b}:1,{x:c,z:a}:2}", q: "tensor(y{}):{u:3,v:4}" };
    expect(printPlan(planFor(text, inputs))).toMatch(/= reference reduce b\d+\[i\+8j\+4k\] at each of 4\n/);
  });

  test("a call that finds operands by itself is repeated in each run", () => {
    const text = `input t: tensor(b[2],j[]); input u: tensor(b[2],j[])
      tensor(y[2])(reduce(if(y, map_subspaces(t, f(c)(c + 1)), u), sum))`;
    const lines = printPlan(planFor(text, { t: "tensor(b[2],j[]):[[1],[2]]", u: "tensor(b[2],j[]):{}" }));
    expect(lines).toContain("reference generate");
    expect(lines).not.toContain("once reference generate");
  });

  test("a missing input is refused where a run comes to it, and nowhere else", () => {
    const text = "input a: tensor(); input b: tensor(); if(a > 0, sum(a + b), a)";
    const lines = printPlan(planFor(text, { a: "tensor():{1}" })).split("\n");
    expect(lines).toContain("  refuse input/missing");
  });
});

describe("the verifier refuses a plan", () => {
  const sound = (): Plan =>
    planFor("input a: tensor(x[3]); input b: tensor(y[2]); sum(exp(a) * b, x) / max(a)", {
      a: vector,
      b: "tensor(y[2]):[1,2]",
    });
  /** The plan with other steps. */
  const withSteps = (plan: Plan, change: (steps: readonly PlanStep[]) => readonly PlanStep[]): Plan => ({
    ...plan,
    stages: plan.stages.map((stage) => ({ ...stage, steps: change(stage.steps) })),
  });
  /** The plan with its first loop changed. */
  const withLoop = (change: (loop: BufferLoop) => BufferLoop): Plan => {
    const isLoop = (step: PlanStep): step is LoopStep => step.kind === "loop";
    return withSteps(sound(), (steps) => {
      const first = steps.find(isLoop);
      return steps.map((step) =>
        step === first && isLoop(step) ? { ...step, loop: change(step.loop) } : step,
      );
    });
  };

  test("not as it is", () => expect(() => verify(sound())).not.toThrow());

  // biome-ignore format: a table
  test.each<[string, () => Plan, RegExp]>([
    ["whose step is missing", () => withSteps(sound(), (steps) => steps.slice(1)), /no step wrote/],
    ["whose steps are turned round", () => withSteps(sound(), (steps) => [...steps].reverse()), /no step wrote/],
    ["with a step twice", () => withSteps(sound(), (steps) => [...steps, ...steps]), /twice/],
    ["that leaves cells unwritten", () => withLoop((loop) => ({ ...loop, axes: loop.axes.map((axis) => ({ ...axis, size: axis.size - 1 })) })), /unwritten/],
    ["that writes beyond its buffer", () => withLoop((loop) => ({ ...loop, target: { ...loop.target, offset: 1 } })), /accessed/],
    ["that reads beyond a buffer", () => withLoop((loop) => ({ ...loop, sources: loop.sources.map((source) => ({ ...source, offset: 100 })) })), /accessed/],
    ["that reads before a buffer", () => withLoop((loop) => ({ ...loop, sources: loop.sources.map((source) => ({ ...source, offset: -1 })) })), /accessed/],
    ["with a stride too many", () => withLoop((loop) => ({ ...loop, sources: loop.sources.map((source) => ({ ...source, strides: [...source.strides, 0] })) })), /axes/],
    ["that reads what it writes", () => withLoop((loop) => ({ ...loop, sources: [loop.target] })), /reads what it writes/],
    ["that uses an instruction before it is there", () => withLoop((loop) => ({ ...loop, body: [...loop.body].reverse() })), /later one|no source/],
    ["that takes cells for another type", () => withLoop((loop) => ({ ...loop, sources: loop.sources.map((source) => ({ ...source, cellType: "float" })) })), /cell type/],
    ["that computes nothing", () => withLoop((loop) => ({ ...loop, body: [] })), /nothing/],
  ])("%s", (_, plan, reason) => {
    expect(() => verify(plan())).toThrow(reason);
  });

  test("with a branch that does not compute its buffer", () => {
    const text = "input a: tensor(); input q: tensor(x[3]); if(a > 1, sum(q), max(q))";
    const plan = withSteps(planFor(text, { a: "tensor():{1}", q: vector }), (steps) =>
      steps.map((step) => (step.kind === "branch" ? { ...step, no: { steps: [] } } : step)),
    );
    expect(() => verify(plan)).toThrow(/branch/);
  });
});

describe("a plan for more outcomes", () => {
  const text = "input a: tensor(x[3]); input k: tensor(k{}); filter_subspaces(k, f(v)(v > 1)) + sum(exp(a))";
  const inputs = { a: vector, k: "tensor(k{}):{p:1,q:2}" };
  const first = planFor(text, inputs);
  const next = (): Plan => {
    const request = first.stages[0]?.request;
    if (request === undefined) throw new Error("nothing is asked");
    return planFor(text, inputs, new Outcomes().with(request, Int32Array.of(1)));
  };
  /** The plan with other steps in its first stage. */
  const withFirst = (plan: Plan, change: (steps: readonly PlanStep[]) => readonly PlanStep[]): Plan => ({
    ...plan,
    stages: plan.stages.map((stage, at) => (at > 0 ? stage : { ...stage, steps: change(stage.steps) })),
  });

  test("begins with the stages of the one before", () => {
    expect(next().stages).toHaveLength(2);
    expect(() => verifyContinuation(first, next())).not.toThrow();
  });

  // biome-ignore format: a table
  test.each<[string, () => Plan]>([
    ["has a step more there", () => withFirst(next(), (steps) => [...steps, ...steps.slice(0, 1)])],
    ["has a step less there", () => withFirst(next(), (steps) => steps.slice(1))],
    ["has another step there", () => withFirst(next(), (steps) => steps.map((step) => ("writes" in step ? { ...step, kind: "range", buffers: [] } as PlanStep : step)))],
    ["is of another program", () => planFor("input a: tensor(x[4]); sum(a)", { a: "tensor(x[4]):[1,2,3,4]" })],
  ])("is refused where it %s", (_, plan) => {
    expect(() => verifyContinuation(first, plan())).toThrow(/begins with/);
  });
});

describe("memory", () => {
  const chain = (): Plan =>
    planFor("input a: tensor(x[3]); sum(exp(a)/sum(exp(a)), x) + sum(exp(2*a)/sum(exp(2*a)), x)", {
      a: vector,
    });

  test("buffers whose lives do not overlap lie in the same place, and no others", () => {
    const plan = chain();
    const memory = place(plan);
    expect(memory.size).toBeGreaterThan(0);
    expect(() => verifyMemory(plan, memory)).not.toThrow();
    for (const [buffer, owner] of memory)
      expect([buffer.cellType, buffer.length]).toEqual([owner.cellType, owner.length]);
  });

  test("what is used too early is found", () => {
    const plan = chain();
    const [first, second] = (plan.stages[0]?.steps ?? []).flatMap((step) =>
      "writes" in step ? [step.writes] : [],
    );
    const memory = new Map<Buffer, Buffer>();
    if (first !== undefined && second !== undefined) memory.set(second, first);
    expect(() => verifyMemory(plan, memory)).toThrow(/too early/);
  });

  test("what later stages may read keeps its own", () => {
    const text =
      "input a: tensor(x[3]); input k: tensor(k{}); filter_subspaces(k, f(v)(v > sum(exp(exp(a)))))";
    expect(place(planFor(text, { a: vector, k: "tensor(k{}):{p:1}" })).size).toBe(0);
  });

  test("results keep theirs", () => {
    const plan = planFor("input a: tensor(x[3]); exp(a); exp(a) + exp(exp(a))", { a: vector });
    const results = (plan.results ?? []).map(({ value }) => value.source.access.slot);
    const memory = place(plan);
    expect(results.some((buffer) => memory.has(buffer) || [...memory.values()].includes(buffer))).toBe(false);
  });
});
