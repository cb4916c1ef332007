import { PassThrough } from "node:stream";
import { describe, expect, test } from "vitest";
import { type Draft, draftOf, erased, inserted, type Motion, moved } from "../../src/repl/editor/draft.js";
import { LineEditor } from "../../src/repl/editor/line-editor.js";
import { Recall } from "../../src/repl/editor/recall.js";
import { matchedBrackets, viewOf } from "../../src/repl/editor/view.js";
import { isComplete } from "../../src/repl/open-lines.js";
import { History } from "../../src/repl/terminal/history.js";
import { Screen } from "./screen.js";

/** The editor of statements at a terminal. In drafts of these tests | is the cursor. */
const draft = (text: string): Draft => ({ text: text.replace("|", ""), cursor: text.indexOf("|") });
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are the subject
const colours = /\x1b\[[\d;]*m/g;

const shown = ({ text, cursor }: Draft): string => `${text.slice(0, cursor)}|${text.slice(cursor)}`;

// biome-ignore format: a table
test.each<{ from: string; motion: Motion; to: string | undefined }>([
  { from: "ab|c",        motion: "left",      to: "a|bc" },
  { from: "|abc",        motion: "left",      to: "|abc" },
  { from: "a👩‍👩‍👧|b",      motion: "left",      to: "a|👩‍👩‍👧b" },
  { from: "a|e\u0301b",  motion: "right",     to: "ae\u0301|b" },
  { from: "a\n|b",       motion: "left",      to: "a|\nb" },
  { from: "sum(do_c|, x", motion: "wordLeft", to: "sum(|do_c, x" },
  { from: "sum|(doc, x", motion: "wordRight", to: "sum(doc|, x" },
  { from: "ab\nc|d\nef",  motion: "lineStart", to: "ab\n|cd\nef" },
  { from: "ab\nc|d\nef",  motion: "lineEnd",   to: "ab\ncd|\nef" },
  { from: "abcd\nef|",   motion: "up",        to: "ab|cd\nef" },
  { from: "abc|d\nef",   motion: "down",      to: "abcd\nef|" },
  { from: "ab|c",        motion: "up",        to: undefined },
  { from: "ab|c",        motion: "down",      to: undefined },
])("$motion from $from", ({ from, motion, to }) => {
  const next = moved(draft(from), motion);
  expect(next && shown(next)).toBe(to);
});

test("what is written and erased", () => {
  expect(shown(inserted(draft("a|b"), "x\ny"))).toBe("ax\ny|b");
  expect(erased(draft("sum(abc|)"), "wordLeft")).toEqual({ draft: draft("sum(|)"), erased: "abc" });
  expect(shown(erased(draft("a\nbc|d"), "lineEnd").draft)).toBe("a\nbc|");
  expect(shown(erased(draft("a|👍🏽"), "right").draft)).toBe("a|");
});

describe("how a draft looks", () => {
  const plain = { columns: 10, inColour: false, prompt: "> ", matches: true };

  test("rows break at the width, and the cursor behind a full row is in the next", () => {
    expect(viewOf(draftOf("abcdefgh"), plain)).toEqual({ rows: ["> abcdefgh", ""], row: 1, column: 0 });
    expect(viewOf(draft("abcdefg|hij"), plain)).toEqual({ rows: ["> abcdefgh", "ij"], row: 0, column: 9 });
    expect(viewOf(draftOf("a\nb"), plain)).toEqual({ rows: ["> a", "… b"], row: 1, column: 3 });
    expect(viewOf(draft("世界|"), plain)).toEqual({ rows: ["> 世界"], row: 0, column: 6 });
  });

  test("words and numbers have colours, and a suggestion is grey, as far as there is room", () => {
    const { rows } = viewOf(draftOf("sum(1"), {
      ...plain,
      columns: 12,
      inColour: true,
      suggestion: " + 2 + 3 + 4",
    });
    expect(rows[0]).toContain("\x1b[38;5;68ms\x1b[0m");
    expect(rows[0]).toContain("\x1b[38;5;31m1\x1b[0m");
    expect(rows[0]?.replaceAll(colours, "")).toBe("> sum(1 + 2");
  });

  test("brackets that match at the cursor stand out", () => {
    expect(matchedBrackets("f(a[1], ')')", 12)).toEqual([11, 1]);
    expect(matchedBrackets("f(a[1])", 1)).toEqual([1, 6]);
    expect(matchedBrackets("f(a[1", 4)).toEqual([]);
    expect(matchedBrackets("abc", 1)).toEqual([]);
  });
});

test("statements of earlier", () => {
  const recall = new Recall(["c", "b = (1\n)", "a"]);
  expect([
    recall.earlier("now"),
    recall.earlier("c"),
    recall.later(),
    recall.later(),
    recall.later(),
  ]).toEqual(["c", "b = (1\n)", "c", "now", undefined]);
  expect(recall.suggestion("b =")).toBe("b = (1\n)");
  expect(recall.suggestion("")).toBeUndefined();
  expect(recall.found("1", 0)).toEqual({ entry: "b = (1\n)", at: 1 });
  recall.add("a");
  expect(recall.earlier("")).toBe("a");
});

test("the history has statements of several lines", () => {
  let text = "old\n";
  const file = { read: () => text, append: (more: string) => (text += more), replace: () => undefined };
  const history = new History(file);
  expect(history.earlier()).toEqual(["old"]);
  history.add("a = (\n\t1\n)");
  history.add("b");
  expect(text).toBe("old\na = (\n\t\t1\n\t)\nb\n");
  expect(new History(file).earlier()).toEqual(["b", "a = (\n\t1\n)", "old"]);
});

test.each([
  [".help sum(", true],
  [".5 +", false],
  ["?sum(", true],
  ["sum?", true],
  ["sum(1", false],
  ["1 +", false],
  ["1 +\n", true],
  ["1 + # (", false],
])("%j can be entered: %j", (text, expected) => expect(isComplete(text)).toBe(expected));

describe("at a terminal", () => {
  /** Presses keys; the screen, and what was entered. */
  async function pressed(keys: readonly string[], entries: readonly string[] = [], busy?: Promise<void>) {
    const [keyboard, screen] = [new PassThrough(), new Screen(40)];
    const entered: string[] = [];
    let interrupts = 0;
    const editor: LineEditor = new LineEditor(
      keyboard,
      screen,
      {
        isComplete,
        enter: async (text) => {
          entered.push(text);
          await busy;
        },
        interrupt: () => {
          interrupts++;
          if (busy === undefined) editor.abandon();
        },
        complete: (before) => ({ word: /\w*$/.exec(before)?.[0] ?? "", candidates: ["softmax", "softplus"] }),
        inColour: () => true,
      },
      entries,
    );
    for (const each of keys) {
      keyboard.write(each);
      await new Promise((resolve) => setImmediate(resolve));
    }
    return { entered, text: screen.text, interrupts, keyboard, editor };
  }

  const [up, left, home] = ["\x1b[A", "\x1b[D", "\x01"];
  const [search, erase, kill, yank] = ["\x12", "\x7f", "\x0b", "\x19"];

  test("a statement goes on while a bracket is open, and is edited as a whole", async () => {
    const { entered, text } = await pressed(["a = (1 +\r", "2)", up, "\x05", erase, "*", "\r"]);
    expect(entered).toEqual(["a = (1 *\n2)"]);
    expect(text).toContain("> a = (1 *\n… 2)");
    expect((await pressed(["a = (1 +\r", "2)", "\r"])).entered).toEqual(["a = (1 +\n2)"]);
  });

  test("what is pasted is one text, whatever its lines are", async () => {
    const { entered } = await pressed(["\x1b[200~a = 1\rb = 2\x1b[201~", "\r"]);
    expect(entered).toEqual(["a = 1\nb = 2"]);
  });

  test("the way back through the statements of earlier, and into a suggestion", async () => {
    expect((await pressed([up, up, "\r"], ["new", "old"])).entered).toEqual(["old"]);
    expect((await pressed(["ol", "\x05", "\r"], ["new", "old one"])).entered).toEqual(["old one"]);
    expect((await pressed(["ol", "\r"], ["new", "old one"])).entered).toEqual(["ol"]);
  });

  test("Ctrl-R searches, again goes further back, and Ctrl-G gives up", async () => {
    const entries = ["sum(b)", "sum(a)", "max(c)"];
    expect((await pressed([search, "sum", "\r"], entries)).entered).toEqual(["sum(b)"]);
    expect((await pressed([search, "sum", search, "\r"], entries)).entered).toEqual(["sum(a)"]);
    expect((await pressed(["x", search, "max", "\x07", "\r"], entries)).entered).toEqual(["x"]);
    expect((await pressed([search, "max"], entries)).text).toContain("search max: max(c)");
  });

  test("keys of editing", async () => {
    expect((await pressed(["abc", left, left, "x", home, "y", "\r"])).entered).toEqual(["yaxbc"]);
    expect((await pressed(["ab cd", home, kill, yank, yank, "\r"])).entered).toEqual(["ab cdab cd"]);
    expect((await pressed(["1 + 2", "\x17", "3", "\r"])).entered).toEqual(["1 + 3"]);
  });

  test("Tab writes what all words begin with, and then shows them", async () => {
    const { entered, text } = await pressed(["so\t", "\t", "\r"]);
    expect(entered).toEqual(["soft"]);
    expect(text).toContain("softmax   softplus");
  });

  test("the cursor stays where Tab shows words", async () => {
    expect((await pressed(["soft)", left, "\t", "\t", "(x", "\r"])).entered).toEqual(["soft(x)"]);
  });

  test("what is typed meanwhile waits, and Ctrl-C drops it", async () => {
    let done: () => void = () => undefined;
    const busy = new Promise<void>((resolve) => {
      done = resolve;
    });
    const { entered, keyboard, interrupts } = await pressed(["1\r", "2\r"], [], busy);
    expect({ entered, interrupts }).toEqual({ entered: ["1"], interrupts: 0 });
    keyboard.write("\x03");
    await new Promise((resolve) => setImmediate(resolve));
    done();
    await new Promise((resolve) => setImmediate(resolve));
    expect(entered).toEqual(["1"]);
  });

  test.each(["2", "2\r"])("its keyboard ends while a statement runs, and %j was typed", async (typed) => {
    let done: () => void = () => undefined;
    const busy = new Promise<void>((resolve) => {
      done = resolve;
    });
    const { keyboard, editor } = await pressed(["1\r", typed], [], busy);
    let isOver = false;
    void editor.ended.then(() => (isOver = true));
    keyboard.end();
    await new Promise((resolve) => setImmediate(resolve));
    expect(isOver).toBe(false);
    done();
    await new Promise((resolve) => setImmediate(resolve));
    expect(isOver).toBe(true);
  });

  test("Ctrl-D at an empty prompt ends it, and so does the end of the keyboard", async () => {
    await (await pressed(["\x04"])).editor.ended;
    const { keyboard, editor } = await pressed(["1"]);
    keyboard.end();
    await editor.ended;
  });
});
