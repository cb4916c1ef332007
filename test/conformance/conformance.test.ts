import { describe, expect, test } from "vitest";
import { SphexError } from "../../src/language/source/problem.js";
import { isNear } from "../../src/language/values/near.js";
import { check, compileExpression } from "../../src/program/compile.js";
import { parseTensor } from "../../src/program/inputs/inputs.js";
import { evaluate } from "../engine-evaluate.js";
import { patient } from "../patience.js";
import { type Case, casesOf, explained, hasCases, inputsOf, type Verdict } from "./cases.js";
import { cellDifference, cellList, sameNumber } from "./equality.js";

/**
 * Our answers against those of Vespa's own engines, all in dialect vespa. A suite is one test, which names every case
 * that differs without being explained, and every explained case that no longer differs.
 */
type Judge = (given: Case) => string | undefined;

/** Our value, or our first problem in words. */
function answer({ expr, vars }: Case): ReturnType<typeof evaluate> | string {
  try {
    return evaluate(expr, inputsOf(vars), { dialect: "vespa" });
  } catch (error) {
    if (error instanceof SphexError) return `${error.problems[0]?.code}: ${error.problems[0]?.message}`;
    throw error;
  }
}

/** In C++ a second argument that names a dimension of the first is a tensor all the same (D21): say so. */
function asJoin(given: Case): Case {
  const call = /^(max|min)\(a,b\)$/.exec(given.expr);
  const isDimension = /\bb[[{]/.test(`${given.vars.a}`.split(":")[0] ?? "");
  return call !== null && isDimension ? { ...given, expr: `join(a,b,f(p,q)(${call[1]}(p,q)))` } : given;
}

function sameAs(given: Case, type: string | undefined, cells: Verdict["cells"]): string | undefined {
  const ours = answer(given);
  if (typeof ours === "string") return ours;
  const expected = type === "double" ? "tensor()" : type;
  if (`${ours.type}` !== expected) return `${ours.type} instead of ${expected}`;
  return cellDifference(ours, cells ?? []);
}

function sameVerdict(given: Case, verdict: Verdict | undefined): string | undefined {
  if (verdict?.error === undefined) return sameAs(given, verdict?.valueType ?? verdict?.type, verdict?.cells);
  return typeof answer(given) === "string"
    ? undefined
    : `a value, where Vespa says ${verdict.error.slice(0, 80)}`;
}

/** The value that a Java test or the documentation states; its kinds and cell types are those of the text only. */
function sameValue(given: Case): string | undefined {
  const ours = answer(given);
  if (typeof ours === "string") return ours;
  if (given.expected === undefined) return "nothing is expected";
  const near = (a: number, b: number): boolean => sameNumber(a, b) || isNear(a, b, given.tol ?? 1e-4);
  return cellDifference(ours, cellList(parseTensor(`${given.expected}`)), near);
}

const suites: Readonly<Record<string, Judge>> = {
  engine: (given) => {
    const expected = parseTensor(given.result ?? "", undefined, "vespa");
    return sameAs(asJoin(given), given.type, cellList(expected));
  },
  scalar: (given) => sameAs(given, "tensor()", [[{}, given.expected ?? 0]]),
  // C++ lacks forms that Java has; where it gives no answer, Java's counts.
  random: (given) =>
    sameVerdict(
      given,
      given.cpp?.error !== undefined && given.java?.error === undefined
        ? (given.java ?? given.cpp)
        : given.cpp,
    ),
  playground: (given) => sameVerdict(given, given.cpp),
  docs: sameValue,
  "java-eval": sameValue,
};

describe("conformance", patient, () => {
  for (const [name, judge] of Object.entries(suites)) {
    test.skipIf(!hasCases(name))(`${name}: every case agrees, or is explained`, () => {
      const reasons = explained[name] ?? {};
      const seen = new Set<string>();
      const surprises: string[] = [];
      for (const given of casesOf(name)) {
        const key =
          given.id === undefined ? JSON.stringify([given.expr, given.vars]).slice(0, 400) : `${given.id}`;
        const difference = judge(given);
        seen.add(key);
        if ((difference === undefined) === (reasons[key] === undefined)) continue;
        surprises.push(difference === undefined ? `agrees now: ${key}` : `${key}\n    ${difference}`);
      }
      const gone = Object.keys(reasons).filter((key) => !seen.has(key));
      expect([...surprises, ...gone.map((key) => `no such case: ${key}`)]).toEqual([]);
      expect(seen.size).toBeGreaterThan(50);
    });
  }

  test.skipIf(!hasCases("cpp-parse"))(
    "cpp-parse: operators group as C++ groups them, or the form is explained",
    () => {
      const reasons = explained["cpp-parse"] ?? {};
      const surprises = casesOf("cpp-parse").flatMap((given) => {
        const difference = sameGrouping(given);
        return (difference === undefined) === (reasons[given.expr] === undefined)
          ? []
          : [`${given.expr}: ${difference ?? "agrees now"}`];
      });
      expect(surprises).toEqual([]);
    },
  );
});

/** Names that the parse cases use: scalars that make every grouping visible. */
const scalars = { x: 2, y: 3, z: 5, w: 7 };
const isArithmetic = /^[-+*/^!()xyzw0-9.,<>&\sin[\]"ac]*$/;

/** Grouping shows in values: the text and its fully parenthesised dump must mean the same. */
function sameGrouping({ expr, expectedDump, expectedError }: Case): string | undefined {
  if (expectedError !== undefined || expectedDump?.includes("...") === true) {
    const inputs = { x: "tensor(a[2],b[2])", y: "tensor()", z: "tensor()" };
    return problemsOf(expr, inputs).length > 0 ? undefined : "accepted";
  }
  const problems = problemsOf(expr, {}).filter((each) => !each.startsWith("name/unknown"));
  if (problems.length > 0) return problems.join("; ");
  if (expectedDump === undefined || !isArithmetic.test(expr)) return undefined;
  const [ours, theirs] = [expr, expectedDump].map((text) =>
    evaluate(text, scalars, { dialect: "vespa" }).asNumber(),
  );
  return sameNumber(ours ?? 0, theirs ?? 1) ? undefined : `${ours} instead of ${theirs}`;
}

function problemsOf(expr: string, inputs: Readonly<Record<string, string>>): string[] {
  try {
    compileExpression(expr, { dialect: "vespa", inputs });
    return [];
  } catch (error) {
    if (!(error instanceof SphexError)) throw error;
    return error.problems.map((each) => `${each.code}: ${each.message}`);
  }
}

interface ProfileCase {
  readonly expr: string;
  readonly source: string;
  readonly all_inputs: Readonly<Record<string, { type?: string }>>;
  readonly fields: Readonly<Record<string, string>>;
  readonly constants: Readonly<Record<string, { type?: string }>>;
}

describe.skipIf(!hasCases("profiles/expressions"))("rank profiles", () => {
  test(
    "every expression parses but the ten broken ones, and type-checks where all it mentions is declared",
    patient,
    () => {
      const broken: string[] = [];
      const wrong: string[] = [];
      let checked = 0;
      for (const given of casesOf<ProfileCase>("profiles/expressions")) {
        const problems = check(`(${given.expr}\n)`, { dialect: "vespa", inputs: declarations(given) });
        const errors = problems.filter((each) => each.isError);
        if (errors.some((each) => each.code.startsWith("syntax/"))) broken.push(given.expr);
        else if (errors.length === 0) checked++;
        else if (!errors.some((each) => each.code.startsWith("name/")))
          wrong.push(`${given.expr}: ${errors[0]?.code}`);
      }
      expect(broken).toHaveLength(10);
      expect(wrong).toEqual(Object.keys(explained.profiles ?? {}));
      expect(checked).toBeGreaterThan(150);
    },
  );
});

/** The declared types of a profile, save those that have a placeholder for a size. */
function declarations({ all_inputs, fields, constants }: ProfileCase): Record<string, string> {
  const types: [string, string | undefined][] = [
    ...Object.entries(all_inputs).map(([name, { type }]): [string, string | undefined] => [name, type]),
    ...Object.entries(fields).map(([name, type]): [string, string] => [`attribute(${name})`, type]),
    ...Object.entries(constants).map(([name, { type }]): [string, string | undefined] => [
      `constant(${name})`,
      type,
    ]),
  ];
  return Object.fromEntries(
    types.flatMap(([name, type]): [string, string][] => {
      if (type === undefined) return [];
      if (!type.startsWith("tensor")) return [[name, "tensor()"]];
      return isType(type) ? [[name, type]] : [];
    }),
  );
}

/** Some of the profiles are templates, with words for sizes. */
const isType = (text: string): boolean =>
  /^tensor(<\w+>)?\((\s*\w+(\{\}|\[\d+\])\s*,?)*\)$/.test(text.trim());
