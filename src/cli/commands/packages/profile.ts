import type { Command } from "commander";
import { nearest, visibleJson } from "../../../index.js";
import { checkPackage, describeProfile, readPackage, showProfile } from "../../../vespa.js";
import { packageAt } from "../../packages/package-files.js";
import { exit, UsageError, writeProblems } from "../../terminal/failure.js";
import { type Io, write } from "../../terminal/io.js";

interface ProfileFlags {
  readonly profile?: string;
  readonly schema?: string;
  readonly json?: boolean;
}

/** `sphex profile DIR`: the contents of the rank profiles of an application package, with types. */
export function addProfile(program: Command, io: Io, finish: (code: number) => void): void {
  program
    .command("profile")
    .description("print the rank profiles of a Vespa application package, with the types of all they compute")
    .argument("<package>", "the folder of the package, or a schema (.sd)")
    .option("--profile <name>", "only this rank profile")
    .option("--schema <name>", "only the rank profiles of this schema")
    .option("--json", "write JSON")
    .addHelpText("after", example)
    .action(async (path: string, flags: ProfileFlags) => finish(await list(path, flags, io)));
}

async function list(path: string, { profile, schema, json }: ProfileFlags, io: Io): Promise<number> {
  const { files, options, only } = packageAt(path, io);
  const read = readPackage(files, options);
  const { profiles, problems } = checkPackage(read);
  const file = only === undefined ? undefined : (options.root ?? "") + only;
  if (schema !== undefined && !read.schemas.has(schema)) throw unknown("schema", schema, read.schemas.keys());
  const ofSchema = profiles
    .filter(({ profile: { schema: own } }) => schema === undefined || own.name.text === schema)
    .filter(({ profile: { schema: own } }) => file === undefined || own.source.name === file)
    .map(describeProfile);
  const selected = ofSchema.filter((each) => profile === undefined || each.profile === profile);
  if (selected.length === 0 && profile !== undefined) {
    const names = ofSchema.map((each) => each.profile);
    throw unknown("rank profile", profile, names);
  }
  const isWrong = problems.some((each) => each.isError);
  if (json === true) await write(io.stdout, `${visibleJson({ profiles: selected, problems })}\n`);
  else {
    await write(io.stdout, selected.map((each) => `${showProfile(each)}\n`).join("\n"));
    await writeProblems(
      problems.filter((each) => each.isError),
      io,
    );
  }
  return isWrong ? exit.problems : exit.fine;
}

function unknown(kind: string, name: string, names: Iterable<string>): UsageError {
  const suggestion = nearest(name, names);
  return new UsageError(
    `there is no ${kind} ${name}${suggestion === undefined ? "" : `: did you mean ${suggestion}?`}`,
  );
}

const example = `
Example:
  $ sphex profile my-application --profile hybrid

The exit code is 1 if the package has an error; sphex check prints the warnings too.`;
