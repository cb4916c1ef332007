import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeAll, expect, test } from "vitest";
import { temporaryFolder } from "../folder.js";
import { patient } from "../patience.js";

/**
 * The command as it is started: one bundle, and beside it the code that V8 made of it when it was built. Whatever lies
 * beside it, the bundle does the same.
 */
const root = fileURLToPath(new URL("../..", import.meta.url));
/** A copy, in which things may go wrong. It lies where the packages that the bundle needs are found. */
const copy = temporaryFolder(join(root, "node_modules"));
const bundle = join(copy, "dist", "command.cjs");
const code = `${bundle}.${process.version}-${process.arch}`;

beforeAll(() => {
  mkdirSync(join(copy, "dist"), { recursive: true });
  for (const name of ["bin", "dist/command.cjs"])
    cpSync(join(root, name), join(copy, name), { recursive: true });
  writeFileSync(join(copy, "package.json"), '{ "type": "module" }');
});

function node(file: string, ...args: readonly string[]): { code: number | null; out: string; err: string } {
  const ended = spawnSync(process.execPath, [join(copy, file), ...args], { encoding: "utf8" });
  return { code: ended.status, out: ended.stdout, err: ended.stderr };
}

const sphex = (...args: readonly string[]) => node("bin/sphex.js", ...args);
const keepCode = () => expect(node("bin/code-cache.js")).toEqual({ code: 0, out: "", err: "" });

test.each([
  { says: "without code beside it", before: () => rmSync(code, { force: true }) },
  { says: "with the code that is kept when it is built", before: keepCode },
  {
    says: "with a file beside it that is no code",
    before: () => writeFileSync(code, "no code ".repeat(1000)),
  },
])("the command works $says", patient, ({ before }) => {
  before();
  expect(sphex("eval", "sum(tensor(x[3]):[1,2,3])")).toEqual({ code: 0, out: "6.0\n", err: "" });
  expect(sphex("eval", "softmax(tensor(x[2]):[0,0], x)").out).toBe("tensor(x[2]):[0.5, 0.5]\n");
  expect(sphex("evl")).toEqual({ code: 2, out: "", err: expect.stringContaining("Did you mean eval?") });
});

test("code that is older than the bundle is of another bundle, and is not used", patient, () => {
  keepCode();
  const text = readFileSync(bundle, "utf8");
  // As long as before: V8 would not see that it is another.
  writeFileSync(bundle, text.replace("with named dimensions, checked", "WITH NAMED DIMENSIONS, checked"));
  utimesSync(code, new Date(0), new Date(0));
  expect(sphex("--help").out).toContain("WITH NAMED DIMENSIONS");
});

test("the bundle of the library calls its classes by their names, and so do messages", patient, () => {
  const script = `
    import { inspect } from "node:util";
    import { compile, evaluate, parseType } from "sphex";
    const caught = (act) => { try { act(); } catch (error) { return error; } };
    const error = caught(() => evaluate("1 +"));
    const program = compile("input a: tensor()\\nvariable v = 1\\na");
    const values = [error, error.problems[0], evaluate("1"), parseType("tensor()"), program, program.prepare(), program.session()];
    console.log(values.map((each) => each.constructor.name).join());
    console.log(inspect(error).split(":")[0]);
    for (const a of [parseType("tensor()"), program]) console.log(caught(() => program.run({ a })).problems[0].description.found);
  `;
  const args = ["--input-type=module", "--eval", script];
  const { stdout, stderr } = spawnSync(process.execPath, args, { cwd: root, encoding: "utf8" });
  expect({ lines: stdout.split("\n"), stderr }).toEqual({
    lines: [
      "SphexError,Problem,Tensor,TensorType,Program,Prepared,Session",
      "SphexError",
      "an object of the class TensorType",
      "an object of the class Program",
      "",
    ],
    stderr: "",
  });
});
