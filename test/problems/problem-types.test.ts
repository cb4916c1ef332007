import { spawnSync } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { patient } from "../patience.js";
import { topics } from "./problems.js";

/**
 * What an embedder's compiler knows of problems: a code narrows the values. Two programs of an embedder are compiled, one
 * that uses the library alone and one with Vespa's part, against the sources and against the types that are published.
 * A line under `@ts-expect-error` must not compile, every other line must.
 */
const root = fileURLToPath(new URL("../..", import.meta.url));
const folder = join(root, "node_modules", ".cache", "sphex-problem-types");

/** Tables that only programs with Vespa's part can meet, and one that is the command's own; those of databases are `sphex/sql`'s. */
const isOfVespa = (name: string): boolean => name.startsWith("vespa/") && name !== "vespa/compat";
const all = await topics();
const codesOf = (isMeant: (name: string) => boolean): string[] => [
  ...new Set(all.flatMap(({ name, table }) => (isMeant(name) ? Object.keys(table) : []))),
];
const ofLibrary = codesOf((name) => !name.startsWith("vespa/") && name !== "sql");
const ofVespa = codesOf(isOfVespa).filter((code) => !ofLibrary.includes(code));

/** Each code in a function of its own: what is narrowed before it is no part of what the compiler looks at. */
const reads = (codes: readonly string[]): string =>
  codes.map((code) => `() => { if (problem.code === "${code}") use(problem.values); },`).join("\n");

const alone = `
import { check, isProblem, SphexError, TensorType, type Problem } from "sphex";
declare const use: (value: unknown) => void;
declare const problem: Problem;
export const codes = [
${reads(ofLibrary)}
${ofVespa.map((code) => `// @ts-expect-error\n() => { if (problem.code === "${code}") use(problem); },`).join("\n")}
// @ts-expect-error
() => { if (problem.code === "type/size-mismach") use(problem); },
];
for (const problem of check("a + b")) {
  // @ts-expect-error
  use(problem.values.left);
  if (problem.code === "type/size-mismatch") {
    const left: TensorType = problem.values.left;
    const by: string = problem.values.by;
    use([left, by]);
    // @ts-expect-error
    use(problem.values.found);
  }
  switch (problem.code) {
    case "name/cycle": {
      const path: readonly string[] = problem.values.path;
      use(path);
      break;
    }
    case "call/argument":
      if (problem.values.expected === "dimension") use(problem.values.found);
      // @ts-expect-error
      if (problem.values.expected === "dimensoin") use(problem.values.found);
      break;
    case "syntax/unexpected":
      for (const each of problem.values.expected) use(typeof each === "string" ? each : each.text);
  }
  const moved: Problem = problem.at(problem.span).withSeverity("warning");
  const texts: (string | undefined)[] = [moved.message, moved.description.expected, moved.related[0]?.label];
  use(texts);
}
try {
  use(TensorType.of("double", []));
} catch (error) {
  if (error instanceof SphexError) for (const { code } of error.problems) use(code === "limit/stack");
  if (isProblem(error) && error.code === "limit/cells") use(error.values.cells * 2);
}
`;

const withVespa = `
import { check } from "sphex";
import { checkPackage, readPackage, type Problem } from "sphex/vespa";
declare const use: (value: unknown) => void;
declare const problem: Problem;
export const codes = [
${reads([...ofLibrary, ...ofVespa])}
// @ts-expect-error
() => { if (problem.code === "package/emty") use(problem); },
];
const problems: readonly Problem[] = [
  ...check("1"),
  ...checkPackage(readPackage({ list: () => [], read: () => "" })).problems,
];
for (const problem of problems) {
  if (problem.code === "package/empty") {
    const folders: readonly string[] = problem.values.folders;
    use(folders);
  }
  if (problem.code === "type/branches") use(problem.values.left.dimensions);
}
`;

beforeAll(() => {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
  writeFileSync(join(folder, "alone.ts"), alone);
  writeFileSync(join(folder, "with-vespa.ts"), withVespa);
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

const sources = {
  paths: { sphex: [join(root, "src/index.ts")], "sphex/vespa": [join(root, "src/vespa.ts")] },
};
/** Which are looked at themselves, too. */
const published = { skipLibCheck: false };

test.each([
  { file: "alone.ts", against: "the sources", options: sources },
  { file: "with-vespa.ts", against: "the sources", options: sources },
  { file: "alone.ts", against: "the published types", options: published },
  { file: "with-vespa.ts", against: "the published types", options: published },
])("$file compiles against $against", patient, ({ file, options }) => {
  const config = {
    extends: join(root, "tsconfig.json"),
    compilerOptions: options,
    include: [],
    files: [file],
  };
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(config));
  const compiler = join(root, "node_modules", "typescript", "bin", "tsc");
  const { stdout, status } = spawnSync(process.execPath, [compiler, "-p", folder], { encoding: "utf8" });
  expect(stdout).toBe("");
  expect(status).toBe(0);
});
