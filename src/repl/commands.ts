import { nearest } from "../index.js";
import type { Reply, Session } from "./session.js";

/** What a line that begins with a dot can ask of a session. */
interface Command {
  readonly usage: string;
  readonly does: string;
  readonly reply: (session: Session, rest: string) => Reply;
}

const answer = (text: string): Reply => ({ text, kind: "answer" });
const refusal = (text: string): Reply => ({ text, kind: "problem" });

const commands = new Map<string, Command>([
  ["help", { usage: ".help", does: "this", reply: () => answer(help()) }],
  [
    "type",
    { usage: ".type EXPR", does: "the type of an expression", reply: (session, rest) => session.types(rest) },
  ],
  [
    "set",
    { usage: ".set NAME = LITERAL", does: "the value of an input: .set q = tensor(x[2]):[1,2]", reply: set },
  ],
  ["clear", { usage: ".clear", does: "forgets all names and values", reply: clear }],
  ["exit", { usage: ".exit", does: "leaves", reply: () => ({ text: "", kind: "exit" }) }],
]);

/** Runs a line such as `.type a + b`. */
export function command(session: Session, line: string): Reply {
  const [, name = "", rest = ""] = /^\.(\w*)\s*([\s\S]*)$/.exec(line) ?? [];
  const known = commands.get(name);
  if (known !== undefined) return known.reply(session, rest);
  const guess = nearest(name, commands.keys());
  return refusal(
    `there is no .${name}${guess === undefined ? "; .help lists what there is" : `: did you mean .${guess}?`}`,
  );
}

function set(session: Session, rest: string): Reply {
  const at = rest.indexOf("=");
  const name = rest.slice(0, Math.max(at, 0)).trim();
  if (name === "") return refusal("write .set NAME = LITERAL");
  session.set(name, rest.slice(at + 1).trim());
  return answer("");
}

function clear(session: Session): Reply {
  session.clear();
  return answer("");
}

function help(): string {
  const rows = [...commands.values()].map(({ usage, does }) => `  ${usage.padEnd(22)}${does}`);
  return [
    "An expression prints its value. A name or function is defined with =, an input, constant,",
    "variable or persistent tensor as in a program; to define a name again replaces it.",
    "A statement goes on in the next line while a bracket is open or an operator ends the line.",
    ...rows,
  ].join("\n");
}
