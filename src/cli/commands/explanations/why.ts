import { type Command, Option } from "commander";
import {
  type InputValues,
  offeredCells,
  type Program,
  parseAddress,
  type ResultSelection,
  showNotFinite,
  showWhy,
  type TextAddress,
} from "../../../index.js";
import { type CommonFlags, runOptions, withOptions } from "../../options/options.js";
import {
  displayOptions,
  type Inspection,
  inspect,
  type Runner,
  subjectDescription,
} from "../../program/inspect.js";
import { exit } from "../../terminal/failure.js";
import { type Io, write } from "../../terminal/io.js";

/** `sphex why EXPR --cell x:a`: which cells made a cell, and where NaN came from. */
export function addWhy(program: Command, io: Io, finish: (code: number) => void): void {
  withOptions(program.command("why"), ["set", "inputs", "reading", "json", ...runOptions])
    .description("print which cells, by which operations, made a cell of a result")
    .argument("<what>", subjectDescription)
    .addOption(new Option("--cell <address>", "a label for each dimension: x:0,k:'a label'"))
    .addOption(
      new Option(
        "--result <name>",
        "a named value, or the position of a result from 0; the last one unless given",
      ),
    )
    .addOption(
      new Option("--nan", "find the first NaN or infinity that was made of finite cells").conflicts("cell"),
    )
    .addHelpText("after", example)
    .action(async (what: string, flags: WhyFlags) => {
      let offers = "";
      const code = await inspect(what, flags, io, (program, values, runner) => {
        offers = flags.json === true ? "" : offersOf(program, values, flags);
        return inspection(program, values, flags, runner, displayOptions(io));
      });
      // What is wrong is that no cell was named: these can be.
      if (code !== exit.fine && offers !== "") await write(io.stderr, `hint: name a cell\n${offers}\n`);
      finish(code);
    });
}

/** The cells that `--cell` may name, where it names none and the result is not a single number. */
function offersOf(program: Program, values: InputValues, { cell, result, nan }: WhyFlags): string {
  if (cell !== undefined || nan === true) return "";
  const selected = resultSelection(result).result ?? program.results.length - 1;
  const type = typeof selected === "number" ? program.results[selected]?.type : program.values.get(selected);
  // Another run would draw the random numbers of the one that is explained.
  if (type === undefined || type.isScalar) return "";
  const all = program.runAll(values);
  const tensor = typeof selected === "number" ? all.results[selected] : all.value(selected);
  if (tensor === undefined) return "";
  return offeredCells(
    tensor,
    (address) => `--cell ${/^[\w:,.@-]+$/.test(address) ? address : inShell(address)}`,
  );
}

/** A text as one word of a shell. */
const inShell = (text: string): string =>
  /["$`\\!]/.test(text) ? `'${text.replaceAll("'", `'\\''`)}'` : `"${text}"`;

interface WhyFlags extends CommonFlags {
  readonly cell?: string;
  readonly result?: string;
  readonly nan?: boolean;
}

async function inspection(
  program: Program,
  values: InputValues,
  { cell, result, nan }: WhyFlags,
  runner: Runner,
  options: { readonly width?: number | undefined },
): Promise<Inspection> {
  const selection = resultSelection(result);
  if (nan === true) {
    const data = program.whyNotFinite(values, selection);
    return { data, text: () => showNotFinite(data, options) };
  }
  const address: TextAddress = cell === undefined ? {} : parseAddress(cell);
  const data = await runner(
    () => program.why(address, values, selection),
    (progress) => program.whyAsync(address, values, { ...selection, progress }),
  );
  return { data, text: () => showWhy(data, options) };
}

function resultSelection(result: string | undefined): ResultSelection {
  if (result === undefined) return {};
  return { result: /^\d+$/.test(result) ? Number(result) : result };
}

const example = `
A result without dimensions needs no --cell. Of many cells the ten largest are shown, with --json all.

Example:
  $ sphex why 'max(q * q, x)' --set 'q=tensor(x[2]):[3,4]'
  max(q * q, x)         16.0  reduce max over x
  ├ q * q        {x:0}   9.0  join multiply
  │ ├ q          {x:0}   3.0  input q
  │ └ q          {x:0}   3.0  input q
  └ q * q        {x:1}  16.0  join multiply
    ├ q          {x:1}   4.0  input q
    └ q          {x:1}   4.0  input q`;
