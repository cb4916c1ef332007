import { type Command, Option } from "commander";
import {
  isBytesFormat,
  type JsonForm,
  jsonForms,
  type ProgramLimits,
  readNpz,
  readTensor,
  type Tensor,
  type TensorFormat,
  tensorFormatOf,
  tensorFormats,
  writeNpz,
  writeTensor,
  writtenAxes,
} from "../../../index.js";
import { writeFile } from "../../files/files.js";
import { bytesAt } from "../../files/sources.js";
import { withOptions } from "../../options/options.js";
import { requireForm } from "../../options/output.js";
import { exit, failed, UsageError } from "../../terminal/failure.js";
import { type Io, write } from "../../terminal/io.js";

/** `sphex convert FROM TO`: a tensor from one format of files to another. */
export function addConvert(program: Command, io: Io, finish: (code: number) => void): void {
  withOptions(program.command("convert"), ["cells", "bytes"])
    .description("convert a tensor from one file format to another")
    .argument("<from>", "the file to read, or - for stdin")
    .argument("<to>", "the file to write, or - for stdout")
    .option("--type <type>", "the type of the tensor, where the file does not say it")
    .addOption(
      new Option("--from <format>", "the format to read, where the name does not say it").choices(formats),
    )
    .addOption(
      new Option("--to <format>", "the format to write, where the name does not say it").choices(formats),
    )
    .addOption(new Option("--form <name>", "how JSON is written; typed unless given").choices(jsonForms))
    .option("--array <name>", "the array of an .npz archive to read, where there are several")
    .option("--json", "write problems as JSON")
    .addHelpText("after", example)
    .action(async (from: string, to: string, flags: ConvertFlags) => {
      finish(await convert(from, to, flags, io));
    });
}

type Format = TensorFormat | "npz";
const formats: readonly Format[] = [...tensorFormats, "npz"];

interface ConvertFlags {
  readonly type?: string;
  readonly from?: Format;
  readonly to?: Format;
  readonly form?: JsonForm;
  readonly array?: string;
  readonly json?: boolean;
  readonly maxCells?: number;
  readonly maxBytes?: number;
}

async function convert(from: string, to: string, flags: ConvertFlags, io: Io): Promise<number> {
  const [source, target] = [flags.from ?? formatOf(from, "--from"), flags.to ?? formatOf(to, "--to")];
  if (to === "-" && io.isTTY.stdout === true && (target === "npz" || isBytesFormat(target)))
    throw new UsageError(`${target} is bytes, which a terminal does not show: name a file to write`);
  const { form, array } = flags;
  if (form !== undefined && target !== "json")
    throw new UsageError(`--form is how JSON is written, and ${target} is not JSON`);
  if (array !== undefined && source !== "npz")
    throw new UsageError(`--array is one of an .npz archive, and ${source} is none`);
  try {
    const tensor = await read(from, source, flags, io);
    if (form !== undefined) requireForm(form, tensor.type);
    const content = await contentOf(tensor, target, flags);
    if (to === "-") await write(io.stdout, content);
    else writeFile(to, content, io.cwd);
    return exit.fine;
  } catch (error) {
    return await failed(error, flags, io);
  }
}

function formatOf(path: string, option: string): Format {
  const format = path.toLowerCase().endsWith(".npz") ? "npz" : tensorFormatOf(path);
  if (format !== undefined) return format;
  const name = path === "-" ? "a stream" : path;
  throw new UsageError(
    `the format of ${name} is not clear: write ${option} with one of ${formats.join(", ")}`,
  );
}

async function read(
  path: string,
  format: Format,
  { type, array, maxCells, maxBytes }: ConvertFlags,
  io: Io,
): Promise<Tensor> {
  const bytes = await bytesAt(path, io, maxBytes);
  const limits: ProgramLimits = {
    ...(maxCells === undefined ? {} : { cells: maxCells }),
    ...(maxBytes === undefined ? {} : { bytes: maxBytes }),
  };
  const options = {
    name: path === "-" ? "stdin" : path,
    ...(type === undefined ? {} : { type }),
    limits,
  };
  if (format !== "npz") return readTensor(bytes, format, options);
  return await readNpz(bytes, { ...options, ...(array === undefined ? {} : { array }) });
}

/** Axes are written in the order in which the type has them. */
async function contentOf(
  tensor: Tensor,
  format: Format,
  { type, form }: ConvertFlags,
): Promise<string | Uint8Array> {
  const axes = type === undefined ? undefined : writtenAxes(type);
  if (format === "npz") return await writeNpz(tensor, axes);
  return writeTensor(tensor, format, {
    ...(axes === undefined ? {} : { axes }),
    ...(form === undefined ? {} : { form }),
  });
}

const example = `
Formats, with how their files' names end:
  literal  .txt .tensor  the language's own text: tensor(x[2]):[1.0, 2.0]
  json     .json         Vespa's JSON, in any of its forms
  csv      .csv          a header of the dimensions and value, a line for each cell
  binary   .tbf          Vespa's typed binary format
  npy      .npy          one array of NumPy, for a tensor with indexed dimensions only
  npz      .npz          arrays of NumPy by name: the labels of a mapped dimension, if the type has one

Examples:
  $ sphex convert weights.npy weights.json --type 'tensor<float>(token[512],dim[64])'
  $ echo 'tensor(k{}):{a:1, b:2}' | sphex convert - - --from literal --to csv
  k,value
  a,1.0
  b,2.0

An array has axes where a tensor has names: they are the dimensions of --type in the order written there, and
without a type d0, d1 and so on.`;
