import { Talk } from "./interactive.js";
import { type Conversation, edited, writeText } from "./machine.js";
import { type Reply, Session } from "./session.js";

export type { Conversation };

/**
 * Until the end of the input. Gives 1 if a script had a problem, otherwise 0.
 * @throws SphexError where a setting has no value that can be read.
 */
export async function converse(conversation: Conversation): Promise<number> {
  const { options, manner, showing = () => ({}), cwd, env = {}, isTTY, input, output } = conversation;
  const edit = (text: string): string => {
    const made = edited(text, input, env);
    output.write(made === "" ? "" : `${made}\n`);
    return made;
  };
  const host = {
    ...(cwd === undefined ? {} : { writeFile: (path: string, text: string) => writeText(path, text, cwd) }),
    ...(isTTY ? { edit } : {}),
  };
  // What reads a script's values is a program, wherever they go.
  const session = new Session(options, manner, isTTY ? showing : () => ({}), host);
  for (const [name, value] of Object.entries(conversation.settings)) session.set(name, value);
  return isTTY ? await new Talk(session, conversation).end() : await script(session, conversation);
}

async function script(session: Session, conversation: Conversation): Promise<number> {
  const { createInterface } = await import("node:readline");
  const { input, output, errors, patiently } = conversation;
  let code = 0;
  const take = ({ kind, text }: Reply): boolean => {
    if (kind === "problem") code = 1;
    if (text !== "") (kind === "problem" ? errors : output).write(`${text}\n`);
    return kind !== "exit";
  };
  for await (const line of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })) {
    const reply =
      patiently === undefined
        ? session.enter(line)
        : await patiently(async (progress) => await session.enterAsync(line, { progress }));
    if (!take(reply)) return code;
  }
  take(session.finish());
  return code;
}
