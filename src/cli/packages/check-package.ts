import { visibleJson } from "../../index.js";
import { checkPackage, readPackage } from "../../vespa.js";
import { annotation } from "../terminal/annotation.js";
import { exit, writeProblems } from "../terminal/failure.js";
import { type Io, write } from "../terminal/io.js";
import { packageAt } from "./package-files.js";

export interface CheckFlags {
  readonly json?: boolean;
  readonly github?: boolean;
}

/** All problems of an application package, as text, as JSON, or as annotations. */
export async function checkFolder(path: string, { json, github }: CheckFlags, io: Io): Promise<number> {
  const { files, options } = packageAt(path, io);
  const { problems, profiles } = checkPackage(readPackage(files, options));
  if (json === true) await write(io.stdout, `${visibleJson({ profiles: profiles.length, problems })}\n`);
  else if (github === true) await write(io.stdout, problems.map(annotation).join(""));
  else {
    await writeProblems(problems, io);
    const errors = problems.filter((each) => each.isError).length;
    const counts = [
      `${profiles.length} rank profile${profiles.length === 1 ? "" : "s"}`,
      `${errors} error${errors === 1 ? "" : "s"}`,
      `${problems.length - errors} warning${problems.length - errors === 1 ? "" : "s"}`,
    ];
    await write(io.stderr, `${problems.length > 0 ? "\n" : ""}${counts.join(", ")}\n`);
  }
  return problems.some((each) => each.isError) ? exit.problems : exit.fine;
}
