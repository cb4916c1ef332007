import { readFileSync } from "node:fs";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { expect, test } from "vitest";
import { writer } from "../../src/cli/files/files.js";
import { runRepl } from "../../src/repl/terminal/terminal.js";
import { temporaryFolder } from "../folder.js";
import { patient } from "../patience.js";
import { Screen } from "../repl/screen.js";

/**
 * A session as somebody at a terminal sees it, from the first line to the last: `screens/WIDTH.txt` is what stands on a
 * screen of that width in the end. People looked at these files line by line, and at the same session in a real terminal.
 */
const [interrupt, end] = ["\u0003", "\u0004"];

const typed = [
  "query = tensor<float>(x[4]):[1, 0.5, 0, 2]",
  "docs = tensor<float>(doc{},x[4]):{first:[1,0,0,1], second:[0,2,1,0], third:[0.5,0.5,0.5,0.5]}",
  "docs",
  "scores = sum(query * docs, x)",
  "scores",
  "sum(query * doc, x)",
  "softmax(scores)",
  "sum(docs, y)",
  "query * tensor<float>(x{}):{a:1}",
  "total = sum(scores",
  ") / cout(scores)",
  "_",
  ".explain softmax(scores, doc)",
  ".why scores{doc:second}",
  ".plot scores",
  ".plot docs",
  ".expand softmax(scores, doc)",
  "tensor(x[100000])(sum(tensor(y[100000])(sin(x * y + x))))\u0003",
  "_",
  ".save session.sphex",
  ".help",
];

test.each([60, 80, 100, 160])("at %i columns", patient, async (columns) => {
  const folder = temporaryFolder();
  const [input, screen] = [new PassThrough(), new Screen(columns)];
  const ended = runRepl({
    ...{ options: () => ({ clock: () => 0 }), settings: {}, isTTY: true, cwd: folder, files: writer(folder) },
    ...{ input, output: screen, errors: screen, problemOptions: { width: Math.min(columns, 100) } },
    tensorOptions: () => ({ format: "pretty", width: columns }),
  });
  for (const line of typed) await type(line, input, screen);
  input.write(end);
  expect(await ended).toBe(0);
  const expected = readFileSync(new URL(`screens/${columns}.txt`, import.meta.url), "utf8");
  expect(`${screen.text.trimEnd()}\n`).toBe(expected);
  const { length } = "query = tensor<float>(x[4]):[1, 0.5, 0, 2]\n";
  expect(readFileSync(join(folder, "session.sphex"), "utf8").slice(0, length)).toBe(`${typed[0]}\n`);
});

/** Types a line and waits for the next prompt; a Ctrl-C behind it comes while it is evaluated. */
async function type(line: string, input: PassThrough, screen: Screen): Promise<void> {
  const [text = "", afterwards] = line.split(interrupt);
  await prompted(screen);
  input.write(`${text}\r`);
  if (afterwards === undefined) return;
  await new Promise((resolve) => setTimeout(resolve, 100));
  input.write(interrupt);
}

async function prompted(screen: Screen): Promise<void> {
  while (!/(?:^|\n)[>…]$/.test(screen.text)) await new Promise((resolve) => setTimeout(resolve, 5));
}
