import { describe, expect, onTestFinished, test } from "vitest";
import { temporaryFolder } from "../folder.js";
import { patient } from "../patience.js";
import { hasTmux, Terminal } from "./tmux.js";

/**
 * The REPL in tmux, at 60, 100 and 160 columns: `screens/tmux/WIDTH.txt` is what stands there after a session, and what people
 * have read line by line. Nothing here waits for a time, only for what is to appear.
 */
const widths = [60, 100, 160];
const rows = 40;
const sequence = `${String.fromCharCode(27)}\\[[\\d;]*m`;

async function opened(columns: number, home = temporaryFolder()): Promise<Terminal> {
  const terminal = new Terminal(columns, rows, home);
  onTestFinished(() => terminal.close());
  await terminal.shows("\n>");
  return terminal;
}

const session = [
  "query = tensor<float>(x[4]):[1, 0.5, 0, 2]",
  "docs = tensor<float>(doc{},x[4]):{first:[1,0,0,1], second:[0,2,1,0], third:[0.5,0.5,0.5,0.5]}",
  "docs",
  "scores = sum(query * docs, x)",
  "scores",
  "input power: tensor() = 2",
  "map(scores, f(score)(pow(score, power)))",
  "trunc(sum(scores))",
  ".portable",
  "sum(query * doc, x)",
  "query * tensor<float>(x{}):{a:1}",
  "[1,2,3]",
  "total = sum(scores",
  ") / count(scores)",
  "total",
  "total = total + 1",
  ".why total",
  ".why scores{doc:second}",
  ".why scores",
  ".why l2_normalize(scores * 2, doc){doc:second}",
  ".plot scores",
  ".plot docs",
  ".lazy",
  ".value total",
  ".help sum",
  ".undo",
  "total",
  ".nosuch",
];

describe.skipIf(!hasTmux).each(widths)("at %i columns", patient, (columns) => {
  test("a session, from the first line to the last", async () => {
    const terminal = await opened(columns);
    for (const line of session) await terminal.enter(line);
    await expect(`${terminal.text}\n`).toMatchFileSnapshot(`screens/tmux/${columns}.txt`);
    const widest = Math.max(...terminal.text.split("\n").map((line) => [...line].length));
    expect(widest).toBeLessThanOrEqual(columns);
  });

  test("a statement of several lines is edited as one", async () => {
    const terminal = await opened(columns);
    terminal.type("sum(tensor(x[3]):");
    terminal.press("Enter");
    await terminal.shows("\n…");
    terminal.type("[1, 2, 4])");
    await terminal.shows("[1, 2, 4])");
    // Up into the first line, where 3 becomes 2; then down, and the last number goes.
    terminal.press("Up", "Home", ...Array<string>("sum(tensor(x[".length).fill("Right"), "DC");
    terminal.type("2");
    await terminal.shows("> sum(tensor(x[2]):");
    terminal.press("Down", "End", "Left", "Left", "BSpace", "BSpace", "BSpace", "End");
    await terminal.shows("… [1, 2])");
    terminal.press("Enter");
    await terminal.shows("\n3.0\n>");
  });

  test("what is pasted is read as a file is", async () => {
    const terminal = await opened(columns);
    terminal.paste("a = 1\n  + 2\nb = a\n  * 10\na + b\n");
    await terminal.shows("* 10");
    terminal.press("Enter");
    await terminal.shows("\n33.0\n>");
    terminal.press("Up");
    await terminal.until((text) => /> a = 1\n… {3}\+ 2\n… b = a\n… {3}\* 10\n… a \+ b$/.test(text));
  });

  test("statements of earlier sessions come back: a suggestion, up, and the search", async () => {
    const home = temporaryFolder();
    const first = await opened(columns, home);
    await first.enter("alpha = tensor(x[2]):[1, 2]");
    await first.enter("sum(alpha)");
    first.press("C-d");
    while (!first.isOver) await new Promise((resolve) => setTimeout(resolve, 30));
    const second = await opened(columns, home);
    second.type("alph");
    await second.shows("> alpha = tensor(x[2]):[1, 2]");
    expect(second.colours).toMatch(new RegExp(`alph${sequence}\\S*a = tensor`));
    second.press("Right", "Enter");
    await second.shows("[1, 2]\n>");
    second.press("Up", "Up");
    await second.shows("> sum(alpha)");
    second.press("C-u", "C-r");
    await second.shows("\nsearch");
    second.type("tens");
    await second.until((text) => /search tens: alpha = tensor/.test(text));
    second.press("C-c");
    await second.until((text) => text.endsWith("\n>"));
    await second.enter("1 + 1");
    expect(second.text).toContain("\n2.0\n>");
  });

  test("Ctrl-C cancels a line, and what runs", async () => {
    const terminal = await opened(columns);
    terminal.type("1 +");
    await terminal.shows("1 +");
    terminal.press("C-c");
    await terminal.until((text) => text.endsWith("\n>"));
    terminal.type("tensor(x[100000])(sum(tensor(y[100000])(sin(x * y + x))))");
    terminal.press("Enter");
    await terminal.until((text) => !/x\)+$/.test(text));
    terminal.press("C-c");
    await terminal.until((text) => /stopped|cancel/i.test(text) && text.endsWith("\n>"));
    await terminal.enter("1 + 1");
    expect(terminal.text).toContain("\n2.0\n>");
  });

  test("a window that changes its size is drawn anew", async () => {
    const terminal = await opened(columns);
    terminal.type("sum(tensor(x[10]):[1, 2, 3, 4, 5, 6, 7, 8, 9, 10])");
    await terminal.shows("9, 10])");
    terminal.resize(30, rows);
    await terminal.until((text) => text.split("\n").every((line) => line.length <= 30));
    terminal.press("Enter");
    await terminal.shows("\n55.0\n>");
    terminal.resize(columns, rows);
    await terminal.enter(".plot tensor(x[300],y[2])(x + y)");
    const lines = terminal.text.split("\n");
    expect(Math.max(...lines.map((line) => [...line].length))).toBeLessThanOrEqual(columns);
  });
});

test.skipIf(!hasTmux)(
  "brackets that belong together are marked, and words have colours",
  patient,
  async () => {
    const terminal = await opened(100);
    terminal.type("sum(tensor(x[2]):[1, 2])");
    await terminal.shows("[1, 2])");
    const marked = terminal.colours;
    expect(marked).toMatch(new RegExp(sequence));
    terminal.press("Home");
    await terminal.until(() => terminal.colours !== marked);
  },
);
