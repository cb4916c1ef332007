import { expect, test } from "vitest";
import { checkProgram } from "../../src/language/check/statements/program.js";
import { scalarFunctions } from "../../src/language/scalar/functions.js";
import { SphexError } from "../../src/language/source/problem.js";
import { parseProgram } from "../../src/language/syntax/parse.js";
import { indexed, mapped, TensorType } from "../../src/language/types/type.js";
import { Tensor } from "../../src/language/values/tensor.js";
import { compile } from "../../src/program/compile.js";
import { patient } from "../patience.js";
import { nothingPassed } from "./builder.js";
import { Choice } from "./choice.js";
import { assembled, expressionOf, textOf, within } from "./expression.js";
import { withGradients } from "./gradients.js";
import { Hunt } from "./hunt.js";
import { inTime } from "./in-time.js";
import { naively } from "./naive.js";
import { withNumbersInLambdas } from "./numbers-in-lambdas.js";
import { perturbed } from "./perturbed.js";
import { type Program, programOf, sourceOf } from "./program.js";
import { failing, type Outcome, outcomeOf, Subject } from "./runs.js";
import { shrinking } from "./shrink.js";
import { someSum } from "./some-sum.js";
import type { Way } from "./way.js";
import { ways } from "./ways.js";

/** The hunt itself: that its programs are programs, that it finds what is planted, and that it makes it small. */

const numbers = (count: number): number[] => Array.from({ length: count }, (_, number) => number);

test("what is generated is a program, of the types that were meant", patient, () => {
  for (const seed of numbers(250)) {
    const program = programOf(seed);
    const subject = checkedOrRefused(program, isOfOpenSize);
    if (subject === undefined) continue;
    const { checked } = subject;
    expect(checked.results.map(({ node }) => `${node.type}`).join()).toBe(
      program.results.map(({ type }) => `${type}`).join(),
    );
  }
});

test("most programs have derivatives, of the types that were meant", patient, () => {
  let refused = 0;
  for (const seed of numbers(150)) {
    const program = withGradients(programOf(seed), new Choice(seed));
    const subject = checkedOrRefused(program, (code) => code.startsWith("gradient/") || isOfOpenSize(code));
    if (subject === undefined) refused++;
    else
      expect(subject.checked.results.map(({ node }) => `${node.type}`).join("; ")).toBe(
        program.results.map(({ type }) => `${type}`).join("; "),
      );
  }
  expect(refused).toBeLessThan(25);
});

/** What waits for sizes is refused where nothing decides them. */
const isOfOpenSize = (code: string): boolean => ["program/unsized", "call/lambda-sizes"].includes(code);

/** A program that was checked; nothing where it has problems of these codes alone. */
function checkedOrRefused(program: Program, isExpected: (code: string) => boolean): Subject | undefined {
  try {
    return Subject.of(program);
  } catch (error) {
    if (error instanceof SphexError && error.problems.every(({ code }) => isExpected(code))) return undefined;
    throw error;
  }
}

test("a seed gives the same program with the same inputs", () => {
  for (const seed of numbers(50)) {
    const [one, other] = [programOf(seed), programOf(seed)];
    expect(sourceOf(one)).toBe(sourceOf(other));
    expect(one.inputs.map(({ values }) => values.join())).toEqual(
      other.inputs.map(({ values }) => values.join()),
    );
  }
});

/** A way that is the reference but for what is done to its values. */
function planted(change: (outcome: Outcome, subject: Subject) => Outcome): Way {
  const answers: Way["answers"] = (subject) => {
    const program = subject.compiled({ backend: "reference" });
    const outcome = outcomeOf(() => program.runAll(subject.inputs(0)).results);
    return [{ run: 0, outcome: change(outcome, subject) }];
  };
  return { name: "planted", oneOf: 1, answers };
}

const wrong = (tensor: Tensor): Tensor => {
  const cells = Float64Array.from({ length: tensor.data.length }, (_, at) => tensor.at(at) + 100);
  return Tensor.of(tensor.type.withCells("double"), tensor.sizes, tensor.labels, cells).as(tensor.type);
};

test("a wrong value is found, once for its class, and as a small program", patient, () => {
  const way = planted((outcome, { program }) => {
    const isHit = sourceOf(program).includes("median");
    return outcome.kind === "values" && isHit ? { ...outcome, values: outcome.values.map(wrong) } : outcome;
  });
  const hunt = new Hunt({ seed: 1, ways: [way] });
  while (hunt.disagreements < 6) hunt.more();
  const [first] = [...hunt.found.values()].sort((one, other) => one.text.length - other.text.length);
  expect(first?.signature).toContain("median");
  expect(first?.text.length).toBeLessThan(120);
  expect(hunt.found.size).toBeLessThan(hunt.disagreements);
});

test("a crash is found, and so is a problem that the reference does not have", patient, () => {
  const crashing: Way = {
    name: "crashing",
    oneOf: 1,
    answers: (subject) => [
      { run: 0, outcome: outcomeOf(() => (sourceOf(subject.program).includes("merge(") ? fail() : [])) },
    ],
  };
  const fail = (): never => {
    throw new TypeError("no such thing");
  };
  const hunt = new Hunt({ seed: 2, ways: [crashing] });
  hunt.more(16);
  expect([...hunt.found.values()].map(({ signature }) => signature.split(":")[0])).toContain("crash");
  const refusing = planted((outcome) =>
    outcome.kind === "values" ? { kind: "problems", codes: "limit/cells" } : outcome,
  );
  const other = new Hunt({ seed: 2, ways: [refusing] });
  other.more(2);
  expect([...other.found.values()].map(({ message }) => message).join()).toContain(
    "limit/cells instead of values",
  );
});

test("lambdas see scalars from around them, which numbers can stand for", () => {
  const kinds = { input: 0, "named value": 0, index: 0 };
  for (const seed of numbers(1500)) {
    const program = programOf(seed);
    const scalars = [...program.inputs, ...program.definitions].map(({ name }) => name);
    for (const name of scalars)
      if (withNumbersInLambdas(program, new Map([[name, 5]])) !== undefined)
        kinds[name.startsWith("t") ? "input" : "named value"]++;
    if (withNumbersInLambdas(program, new Map()) !== undefined) kinds.index++;
  }
  for (const count of Object.values(kinds)) expect(count).toBeGreaterThan(3);
});

test("numbers stand in lambdas, and for all indexes of a generator around them", () => {
  const scalar = TensorType.scalar;
  const type = TensorType.of("double", [indexed("x", 2)]);
  const [c, x] = ["c", "x"].map((name) => assembled("name", scalar, [name]));
  if (c === undefined || x === undefined) throw new Error("there are two names");
  const form = expressionOf("operator", scalar);
  const map = expressionOf(
    "map",
    scalar,
  )`map(${c}, ${expressionOf("lambda", scalar)`f(p)(${form`p*${c}+${x}`})`})`;
  const results = [expressionOf("generate", type)`${`${type}`}(${form`${x}+${map}`})`];
  const program: Program = { dialect: "formalism", inputs: [], definitions: [], hosts: [], results };
  const changed = withNumbersInLambdas(program, new Map([["c", -3]]));
  expect(changed && sourceOf(changed)).toBe(
    "tensor(x[2]):[0+map(c, f(p)(p*(-3)+0)), 1+map(c, f(p)(p*(-3)+1))]",
  );
});

test("computed naively, blocks are as large as the largest of them, wherever that stands", () => {
  const type = TensorType.of("double", [mapped("k"), indexed("x")]);
  const t = Tensor.from(type, { a: [1], b: [2] });
  const text = "map_subspaces(t, f(b)(if(sum(b) == LARGE, concat(b, b, x), b)))";
  const computed = (large: number): readonly number[] => {
    const { tree } = parseProgram({ name: "program", text: text.replace("LARGE", `${large}`) });
    const context = { dialect: "formalism", cells: 100, expansions: 100, functions: new Map() } as const;
    const inputs = new Map([["t", type]]);
    const { results } = checkProgram(tree ?? { statements: [] }, { ...context, inputs });
    return results.flatMap(({ node }) => [...naively(node, () => t).data].map(Number));
  };
  expect([computed(1), computed(2)]).toEqual([
    [1, 1, 2, 0],
    [1, 0, 2, 2],
  ]);
});

test("errors as large as D16 allows are no disagreement", patient, () => {
  const way: Way = {
    name: "off by a digit",
    oneOf: 1,
    answers: (subject) => {
      const program = subject.compiled({ backend: "reference" });
      const run = () => outcomeOf(() => program.runAll(subject.inputs(0)).results);
      return [{ run: 0, outcome: perturbed(99, false, run) }];
    },
  };
  const hunt = new Hunt({ seed: 3, ways: [way] });
  while (hunt.programs < 300) hunt.more(300);
  expect([...hunt.found.values()]).toEqual([]);
});

test("a sum of sums is two sums of floats, or one in which nothing overflows", () => {
  const huge = "tensor<float>(x[2],y[2]):[[3e38, 3e38], [0, (-1/0)]]";
  const program = compile(`reduce(reduce(${huge}, sum, y), sum, x)`, { backend: "reference" });
  const sums = numbers(60).map((seed) => perturbed(seed, true, () => program.run().at(0)));
  expect(new Set(sums)).toEqual(new Set([Number.NaN, Number.NEGATIVE_INFINITY]));
});

/** What all ways to add up some terms give, two parts at a time, each sum rounded. */
function sumsInAllOrders(
  terms: readonly number[],
  round: (sum: number) => number = (sum) => sum,
): ReadonlySet<number> {
  if (terms.length === 1) return new Set(terms);
  const parts = numbers(2 ** terms.length - 2).map((at) =>
    [1, 0].map((bit) => terms.filter((_, term) => (((at + 1) >> term) & 1) === bit)),
  );
  return new Set(
    parts.flatMap((halves) => {
      const [left = [], right = []] = halves.map((half) => [...sumsInAllOrders(half, round)]);
      return left.flatMap((one) => right.map((other) => round(one + other)));
    }),
  );
}

/** Numbers of which two together are more than their type holds, and smaller ones. */
const hugeTerms = (count: number, seed: number, huge: number): readonly number[] => {
  const choice = new Choice(seed);
  const infinite = choice.percent(50) ? Number.POSITIVE_INFINITY : Number.NEGATIVE_INFINITY;
  const pool = [huge, huge, -huge, -huge, huge / 2, -huge / 2, 0, infinite];
  return numbers(count).map(() => choice.oneOf(pool));
};
const sumsOf = (terms: readonly number[], seed: number): ReadonlySet<number> => {
  const choice = new Choice(seed);
  return new Set(numbers(200).map(() => someSum(terms, 0, choice)));
};
const countsAndSeeds = [2, 3, 4, 5].flatMap((count) => numbers(25).map((seed) => [count, seed] as const));

test.each(
  countsAndSeeds,
)("a sum of %i huge terms is what some order gives, and may be anything that one gives: %i", (count, seed) => {
  const terms = hugeTerms(count, seed, 2 ** 1023);
  expect([...sumsOf(terms, seed)].sort()).toEqual([...sumsInAllOrders(terms)].sort());
});

test.each(
  countsAndSeeds,
)("a sum of %i huge floats is what some order gives in doubles or in floats, and may be anything that one gives: %i", (count, seed) => {
  const terms = hugeTerms(count, seed, 2 ** 127);
  const inFloats = [...sumsInAllOrders(terms, Math.fround)].filter((sum) => !Number.isFinite(sum));
  const all = new Set([...sumsInAllOrders(terms), ...inFloats]);
  expect([...sumsOf(terms, seed)].sort()).toEqual([...all].sort());
});

test("a great sum of floats may be a whole number, as floats of its size are, and of doubles it is not", () => {
  const floats = [6_061_444, 8_468_100, 97.5, 0.25];
  const sums = (terms: readonly number[], error: number): number[] => {
    const choice = new Choice(1);
    return numbers(200).map(() => someSum(terms, error, choice));
  };
  expect(sums(floats, 1e-6).some(Number.isInteger)).toBe(true);
  expect(sums(floats, 1e-6).every(Number.isInteger)).toBe(false);
  expect(sums([...floats, 0.1], 1e-14).some(Number.isInteger)).toBe(false);
});

test("what is cut off for taking too long leaves no errors behind", () => {
  const exp = scalarFunctions.exp.compute;
  const isDone = inTime(
    () =>
      perturbed(1, false, () => {
        for (;;);
      }),
    20,
  );
  expect(isDone).toBe(false);
  expect(scalarFunctions.exp.compute).toBe(exp);
});

test("what is cut off for taking too long leaves no host behind that fails", () => {
  const hasHosts = (program: Program): boolean =>
    program.hosts.length > 0 && Subject.ifSound(program) !== undefined;
  const seed = numbers(2000).find((each) => hasHosts(programOf(each)));
  if (seed === undefined) throw new Error("some programs have hosts");
  const subject = Subject.of(programOf(seed));
  const run = (): Outcome => outcomeOf(() => subject.values(subject.compiled({ backend: "reference" }), 0));
  expect(run().kind).toBe("values");
  inTime(
    () =>
      failing(0, () => {
        for (;;);
      }),
    20,
  );
  expect(run().kind).toBe("values");
});

test("a program is made as small as what is true of it allows", patient, () => {
  // What no result reaches is left out of smaller ones.
  const found = numbers(250)
    .map((seed) => programOf(seed))
    .filter(({ results }) => results.some((each) => textOf(each).includes("prod")));
  expect(found.length).toBeGreaterThan(5);
  for (const program of found) {
    const isStill = (smaller: typeof program): boolean => {
      try {
        Subject.of(smaller);
      } catch {
        return false;
      }
      return sourceOf(smaller).includes("prod");
    };
    const small = [...shrinking(program, isStill, 1500)].at(-1) ?? program;
    expect(small.results.flatMap((each) => [...within(each)]).length, sourceOf(small)).toBeLessThan(8);
  }
});

test("a program is made small too where only a named value that no result reaches has what is true of it", () => {
  const scalar = TensorType.scalar;
  const number = assembled("number", scalar, ["7"]);
  const body = expressionOf("reduce", scalar)`reduce(${number}, prod)`;
  const named = { name: "v1", parameters: [], ...nothingPassed, body };
  const results = [expressionOf("operator", scalar)`(${number} + ${number})`];
  const program: Program = { dialect: "formalism", inputs: [], definitions: [named], hosts: [], results };
  const small = [...shrinking(program, (smaller) => sourceOf(smaller).includes("prod"), 100)].at(-1);
  expect(small && sourceOf(small)).not.toContain("+");
  expect(small?.definitions).toEqual([]);
});

test("all ways agree on sums, products and names", () => {
  const hunt = new Hunt({ seed: 4, ways });
  expect(hunt.only(0)).toEqual([]);
});
