import { Readable, Writable } from "node:stream";
import { describe, expect, test } from "vitest";
import { compile, type Options, type Progress } from "../../src/index.js";
import { columnsOf } from "../../src/language/source/columns.js";
import { Session } from "../../src/repl/session.js";
import { runRepl } from "../../src/repl/terminal/terminal.js";

/** A session with files that are in memory only. */
function sessionWith(files: Map<string, string> = new Map(), options: Options = {}): Session {
  const readFile = (path: string): string => {
    const text = files.get(path);
    if (text === undefined) throw new Error("there is no such file");
    return text;
  };
  const writeFile = (path: string, text: string): void => {
    if (path.startsWith("/")) throw new Error("permission denied");
    files.set(path, text);
  };
  return new Session(() => ({ ...options, readFile }), {}, undefined, { writeFile });
}

const replies = (session: Session, ...lines: string[]): string[] =>
  lines
    .map((line) => session.enter(line))
    .map(({ kind, text }) => (kind === "answer" ? text : `${kind}: ${text}`));

describe("the last result", () => {
  test("is _", () => {
    expect(replies(sessionWith(), "1 + 1", "_ * 3", "_ + _")).toEqual(["2.0", "6.0", "12.0"]);
    expect(replies(sessionWith(), "1; 2", "a = 7", "_")).toEqual(["1.0\n2.0", "", "2.0"]);
  });

  test("stays what it was in a definition", () => {
    expect(replies(sessionWith(), "2", "a = _ * 10", "f(x) = x + _", "5", "b = _; a + b", "f(1)")).toEqual([
      "2.0",
      "",
      "",
      "5.0",
      "25.0",
      "3.0",
    ]);
  });

  test("is not a parameter, a label or a dimension of that name", () => {
    const lines = ["9", "f(_) = _ + 1", "f(1)", "t = tensor(k{}):{_:4}", "t", "map(3, f(_)(_ * 2))"];
    expect(replies(sessionWith(), ...lines).slice(2)).toEqual(["2.0", "", "tensor(k{}):{_:4.0}", "6.0"]);
    expect(replies(sessionWith(), "9", "g = tensor(_[2])(_)", "g")[2]).toBe("tensor(_[2]):[0.0, 1.0]");
  });

  test("may be a name like any other", () => {
    expect(replies(sessionWith(), "9", "_ = 3", "4", "_", "a = _", "a")).toEqual([
      "9.0",
      "",
      "4.0",
      "3.0",
      "",
      "3.0",
    ]);
  });

  test("is not there before there is one, nor changed by what fails", () => {
    expect(replies(sessionWith(), "_")[0]).toContain("name/unknown");
    expect(replies(sessionWith(), "1", "nope", "_")[2]).toBe("1.0");
  });
});

describe(".save and .load", () => {
  const lines = [
    "input query(q): tensor<float>(x[2])",
    "input open: tensor(k{},y[])",
    "docs = tensor(doc{},x[2]):{'a b':[0, 1], c:[3, 4]}",
    ".set query(q) = [1, 2]",
    '.set open = {a:[1, NaN], "b\\"c":[-Infinity, 3]}',
    ".set free = tensor(z[1]):[5]",
    "sum(docs * query(q), x)",
    "f(t) = t * _ + sum(free)",
    "variable v = 2",
  ];
  const expressions = ["f(2) + v", "open", "free", "query(q)"];

  test("give back what there was", () => {
    const files = new Map<string, string>();
    const before = replies(sessionWith(files), ...lines, ...expressions, ".save s.sphex");
    const after = replies(sessionWith(files), ".load s.sphex", ...expressions);
    expect(after.slice(1)).toEqual(before.slice(lines.length, -1));
    expect(after[1]).toMatch(/^tensor\(doc\{\}\)/);
  });

  test("keep the comments of what is kept", () => {
    const files = new Map([["c.sphex", "\n# of a file\n\nb = 1 # one\n# seen\nb # shown\n// the end"]]);
    const lines = [
      ...["# weights", "// of the model", "w = 3   # three"],
      ...["f(x) = x + # first", "w // second", "# asked", "1 + 1 # two", "w = w + 1 # more"],
      ...[
        "p = 1; q = 2 # both",
        "# wrong",
        "r = nope",
        "r = 1",
        "# lost",
        "lost = 1",
        ".clear lost",
        "lost = 2",
      ],
      ".load c.sphex",
    ];
    replies(sessionWith(files), ...lines, ".save s.sphex");
    const saved = [
      ...["earlier_w = 3.0", "f(x) = x + # first", "w // second", "# weights", "// of the model"],
      ...["w = earlier_w + 1 # more", "p = 1", "q = 2 # both", "# wrong", "r = 1", "lost = 2"],
      ...["# of a file", "b = 1 # one", "// the end", ""],
    ];
    expect(files.get("s.sphex")).toBe(saved.join("\n"));
    replies(sessionWith(files), ".load s.sphex", "b = 2", ".undo", ".save again.sphex");
    expect(files.get("again.sphex")).toBe(files.get("s.sphex"));
  });

  test("make a program", () => {
    const files = new Map<string, string>();
    replies(sessionWith(files), ...lines, ".save s.sphex");
    expect(`${compile(`${files.get("s.sphex")}\nquery(q)`).run()}`).toBe("tensor<float>(x[2]):[1.0, 2.0]");
  });

  test("keep tensors without a cell, unless no expression has their value", () => {
    const files = new Map<string, string>();
    const declared = ["input rows: tensor(k{},x[])", ".set rows = tensor(k{},x[]):{}"];
    const dense = ["input open: tensor(x[])", ".set open = tensor(x[]):{}"];
    replies(sessionWith(files), ...declared, ...dense, ".save s.sphex");
    expect(files.get("s.sphex")).toContain("input open: tensor(x[])\n");
    const after = replies(sessionWith(files), ".load s.sphex", "rows");
    expect(after).toEqual(["", "tensor(k{},x[]):{}"]);
  });

  test("keep the order in which types are written, which is that of the axes of arrays", () => {
    const files = new Map<string, string>();
    const declared = ["n = 2", "input w: tensor(row[n],column[n])", ".set w = [[1, 2], [3, 4]]"];
    replies(sessionWith(files), ...declared, ".save s.sphex");
    const lines = [".load s.sphex", "w{row:0,column:1}", ".set w = [[5, 6], [7, 8]]", "w{row:0,column:1}"];
    expect(replies(sessionWith(files), ...lines)).toEqual(["", "2.0", "", "6.0"]);
  });

  test("print a file's results, and find the files that it names", () => {
    const files = new Map([
      ["deep/a.sphex", 'constant w: tensor(x[2]) = file("w.txt")\n# a comment\nsum(w)\nb = 1 +\n  2\n'],
      ["deep/w.txt", "tensor(x[2]):[3,4]"],
    ]);
    expect(replies(sessionWith(files), ".load deep/a.sphex", "b")).toEqual(["7.0", "3.0"]);
  });

  test("show a problem where it is, and keep what stands before it", () => {
    const files = new Map([["bad.sphex", "a = 1\nb = nope\nc = 2\n"]]);
    const said = replies(sessionWith(files), "a = 5", ".load bad.sphex", "a", "c");
    expect(said[1]).toContain("┌ bad.sphex:2:5");
    expect(said[1]).toMatch(/\nnote: the statements before it were entered$/);
    expect(said[2]).toBe("1.0");
    expect(said[3]).toContain("name/unknown");
  });

  // biome-ignore format: a table
  test.each([
    { line: ".load none",   message: "problem: cannot read none: there is no such file" },
    { line: ".save /etc/x", message: "problem: cannot write /etc/x: permission denied" },
    { line: ".load",        message: "problem: write .load FILE" },
    { line: ".save",        message: "problem: write .save FILE" },
  ])("refuse $line", ({ line, message }) => {
    expect(replies(sessionWith(), line)).toEqual([message]);
    expect(new Session().enter(line).kind).toBe("problem");
  });
});

describe("commands", () => {
  test(".inputs lists types and values", () => {
    const lines = [
      "input a: tensor(x[2])",
      "input bcd: tensor() = 1",
      ".set f = 3",
      "9",
      ".inputs",
      ".set a = [1,2]",
    ];
    expect(replies(sessionWith(), ...lines)[4]?.split("\n")).toEqual([
      "  a    tensor(x[2])  needs a value: .set a = …",
      "  bcd  tensor()      has a default",
      "  f    tensor()      = 3",
    ]);
    expect(replies(sessionWith(), ...lines, ".inputs")[6]).toContain("= [1.0, 2.0]");
    expect(replies(sessionWith(), ".inputs")[0]).toContain("there are no inputs");
  });

  test("lists and notes end at the width of the terminal, also where letters take two columns", () => {
    const wide = `tensor(k{}):{"${"語".repeat(60)}":1}`;
    const session = new Session(undefined, {}, () => ({ width: 80 }));
    const texts = replies(session, `.set q = ${wide}`, `t = ${wide}`, ".inputs", ".lazy", "t", "t = t + 1");
    for (const text of [texts[2], texts[3], texts[5]]) {
      expect(text).toMatch(/語…$/);
      expect(columnsOf(text ?? "")).toBeGreaterThan(77);
      expect(columnsOf(text ?? "")).toBeLessThanOrEqual(80);
    }
  });

  test(".set reads a file", () => {
    const files = new Map([["q.txt", "tensor(x[1]):[5]\n"]]);
    expect(replies(sessionWith(files), ".set q = @q.txt", "q")).toEqual(["", "tensor(x[1]):[5.0]"]);
    expect(replies(sessionWith(files), ".set q = @none")).toEqual([
      "problem: cannot read none: there is no such file",
    ]);
  });

  test(".set takes an expression, which is computed at once", () => {
    const lines = ["input q: tensor(x[3])", "n = 10", ".set q = tensor(x[3])(x + n)", "n = 20", "q"];
    expect(replies(sessionWith(), ...lines)[4]).toBe("tensor(x[3]):[10.0, 11.0, 12.0]");
    const [wrong, size] = replies(
      sessionWith(),
      ...lines,
      ".set q = nope + 1",
      ".set q = tensor(y[2])(n)",
    ).slice(5);
    expect(wrong).toContain("problem");
    expect(size).toContain("x[3]");
    expect(replies(sessionWith(), ...lines, ".set q = [1,2]", "q")[6]).toBe(
      "tensor(x[3]):[10.0, 11.0, 12.0]",
    );
  });

  test(".dialect changes what is portable, where what is kept allows it", () => {
    const said = replies(
      sessionWith(),
      ".dialect",
      ".dialect vespa",
      "range(1)",
      ".dialect",
      ".dialect latin",
    );
    expect(said[2]).toMatch(/^problem: error: /);
    expect([said[0], said[3]]).toEqual(["formalism", "vespa"]);
    expect(said[4]).toBe("problem: there is no dialect latin: it is one of formalism, vespa");
    const retained = replies(sessionWith(), "r = range(1)", ".dialect vespa", "r");
    expect(retained[1]).toContain("portability/");
    expect(retained[2]).toContain("tensor(i[1]):[0.0]");
  });

  test("what Vespa does not have is told once, and .portable lists it", () => {
    const trunc = "Vespa does not have the function trunc (in Vespa: if(x < 0, ceil(x), floor(x)))";
    const lines = [
      ".portable",
      "trunc(2.5)",
      "map(1, f(x)(x * k))",
      "k = trunc(3.5)",
      "range(1)",
      ".portable",
    ];
    const said = replies(sessionWith(), ...lines);
    expect(said[0]).toBe("Vespa has all that was entered");
    expect(said[1]).toBe("note: Vespa does not have all of this: .portable tells what, here and later\n2.0");
    expect(said[2]).not.toContain("portability");
    expect(said.slice(3, 5)).toEqual(["", "tensor(i[1]):[0.0]"]);
    expect(said[5]?.split("\n")).toEqual([trunc, expect.stringContaining("range")]);
  });

  test(".timer says how long a line took", () => {
    let now = 0;
    const session = sessionWith(undefined, { clock: () => (now += 600) });
    expect(replies(session, "1", ".timer on", "1", ".timer", ".timer off", "1", ".timer x")).toEqual([
      "1.0",
      "",
      expect.stringMatching(/^1\.0\n\(\d+(?:\.\d)? m?s\)$/),
      "on",
      "",
      "1.0",
      "problem: write .timer on or .timer off",
    ]);
  });

  test(".editor begins with the last line, and enters what becomes of it", () => {
    const edit = (text: string): string => text.replace("1", "2");
    const session = new Session(undefined, {}, undefined, { edit });
    expect(replies(session, "1 + 10", ".editor", ".editor")).toEqual(["11.0", "12.0", "22.0"]);
    expect(replies(sessionWith(), ".editor")[0]).toContain("problem: ");
  });

  test(".clear NAME forgets one name, unless another needs it", () => {
    const answers = replies(
      sessionWith(),
      "a = 1",
      "b = a + 1",
      "c = 3",
      ".clear a",
      "b",
      ".clear c",
      "c",
      ".clear c",
    );
    expect(answers[3]).toContain("name/unknown");
    expect(answers[4]).toBe("2.0");
    expect(answers[5]).toBe("");
    expect(answers[6]).toContain("name/unknown");
    expect(answers[7]).toContain("there is nothing called c");
  });

  test(".clear forgets the last result too", () => {
    expect(replies(sessionWith(), "1", ".clear", "_")[2]).toContain("name/unknown");
  });

  test("an input without a value is told with a way to give it", () => {
    expect(replies(sessionWith(), "input q: tensor()", "q + 1")[1]).toContain("has no value yet: .set q = …");
  });
});

describe("a long line", () => {
  const long = "a = 2; tensor(x[100000])(sum(tensor(y[100000])(sin(x * y + x))))";

  test("can be cancelled, and changes nothing", async () => {
    const session = sessionWith();
    session.enter("a = 1");
    const controller = new AbortController();
    const reply = session.enterAsync(long, { signal: controller.signal });
    setTimeout(() => controller.abort(), 20);
    expect(await reply).toEqual({ kind: "problem", text: "cancelled" });
    expect(await session.enterAsync("a", { signal: new AbortController().signal })).toEqual({
      kind: "answer",
      text: "1.0",
    });
  });

  const picture = "tensor(x[30])(sum(tensor(y[30000000])(sin(x * y + x))))";

  test.each([".plot ", ".explain ", ".why "])("of %s can be cancelled too", async (name) => {
    const session = sessionWith();
    const controller = new AbortController();
    const line = `${name}${picture}${name === ".why " ? "{x:1}" : ""}`;
    const reply = session.enterAsync(line, { signal: controller.signal });
    setTimeout(() => controller.abort(), 20);
    expect(await reply).toEqual({ kind: "problem", text: "cancelled" });
    expect(session.enter("1").text).toBe("1.0");
  });

  test("tells what it is at", async () => {
    const reports: { text: string; done: number; operations: number }[] = [];
    const progress = ({ span, done, operations }: Progress) =>
      reports.push({ text: span.source.text.slice(span.start, span.end), done, operations });
    await sessionWith().enterAsync(".explain sum(tensor(x[100],y[1000])(x*y) + 2)", { progress });
    expect(reports.length).toBeGreaterThan(10);
    expect(reports[0]).toEqual({ text: "tensor(x[100],y[1000])(x*y)", done: 0, operations: 4 });
    expect(reports.at(-1)?.text).toBe("sum(tensor(x[100],y[1000])(x*y) + 2)");
    expect(reports.at(-1)?.done).toBe(3);
  });

  test("is answered as it would be otherwise", async () => {
    const session = sessionWith();
    const lines = [
      "b = 1",
      "b + 1; _",
      "f(",
      ")",
      ".type b",
      "nope",
      "2",
      "_",
      ".load none",
      "sum(range(3))",
      ".expand softmax(range(x[3]), x)",
      ".plot range(x[3])",
      ".why sum(range(x[3]))",
      ".why sum(range(x[3]), z)",
    ];
    const others = sessionWith();
    for (const line of lines) expect(await session.enterAsync(line)).toEqual(others.enter(line));
  });

  test("in a script is waited for by whoever wants to", async () => {
    let waits = 0;
    let text = "";
    const output = new Writable({
      write(chunk, _, done) {
        text += chunk;
        done();
      },
    });
    const patiently = async <T>(work: (progress: () => void) => Promise<T>): Promise<T> => {
      waits++;
      return await work(() => undefined);
    };
    const ends = { input: Readable.from(["1\n2\n"]), output, errors: output, isTTY: false };
    await runRepl({
      options: () => ({}),
      problemOptions: {},
      settings: {},
      withProgress: patiently,
      ...ends,
    });
    expect({ waits, text }).toEqual({ waits: 2, text: "1.0\n2.0\n" });
  });
});

test.each([30, 40, 47])("in a terminal of %i columns help breaks no word", (width) => {
  const { text } = new Session(undefined, {}, () => ({ width })).enter(".help");
  const lines = text.split("\n");
  expect(lines.filter((line) => line.length > width)).toEqual([]);
  expect(lines.slice(-2)).toEqual(["  .exit", "    leaves, as Ctrl-D does"]);
});
