import type { Problem } from "../../index.js";
import { visibleJson } from "../../index.js";
import { checkPackage, readPackage } from "../../vespa.js";
import { exit, writeProblems } from "../terminal/failure.js";
import { type Io, write } from "../terminal/io.js";
import { packageAt } from "./package-files.js";

export interface CheckFlags {
  readonly json?: boolean;
  readonly github?: boolean;
}

/** All problems of an application package, as text, as JSON, or as annotations of a pull request. */
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

/** A line that GitHub shows beside the line of the file: https://docs.github.com/actions calls it a workflow command. */
function annotation(problem: Problem): string {
  const { line, column } = problem.position;
  const { message, hint } = problem.description;
  const escaped = (text: string): string =>
    text.replace(/[%\r\n]/g, (each) => `%${each.charCodeAt(0).toString(16).toUpperCase().padStart(2, "0")}`);
  const property = (text: string): string => escaped(text).replaceAll(":", "%3A").replaceAll(",", "%2C");
  const location = `file=${property(problem.span.source.name)},line=${line},col=${column},title=${property(problem.code)}`;
  const text = hint === undefined ? message : `${message}; ${hint}`;
  return `::${problem.isError ? "error" : "warning"} ${location}::${escaped(text)}\n`;
}
