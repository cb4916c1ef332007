import { basename, dirname, resolve } from "node:path";
import type { Command } from "commander";
import { escapeHidden, writeNpzOf } from "../../../index.js";
import { type OnnxModel, type OnnxPort, readOnnx } from "../../../models.js";
import { confined } from "../../files/confined-files.js";
import { writeFolder } from "../../files/files.js";
import { bytesAt } from "../../files/sources.js";
import { exit, failed, UsageError } from "../../terminal/failure.js";
import { type Io, write } from "../../terminal/io.js";

/** `sphex import MODEL`: a model of ONNX as a program, with its weights beside it; or what there is to know of it. */
export function addImport(program: Command, io: Io, finish: (code: number) => void): void {
  program
    .command("import")
    .description("write a model of ONNX as a program of the language")
    .argument("<model>", "the file of the model, such as ranker.onnx, or - for stdin")
    .option(
      "--out <folder>",
      "the folder to write the program and its weights to; without it, the program is printed",
    )
    .option("--size <name=number...>", "a size that the model has a name for, such as batch=1", [])
    .option(
      "--set <name=numbers...>",
      "numbers of an input that are constant, such as rate=16000 or shape=[1,2]",
      [],
    )
    .option("--summary", "print inputs, outputs, operators and how many parameters there are")
    .option("--json", "write the summary, or problems, as JSON")
    .addHelpText("after", example)
    .action(async (model: string, flags: ImportFlags) => finish(await importModel(model, flags, io)));
}

interface ImportFlags {
  readonly out?: string;
  readonly size: readonly string[];
  readonly set: readonly string[];
  readonly summary?: boolean;
  readonly json?: boolean;
}

async function importModel(path: string, flags: ImportFlags, io: Io): Promise<number> {
  try {
    const model = await read(path, io);
    if (flags.summary === true) {
      await write(
        io.stdout,
        flags.json === true
          ? `${escapeHidden(JSON.stringify(summaryOf(model), undefined, 2))}\n`
          : summaryText(model),
      );
      return exit.fine;
    }
    const options = { sizes: sizesIn(flags.size, namedSizes(model)), values: valuesIn(flags.set) };
    if (flags.out === undefined) {
      await write(io.stdout, model.program(options).text);
      return exit.fine;
    }
    const name = path === "-" ? "model" : basename(path).replace(/\.onnx$/, "");
    const { text, constants } = model.program({ ...options, weights: `${name}.npz` });
    const archive = await writeNpzOf(Object.fromEntries(constants), { isStored: true });
    const files = [
      [`${name}.npz`, archive],
      [`${name}.sphex`, text],
    ] as const;
    writeFolder(flags.out, files, io.cwd);
    await write(io.stdout, `${flags.out}/${name}.sphex\n`);
    return exit.fine;
  } catch (error) {
    return await failed(error, flags, io);
  }
}

async function read(path: string, io: Io): Promise<OnnxModel> {
  const folder = dirname(resolve(io.cwd, path));
  const beside = confined({
    folder,
    folders: [folder],
    outside: "it lies outside of the folder of the model",
  });
  const name = path === "-" ? "stdin" : path;
  return readOnnx({ name, bytes: await bytesAt(path, io), readExternal: beside.readBytes });
}

/** The sizes of inputs that are no numbers. */
const namedSizes = ({ inputs }: OnnxModel): readonly string[] => [
  ...new Set(inputs.flatMap(({ shape }) => shape.filter((size) => typeof size === "string"))),
];

/** `batch=1`, each of a size that there is. */
function sizesIn(list: readonly string[], names: readonly string[]): Record<string, number> {
  return Object.fromEntries(
    list.map((each) => {
      const [name = "", size = ""] = each.split("=");
      if (name === "" || !/^[1-9]\d{0,8}$/.test(size))
        throw new UsageError(`--size takes a name and a whole number, such as batch=1, and not ${each}`);
      if (!names.includes(name)) throw new UsageError(`--size ${each}: ${noSizeText(name, names)}`);
      return [name, Number(size)];
    }),
  );
}

/** `rate=16000` or `shape=[1,2]`: the numbers of each, row by row. */
function valuesIn(list: readonly string[]): Record<string, readonly number[]> {
  return Object.fromEntries(
    list.map((each) => {
      const end = each.indexOf("=");
      const numbers = end < 1 ? undefined : numbersIn(each.slice(end + 1));
      if (numbers !== undefined) return [each.slice(0, end), numbers];
      throw new UsageError(
        `--set takes a name and numbers, such as rate=16000 or shape=[1,2], and not ${each}`,
      );
    }),
  );
}

/** A number in JSON, or an array of numbers, however deep. */
function numbersIn(text: string): readonly number[] | undefined {
  try {
    const numbers: readonly unknown[] = [JSON.parse(text)].flat(mostAxes);
    return numbers.every((each) => typeof each === "number") ? numbers : undefined;
  } catch {
    return undefined; // no JSON
  }
}

/** More than a tensor of a model has. */
const mostAxes = 16;

const noSizeText = (name: string, names: readonly string[]): string =>
  names.length === 0
    ? "all sizes of the model are numbers"
    : `the model has no size ${name}, but ${names.join(", ")}`;

function summaryOf(model: OnnxModel): object {
  const { producer, opsets, operators, parameters } = model.summary;
  return {
    producer,
    opsets: Object.fromEntries(opsets),
    inputs: model.inputs,
    outputs: model.outputs,
    operators: Object.fromEntries(operators),
    parameters,
  };
}

const portText = ({ name, element, shape }: OnnxPort): string => `${name}: ${element}[${shape.join(", ")}]`;

function summaryText(model: OnnxModel): string {
  const { producer, opsets, operators, parameters } = model.summary;
  const lines = [
    `producer    ${producer === "" ? "not said" : producer}`,
    `opsets      ${[...opsets].map(([domain, version]) => `${domain} ${version}`).join(", ")}`,
    ...model.inputs.map((port) => `input       ${portText(port)}`),
    ...model.outputs.map((port) => `output      ${portText(port)}`),
    `parameters  ${parameters}`,
    `operators   ${[...operators].map(([name, count]) => `${name} ${count}`).join(", ")}`,
  ];
  return `${lines.join("\n")}\n`;
}

const example = `
Weights become one archive of NumPy beside the program, which declares them as constants. A size without a
number is named by the model, or by its input and place, such as pixels.d0. Where an input decides which part of a
model runs, or a shape, --set says its numbers, and the program has no such input.

Examples:
  $ sphex import ranker.onnx --summary
  $ sphex import ranker.onnx --out ranker --size batch=1
  $ sphex import voice.onnx --out voice --set rate=16000
  $ sphex run ranker/ranker.sphex`;
