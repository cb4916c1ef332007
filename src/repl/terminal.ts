import type { Readable, Writable } from "node:stream";
import type { InputValues, Options, ShowOptions } from "../index.js";
import { type Reply, Session } from "./session.js";

/** A session at a terminal, with prompts; or fed from a file or a pipe, without. */
export interface Conversation {
  /** Fresh options for each line. */
  readonly options: () => Options;
  readonly manner: ShowOptions;
  /** Inputs that have a value from the start. */
  readonly settings: InputValues;
  readonly input: Readable;
  readonly output: Writable;
  readonly errors: Writable;
  /** Whether somebody types the input. */
  readonly isTTY: boolean;
}

/**
 * Until the end of the input. Gives 1 if a script had a problem, otherwise 0.
 * @throws SphexError where a setting has no value that can be read.
 */
export async function converse(conversation: Conversation): Promise<number> {
  const session = new Session(conversation.options, conversation.manner);
  for (const [name, value] of Object.entries(conversation.settings)) session.set(name, value);
  return conversation.isTTY ? await talk(session, conversation) : await script(session, conversation);
}

async function script(session: Session, { input, output, errors }: Conversation): Promise<number> {
  const { createInterface } = await import("node:readline");
  let code = 0;
  const take = ({ kind, text }: Reply): boolean => {
    if (kind === "problem") code = 1;
    if (text !== "") (kind === "problem" ? errors : output).write(`${text}\n`);
    return kind !== "exit";
  };
  for await (const line of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })) {
    if (!take(session.enter(line))) return code;
  }
  take(session.finish());
  return code;
}

async function talk(session: Session, { input, output }: Conversation): Promise<number> {
  const { createInterface } = await import("node:readline"); // no other command needs it
  const terminal = createInterface({ input, output, terminal: true });
  const ask = (): void => {
    terminal.setPrompt(session.isOpen ? "… " : "> ");
    terminal.prompt();
  };
  output.write("Sphex. .help says what can be written here, .exit leaves.\n");
  terminal.on("line", (line) => {
    const { kind, text } = session.enter(line);
    if (text !== "") output.write(`${text}\n`);
    if (kind === "exit") terminal.close();
    else ask();
  });
  // Ctrl-C gives up the line, or the statement that it belongs to.
  terminal.on("SIGINT", () => {
    output.write(terminal.line === "" && !session.isOpen ? "\n.exit or Ctrl-D leaves\n" : "\n");
    session.abandon();
    terminal.write(null, { ctrl: true, name: "u" });
    ask();
  });
  ask();
  return await new Promise((resolve) => {
    terminal.on("close", () => {
      output.write(terminal.line === "" ? "\n" : "");
      resolve(0);
    });
  });
}
