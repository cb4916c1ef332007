import { type Command, InvalidArgumentError, Option } from "commander";
import { compileExpression, type PictureKind, renderSvg, renderText } from "../../../index.js";
import { writeFile } from "../../files/files.js";
import { type CommonFlags, libraryOptions, runOptions, withOptions } from "../../options/options.js";
import { hostInputs, settingsOf } from "../../options/settings.js";
import { refuseFile } from "../../program/source-text.js";
import { exit, failed, isColoured, writeProblems } from "../../terminal/failure.js";
import { type Io, readAll, write, writeStyled } from "../../terminal/io.js";
import { showsProgress, withProgress } from "../../terminal/progress.js";

/** `sphex plot EXPR`: a picture of the value of one expression, in the terminal or as SVG. */
export function addPlot(program: Command, io: Io, finish: (code: number) => void): void {
  withOptions(program.command("plot"), ["set", "inputs", ...runOptions])
    .description("draw the value of one expression, a tensor of one or two dimensions")
    .argument("<expression>", "the expression, or - for stdin; write -- before one that begins with -")
    .addOption(
      new Option("--kind <kind>", "what to draw, instead of what suits the dimensions").choices(kinds),
    )
    .addOption(new Option("--width <number>", "columns of the text, or pixels of the SVG").argParser(width))
    .addOption(new Option("--svg <file>", "write SVG to a file, or to stdout for -"))
    .addHelpText("after", example)
    .action(async (expression: string, flags: PlotFlags) => {
      const text = expression === "-" ? (await readAll(io.stdin)).trim() : expression;
      finish(await plot(text, flags, io));
    });
}

interface PlotFlags extends CommonFlags {
  readonly kind?: PictureKind;
  readonly width?: number;
  readonly svg?: string;
}

const kinds: readonly PictureKind[] = ["heat", "bars", "line"];
const usualColumns = 80;

function width(text: string): number {
  const number = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  if (number < 20) throw new InvalidArgumentError("It must be a whole number from 20 on.");
  return number;
}

async function plot(text: string, flags: PlotFlags, io: Io): Promise<number> {
  refuseFile(text, io);
  try {
    const options = libraryOptions(flags);
    const { types, values } = hostInputs(text, "expression", await settingsOf(flags, io), options);
    const program = compileExpression(text, { ...options, inputs: types });
    await writeProblems(program.warnings, io);
    const picture = { title: text, kind: flags.kind };
    const tensor = showsProgress(io)
      ? await withProgress((progress) => program.runAsync(values, { progress }), io)
      : program.run(values);
    if (flags.svg === undefined) {
      const columns = flags.width ?? io.columns ?? usualColumns;
      const colour = isColoured(io, "stdout");
      await writeStyled(io.stdout, `${renderText(tensor, { ...picture, width: columns, colour })}\n`, colour);
      return exit.fine;
    }
    const svg = renderSvg(tensor, { ...picture, width: flags.width });
    if (flags.svg === "-") await write(io.stdout, svg);
    else writeFile(flags.svg, svg, io.cwd);
    return exit.fine;
  } catch (error) {
    return await failed(error, flags, io);
  }
}

const example = `
Two dimensions make a heat map, a mapped one or a short indexed one bars, a longer one a line.

Example:
  $ sphex plot 'tensor(x[3])(x * x)' --width 20
  tensor(x[3])(x * x)

  x
  0  0 │
  1  1 │███▌
  2  4 │██████████████
       0             4`;
