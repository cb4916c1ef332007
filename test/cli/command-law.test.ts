import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { compile, numberText, parseTensor, SphexError, type Tensor, writeTensor } from "../../src/index.js";
import { cellTypes } from "../../src/language/types/cell.js";
import { seeds } from "../chance.js";
import { command, type Outcome } from "../command.js";
import { Choice } from "../hunt/choice.js";
import { type Program as HuntedProgram, programOf, sourceOf } from "../hunt/program.js";

/**
 * The programs of the hunt, through the command: however its inputs come and whatever options there are, results are those of
 * the library, text and JSON say the same, and what fails fails with a problem and the documented code.
 */

const { run, folder } = command();
const limits = { cells: 2_000_000, steps: 2_000_000 };
const limitOptions = ["--max-cells", `${limits.cells}`, "--max-steps", `${limits.steps}`] as const;

interface Subject {
  readonly text: string;
  readonly inputs: readonly { readonly name: string; readonly value: Tensor }[];
  readonly program: HuntedProgram;
  /** The results of the library, or the codes of its problems. */
  readonly results: readonly Tensor[] | string;
}

function subjectOf(seed: number): Subject | undefined {
  const program = programOf(seed);
  const lines = program.inputs.map(({ name, type }) => `input ${name}: ${type}`);
  const text = [...lines, sourceOf(program)].join("\n");
  if (program.hosts.length > 0 || program.definitions.some(({ role }) => role !== undefined))
    return undefined;
  const inputs = program.inputs.map(({ name, values }) => ({ name, value: values[0] }));
  const values = Object.fromEntries(inputs.map(({ name, value }) => [name, value]));
  try {
    const { results } = compile(text, { limits, dialect: program.dialect }).runAll(values);
    return { text, inputs, program, results };
  } catch (error) {
    if (!(error instanceof SphexError)) throw error;
    return { text, inputs, program, results: error.problems.map(({ code }) => code).join() };
  }
}

const file = (name: string, content: string | Uint8Array): string => {
  writeFileSync(join(folder, name), content);
  return name;
};

/** How the command is given the inputs. */
type Giving = (subject: Subject, choice: Choice) => readonly string[];

const inFiles =
  (end: string, written: (tensor: Tensor, choice: Choice) => string | Uint8Array): Giving =>
  ({ inputs }, choice) =>
    inputs.flatMap(({ name, value }) => [
      "--set",
      `${name}=@${file(`${name}.${end}`, written(value, choice))}`,
    ]);

/** Whether the binary format has these cells, and can say how many there are. */
const canBeBytes = ({ inputs }: Subject): boolean =>
  inputs.every(({ value: { type, data } }) => cellTypes[type.cellType].vespa && data.length > 0);

const givings: Readonly<Record<string, Giving>> = {
  literals: ({ inputs }) => inputs.flatMap(({ name, value }) => ["--set", `${name}=${value}`]),
  "a file of inputs": ({ inputs }) => [
    "--inputs",
    file(
      "inputs.json",
      JSON.stringify(Object.fromEntries(inputs.map(({ name, value }) => [name, `${value}`]))),
    ),
  ],
  "a file of JSON tensors": ({ inputs }) => [
    "--inputs",
    file(
      "inputs.json",
      `{${inputs.map(({ name, value }) => `${JSON.stringify(name)}: ${writeTensor(value, "json")}`)}}`,
    ),
  ],
  "texts in files": inFiles("txt", (value) => writeTensor(value, "literal")),
  "JSON in files": inFiles("json", (value, choice) =>
    writeTensor(value, "json", { form: choice.oneOf(["cells", "direct-cells", "typed", "typed-cells"]) }),
  ),
  bytes: (subject, choice) =>
    canBeBytes(subject)
      ? inFiles("tbf", (value) => writeTensor(value, "binary"))(subject, choice)
      : inFiles("txt", (value) => `${value}`)(subject, choice),
};

const options: readonly (readonly string[])[] = [
  [],
  ["--json"],
  ["--json", "--no-optimise"],
  ["--no-optimise"],
  ["--backend", "reference"],
  ["--backend", "closures", "--json"],
  ["--format", "literal"],
  ["--seed", "0"],
  ["--timeout", "100000"],
  ["--max-bytes", "1000000000"],
];

interface TensorJson {
  readonly type: string;
  readonly value: string;
  readonly cells: readonly (readonly [Readonly<Record<string, string>>, number | string])[];
}

/** What a run printed, tensor by tensor; of JSON, after seeing that its parts agree. */
function printed({ code, out, err }: Outcome, isJson: boolean): readonly string[] | string {
  const trace = /^ {4}at |internal error/m.exec(`${out}${err}`);
  if (trace !== null || ![0, 1].includes(code)) throw new Error(`exit ${code}: ${out}${err}`);
  if (code === 1) {
    if (!isJson) return Array.from(err.matchAll(/^error: .* (\S+)$/gm), ([, problem]) => problem).join();
    return JSON.parse(out)
      .problems.map((each: { code: string }) => each.code)
      .join();
  }
  if (!isJson) return out.split("\n").slice(0, -1);
  return JSON.parse(out).results.map(({ type, value, cells }: TensorJson) => {
    const tensor = parseTensor(value);
    expect(`${tensor.type}`).toBe(type);
    // JSON's numbers have no -0 where JSON.stringify writes them; the literal beside them has.
    const own = [...tensor.cells()].map(({ address, value: cell }) => [address, numberText(cell + 0)]);
    expect(cells.map(([address, cell]) => [address, numberText(Number(cell) + 0)])).toEqual(own);
    return tensor.type.isScalar ? numberText(tensor.asNumber()) : value;
  });
}

const asPrinted = (tensor: Tensor): string =>
  tensor.type.isScalar ? numberText(tensor.asNumber()) : `${tensor}`;

test("run says what the library computes", async () => {
  const counts = { values: 0, problems: 0 };
  for (const seed of seeds(60)) {
    const subject = subjectOf(seed);
    if (subject === undefined) continue;
    const choice = new Choice(seed);
    const [name, giving] = choice.oneOf(Object.entries(givings));
    const args = [
      ...["run", file("p.sphex", subject.text), "--dialect", subject.program.dialect, ...limitOptions],
      ...giving(subject, choice),
      ...choice.oneOf(options),
    ];
    const found = printed(await run(args), args.includes("--json"));
    const { results } = subject;
    const expected = typeof results === "string" ? results : results.map(asPrinted);
    expect(found, `the program of seed ${seed}, with ${name}: ${args.join(" ")}\n${subject.text}`).toEqual(
      expected,
    );
    counts[typeof expected === "string" ? "problems" : "values"]++;
  }
  expect(counts.values).toBeGreaterThan(30);
});

/** Words for a cell of a tensor, as `--cell` takes them. */
const cellText = (tensor: Tensor): string => {
  const [first] = tensor.cells();
  const labels = Object.entries(first?.address ?? {});
  return labels.map(([name, label]) => `${name}:'${`${label}`.replace(/['\\]/g, "\\$&")}'`).join();
};

type Asking = (subject: Subject) => readonly string[] | undefined;

const ofFirst = ({ results }: Subject): Tensor | undefined =>
  typeof results === "string" ? undefined : results[0];

/** What can be asked of a program besides its results; nothing where a question makes no sense. */
const questions: readonly Asking[] = [
  () => ["check", "p.sphex"],
  () => ["check", "p.sphex", "--json", "--portable"],
  () => ["fmt", "--check", "p.sphex"],
  () => ["explain", "p.sphex"],
  () => ["explain", "p.sphex", "--json"],
  () => ["explain", "p.sphex", "--plan"],
  () => ["explain", "p.sphex", "--plan", "--json", "--run"],
  () => ["explain", "p.sphex", "--plan", "--no-optimise"],
  () => ["expand", "p.sphex"],
  () => ["expand", "p.sphex", "--json"],
  () => ["why", "p.sphex", "--nan"],
  () => ["link", "p.sphex"],
  (subject) => {
    const first = ofFirst(subject);
    return first && ["why", "p.sphex", "--result", "0", "--cell", cellText(first), "--json"];
  },
  (subject) => {
    const first = ofFirst(subject);
    return first && ["why", "p.sphex", "--result", "0", "--cell", cellText(first)];
  },
  (subject) => {
    const first = ofFirst(subject);
    return first && ["plot", `${first}`];
  },
  (subject) => {
    const first = ofFirst(subject);
    return first && ["plot", `${first}`, "--svg", "-", "--width", "300"];
  },
];

test("whatever is asked is answered, or is a problem", async () => {
  for (const seed of seeds(60)) {
    const subject = subjectOf(seed);
    if (subject === undefined) continue;
    const choice = new Choice(seed);
    file("p.sphex", subject.text);
    const question = choice.oneOf(questions)(subject);
    if (question === undefined) continue;
    const [name = ""] = question;
    const takesInputs = !["fmt", "plot"].includes(name);
    const giving = takesInputs ? choice.oneOf(Object.values(givings))(subject, choice) : [];
    const takesLimits = ["explain", "why", "plot"].includes(name);
    const takesDialect = takesInputs && name !== "link";
    const args = [
      ...question,
      ...giving,
      ...(takesLimits ? limitOptions : []),
      ...(takesDialect ? ["--dialect", subject.program.dialect] : []),
    ];
    const { code, out, err } = await run(args);
    const asked = `the program of seed ${seed}: ${args.join(" ")}\n${subject.text}\n${out}${err}`;
    // Not every value can be written in a link: that is told as what a command cannot do.
    if (name === "link" && code === 2) expect(err, asked).toMatch(/the playground takes no other/);
    else expect([0, 1], asked).toContain(code);
    expect(/^ {4}at |internal error/m.test(`${out}${err}`), asked).toBe(false);
    if (args.includes("--json")) expect(typeof JSON.parse(out), asked).toBe("object");
    else if (code === 1) expect(/^error: /m.test(err) || name === "fmt", asked).toBe(true);
  }
});

describe("tensors in files of JSON", () => {
  const type = "tensor(k{},x[2])";
  const typed = '{"type":"tensor(k{},x[2])","blocks":{"a":[1,2]}}';

  // biome-ignore format: a table
  test.each([
    { name: "with their type",       text: typed },
    { name: "cells",                 text: '{"cells":[{"address":{"k":"a","x":"0"},"value":1},{"address":{"k":"a","x":"1"},"value":2}]}' },
    { name: "cells without a name",  text: '[{"address":{"k":"a","x":"0"},"value":1},{"address":{"k":"a","x":"1"},"value":2}]' },
    { name: "blocks",                text: '{"blocks":{"a":[1,2]}}' },
    { name: "nested arrays",         text: '{"a":[1,2]}' },
    { name: "digits",                text: '{"a":"3FF00000000000004000000000000000"}' },
    { name: "a literal",             text: '"tensor(k{},x[2]):{a:[1,2]}"' },
  ])("$name", async ({ text }) => {
    const program = file("p.sphex", `input q: ${type}\nq`);
    const out = "tensor(k{},x[2]):{a:[1.0, 2.0]}\n";
    file("q.json", text);
    expect(await run(["run", program, "--set", "q=@q.json"])).toEqual({ code: 0, out, err: "" });
    file("all.json", `{"q": ${text}}`);
    expect(await run(["run", program, "--inputs", "all.json"])).toEqual({ code: 0, out, err: "" });
  });

  test("need no declaration where they say their type", async () => {
    file("q.json", typed);
    expect(await run(["eval", "sum(q)", "--set", "q=@q.json"])).toMatchObject({ code: 0, out: "3.0\n" });
  });

  test("null is NaN, as Vespa has it", async () => {
    file("q.json", "[1, null]");
    const program = file("p.sphex", "input q: tensor(x[2])\nq");
    expect(await run(["run", program, "--set", "q=@q.json"])).toMatchObject({
      out: "tensor(x[2]):[1.0, NaN]\n",
    });
  });

  test("have each label once, and each input", async () => {
    const program = file("p.sphex", "input q: tensor(k{})\nq");
    file("q.json", '{"a": 1, "a": 2}');
    const { code, err } = await run(["run", program, "--set", "q=@q.json"]);
    expect([code, err]).toEqual([1, expect.stringContaining("the cell {k:a} is given twice")]);
    file("all.json", '{"q": {"a": 1}, "q": {"a": 2}}');
    expect(await run(["run", program, "--inputs", "all.json"])).toMatchObject({
      code: 2,
      err: "sphex: all.json: q is there twice\n",
    });
  });
});

describe("check", () => {
  const program = "input q: tensor(x[2])\nsum(q)";
  // biome-ignore format: a table
  test.each([
    { values: ["--set", "q=[1,2]"],            code: undefined },
    { values: ["--set", "q=[1,2,3]"],          code: "literal/count" },
    { values: ["--set", "q=tensor(k{}):{a:1}"], code: "input/type" },
    { values: ["--set", "other=1"],            code: "input/unknown" },
  ])("says of $values what run says", async ({ values, code }) => {
    file("p.sphex", program);
    for (const name of ["check", "run"]) {
      const { code: exit, out } = await run([name, "p.sphex", ...values, "--json"]);
      const { problems = [] } = JSON.parse(out);
      expect([name, exit, problems.map((each: { code: string }) => each.code)]).toEqual(
        [name, code === undefined ? 0 : 1, code === undefined ? [] : [code]],
      );
    }
  });
});

describe("a link", () => {
  // biome-ignore format: a table
  test.each([
    { type: "tensor(x[2])",           value: "tensor(x[2]):[Infinity,NaN]",      expected: "tensor(x[2]):[Infinity, NaN]" },
    { type: "tensor(k{})",            value: "tensor(k{}):{a:-Infinity,b:0.1}",  expected: "tensor(k{}):{a:-Infinity, b:0.1}" },
    { type: "tensor<float>(k{},x[])", value: "tensor<float>(k{},x[]):{a:[1,2]}", expected: "tensor<float>(k{},x[2]):{a:[1.0, 2.0]}" },
    { type: "tensor()",               value: "NaN",                              expected: "NaN" },
    { type: "tensor(y[2],x[2])",      value: "[[1,2],[3,4]]",                    expected: "tensor(x[2],y[2]):[[1.0, 3.0], [2.0, 4.0]]" },
  ])("holds $value", async ({ type, value, expected }) => {
    const program = file("p.sphex", `input q: ${type}\nq`);
    const { code, out, err } = await run(["link", program, "--set", `q=${value}`]);
    expect([code, err]).toEqual([0, ""]);
    const opened = await run(["open", out.trim(), "--run"]);
    expect([opened.code, opened.err]).toEqual([0, ""]);
    expect(opened.out.split("\n").map((line) => line.trim())).toContain(expected);
  });

  test("is refused where nothing says a size", async () => {
    const program = file("p.sphex", "input q: tensor(k{},x[])\nq");
    expect(await run(["link", program, "--set", "q=tensor(k{},x[]):{}"])).toMatchObject({
      code: 2,
      err: expect.stringContaining("q has no cell that says how large tensor(k{},x[]) is"),
    });
  });

  test("holds tensors of JSON files", async () => {
    file("q.json", '{"type":"tensor(x[2])","values":[1,2]}');
    const { out } = await run(["link", file("p.sphex", "sum(q)"), "--set", "q=@q.json"]);
    expect((await run(["open", out.trim(), "--run"])).out).toContain("3.0");
  });
});
