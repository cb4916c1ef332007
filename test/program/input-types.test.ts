import { spawnSync } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { patient } from "../patience.js";

/**
 * What an embedder's compiler knows of the inputs of a program: their names, from the text where it is written in the host's
 * code, or from a type argument. A line under `@ts-expect-error` must not compile, every other line must.
 */
const root = fileURLToPath(new URL("../..", import.meta.url));
const folder = join(root, "node_modules", ".cache", "sphex-input-types");

const program = `
import { compile, compileAsync, compileExpression, Tensor, TensorType, writeTensor, type InputValues, type Program } from "sphex";
declare const text: string;
declare const tensor: Tensor;

const one = compile("input q: tensor(x[3])\\nsum(q)");
one.run({ q: [1, 2, 3] });
one.run();
one.run({});
// @ts-expect-error
one.run({ Q: [1, 2, 3] });
// @ts-expect-error
one.runAll({ q: [1, 2, 3], w: 1 });
// @ts-expect-error
one.run({ q: () => 1 });
// @ts-expect-error
one.prepare().run({ Q: 1 });
one.prepare().run({ q: tensor });
// @ts-expect-error
one.session().run({ Q: 1 });
// @ts-expect-error
void one.runAsync({ Q: 1 });
// @ts-expect-error
one.explain({ Q: 1 });
// @ts-expect-error
one.why({}, { Q: 1 });

const lines = compile(\`
  # input that is a comment: not one
  input first: tensor(x[2]); input second : tensor()
  my_input = 1
  first * second
\`);
lines.run({ first: [1, 2], second: 3 });
// @ts-expect-error
lines.run({ frist: [1, 2] });
// @ts-expect-error
lines.run({ that: 1 });

// No input at all.
// @ts-expect-error
compile("1 + 1").run({ q: 1 });

// Names that are no words, inputs of the host, and texts from elsewhere: anything goes.
compile("input query(q): tensor()\\nquery(q)").run({ "query(q)": 1, $q: 1 });
compile("input a = 3\\na").run({ a: 1 });
compile("a + 1", { inputs: { a: "tensor()" } }).run({ a: 1 });
compile(text).run({ anything: 1 });

// A type argument says them.
interface Named { readonly q: number[]; readonly w?: Tensor }
const typed = compile<Named>(text);
typed.run({ q: [1] });
// @ts-expect-error
typed.run({ w: tensor });
// @ts-expect-error
typed.run({ q: [1], v: 1 });
// @ts-expect-error
compileExpression<{ q: number }>(text).run({ Q: 1 });
compileExpression("a + 1", { inputs: { a: "tensor()" } }).run({ a: 1 });

// What takes programs in general takes these, too.
const some: Program = one;
const values: InputValues = { q: 1 };
some.run(values);
void compileAsync(text).then((each) => each.run(values));
const later = await compileAsync("input q: tensor(x[3])\\nsum(q)");
later.run({ q: [1, 2, 3] });
// @ts-expect-error
later.run({ Q: 1 });
(await compileAsync<Named>(text)).run({ q: [1] });

// Formats of bytes give bytes, and those of text give texts.
const bytes: Uint8Array = writeTensor(tensor, "npy");
const written: string = writeTensor(tensor, "json", { form: "typed" });
// @ts-expect-error
const wrong: string = writeTensor(tensor, "binary");
const format = "csv" as "csv" | "npy";
const either: string | Uint8Array = writeTensor(tensor, format);
export default [bytes, written, wrong, either, TensorType];
`;

beforeAll(() => {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
  writeFileSync(join(folder, "program.ts"), program);
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

test.each([
  { against: "the sources", options: { paths: { sphex: [join(root, "src/index.ts")] } } },
  // Which are looked at themselves, too.
  { against: "the published types", options: { skipLibCheck: false } },
])("names of inputs, and formats, are types: against $against", patient, ({ options }) => {
  const config = {
    extends: join(root, "tsconfig.json"),
    compilerOptions: options,
    include: [],
    files: ["program.ts"],
  };
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(config));
  const compiler = join(root, "node_modules", "typescript", "bin", "tsc");
  const { stdout, status } = spawnSync(process.execPath, [compiler, "-p", folder], { encoding: "utf8" });
  expect(stdout).toBe("");
  expect(status).toBe(0);
});
