import { existsSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { Argument, type Command } from "commander";
import { visibleJson } from "../../../index.js";
import { exportApplication } from "../../../vespa.js";
import { writeFolder } from "../../files/files.js";
import { type CommonFlags, withOptions } from "../../options/options.js";
import { compileText, programText } from "../../program/source-text.js";
import { exit, failed, UsageError } from "../../terminal/failure.js";
import { type Io, write } from "../../terminal/io.js";

interface ExportFlags extends CommonFlags {
  readonly out: string;
}

/** `sphex export vespa FILE --out DIR`: a program as an application package. */
export function addExport(program: Command, io: Io, finish: (code: number) => void): void {
  withOptions(program.command("export"), ["reading", "json"])
    .description("write a program as an application package of Vespa, with a rank profile of its results")
    .addArgument(new Argument("<form>", "what it becomes").choices(["vespa"]))
    .argument("<file>", "the program")
    .requiredOption("--out <folder>", "a folder that does not exist yet")
    .addHelpText("after", example)
    .action(async (_: "vespa", file: string, flags: ExportFlags) => finish(await run(file, flags, io)));
}

async function run(file: string, flags: ExportFlags, io: Io): Promise<number> {
  const folder = resolve(io.cwd, flags.out);
  if (existsSync(folder)) throw new UsageError(`${flags.out} is there already`);
  const source = await programText(file, io, flags);
  try {
    const { program } = await compileText(source, { ...flags, dialect: "vespa" }, io);
    const files = exportApplication(program, { name: schemaName(file) });
    writeFolder(flags.out, files, io.cwd);
    const paths = [...files.keys()].map((path) => join(flags.out, path));
    await write(io.stdout, `${flags.json === true ? visibleJson({ files: paths }) : paths.join("\n")}\n`);
    return exit.fine;
  } catch (error) {
    return await failed(error, flags, io);
  }
}

/** The name of a file as that of a schema, of letters, digits and underscores. */
function schemaName(file: string): string {
  const words = basename(file, ".sphex")
    .split(notWord)
    .filter((word) => word !== "");
  const name = words.join("_");
  return name === "" || name.charCodeAt(0) < 0x3a ? `program${name === "" ? "" : "_"}${name}` : name;
}

const notWord = /[^A-Za-z0-9_]/;

const example = `
Inputs called query(NAME) are those of the profile, inputs called attribute(NAME) are fields of the documents.

Example:
  $ sphex export vespa rank.sphex --out app && sphex check app`;
