import type { Command } from "commander";
import { check, compile, type InputValue, numberText, parseTensor, Tensor } from "../../../index.js";
import {
  type Cell,
  type InputTexts,
  linkTo,
  notebookCells,
  readSetup,
} from "../../../vespa/compat/compat.js";
import { type CommonFlags, collect, withOptions } from "../../options/options.js";
import { declaredTypes, settingsOf } from "../../options/settings.js";
import { programText } from "../../program/source-text.js";
import { exit, failed, UsageError, writeProblems } from "../../terminal/failure.js";
import { type Io, write } from "../../terminal/io.js";

type LinkFlags = Pick<CommonFlags, "set" | "inputs"> & { readonly expression?: readonly string[] };

interface Text {
  readonly name: string;
  readonly text: string;
}

/** `sphex link FILE`: a link to a program in the playground of Vespa's documentation. */
export function addLink(program: Command, io: Io, finish: (code: number) => void): void {
  withOptions(program.command("link"), ["set", "inputs"])
    .description("print a link to the program in the playground of Vespa's documentation")
    .argument("[file]", "the program, or the JSON of a playground program, or - for stdin")
    .option("-e, --expression <text>", "a statement, for a cell of its own; may be repeated", collect)
    .addHelpText("after", example)
    .action(async (file: string | undefined, flags: LinkFlags) => {
      const { expression = [] } = flags;
      if (file === undefined && expression.length === 0)
        throw new UsageError("missing required argument 'file'");
      const texts = expression.map((text): Text => ({ name: "expression", text }));
      if (file !== undefined) texts.unshift(await programText(file, io));
      finish(await link(texts, flags, io));
    });
}

async function link(texts: readonly Text[], flags: LinkFlags, io: Io): Promise<number> {
  try {
    const [first] = texts;
    const program =
      first === undefined || isSetup(first) ? undefined : { kind: "program" as const, text: first.text };
    const settings = await settingsOf(flags, io, program);
    const typeOf = declaredTypes(program);
    const values = new Map(
      Object.entries(settings).map(([name, value]) => [name, literal(name, value, typeOf(name))] as const),
    );
    const cells = texts.flatMap((text, at) => cellsOf(text, at === 0 ? values : new Map()));
    const link = await linkTo(cells);
    for (const each of texts) if (!isSetup(each)) await writeWarnings(each, io);
    await write(io.stdout, `${link}\n`);
    return exit.fine;
  } catch (error) {
    return await failed(error, {}, io);
  }
}

/** A value as an expression; a text without a type is one of the declared type. */
function literal(name: string, value: InputValue, declared: string | undefined): string {
  const isText = typeof value === "string" || typeof value === "number";
  if (!isText && !(value instanceof Tensor)) {
    throw new UsageError(`the value of ${name} must be a literal or a number: the playground takes no other`);
  }
  const tensor = isText ? parseTensor(`${value}`, declared) : value;
  const { type, data } = tensor;
  if (!type.isBound && data.length === 0)
    throw new UsageError(`${name} has no cell that says how large ${type} is: the playground takes no other`);
  const isLiteral = type.isBound && [...tensor.cells()].every((cell) => Number.isFinite(cell.value));
  if (!isLiteral) return coreText(tensor);
  return type.isScalar ? numberText(tensor.asNumber()) : `${tensor}`;
}

/** A tensor in core functions: with its sizes, and with divisions for what is no finite number. */
const coreText = (tensor: Tensor): string =>
  compile(`constant t: ${tensor.type} = file("t")\nt`, { readFile: () => `${tensor}` }).primitive();

const isSetup = ({ text }: Text): boolean => /^\s*\{\s*"/.test(text);

function cellsOf(text: Text, values: InputTexts): readonly Cell[] {
  return isSetup(text) ? readSetup(text) : notebookCells(text, values);
}

/** Says what the playground may not take, or reads otherwise. */
async function writeWarnings({ name, text }: Text, io: Io): Promise<void> {
  const warnings = check(text, { name }).filter(({ isError }) => !isError);
  await writeProblems(warnings, io);
}

const example = `
A named value becomes a cell with its name, an input with a value (its own, or that of --set) one called as it is,
lines of comment a remark. Functions, and inputs without a value, have no place there.

Example:
  $ sphex link -e 'input query(q) = 3' -e 'query(q) + 1'`;
