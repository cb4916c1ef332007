import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { describe, expect, test } from "vitest";
import { writer } from "../../src/cli/files/files.js";
import { type Options, uniform } from "../../src/index.js";
import { models } from "../../src/models.js";
import { Session } from "../../src/repl/session.js";
import { editText } from "../../src/repl/terminal/machine.js";
import { runRepl } from "../../src/repl/terminal/terminal.js";
import { temporaryFolder } from "../folder.js";
import { floats, layer, raw } from "../models/onnx/write-model.js";

/** What a session of the REPL remembers of values: when a definition is computed, and when again. */

function replies(lines: readonly string[], options: () => Options = () => ({})): string[] {
  const session = new Session(options);
  return lines
    .map((line) => session.enter(line))
    .map(({ kind, text }) => (kind === "answer" ? text : `${kind}: ${text}`));
}

const last = (lines: readonly string[], options?: () => Options): string =>
  replies(lines, options).at(-1) ?? "";

/** About 1600 steps, where 2500 are allowed: two of these are too many for one line. */
const heavy = "sum(tensor(x[40],y[40])(x * y))";
const few = (): Options => ({ backend: "reference", limits: { steps: 12_000 } });

describe("a definition", () => {
  test("is so much work that a line can do it once", () => {
    expect(last([heavy], few)).toBe("608400.0");
    expect(last([`${heavy} + ${heavy.replace("x * y", "x * y + 0")}`], few)).toContain("limit/");
  });

  test("is computed when it is first asked for, and then known", () => {
    const lines = [`a = ${heavy}`, "a + 1", `a + ${heavy.replace("x * y", "x * y + 1")}`];
    expect(replies(lines, few).slice(1)).toEqual(["608401.0", "1218400.0"]);
  });

  test("is computed again when something that it reads has changed", () => {
    const lines = ["b = 1", `a = b + ${heavy}`, "a", "b = 2", "a"];
    expect(replies(lines, few).slice(2)).toEqual(["608401.0", "", "608402.0"]);
    expect(last(["input q: tensor() = 1", "a = q * 2", "c = a + 1", "c", ".set q = 10", "c"])).toBe("21.0");
    expect(last(["f(x) = x + 1", "a = f(1)", "a", "f(x) = x + 10", "a"])).toBe("11.0");
    expect(last(["input query(q): tensor() = 1", "a = $q", "a", ".set query(q) = 5", "a"])).toBe("5.0");
  });

  test("stays a formula: types, sizes, lambdas and derivatives go through it", () => {
    expect(last(["n = 2", "n", "tensor(x[n])(x)"])).toBe("tensor(x[2]):[0.0, 1.0]");
    expect(last(["c = 2", "c", "map(tensor(x[2]):[1,2], f(v)(v * c))"])).toMatch(
      /tensor\(x\[2\]\):\[2\.0, 4\.0\]$/,
    );
    expect(last(["input x: tensor() = 3", "y = x * x", "y", "gradient(y, x)"])).toMatch(/\n6\.0$/);
    expect(last(["a = tensor(x[2]):[1,2]", "a", ".explain sum(a)"])).toContain("tensor(x[2])");
  });

  test("that reads an earlier value is explained in the words of whoever entered it", () => {
    const explained = (lines: readonly string[]): string => last(lines).replace(/ +/g, " ");
    expect(explained(["total = 5", "total = total + 1", ".why total"])).toBe(
      "total + 1 6.0 add\n├ total 5.0 total as it was\n└ 1 1.0 constant",
    );
    expect(explained(["tensor(x[2]):[1,2]", "b = _ * 2", ".why b{x:1}"])).toBe(
      "_ * 2 {x:1} 4.0 join multiply\n├ _ {x:1} 2.0 an earlier result\n└ 2 2.0 constant",
    );
    expect(explained(["z = 0", "z = z / 0", ".why --nan z"])).toContain("z / 0 (divide)");
    expect(explained(["a = 1", "a = a + a", ".explain a"])).not.toContain("_1");
  });

  test("draws its random numbers as it does where nothing is known", () => {
    const seeded = (): Options => ({ random: uniform(1) });
    const [, first, both] = replies(["r = random(2)", "r", "r - random(2)"], seeded);
    expect(first).toBe(last(["r = random(2)", "r"], seeded));
    expect(both).toBe(last(["r = random(2)", "r - random(2)"], seeded));
  });

  test("is listed by .lazy, and shown by .value", () => {
    const lines = ["a = 2", "b = a * 3", "f(x) = x", ".lazy", "a", ".lazy", ".value b", ".lazy"];
    expect(replies(lines).filter((_, at) => [3, 5, 6, 7].includes(at))).toEqual([
      "  later     a = 2\n  later     b = a * 3",
      "  computed  a = 2\n  later     b = a * 3",
      "b = a * 3\n6.0",
      "  computed  a = 2\n  computed  b = a * 3",
    ]);
    expect(last([".value nope"])).toBe("problem: nope is no name with a formula; .lazy lists them");
  });
});

describe("a definition by what the name was", () => {
  test("takes its value, and says what it was", () => {
    expect(replies(["total = 5", "total = total + 1", "total", "total = total * total", "total"])).toEqual([
      "",
      "note: total was 5.0",
      "6.0",
      "note: total was 6.0",
      "36.0",
    ]);
  });

  test("reads a tensor, and several names at once", () => {
    expect(last(["t = tensor(x[2]):[1,2]", "t = t * 2", "t"])).toBe("tensor(x[2]):[2.0, 4.0]");
    expect(last(["a = 1", "b = 2", "a = a + b; b = b + 10", "a * 100 + b"])).toBe("1312.0");
  });

  test("is no definition by itself where there was nothing, nor a function, nor a parameter", () => {
    expect(last(["total = total + 1"])).toContain("name/cycle");
    expect(last(["f(x) = f(x) + 1", "f(1)"])).toContain("problem");
    expect(last(["x = 3", "x = sum(tensor(x[2])(x))", "x"])).toBe("1.0");
  });

  test("may be saved", () => {
    const files = new Map<string, string>();
    const session = new Session(undefined, {}, undefined, {
      writeFile: (path, text) => files.set(path, text),
    });
    for (const line of ["total = 5", "total = total + 1", ".save s.sphex"]) session.enter(line);
    expect(files.get("s.sphex")).toBe("earlier_total = 5.0\ntotal = earlier_total + 1\n");
    const [other] = replies([...(files.get("s.sphex") ?? "").trim().split("\n"), "total"]).slice(-1);
    expect(other).toBe("6.0");
  });

  test("are saved by names that nothing else has", () => {
    const files = new Map<string, string>();
    const session = new Session(undefined, {}, undefined, {
      writeFile: (path, text) => files.set(path, text),
    });
    const lines = [
      "earlier_a = 1",
      "a = 2",
      "a = a + earlier_a",
      "7",
      "b = _ + a",
      ".set earlier_result = 3",
    ];
    for (const line of [...lines, "c = b * earlier_result", ".save s.sphex"]) session.enter(line);
    expect(files.get("s.sphex")?.split("\n")).toEqual(
      expect.arrayContaining([
        "earlier_a_2 = 2.0",
        "a = earlier_a_2 + earlier_a",
        "b = earlier_result_2 + a",
      ]),
    );
    const [value] = replies([...(files.get("s.sphex") ?? "").trim().split("\n"), "c"]).slice(-1);
    expect(value).toBe("30.0");
  });
});

describe(".set", () => {
  test("of another type is refused where a definition needs what it was", () => {
    const lines = [".set q = tensor(k{}):{a:1}", "x = if(2, tensor(k{}):{b:3}, q)"];
    expect(last([...lines, ".set q = 0"])).toMatch(/^problem/);
    expect(last([...lines, ".set q = 0", "x"])).toBe("tensor(k{}):{b:3.0}");
    expect(last([...lines, ".set q = tensor(k{}):{c:2}", "q"])).toBe("tensor(k{}):{c:2.0}");
  });
});

describe(".undo", () => {
  test("tells the value that an input has again", () => {
    expect(last([".set q = 1", ".set q = 2", ".undo"])).toBe("q = 1.0");
    expect(last([".set q = 1", ".undo"])).toBe("q is no longer defined");
  });

  test("leaves what was printed last", () => {
    expect(last(["5", "a = 1", "7", ".undo", "_"])).toBe("7.0");
    expect(last(["5", "a = 1", "7", ".undo", "b = _ * 2", "b"])).toBe("14.0");
    expect(last(["5", ".clear", ".undo", "_"])).toBe("5.0");
  });

  test("takes back definitions, values and .clear, one after the other", () => {
    const lines = [
      "a = 1",
      "a = 2",
      ".set q = 5",
      ".clear",
      ".undo",
      "q + a",
      ".undo",
      ".undo",
      "a",
      ".undo",
      "a",
      ".undo",
    ];
    const said = replies(lines);
    expect(said[5]).toBe("7.0");
    expect(said[7]).toBe("a = 1");
    expect(said[8]).toBe("1.0");
    expect(said[10]).toContain("name/unknown");
    expect(said[11]).toBe("problem: there is nothing to take back");
  });

  test("is not about lines that define nothing, or that fail", () => {
    expect(last(["a = 1", "a = 2", "a + 1", "a = nope", ".undo", "a"])).toBe("1.0");
  });
});

describe("several statements at once", () => {
  const load = (text: string, ...lines: string[]): string[] => {
    const session = new Session(undefined, {}, undefined, { readFile: () => text });
    return [".load f.sphex", ...lines].map((line) => session.enter(line).text);
  };

  test("are read as a file is: in any order, and with operators at the beginning of a line", () => {
    expect(load("a = b\n  + 1\nb = 2\na", "a")).toEqual(["3.0", "3.0"]);
  });

  test.each([
    ["a = 1\nb = a +* 2\nc = 3", "syntax"],
    ["a = 1\nb = sum(a, x)\nc = 3", "type/unknown-dimension"],
    ["a = 1\ninput q: tensor()\na; q\nc = 3", "input/missing"],
  ])("are entered up to the first mistake: %j", (text, code) => {
    const [said, a, c] = load(text, "a", "c");
    expect(said).toContain(code);
    expect(said).toMatch(/\nnote: the statements before it were entered$/);
    expect(a).toBe("1.0");
    expect(c).toContain("name/unknown");
  });

  test("keep the results before a mistake, and name what needs the rest", () => {
    expect(load("1 + 1\nnope")[0]).toMatch(/^2\.0\nerror: /);
    const [said, first] = load("a = 1\nb = c\nc = nope", "a");
    expect(said).toContain("nope");
    expect(first).toBe("1.0");
  });
});

test(".why --nan finds the first NaN", () => {
  expect(last(["a = tensor(x[2]):[1,0]", ".why --nan a / a"])).toContain("a / a");
  expect(last([".why --nan 1 + 1"])).toMatch(/no NaN|finite/);
});

test(".why without a cell offers the cells", () => {
  expect(last(["a = tensor(x[2]):[1,5]", ".why a"])).toBe(
    "name a cell:\n  .why a{x:0}  1.0\n  .why a{x:1}  5.0",
  );
});

test(".plot fits the lines of the screen", () => {
  const rowsOf = (rows: number): number => {
    const session = new Session(undefined, {}, () => ({ width: 80 }), { rows: () => rows });
    return session.enter(".plot tensor(x[60],y[20])(x * y)").text.split("\n").length;
  };
  expect(rowsOf(24)).toBeLessThan(24);
  expect(rowsOf(100)).toBeGreaterThan(30);
});

test("places in piped lines have the numbers of the lines", async () => {
  const [input, output, errors] = [new PassThrough(), new PassThrough(), new PassThrough()];
  input.end("a = 1\n.type a\nb = (a +\n  nope)\n\nc = a + other\n");
  const streams = { input, output, errors, isTTY: false };
  expect(await runRepl({ options: () => ({}), problemOptions: {}, settings: {}, ...streams })).toBe(1);
  const said = `${errors.read()}`;
  expect(said).toContain("repl:4:3");
  expect(said).toContain("4 │   nope)");
  expect(said).toContain("repl:6:9");
});

describe("the text of an editor", () => {
  const edited = (script: string): string => {
    const folder = temporaryFolder();
    const editor = join(folder, "editor.sh");
    writeFileSync(editor, `#!/bin/sh\n${script}\n`, { mode: 0o755 });
    return editText("a + 1", undefined, { EDITOR: editor }, writer(folder));
  };

  test("is entered where the editor wrote it, and forgotten where it did not", () => {
    expect(edited('echo "2 + 2" > "$1"')).toBe("2 + 2");
    expect(edited('cp "$1" "$1.x" && cat "$1.x" > "$1"')).toBe("a + 1");
    expect(edited("true")).toBe("");
    expect(edited('echo "2 + 2" > "$1"; false')).toBe("");
  });
});

test("the help says that a formula stays one", () => {
  expect(last([".help"]).replace(/\s+/g, " ")).toContain("computed when it is first asked for");
  expect(readFileSync(new URL("../../src/repl/memory/README.md", import.meta.url), "utf8")).toContain(
    "cached-values.ts",
  );
});

describe("statements of a program", () => {
  test("a model is there in later lines, and in a session that is loaded", () => {
    const options = (): Options => ({ models, readBytes: () => layer(weights) });
    const weights = raw(floats([1, 0, 0, 1, 1, 1]));
    const lines = [
      'model net = file("net.onnx")',
      "y = net(x: tensor<float>(d0[2],d1[3]):[1,2,3,4,5,6]).y",
      "y{d0:0,d1:1}",
      "net(x: tensor<float>(d0[2],d1[3]):[1,0,0,0,0,0]).y{d0:0,d1:0}",
    ];
    expect(replies(lines, options)).toEqual(["", "", "5.0", "1.0"]);
    const saved: string[] = [];
    const session = new Session(options, {}, undefined, {
      readFile: () => saved[0] ?? "",
      writeFile: (_, text) => void saved.push(text),
    });
    for (const line of lines.slice(0, 2)) session.enter(line);
    session.enter(".save net.sphex");
    expect(saved[0]).toContain('model net = file("net.onnx")');
  });

  test.each([
    ["assign n = n + 1", /assign does nothing here.*--state/s],
    ["minimise n", /minimise does nothing here.*sphex train/s],
    ["begin t = tensor(k{}):{a:1}", /begin does nothing here/],
  ])("%s is not heeded, and says so", (statement, note) => {
    expect(last(["variable n = 1", "variable t: tensor(k{}) = tensor(k{}):{}", statement])).toMatch(note);
  });
});

describe("a name that is defined anew", () => {
  const a = "a = tensor(x[2]):[1,2]";

  test.each([
    [[a, "x = 5", "x = max(a, x)", "x"], "2.0"],
    [[a, "x = 5", "x = sum(a, x)", "x"], "3.0"],
    [[a, "x = 5", "x = sum(a, x) + x", "x"], "8.0"],
    [["z = 4", "z = concat(1, 2, z)", "z"], "tensor(z[2]):[1.0, 2.0]"],
    [["y = 4", "y = concat(tensor(y[1])(y), y, y)", "y"], "tensor(y[2]):[0.0, 4.0]"],
    [["float = 2", "float = cell_cast(tensor(x[1]):[1], float)", "float"], "tensor<float>(x[1]):[1.0]"],
    [["max = 2", "max = reduce(tensor(x[2]):[1,7], max)", "max"], "7.0"],
    [["x = 5", "x = tensor(y[2])(x + y)", "x"], "tensor(y[2]):[5.0, 6.0]"],
  ])("takes what was a value there, and leaves dimensions and words: %j", (lines, value) => {
    expect(last(lines)).toBe(value);
  });

  test("notes what it was only where it reads that", () => {
    expect(replies([a, "x = 5", "x = sum(a, x)"]).join()).not.toContain("was 5");
    expect(replies([a, "x = 5", "x = sum(a, x) + x"]).join()).toContain("was 5");
  });
});

describe("earlier values", () => {
  test.each([
    [["5", "k(_1) = _ * 10 + _1", "k(1)"], "51.0"],
    [["5", "b = tensor(_1[2])(_ + _1)", "b"], "tensor(_1[2]):[5.0, 6.0]"],
    [["t = 5", "t = t + 1", "_1 = 100", "t"], "6.0"],
    [["3", "b = _ * 2", "input _1: tensor() = 50", "_1"], "50.0"],
  ])("have names that nobody writes: %j", (lines, value) => {
    expect(last(lines)).toBe(value);
  });
});

test("in another dialect a name is computed again", () => {
  const lines = ["a = max(1, (0/0))", "a"];
  expect(replies([...lines, ".dialect vespa", "a"]).slice(1)).toEqual(["NaN", "", "1.0"]);
});

describe("files of several folders", () => {
  const files = new Map([
    ["w.json", "[7,8]"],
    ["one/w.json", "[1,2]"],
    ["two/w.json", "[10,20]"],
    ["one/a.sphex", 'constant w1: tensor(x[2]) = file("w.json")'],
    ["two/b.sphex", 'constant w2: tensor(x[2]) = file("w.json")'],
  ]);
  const readFile = (path: string): string => {
    const text = files.get(path.replace(/[^/]+\/\.\.\//g, ""));
    if (text === undefined) throw new Error("there is no such file");
    return text;
  };
  const session = (): Session =>
    new Session(() => ({ readFile }), {}, undefined, {
      readFile,
      writeFile: (path, text) => void files.set(path, text),
    });
  const answers = (own: Session, ...lines: readonly string[]): string[] =>
    lines.map((line) => own.enter(line).text);

  test("each program has those beside it", () => {
    const said = answers(session(), ".load one/a.sphex", ".load two/b.sphex", "w1", "w2");
    expect(said.slice(2)).toEqual(["tensor(x[2]):[1.0, 2.0]", "tensor(x[2]):[10.0, 20.0]"]);
  });

  test("a session that is saved in a folder names them from there", () => {
    answers(session(), 'constant w: tensor(x[2]) = file("w.json")', ".load two/b.sphex", ".save two/s.sphex");
    expect(files.get("two/s.sphex")).toContain('file("../w.json")');
    expect(files.get("two/s.sphex")).toContain('file("w.json")');
    expect(answers(session(), ".load two/s.sphex", "w", "w2").slice(1)).toEqual([
      "tensor(x[2]):[7.0, 8.0]",
      "tensor(x[2]):[10.0, 20.0]",
    ]);
  });
});
