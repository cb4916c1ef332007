import type { Command } from "commander";
import {
  escapeHidden,
  type Problem,
  SphexError,
  showTensor,
  type Tensor,
  visibleJson,
} from "../../../index.js";
import {
  type Cell,
  type Formula,
  notebookText,
  programIn,
  setupText,
  Variables,
} from "../../../vespa/compat/compat.js";
import { type CommonFlags, libraryOptions, withOptions } from "../../options/options.js";
import { tensorJson, tensorOptions } from "../../options/output.js";
import { exit, failed, writeProblems } from "../../terminal/failure.js";
import { type Io, readAll, write, writeStyled } from "../../terminal/io.js";
import { withProgress } from "../../terminal/progress.js";

interface OpenFlags extends CommonFlags {
  readonly run?: boolean;
}

/** `sphex open LINK`: the program in a link to the playground of Vespa's documentation, or its values. */
export function addOpen(program: Command, io: Io, finish: (code: number) => void): void {
  withOptions(program.command("open"), ["json", "format", "seed", "cells", "steps", "timeout"])
    .description("print the program in a link to the playground of Vespa's documentation")
    .argument("<link>", "the link, what follows its #, or - for stdin")
    .option(
      "--run",
      "evaluate its cells from the top to the bottom, as the playground does, in dialect vespa",
    )
    .addHelpText("after", example)
    .action(async (link: string, flags: OpenFlags) => finish(await openLink(link, flags, io)));
}

async function openLink(link: string, flags: OpenFlags, io: Io): Promise<number> {
  try {
    const cells = await programIn(link === "-" ? await readAll(io.stdin) : link);
    if (flags.run === true) return await evaluateCells(cells, flags, io);
    await write(io.stdout, flags.json === true ? `${setupText(cells, 2)}\n` : notebookText(cells));
    return exit.fine;
  } catch (error) {
    return await failed(error, flags, io);
  }
}

/** A cell that fails leaves the others as they are. */
async function evaluateCells(cells: readonly Cell[], flags: OpenFlags, io: Io): Promise<number> {
  const variables = new Variables(() => libraryOptions({ ...flags, dialect: "vespa" }));
  const writeOutcome = flags.json === true ? writeJson : writeText;
  let code: number = exit.fine;
  for (const [at, cell] of cells.entries()) {
    if (cell.kind === "remark") continue;
    const title = cell.name === "" ? `cell ${at + 1}` : cell.name;
    try {
      const tensor = await withProgress(variables.evaluate(cell.expression, { name: title }), io);
      if (cell.name !== "") variables.set(cell.name, tensor);
      await writeOutcome({ at, cell, title, tensor }, flags, io);
    } catch (error) {
      if (!(error instanceof SphexError)) throw error;
      code = exit.problems;
      await writeOutcome({ at, cell, title, problems: error.problems }, flags, io);
    }
  }
  return code;
}

interface Outcome {
  /** The position of the cell, from 0. */
  readonly at: number;
  readonly cell: Formula;
  readonly title: string;
  readonly tensor?: Tensor;
  readonly problems?: readonly Problem[];
}

/** A line of JSON for each cell. */
async function writeJson({ at, cell, tensor, problems }: Outcome, _: OpenFlags, io: Io): Promise<void> {
  const { name, expression } = cell;
  const outcome = tensor === undefined ? { problems } : tensorJson(tensor);
  await write(io.stdout, `${visibleJson({ cell: at, name, expression, ...outcome })}\n`);
}

async function writeText({ title, tensor, problems = [] }: Outcome, flags: OpenFlags, io: Io): Promise<void> {
  if (tensor === undefined) return await writeProblems(problems, io);
  const options = tensorOptions(flags, io);
  const value = showTensor(tensor, options).replace(/^(?=.)/gm, "  ");
  await writeStyled(io.stdout, `${escapeHidden(title)}: ${tensor.type}\n${value}\n`, options.colour);
}

const example = `
Without --run the program is written as Sphex has it, which link reads; --json writes the JSON of the playground.

Example:
  $ sphex open --run N4KABGBEBmkFxgNrgmUrWQPYAd5QFNIAaFDSPBdDTAO30gEcBXAgJwE8AKRgShLI1IRBJAAuBWgGcsbLgA9EAJgC6vOIgCMxVZEEQAvoIOkM1crgZFTQymn10GAmphFQpzALY9WnHr34HIwxgsBUQAyA
  query(q): tensor(x[2])
    tensor(x[2]):[1.0, 2.0]
  cell 2: tensor()
    3.0`;
