import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable, Writable } from "node:stream";
import { main } from "../../../src/cli/main.js";
import type { Io } from "../../../src/cli/terminal/io.js";
import { complete } from "../../../src/repl/completion/completion.js";
import { Session } from "../../../src/repl/session.js";
import {
  linkTo,
  notebookCells,
  notebookText,
  programIn,
  readSetup,
} from "../../../src/vespa/compat/compat.js";
import type { Choice } from "../../hunt/choice.js";
import { Grammar } from "../grammar.js";
import { Broken, demand, laterOutcome, outcome, type Surface, textSurface } from "../surface.js";

/** What people type: lines of the REPL, links and notebooks of the playground, arguments of the command. */

// biome-ignore format: a grammar
const grammar = new Grammar({
  lines:      ["<line>", "<line*\n>"],
  line:       ["<expression>", "<name> = <expression>", ".<command>", ".<command> <expression>", ".<command> <word>", "<open>", ".set <name> = <literal>", ".why <expression>{<address>}", ".explain --plan <expression>", "# remark", ""],
  command:    ["help", "type", "explain", "why", "plot", "inputs", "set", "mode", "dialect", "names", "undo", "reset", "vars", "time", "history", "expand", "hlep", ""],
  expression: ["1", "<name>", "<literal>", "sum(<expression>)", "<expression> + <expression>", "_", "_2", "<name>(<expression>)", "query(q)", "softmax(<literal>, x)"],
  literal:    ["tensor(x[2]):[1,2]", "tensor(k{}):{a:1}", "1.5", "tensor():{}"],
  name:       ["a", "b", "query(q)", "f(x)", "tensor"],
  word:       ["json", "vespa", "csv", "a", "on", "'b", "--x"],
  open:       ["(", "a = ", "tensor(x[2]):[1,", '"a', "1 +"],
  address:    ["k:a", "x:0", "x:0,k:'a b'", "", "a"],
  fragment:   ["https://docs.vespa.ai/playground/#<letters*>", "<letters*>", "#<letters*>"],
  letters:    ["N4Ig", "A", "-", "+", "%2B", "EYQ", "bA"],
  setup:      ['{"f":[<frame*,>]}', "{}"],
  frame:      ['{"op":"e","p":{"n":"<name>","e":"<expression>"}}', '{"op":"c","p":{"t":"text"}}', '{"op":"e","p":{"e":1}}', "{}", "1"],
  notebook:   ["<note*\n>"],
  note:       ["<name> = <expression>", "# remark", "#@ {\"op\":\"c\",\"p\":{\"t\":\"a\"}}", "#> 1.0", "input <name> = <expression>", "<expression>", "constant a = 1", "", "// a"],
  arguments:  ["<argument*\0>"],
  argument:   ["<subcommand>", "<option>", "<expression>", "a.sphex", "--", "-", "<option>\0<value>"],
  subcommand: ["eval", "run", "check", "fmt", "explain", "why", "expand", "plot", "convert", "sample", "prelude", "link", "open", "batch", "eval-expr", "profile", "score", "capture", "completions", "help"],
  option:     ["-e", "--format", "--set", "--dialect", "--json", "--limit", "--cells", "--seed", "--plan", "--run", "--svg", "--to", "--type", "--version", "--help", "--no-optimise", "--backend", "--inputs", "--only", "--check", "--nope"],
  value:      ["json", "csv", "1", "a=1", "vespa", "tensor(x[2])", "", "reference", "-1", "1e9", "a.json"],
});

function attemptLines(text: string): void {
  const session = new Session(() => ({ limits: { cells: 1e4, steps: 1e5 } }));
  for (const line of text.split("\n").slice(0, 6)) {
    const reply = session.enter(line);
    demand(typeof reply === "object", "a line without a reply");
  }
}

const context = {
  ...{
    names: ["a", "query(q)"],
    functions: ["sum", "softmax"],
    dimensions: ["x", "k"],
    inputs: ["query(q)"],
  },
  ...{ dimensionsOf: () => ["x"], labels: () => ["a"], help: () => undefined, files: () => [] },
};

async function attemptLink(text: string): Promise<void> {
  const cells = await laterOutcome(() => programIn(text));
  if (cells === undefined) return;
  const link = await laterOutcome(() => linkTo(cells));
  if (link === undefined) return;
  const again = await laterOutcome(() => programIn(link));
  demand(JSON.stringify(again) === JSON.stringify(cells), `the link leads to ${JSON.stringify(again)}`);
}

function attemptSetup(text: string): void {
  const cells = outcome(() => readSetup({ name: "text", text }));
  if (cells === undefined) return;
  const notebook = notebookText(cells);
  const again = outcome(() => notebookCells({ name: "text", text: notebook }));
  // What is used above its definition is no notebook.
  if (again !== undefined)
    demand(JSON.stringify(again) === JSON.stringify(cells), `its notebook has ${JSON.stringify(again)}`);
}

/** An exit code that only a defect of Sphex has. */
const internal = 70;

async function attemptArguments(text: string): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "sphex-fuzz-"));
  const written: string[] = [];
  const sink = (): Writable =>
    new Writable({ write: (chunk, _, done) => done(void written.push(`${chunk}`)) });
  const io: Io = {
    ...{ stdin: Readable.from(["1 + 1\n"]), stdout: sink(), stderr: sink(), cwd: folder, env: {} },
    isTTY: { stdin: false, stderr: false },
    repl: () => Promise.reject(new Error("no terminal")),
  };
  try {
    // Nothing that waits for somebody, and no path but one in the folder.
    const words = text.split("\0").map((word) => word.replaceAll(/[/\\~]|\.\./g, "_"));
    const waits = words.some((word) => /^(?:serve|repl|test|--watch|-w|--threads.*|--port.*)$/.test(word));
    if (waits || words.length > 12) return;
    const code = await main(words, io);
    if (code === internal) throw new Broken(`it ends with ${internal}: ${written.join("")}`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const from = (rule: string) => (choice: Choice) => grammar.derive(rule, choice);

export const peopleSurfaces: readonly Surface[] = [
  textSurface({ name: "repl", weight: 2, derive: from("lines"), attempt: attemptLines }),
  textSurface({
    name: "completion",
    weight: 2,
    derive: from("lines"),
    attempt: (text) => demand(complete(text, context).candidates.length >= 0, "no candidates"),
  }),
  textSurface({ name: "link", weight: 1, derive: from("fragment"), attempt: attemptLink }),
  textSurface({ name: "setup", weight: 2, derive: from("setup"), attempt: attemptSetup }),
  textSurface({
    name: "notebook",
    weight: 1,
    derive: from("notebook"),
    attempt: (text) => void outcome(() => notebookCells({ name: "text", text })),
  }),
  textSurface({ name: "arguments", weight: 0.1, derive: from("arguments"), attempt: attemptArguments }),
];
