import { existsSync, readdirSync } from "node:fs";
import { basename } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, test } from "vitest";
import { temporaryFolder } from "../folder.js";
import { patient } from "../patience.js";
import { engine } from "./choose.js";
import { exemptFiles } from "./exempt.js";
import { Judge } from "./judgement.js";
import { type Mutant, mutantsOf, mutatedText } from "./mutant.js";
import { mutators } from "./mutators/mutators.js";
import { Project } from "./project.js";
import { Reach } from "./reach.js";
import { testsFor } from "./tests.js";

/** The script that makes mistakes on purpose: which ones it makes, and that the judge finds them. */
const root = fileURLToPath(new URL("../..", import.meta.url))
  .replace(/[\\/]$/, "")
  .replaceAll("\\", "/");
const project = new Project(root);
afterAll(() => project.close());

const file = "src/backends/engine/sparse/search.ts";
const madeOf = (text: string): readonly Mutant[] => mutantsOf(file, project.sourceWith(file, text));

/** A text, and what a mutator makes of it, each time in one line. */
const samples: Readonly<Record<string, readonly (readonly [text: string, ...mutated: string[]])[]>> = {
  operator: [
    ["const f = (a: number) => a + a;", "a - a"],
    ["const f = (a: number) => a <= a;", "a < a"],
    ['const f = (a: string) => "b" + a;'],
    ["const f = (a: number) => a < mostCells;"],
  ],
  sign: [
    ["const f = (a: boolean) => !a;", "=> a;"],
    ["let i = 0; i++;", "i--;"],
  ],
  constant: [
    ["const a = 0;", "const a = 1;"],
    ["const a = [7];", "[(7 - 1)]"],
    ["const f = (a: number[]) => a[f.length] ?? 0;"],
  ],
  bound: [["for (let i = 3; i < n; i++) f();", "i < (n + 1);", "i < (n - 1);"]],
  stride: [
    ["const a = { strides: of(b) };", "strides: [...of(b)].reverse()"],
    ["const a = strides[axis];", "const a = 0;", "strides[axis + 1]"],
  ],
  method: [["a.push(b);", "a.unshift(b);"]],
  order: [["const a = b.sort((c, d) => c - d);", "const a = b;", "b.sort((d, c) => c - d)"]],
  arguments: [["f(a, b);", "f(b, a);"], ["n.add(a, b);"], ["f(a, a);"]],
  statement: [["f();", ";"]],
  condition: [["if (a < b) f();", "if (true) f();", "if (false) f();"]],
  arms: [
    ["const a = b ? c : d;", "b ? d : c;"],
    ["if (a) f(); else g();", "if (a) g(); else f();"],
  ],
  "early return": [
    ["function f(): boolean { g(); return h(); }", "{ return true; g();", "{ return false; g();"],
  ],
  instruction: [
    ['code.do("f64.add");', '"f64.sub"'],
    ['code.do("i32.clz");'],
    ['code.do("i32.lt_u");', '"i32.le_u"'],
    ['type Name = "f64.add";'],
  ],
};

test("a sample of each mutator", () => {
  expect(Object.keys(samples).sort()).toEqual(mutators.map(({ name }) => name).sort());
});

describe.each(Object.entries(samples))("%s", (mutator, rows) => {
  test.each(rows)("%s", (text, ...expected) => {
    const found = madeOf(text).filter((each) => each.mutator === mutator);
    expect(found).toHaveLength(expected.length);
    for (const [at, part] of expected.entries())
      expect(mutatedText(text, found[at] as Mutant)).toContain(part);
  });
});

test.each([
  'import { a } from "./a.js"; export { b } from "./b.js";',
  "const mostCells = 1024; const fewestRows = 2 * mostCells + 1;",
  "interface A { readonly b: 0 | 1 }",
  "function f(a: 0): 1;",
  "function f(a: T): void { if (a < 1) throw new Error(g(a + 1)); }",
  "function fail(a: string): never { throw new Error(a); } function f(a: T): void { if (a > 1) fail(g(a - 1)); }",
])("no mistakes are made in %s", (text) => {
  expect(madeOf(text).map(({ change }) => change)).toEqual([]);
});

test("files that are exempt, and tests about folders of the engine, are there", () => {
  const files = project.filesIn(engine);
  const names = new Set(files.map((path) => basename(path)));
  expect(Object.keys(exemptFiles).filter((name) => !names.has(name))).toEqual([]);
  const tests = new Set(files.flatMap(testsFor));
  expect([...tests].filter((path) => !existsSync(`${root}/${path}`))).toEqual([]);
  const ofEngine = readdirSync(`${root}/test`).filter((name) => /^engine-.*\.test\.ts$/.test(name));
  expect(ofEngine.filter((name) => !tests.has(`test/${name}`))).toEqual([]);
});

test("a mistake shows the statement around it, and where it is", () => {
  const [found] = madeOf("class A {\n  f(a: number) {\n    return a < this.b;\n  }\n}");
  expect(found).toMatchObject({
    line: 3,
    enclosing: "A.f",
    mutator: "operator",
    change: "return a [< → <=] this.b;",
  });
});

test("what the compiler refuses is no mistake", () => {
  const { text } = project.source(file);
  expect(project.accepts(file, text)).toBe(true);
  expect(project.accepts(file, text.replace("number", "string"))).toBe(false);
  expect(project.accepts(file, text)).toBe(true);
});

const axes = "src/backends/engine/values/axes.ts";
const folder = temporaryFolder(`${root}/node_modules`);

/** A mistake in the axes of values: what stands there, and what it becomes. */
function mistake(original: string, text: string): Mutant {
  const start = project.source(axes).text.indexOf(original);
  if (start < 0) throw new Error(`${axes} has no ${original}`);
  const edit = { start, end: start + original.length, text };
  return { file: axes, line: 0, mutator: "", enclosing: "", change: "", edit, inFunction: "key" };
}

test("the judge finds a wrong axis, and nothing where nothing is wrong", patient, async () => {
  const trials = Array.from({ length: 30 }, (_, at) => at + 1);
  const judge = new Judge(root, folder, 1, ["trials"], new Reach([["key", trials]], []));
  const { text } = project.source(axes);
  expect(await judge.judge(mistake("return { axis: at };", "return { axis: 0 };"), text)).toMatchObject({
    level: "trials",
  });
  expect(await judge.judge(mistake("a < b ? -1", "b > a ? -1"), text)).toEqual({});
});

test("trials are those that reach the function, without those that fail anyway", () => {
  const reach = new Reach(
    [
      ["a.ts:1", [1, 2, 3]],
      ["a.ts:9", [2]],
      ["b.ts:1", [4]],
    ],
    [{ failure: "", message: "", number: 3 }],
  );
  const found = (file: string, key?: string): number[] => [...reach.trialsFor(file, key)].sort();
  // Where few reach it, others that come later are added.
  expect(found("a.ts", "a.ts:9")).toEqual([2, 4]);
  expect(found("b.ts", "b.ts:1")).toEqual([4]);
  expect(found("a.ts", "a.ts:5")).toEqual([]);
  expect(found("a.ts")).toEqual([1, 2, 4]);
  expect(found("c.ts")).toEqual([1, 2, 4]);
});
