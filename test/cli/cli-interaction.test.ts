import { mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Readable, Writable } from "node:stream";
import { afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { main } from "../../src/cli/main.js";
import { changes } from "../../src/cli/terminal/changes.js";
import type { Io } from "../../src/cli/terminal/io.js";
import { withProgress } from "../../src/cli/terminal/progress.js";
import { temporaryFolder } from "../folder.js";

/** Interaction with the command: default commands, watching, colours, progress and completions. */
const folder = temporaryFolder();
beforeAll(() => {
  file("two.sphex", "1 + 1\n");
  file("plain", "a = 3\n");
  file("q.txt", "tensor(x[2]):[1,2]\n");
  file("q.json", "[3, 4]");
  file("three.json", "3");
  file("null.json", "null");
});

const file = (name: string, text: string): void => writeFileSync(join(folder, name), text);

class Collector extends Writable {
  text = "";
  override _write(chunk: Buffer, _: BufferEncoding, done: () => void): void {
    this.text += chunk;
    done();
  }
}

interface World extends Partial<Omit<Io, "stdin">> {
  readonly stdin?: string;
}

function world({ stdin = "", ...others }: World = {}) {
  const [out, err] = [new Collector(), new Collector()];
  const io: Io = {
    ...{ stdin: Readable.from([stdin]), stdout: out, stderr: err, cwd: folder, env: {} },
    isTTY: { stdin: false, stderr: false },
    repl: () => import("../../src/repl/terminal/terminal.js"),
    ...others,
  };
  return { io, out, err };
}

async function sphex(args: readonly string[], options: World = {}) {
  const { io, out, err } = world(options);
  const code = await main(args, io);
  return { code, out: out.text, err: err.text };
}

const fine = (out: string) => ({ code: 0, out, err: "" });

describe("without a command", () => {
  // biome-ignore format: a table
  test.each([
    { args: ["1 + 2"],                                 out: "3.0\n" },
    { args: ["42"],                                    out: "42.0\n" },
    { args: ["-3"],                                    out: "-3.0\n" },
    { args: ["two.sphex"],                             out: "2.0\n" },
    { args: ["plain"],                                 out: "3.0\n" },
    { args: ["--set", "a=2", "a"],                     out: "2.0\n" },
    { args: ["a ^ 2", "--set", "a=3"],                 out: "9.0\n" },
    { args: ["--format", "json", "1"],                 out: '{"type":"tensor()","value":"tensor():{1.0}","cells":[[{},1]]}\n' },
    { args: ["-e", "1", "-e", "-2", "--expression", "3"], out: "1.0\n-2.0\n3.0\n" },
    { args: ["--", "-3 * 2"],                          out: "-6.0\n" },
  ])("$args", async ({ args, out }) => {
    expect(await sphex(args)).toEqual(fine(out));
  });

  test("a program comes from stdin for -", async () => {
    expect(await sphex(["-"], { stdin: "a = 2\na * 4" })).toEqual(fine("8.0\n"));
  });

  test("nothing at all starts a conversation at a terminal", async () => {
    const terminals: unknown[] = [];
    const repl: Io["repl"] = async () => ({ runRepl: async ({ isTTY }) => terminals.push(isTTY) - 1 });
    const options = { repl, isTTY: { stdin: true, stderr: true } };
    expect((await sphex([], options)).code).toBe(0);
    expect((await sphex(["--dialect", "vespa"], options)).code).toBe(1);
    expect(terminals).toEqual([true, true]);
  });

  // biome-ignore format: a table
  test.each([
    { args: ["frob"],           message: "unknown command 'frob'" },
    { args: ["frob", "1"],      message: "unknown command 'frob'" },
    { args: ["none.sphex"],     message: "cannot read none.sphex: there is no such file" },
    { args: ["--frob"],         message: "unknown option '--frob'" },
    { args: ["1", "--frob"],    message: "unknown option '--frob'" },
    { args: ["eval"],           message: "missing required argument 'expression'" },
  ])("$args is wrong use", async ({ args, message }) => {
    const { code, out, err } = await sphex(args);
    expect({ code, out }).toEqual({ code: 2, out: "" });
    expect(err).toContain(`sphex: ${message}`);
  });
});

describe("several expressions", () => {
  test("are each given what they mention", async () => {
    const args = ["-e", "a + 1", "-e", "b", "--set", "a=1", "--set", "b=2"];
    expect(await sphex(["eval", ...args])).toEqual(fine("2.0\n2.0\n"));
    const { code, err } = await sphex([...args, "--set", "zzz=2"]);
    expect({ code, unknown: err.includes("input/unknown") }).toEqual({ code: 1, unknown: true });
  });

  test("mention what they have as a size, too", async () => {
    const { err } = await sphex(["-e", "tensor(x[n])(x)", "-e", "a", "--set", "n=3", "--set", "a=2"]);
    expect(err).toContain("type/dimension-size");
    expect(err).not.toContain("input/unknown");
  });

  test("go on after one that fails", async () => {
    const { code, out, err } = await sphex(["-e", "nope", "-e", "1"]);
    expect({ code, out }).toEqual({ code: 1, out: "1.0\n" });
    expect(err).toContain("name/unknown");
  });
});

describe("--set from a file", () => {
  // biome-ignore format: a table
  test.each([
    { title: "takes a literal",           stdin: "sum(q)",                                  set: "q=@q.txt",       out: "3.0\n" },
    { title: "takes JSON",                stdin: "input q: tensor(x[2])\nsum(q)",           set: "q = @q.json",    out: "7.0\n" },
    { title: "takes a number",            stdin: "q",                                       set: "q=@three.json",  out: "3.0\n" },
  ])("$title", async ({ stdin, set, out }) => {
    expect(await sphex(["run", "-", "--set", set], { stdin })).toEqual(fine(out));
  });

  test("needs one that can be read", async () => {
    const { code, err } = await sphex(["q + 1", "--set", "q=@none"]);
    expect({ code, err }).toEqual({ code: 2, err: "sphex: cannot read none: there is no such file\n" });
    expect((await sphex(["q + 1", "--set", "q=@null.json"])).err).toContain("null.json is null");
  });
});

describe("--watch", () => {
  /** So many changes, each after something was done to the files. */
  const following = (...acts: (() => void)[]) => {
    const requestedPaths: (readonly string[])[] = [];
    async function* watch(paths: () => readonly string[]): AsyncGenerator<void> {
      for (const act of acts) {
        requestedPaths.push(paths());
        act();
        yield;
      }
    }
    return { requestedPaths, watch };
  };

  test("runs again whenever a file that is used changes", async () => {
    file("w.sphex", 'constant w: tensor(x[1]) = file("w.txt")\nsum(w) + q');
    file("w.txt", "tensor(x[1]):[1]");
    file("s.txt", "10");
    const { requestedPaths, watch } = following(
      () => file("w.txt", "tensor(x[1]):[2]"),
      () => file("w.sphex", "nope"),
      () => renameSync(join(folder, "w.sphex"), join(folder, "gone")),
      () => file("w.sphex", "q"),
    );
    const { code, out, err } = await sphex(["w.sphex", "--set", "q=@s.txt", "--watch"], { changes: watch });
    expect({ code, out }).toEqual({ code: 0, out: "11.0\n12.0\n10.0\n" });
    expect(err).toContain("name/unknown");
    expect(err).toContain("sphex: cannot read w.sphex: there is no such file\n");
    expect(requestedPaths[0]?.map((path) => path.slice(folder.length + 1))).toEqual([
      "w.sphex",
      "s.txt",
      "w.txt",
    ]);
  });

  test("clears the screen of a terminal, and says there how to leave", async () => {
    const isTTY = { stdin: true, stdout: true, stderr: true };
    const { watch } = following(() => undefined);
    const { out, err } = await sphex(["run", "two.sphex", "--watch"], {
      changes: watch,
      isTTY,
      env: { NO_COLOR: "1" },
    });
    expect(out).toBe("2.0\n\x1b[H\x1b[2J2.0\n");
    expect(err).toBe("watching two.sphex; Ctrl-C leaves\n".repeat(2));
  });

  test("needs a file", async () => {
    expect(await sphex(["run", "-", "--watch"])).toMatchObject({ code: 2 });
  });

  test("sees files that are written, or put in the place of others", async () => {
    const path = join(folder, "seen");
    file("seen", "1");
    const seen = changes(() => [path])[Symbol.asyncIterator]();
    for (const change of [() => file("seen", "12"), () => renameSync(join(folder, "new"), path)]) {
      file("new", "123");
      const next = seen.next();
      setTimeout(change, 30);
      expect((await next).done).toBe(false);
    }
  });

  test("sees a folder that goes away, and the file in another one of its name", async () => {
    const path = join(folder, "away", "seen");
    const inFolder = (act: () => void): void => {
      mkdirSync(join(folder, "away"), { recursive: true });
      // The folder is there for a while before the file is.
      setTimeout(act, 150);
    };
    mkdirSync(join(folder, "away"));
    file("away/seen", "1");
    const seen = changes(() => [path])[Symbol.asyncIterator]();
    for (const change of [
      () => rmSync(join(folder, "away"), { recursive: true }),
      () => inFolder(() => file("away/seen", "12")),
    ]) {
      const next = seen.next();
      setTimeout(change, 30);
      expect((await next).done).toBe(false);
    }
  });
});

describe("a heat map", () => {
  const args = ["plot", "tensor(x[2],y[2])(x + y)"];
  const bare = "tensor(x[2],y[2])(x + y)\n\n   y\nx  0     1\n0  ·· 0  ▒▒ 1\n1  ▒▒ 1  ██ 2\n\n0 ·░▒▓█ 2\n";
  const terminal = { stdin: false, stdout: true, stderr: true };

  test("has colours at a terminal: viridis from violet over green to yellow", async () => {
    const { out } = await sphex(args, { isTTY: terminal, columns: 80 });
    const seen = out.replaceAll("\u001b", "ESC");
    const colours = [...seen.matchAll(/ESC\[38;5;(\d+)m(..)ESC\[39m/g)].map(
      ([, ink, signs]) => `${ink} ${signs}`,
    );
    // 68 1 84 is nearest to 1 0 2 of six steps each; 33 145 140 to 1 3 3; 253 231 37 to 5 5 1.
    expect(colours).toEqual(["54 ··", "73 ▒▒", "73 ▒▒", "227 ██"]);
    expect(seen.replaceAll(/ESC\[[\d;]*m/g, "")).toBe(bare);
  });

  // biome-ignore format: a table
  test.each([
    { title: "where none is wanted",  options: { isTTY: terminal, env: { NO_COLOR: "1" } } },
    { title: "at a dumb terminal",    options: { isTTY: terminal, env: { TERM: "dumb" } } },
    { title: "in a pipe",             options: {} },
  ])("has none $title", async ({ options }) => {
    expect((await sphex(args, options)).out).toBe(bare);
  });
});

describe("progress", () => {
  afterEach(() => void vi.useRealTimers());
  const terminal = { stdin: false, stderr: true };

  async function shown(options: World, milliseconds: number): Promise<string> {
    vi.useFakeTimers();
    const { io, err } = world(options);
    const work = new Promise<number>((resolve) => setTimeout(() => resolve(7), milliseconds));
    const done = withProgress(work, io);
    await vi.advanceTimersByTimeAsync(milliseconds);
    expect(await done).toBe(7);
    return err.text;
  }

  test("is shown after a second, and gone in the end", async () => {
    const text = await shown({ isTTY: terminal }, 2050);
    expect(text).toContain("\r\x1b[2m⠋ 1.0 s, Ctrl-C cancels\x1b[22m\x1b[K");
    expect(text).toContain("2.0 s");
    expect(text.endsWith("\r\x1b[K")).toBe(true);
  });

  test("says what is being done, as far as there is room", async () => {
    const long = "sum(tensor(x[100])(x *\n  1),x) + tensor(naïve[1])(0)";
    const lineAt = async (columns: number, text = long): Promise<string> => {
      const span = { source: { name: "a", text }, start: 0, end: text.length };
      const at = { span, steps: 9, done: 2, operations: 5 };
      vi.useFakeTimers();
      const { io, err } = world({ isTTY: terminal, env: { NO_COLOR: "1" }, columns });
      const done = withProgress((progress) => {
        progress(at);
        return new Promise<void>((resolve) => setTimeout(resolve, 1050));
      }, io);
      await vi.advanceTimersByTimeAsync(1050);
      await done;
      return err.text.split("\r")[1] ?? "";
    };
    const [ends, cleared] = [", 2 of 5 operations, Ctrl-C cancels", "\x1b[K"];
    expect(await lineAt(100)).toBe(
      `⠋ 1.0 s: sum(tensor(x[100])(x * 1),x) + tensor(naïve[1])(0)${ends}${cleared}`,
    );
    expect(await lineAt(60)).toBe(`⠋ 1.0 s: sum(tensor(x[1…${ends}${cleared}`);
    // Of the 15 columns that are left, 7 letters take two each.
    expect(await lineAt(60, "言".repeat(8))).toBe(`⠋ 1.0 s: ${"言".repeat(7)}…${ends}${cleared}`);
    expect(await lineAt(46)).toBe(`⠋ 1.0 s${ends}${cleared}`);
    expect(await lineAt(30)).toBe(`⠋ 1.0 s, Ctrl-C cancels${cleared}`);
  });

  test("has no colour where none is wanted", async () => {
    const text = await shown({ isTTY: terminal, env: { NO_COLOR: "1" } }, 1150);
    expect(text).toBe("\r⠋ 1.0 s, Ctrl-C cancels\x1b[K\r⠙ 1.1 s, Ctrl-C cancels\x1b[K\r\x1b[K");
  });

  // biome-ignore format: a table
  test.each([
    { title: "what is quick",              options: { isTTY: terminal },                       time: 900 },
    { title: "nobody who is not there",    options: {},                                        time: 3000 },
    { title: "a terminal that cannot",     options: { isTTY: terminal, env: { TERM: "dumb" } }, time: 3000 },
  ])("does not bother $title", async ({ options, time }) => {
    expect(await shown(options, time)).toBe("");
  });

  test("does not change what comes out", async () => {
    const { code, out, err } = await sphex(["1 + 1"], { isTTY: terminal });
    expect({ code, out, err }).toEqual(fine("2.0\n"));
    expect((await sphex(["nope + 1"], { isTTY: terminal })).code).toBe(1);
  });

  test("is cleared before Ctrl-C ends the command", async () => {
    vi.useFakeTimers();
    const acts: (() => void)[] = [];
    let isForgotten = false;
    const onInterrupt = (act: () => void) => {
      acts.push(act);
      return () => void (isForgotten = true);
    };
    const { io, err } = world({ isTTY: terminal, onInterrupt });
    let end = (): void => undefined;
    const done = withProgress(new Promise<void>((resolve) => (end = resolve)), io);
    await vi.advanceTimersByTimeAsync(1100);
    for (const act of acts) act();
    expect(err.text.endsWith("\r\x1b[K")).toBe(true);
    end();
    await done;
    expect(isForgotten).toBe(true);
  });
});

describe("completions", () => {
  test.each(["bash", "zsh", "fish"])("for %s know all commands and options", async (shell) => {
    const { code, out, err } = await sphex(["completions", shell]);
    expect({ code, err }).toEqual({ code: 0, err: "" });
    const { out: help } = await sphex(["--help"]);
    const names = [...help.matchAll(/^ {2}(\w+)(?: [[<]|$)/gm)].map(([, name]) => name ?? "");
    expect(names.length).toBeGreaterThan(6);
    for (const name of names.filter((each) => each !== "help"))
      expect(out).toMatch(new RegExp(`\\b${name}\\b`));
    for (const option of ["max-cells", "watch", "dialect"]) expect(out).toContain(option);
    expect(out).toContain("formalism vespa");
    expect(out).toMatch(/\bhelp\b.*\brun eval check\b/);
  });

  test("are for shells that are known", async () => {
    const { code, err } = await sphex(["completions", "tcsh"]);
    expect(code).toBe(2);
    expect(err).toContain("Allowed choices are bash, zsh, fish.");
  });
});

describe("--help", () => {
  test("has the exit codes, and an example for each command", async () => {
    const { out } = await sphex(["--help"]);
    expect(out).toMatch(/Exit codes:\n {2}0 .*\n {2}1 .*\n {2}2 .*\n {2}70 /);
    const names = [...out.matchAll(/^ {2}(\w+) (?:\[|<)/gm)].map(([, name]) => name ?? "");
    for (const name of names.filter((each) => each !== "help")) {
      const { out: help } = await sphex([name, "--help"]);
      expect(`${name}: ${help}`).toMatch(/\nExamples?:\n {2}\$ .*sphex/);
    }
  });
});
