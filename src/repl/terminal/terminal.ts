import { escapeForeign, escapeHidden, type FileWriter } from "../../index.js";
import type { SessionHost } from "../host.js";
import { type Reply, Session } from "../session.js";
import { InteractiveRepl } from "./interactive.js";
import { editText, type NodeReplOptions } from "./machine.js";

/**
 * Until the end of the input. Gives 1 if a script had a problem, otherwise 0.
 * @throws SphexError where a setting has no value that can be read.
 */
export async function runRepl(replOptions: NodeReplOptions): Promise<number> {
  const {
    options,
    problemOptions,
    tensorOptions = () => ({}),
    readFile,
    files,
    env = {},
    isTTY,
    input,
    output,
  } = replOptions;
  const edit = (text: string, files: FileWriter): string => {
    const revised = editText(text, input, env, files);
    output.write(revised === "" ? "" : `${escapeHidden(revised)}\n`);
    return revised;
  };
  const host: SessionHost = {
    ...(readFile === undefined ? {} : { readFile }),
    ...(isTTY ? { rows: () => rowsOf(output) } : {}),
    ...(files === undefined ? {} : { writeFile: files.replace }),
    ...(files === undefined || !isTTY ? {} : { edit: (text) => edit(text, files) }),
  };
  // What reads a script's values is a program, wherever they go.
  const session = new Session(options, problemOptions, isTTY ? tensorOptions : () => ({}), host);
  for (const [name, value] of Object.entries(replOptions.settings)) session.set(name, value);
  return isTTY ? await new InteractiveRepl(session, replOptions).end() : await script(session, replOptions);
}

async function script(session: Session, replOptions: NodeReplOptions): Promise<number> {
  const { createInterface } = await import("node:readline");
  const { input, output, errors, withProgress } = replOptions;
  session.readScript();
  let code = 0;
  const take = ({ kind, text }: Reply): boolean => {
    if (kind === "problem") code = 1;
    const stream = kind === "problem" ? errors : output;
    const visible = kind === "problem" ? escapeForeign : escapeHidden;
    if (text !== "") stream.write(`${isTerminal(stream) ? visible(text) : text}\n`);
    return kind !== "exit";
  };
  for await (const line of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })) {
    const reply =
      withProgress === undefined
        ? session.enter(line)
        : await withProgress(async (progress) => await session.enterAsync(line, { progress }));
    if (!take(reply)) break;
  }
  take(session.finish());
  for (const each of session.portability.count) errors.write(`${each}\n`);
  return code;
}

const rowsOf = (stream: object): number | undefined =>
  "rows" in stream && typeof stream.rows === "number" ? stream.rows : undefined;

const isTerminal = (stream: object): boolean => "isTTY" in stream && stream.isTTY === true;
